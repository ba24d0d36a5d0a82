//! What leaves the tail: whole blocks that nothing to come can change, and the settled part of a long one.

use super::{Document, lines, update};
use crate::{
    Block,
    read::{Kind, Read, Top},
};

/// A code block, table or list whose beginning has left the tail.
#[derive(Clone, Debug)]
pub(super) struct Open {
    /// What has to stand before the tail for the parser to go on with the block: a fence, or a table's head.
    context: String,
    /// The block without content.
    empty: Block,
    /// All that has left the tail of it, and the labels in there that nobody knew. Code needs neither.
    source: String,
    misses: Vec<String>,
    /// What its references made of their definitions.
    expanded: usize,
    /// How much of it is settled.
    within: usize,
}

impl Open {
    fn new(context: String, block: &Block) -> Self {
        let empty = match block {
            Block::Code { language, .. } => Block::Code {
                language: language.clone(),
                text: String::new(),
            },
            Block::Table {
                alignment, head, ..
            } => Block::Table {
                alignment: alignment.clone(),
                head: head.clone(),
                rows: Vec::new(),
            },
            Block::List { start, .. } => Block::List {
                start: *start,
                items: Vec::new(),
            },
            other => other.clone(),
        };
        Self {
            context,
            empty,
            source: String::new(),
            misses: Vec::new(),
            expanded: 0,
            within: 0,
        }
    }

    pub(super) fn context(&self) -> &str {
        &self.context
    }

    pub(super) fn is_code(&self) -> bool {
        matches!(self.empty, Block::Code { .. })
    }

    /// Makes the first block of a reading the one that goes on here.
    pub(super) fn join(&self, blocks: &mut Vec<Block>) {
        let mut own = self.empty.clone();
        let same = blocks
            .first()
            .is_some_and(|first| std::mem::discriminant(first) == std::mem::discriminant(&own));
        if same {
            let more = blocks.remove(0);
            update::append(&mut own, more);
        }
        blocks.insert(0, own);
    }
}

/// What a push adds to the finished blocks.
pub(super) struct Fresh {
    /// How many blocks were finished before, and how much of the one after them was settled.
    pub(super) done: usize,
    pub(super) within: usize,
    /// What comes after that.
    pub(super) blocks: Vec<Block>,
    /// Whether the first of them is another one and no more the rest of one.
    pub(super) replaced: bool,
}

impl Fresh {
    pub(super) fn new(document: &Document) -> Self {
        let open = document.open.as_ref();
        Self {
            done: document.done,
            within: open.map_or(0, |open| open.within),
            blocks: open.map(|open| open.empty.clone()).into_iter().collect(),
            replaced: false,
        }
    }

    /// Puts a block in the place of one that was finished with this push, or gives it back.
    pub(super) fn replace(&mut self, place: usize, block: Block) -> Option<Block> {
        let Some(index) = place.checked_sub(self.done) else {
            return Some(block);
        };
        if let Some(before) = self.blocks.get_mut(index) {
            *before = block;
            if index == 0 {
                self.within = 0;
                self.replaced = true;
            }
        }
        None
    }
}

impl Document {
    pub(super) fn settle(&mut self, fresh: &mut Fresh) {
        loop {
            if self.open.as_ref().is_some_and(Open::is_code) && !self.settle_code(fresh) {
                return;
            }
            let end = self.end();
            if end == 0 {
                if self.whole {
                    self.close();
                }
                return;
            }
            let mut text = self
                .open
                .as_ref()
                .map_or_else(String::new, |open| open.context.clone());
            let mut start = text.len();
            text.push_str(self.tail.get(..end).unwrap_or_default());
            let tops = self.read(&text).tops;
            let finished = self.finished(&text, &tops);
            for (index, top) in tops.iter().enumerate().take(finished) {
                let next = tops.get(index + 1);
                if next.is_some_and(|next| joined(&text, top, next)) {
                    continue;
                }
                let cut = self.cut(&text, top, next).max(start);
                self.finish_block(fresh, text.get(start..cut).unwrap_or_default());
                start = cut;
            }
            // Definitions before a blank line are whole, whether or not a block has begun below.
            let next = tops.get(finished).map(|top| top.range.start);
            let until = next.map_or(text.len(), |next| lines::start(&text, next));
            let between = text.get(start..until).unwrap_or_default();
            if self.whole && next.is_none() || lines::ends_blank(between) {
                self.define(between);
                start = start.max(until);
            }
            let left = text.len() - start;
            self.tail.drain(..end - left);
            let grown = match tops.get(finished) {
                Some(top) => self.grow(fresh, &text, start, top),
                None => false,
            };
            if !grown {
                if self.whole {
                    self.close();
                }
                return;
            }
        }
    }

