//! Settling: what no later text can change, whole blocks and parts of a long one, is taken out of
//! the tail, the end of the text that is parsed with each push.

use super::{Document, lines, open::OpenBlock, update};
use crate::{
    Block,
    mask::{self, FormulaRegions},
    read::ParseResult,
    top::BlockKind,
    top::TopBlock,
};

/// The blocks that one push or `finish` has finished.
pub(super) struct FreshBlocks {
    /// Number of blocks that were finished before this push.
    pub(super) done: usize,
    /// The amount of the open block that was finished before this push, as in
    /// `Update::kept_within`.
    pub(super) within: usize,
    /// The blocks behind those that were finished before this push; the first may be the rest of
    /// the open block.
    pub(super) blocks: Vec<Block>,
    /// True if the first of `blocks` replaces the whole open block; false if it only continues it.
    pub(super) replaced: bool,
}

impl FreshBlocks {
    pub(super) fn new(document: &Document) -> Self {
        let open = document.open.as_ref();
        Self {
            done: document.done,
            within: open.map_or(0, |open| open.within),
            blocks: open.map(|open| open.empty.clone()).into_iter().collect(),
            replaced: false,
        }
    }

    /// Puts `block` in the place of the block with the index `place`, if this push finished that;
    /// otherwise returns `block`.
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
    pub(super) fn settle(&mut self, fresh: &mut FreshBlocks) {
        loop {
            if self.open.as_ref().is_some_and(OpenBlock::is_code) && !self.settle_code(fresh) {
                return;
            }
            let end = self.end_of_whole_lines();
            if end == 0 {
                if self.whole {
                    self.close_open_block();
                }
                return;
            }
            let mut text = self
                .open
                .as_ref()
                .map_or_else(String::new, |open| open.context.clone());
            let mut start = text.len();
            text.push_str(self.tail.get(..end).unwrap_or_default());
            let tops = self.parse_piece(&text).tops;
            let formulas = mask::formula_regions(&text);
            let joined =
                |top: &TopBlock, next: &TopBlock| depends_on_previous(&text, &formulas, top, next);
            let finished = self.count_finished(&text, &formulas, &tops);
            for (index, top) in tops.iter().enumerate().take(finished) {
                let next = tops.get(index + 1);
                if next.is_some_and(|next| joined(top, next)) {
                    continue;
                }
                let cut = self.end_of_block(&text, top, next).max(start);
                self.finish_block(fresh, text.get(start..cut).unwrap_or_default());
                start = cut;
            }
            // Definitions before a blank line are complete, whether or not a block has begun below.
            let next = tops.get(finished).map(|top| top.range.start);
            let until = next.map_or(text.len(), |next| lines::line_start(&text, next));
            let between = text.get(start..until).unwrap_or_default();
            if self.whole && next.is_none() || lines::ends_blank(between) {
                self.add_definitions(between);
                start = start.max(until);
            }
            let left = text.len() - start;
            self.tail.drain(..end - left);
            let grown = match tops.get(finished) {
                Some(top) => self.settle_part_of_last(fresh, &text, &formulas, start, top),
                None => false,
            };
            if !grown {
                if self.whole {
                    self.close_open_block();
                }
                return;
            }
        }
    }

    /// Returns the length of the whole lines in the unfinished end of the text; all of it counts
    /// once the text has ended.
    fn end_of_whole_lines(&self) -> usize {
        if self.whole {
            self.tail.len()
        } else {
            lines::whole_lines_len(&self.tail)
        }
    }

    /// Returns how many of `tops`, the blocks of `text`, are finished: no later text can change
    /// them.
    fn count_finished(&self, text: &str, formulas: &FormulaRegions, tops: &[TopBlock]) -> usize {
        let Some(last) = tops.last() else { return 0 };
        let rest = lines::line_end(text, last.range.end);
        let blank =
            lines::starts_blank(text.get(rest..).unwrap_or_default()) || lines::ends_blank(text);
        let ended = match last.kind {
            BlockKind::Line => true,
            BlockKind::UntilBlank | BlockKind::Table => blank,
            _ => false,
        };
        if self.whole || ended && formulas.open.is_none() {
            return tops.len();
        }
        let pairs = tops.iter().zip(tops.iter().skip(1)).rev();
        let open = pairs.take_while(|(top, next)| depends_on_previous(text, formulas, top, next));
        tops.len() - 1 - open.count()
    }