    /// How much of the tail are whole lines.
    fn end(&self) -> usize {
        if self.whole {
            self.tail.len()
        } else {
            lines::whole(&self.tail)
        }
    }

    /// How many of the blocks no text to come can change.
    fn finished(&self, text: &str, tops: &[Top]) -> usize {
        let Some(last) = tops.last() else { return 0 };
        let rest = lines::end(text, last.range.end);
        let blank =
            lines::starts_blank(text.get(rest..).unwrap_or_default()) || lines::ends_blank(text);
        let ended = match last.kind {
            Kind::Line => true,
            Kind::UntilBlank | Kind::Table => blank,
            _ => false,
        };
        if self.whole || ended {
            return tops.len();
        }
        let pairs = tops.iter().zip(tops.iter().skip(1)).rev();
        let open = pairs.take_while(|(top, next)| joined(text, top, next));
        tops.len() - 1 - open.count()
    }

    /// Where the text of a finished block ends. What stands between blocks, definitions, belongs to the next one.
    fn cut(&self, text: &str, top: &Top, next: Option<&Top>) -> usize {
        let end = lines::end(text, top.range.end);
        match next {
            Some(next) => end.min(lines::start(text, next.range.start)),
            None if self.whole || lines::ends_blank(text) => text.len(),
            None => end,
        }
    }

    /// A block is finished: it is read once more for itself, and its definitions count from now on.
    fn finish_block(&mut self, fresh: &mut Fresh, piece: &str) {
        if self.open.is_some() {
            let joined = self.settle_part(fresh, piece);
            self.close();
            self.done += joined.len();
            fresh.blocks.extend(joined);
            return;
        }
        let read = self.read(piece);
        self.learn(&read);
        let place = self.done;
        for top in read.tops {
            fresh.blocks.push(top.block);
            self.done += 1;
        }
        if self.done > place {
            self.waiting.add(
                place,
                piece.to_owned(),
                read.expanded,
                &read.misses,
                &self.known,
            );
        }
    }

    /// A part of the open block is settled. Gives the blocks that are joined to its end.
    fn settle_part(&mut self, fresh: &mut Fresh, piece: &str) -> Vec<Block> {
        let Some(mut open) = self.open.take() else {
            return Vec::new();
        };
        let read = self.read(&(open.context.clone() + piece));
        self.learn(&read);
        let mut blocks = read.tops.into_iter().map(|top| top.block);
        if let (Some(block), Some(more)) = (fresh.blocks.last_mut(), blocks.next()) {
            open.within += update::append(block, more);
        }
        let joined = blocks.collect();
        open.source.push_str(piece);
        open.misses.extend(read.misses);
        open.expanded += read.expanded;
        self.open = Some(open);
        joined
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            self.waiting.add(
                self.done,
                open.source,
                open.expanded,
                &open.misses,
                &self.known,
            );
            self.done += 1;
        }
    }

    /// Text between blocks: definitions of links.
    fn define(&mut self, text: &str) {
        if !text.trim().is_empty() {
            let read = self.read(text);
            self.learn(&read);
        }
    }

    fn learn(&mut self, read: &Read) {
        self.expanded += read.expanded;
        for (label, address) in &read.definitions {
            if self.known.add(label, address) {
                self.waiting.wake(label);
            }
        }
        for (name, _) in &read.notes {
            self.known.add_note(name);
        }
    }

    /// Settles a part of the last block, which stays open. Says whether there is more to settle.
    fn grow(&mut self, fresh: &mut Fresh, text: &str, start: usize, top: &Top) -> bool {
        let line = lines::start(text, top.range.start).max(start);
        let (until, context) = match top.kind {
            Kind::Fence => {
                let end = lines::next_end(text, top.range.start);
                match lines::fence(text.get(line..end).unwrap_or_default()) {
                    Some(fence) => (end, fence),
                    None => return false,
                }
            }
            Kind::Table => {
                let head = lines::next_end(text, line);
                let head = lines::next_end(text, head);
                let head = text.get(line..head).unwrap_or_default();
                // What comes can still make a definition of it: a label and a title can have several lines.
                if head.trim_start().starts_with('[') {
                    return false;
                }
                // After a definition the parser takes it with more indentation than elsewhere.
                (text.len(), head.trim_start().to_owned())
            }
            Kind::List => (lines::start(text, top.item), String::new()),
            _ => return false,
        };
        if until <= line || (top.kind == Kind::Table && lines::end(text, top.range.end) < until) {
            return false;
        }
        let piece = text.get(start..until).unwrap_or_default();
        if self.open.is_none() {
            // Definitions that stand before the block are read with its first part.
            let open = Open::new(context, &top.block);
            if top.kind == Kind::Fence {
                self.define(text.get(start..line).unwrap_or_default());
                fresh.blocks.push(open.empty.clone());
                self.open = Some(open);
            } else {
                self.open_with(fresh, open, piece);
            }
        } else {
            self.settle_part(fresh, piece);
        }
        self.tail.drain(..until - start);
        top.kind == Kind::Fence
    }

    fn open_with(&mut self, fresh: &mut Fresh, mut open: Open, piece: &str) {
        let read = self.read(piece);
        self.learn(&read);
        let mut block = open.empty.clone();
        if let Some(top) = read.tops.into_iter().next() {
            open.within = update::append(&mut block, top.block);
        }
        fresh.blocks.push(block);
        piece.clone_into(&mut open.source);
        open.misses = read.misses;
        open.expanded = read.expanded;
        self.open = Some(open);
    }

    /// Whole lines of an open fenced block leave the tail. Says whether the block has ended and more may follow.
    fn settle_code(&mut self, fresh: &mut Fresh) -> bool {
        let Some(mut open) = self.open.take() else {
            return true;
        };
        let end = self.end();
        let tail = self.tail.get(..end).unwrap_or_default().to_owned();
        let mut at = 0;
        let mut closing = None;
        while at < tail.len() {
            let next = lines::next_end(&tail, at);
            if self.closes(&open.context, tail.get(at..next).unwrap_or_default()) {
                closing = Some(next);
                break;
            }
            at = next;
        }
        if at > 0 {
            let code = tail.get(..at).unwrap_or_default();
            let read = self.read(&(open.context.clone() + code));
            if let (Some(block), Some(top)) =
                (fresh.blocks.last_mut(), read.tops.into_iter().next())
            {
                open.within += update::append(block, top.block);
            }
        }
        self.tail.drain(..closing.unwrap_or(at));
        self.open = Some(open);
        if closing.is_some() || self.whole {
            self.close();
        }
        closing.is_some()
    }

    /// Whether a line ends the code block of a fence: asked of the parser, where it could.
    fn closes(&mut self, fence: &str, line: &str) -> bool {
        let mark = fence.trim();
        if !line.trim_start().starts_with(mark) {
            return false;
        }
        let line = line.trim_end_matches('\n');
        self.read(&format!("{fence}{line}\n# .\n")).tops.len() > 1
    }
}

/// Whether a block may be what it is only because of what is before it: a footnote takes indented lines, and behind a
/// definition the parser takes any block with more indentation than elsewhere. Of lists the definition can be a part.
fn joined(text: &str, top: &Top, next: &Top) -> bool {
    let line = lines::start(text, next.range.start);
    let line = text.get(line..).unwrap_or_default();
    let written = line.trim_start_matches([' ', '\t']);
    let indentation = line.strip_suffix(written).unwrap_or_default();
    let is_deep = indentation.contains('\t') || indentation.len() >= 4;
    (top.kind == Kind::Footnote && !indentation.is_empty())
        || (is_deep && next.kind != Kind::Indented)
}