    /// Returns the position in `text` at which the source of a finished block ends. Definitions of
    /// links behind it are taken with the next block.
    fn end_of_block(&self, text: &str, top: &TopBlock, next: Option<&TopBlock>) -> usize {
        let end = lines::line_end(text, top.range.end);
        match next {
            Some(next) => end.min(lines::line_start(text, next.range.start)),
            None if self.whole || lines::ends_blank(text) => text.len(),
            None => end,
        }
    }

    /// Finishes the block with the text `piece`: it is parsed once more on its own, and its
    /// definitions count from now on.
    fn finish_block(&mut self, fresh: &mut FreshBlocks, piece: &str) {
        if self.open.is_some() {
            let joined = self.settle_part(fresh, piece);
            self.close_open_block();
            self.done += joined.len();
            fresh.blocks.extend(joined);
            return;
        }
        let read = self.parse_piece(piece);
        self.learn_definitions(&read);
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
                &mut self.known,
            );
        }
    }

    /// Appends the next finished part of the open block, with the source `piece`. Returns the
    /// further blocks in `piece`, which end together with the open one.
    fn settle_part(&mut self, fresh: &mut FreshBlocks, piece: &str) -> Vec<Block> {
        let Some(mut open) = self.open.take() else {
            return Vec::new();
        };
        let read = self.parse_piece(&(open.context.clone() + piece));
        self.learn_definitions(&read);
        let mut blocks = read.tops.into_iter().map(|top| top.block);
        if let (Some(block), Some(more)) = (fresh.blocks.last_mut(), blocks.next()) {
            open.within += update::append_content(block, more);
        }
        let joined = blocks.collect();
        open.source.push_str(piece);
        open.misses.extend(read.misses);
        open.expanded += read.expanded;
        self.open = Some(open);
        joined
    }

    fn close_open_block(&mut self) {
        if let Some(open) = self.open.take() {
            self.waiting.add(
                self.done,
                open.source,
                open.expanded,
                &open.misses,
                &mut self.known,
            );
            self.done += 1;
        }
    }

    /// Notes the definitions of links in a text that stands between two blocks.
    fn add_definitions(&mut self, text: &str) {
        if !text.trim().is_empty() {
            let read = self.parse_piece(text);
            self.learn_definitions(&read);
        }
    }

    fn learn_definitions(&mut self, read: &ParseResult) {
        self.expanded += read.expanded;
        for (label, address) in &read.definitions {
            self.waiting.wake(self.known.add(label, address));
        }
        for (name, _) in &read.notes {
            self.known.add_note(name);
        }
    }

    /// Takes the finished part of the last block, which goes on, out of the tail. Returns true if
    /// `settle` can go on at once, because the block is code.
    fn settle_part_of_last(
        &mut self,
        fresh: &mut FreshBlocks,
        text: &str,
        formulas: &FormulaRegions,
        start: usize,
        top: &TopBlock,
    ) -> bool {
        let line = lines::line_start(text, top.range.start).max(start);
        let (until, context) = match top.kind {
            BlockKind::Fence => {
                let end = lines::next_line_end(text, top.range.start);
                match lines::opening_fence(text.get(line..end).unwrap_or_default()) {
                    Some(fence) => (end, fence),
                    None => return false,
                }
            }
            BlockKind::Table => {
                let head = lines::next_line_end(text, line);
                let head = lines::next_line_end(text, head);
                let head = text.get(line..head).unwrap_or_default();
                // It may become a definition: label and title can have several lines.
                if head.trim_start().starts_with('[') {
                    return false;
                }
                // After a definition the parser accepts it with more indentation than elsewhere.
                (text.len(), head.trim_start().to_owned())
            }
            BlockKind::List => (lines::line_start(text, top.item), String::new()),
            _ => return false,
        };
        if until <= line
            || formulas.contains(until)
            || (top.kind == BlockKind::Table && lines::line_end(text, top.range.end) < until)
        {
            return false;
        }
        let piece = text.get(start..until).unwrap_or_default();
        if self.open.is_none() {
            // Definitions before the block are parsed with its first part.
            let open = OpenBlock::new(context, &top.block);
            if top.kind == BlockKind::Fence {
                self.add_definitions(text.get(start..line).unwrap_or_default());
                fresh.blocks.push(open.empty.clone());
                self.open = Some(open);
            } else {
                self.open_block(fresh, open, piece);
            }
        } else {
            self.settle_part(fresh, piece);
        }
        self.tail.drain(..until - start);
        top.kind == BlockKind::Fence
    }

    fn open_block(&mut self, fresh: &mut FreshBlocks, mut open: OpenBlock, piece: &str) {
        let read = self.parse_piece(piece);
        self.learn_definitions(&read);
        let mut block = open.empty.clone();
        if let Some(top) = read.tops.into_iter().next() {
            open.within = update::append_content(&mut block, top.block);
        }
        fresh.blocks.push(block);
        piece.clone_into(&mut open.source);
        open.misses = read.misses;
        open.expanded = read.expanded;
        self.open = Some(open);
    }

    /// Takes the whole lines of the open code block out of the tail. Returns true if its closing
    /// fence was among them.
    fn settle_code(&mut self, fresh: &mut FreshBlocks) -> bool {
        let Some(mut open) = self.open.take() else {
            return true;
        };
        let end = self.end_of_whole_lines();
        let tail = self.tail.get(..end).unwrap_or_default().to_owned();
        let mut at = 0;
        let mut closing = None;
        while at < tail.len() {
            let next = lines::next_line_end(&tail, at);
            if self.closes(&open.context, tail.get(at..next).unwrap_or_default()) {
                closing = Some(next);
                break;
            }
            at = next;
        }
        if at > 0 {
            let code = tail.get(..at).unwrap_or_default();
            let read = self.parse_piece(&(open.context.clone() + code));
            if let (Some(block), Some(top)) =
                (fresh.blocks.last_mut(), read.tops.into_iter().next())
            {
                open.within += update::append_content(block, top.block);
            }
        }
        self.tail.drain(..closing.unwrap_or(at));
        self.open = Some(open);
        if closing.is_some() || self.whole {
            self.close_open_block();
        }
        closing.is_some()
    }

    /// Returns true if `line` closes the code block that `fence` began. If it looks so, the parser
    /// decides.
    fn closes(&mut self, fence: &str, line: &str) -> bool {
        let mark = fence.trim();
        if !line.trim_start().starts_with(mark) {
            return false;
        }
        let line = line.trim_end_matches('\n');
        self.parse_piece(&format!("{fence}{line}\n# .\n"))
            .tops
            .len()
            > 1
    }
}

/// Returns true if the parser could read the block `next` otherwise without `top`, the block before
/// it, so that both are finished together. Indentation, definitions, and formulas across both
/// decide that.
fn depends_on_previous(
    text: &str,
    formulas: &FormulaRegions,
    top: &TopBlock,
    next: &TopBlock,
) -> bool {
    let start = lines::line_start(text, next.range.start);
    let line = text.get(start..).unwrap_or_default();
    let written = line.trim_start_matches([' ', '\t']);
    let indentation = line.strip_suffix(written).unwrap_or_default();
    let is_deep = indentation.contains('\t') || indentation.len() >= 4;
    (top.kind == BlockKind::Footnote && !indentation.is_empty())
        || (is_deep && next.kind != BlockKind::Indented)
        || (next.kind == BlockKind::UntilBlank && lines::begins_item(written))
        || formulas.contains(start)
}
