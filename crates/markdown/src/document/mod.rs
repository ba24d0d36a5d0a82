//! An answer's Markdown while it grows, and its blocks.
//!
//! Only the open end of the text, the tail, is kept and parsed again. Whole blocks leave it as soon
//! as no later text can change them (`settle`); long fenced code, tables and lists leave it in
//! parts. Blocks that a later definition can change are kept with their source. The tail is shown
//! with its open marks closed (`closed`).

mod closed;
mod lines;
mod open;
mod settle;
mod update;

pub use update::Update;

use crate::{
    Block,
    definitions::{Definitions, DueBlock, Expansion, WaitingBlocks},
    footnotes,
    line_ends::LineEnds,
    read::{ParseResult, parse_piece},
};
use closed::close_marks;
use open::OpenBlock;
use settle::FreshBlocks;

/// Maximum length in bytes of the tail, the unfinished end of the text, that is parsed with each
/// push. A longer tail is parsed again only after it has grown by a fraction.
const MAX_REPARSED_EACH_PUSH: usize = 8192;
/// A tail above `MAX_REPARSED_EACH_PUSH` is parsed again when it has grown by its length divided by
/// this number.
const GROWTH_DIVISOR: usize = 16;

/// The Markdown of an answer that grows, parsed to blocks piece by piece.
#[derive(Clone, Debug, Default)]
pub struct Document {
    tail: String,
    ends: LineEnds,
    /// The code block, table or list at the text's end whose beginning is finished; `None` if there
    /// is none.
    open: Option<OpenBlock>,
    /// Number of finished blocks: no later text changes them, only a later definition can.
    done: usize,
    /// The blocks that are shown after the finished ones; of the block `open` only the part that
    /// may still change.
    shown: Vec<Block>,
    known: Definitions,
    waiting: WaitingBlocks,
    /// Length of the text in bytes.
    length: usize,
    /// Number of bytes to which references in the finished part of the text expanded.
    expanded: usize,
    /// Length in bytes of the text that was parsed last: the tail, and the open block's context
    /// before it.
    read_length: usize,
    whole: bool,
    parsed: u64,
}

impl Document {
    /// Creates a document without text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends text, and returns which blocks are new or changed. Marks without an end, such as
    /// `**`, are shown as if they had one, or as text.
    pub fn push(&mut self, text: &str) -> Update {
        let before = self.tail.len();
        self.ends.push(text, &mut self.tail);
        let new = self.tail.get(before..).unwrap_or_default();
        self.length += new.len();
        let ends_line = before == 0 || new.contains('\n');
        let length = self.tail.len() + self.open.as_ref().map_or(0, |open| open.context().len());
        let grown = length.saturating_sub(self.read_length);
        if self.tail.len() == before
            || (length > MAX_REPARSED_EACH_PUSH && grown < self.read_length / GROWTH_DIVISOR)
        {
            return Update {
                kept: self.done + self.shown.len(),
                finished: self.done,
                ..Update::default()
            };
        }
        let mut fresh = FreshBlocks::new(self);
        if ends_line || length > MAX_REPARSED_EACH_PUSH {
            self.settle(&mut fresh);
        }
        let due = self.waiting.take_due();
        let changed = self.reparse(due, &mut fresh);
        let shown = self.shown_tail();
        self.read_length =
            self.tail.len() + self.open.as_ref().map_or(0, |open| open.context().len());
        self.make_update(fresh, shown, changed)
    }

    /// Ends the text, and returns which blocks are new or changed: all of them are now those that
    /// [`parse`](crate::parse) returns for the whole text.
    pub fn finish(&mut self) -> Update {
        let mut fresh = FreshBlocks::new(self);
        self.whole = true;
        self.settle(&mut fresh);
        let all = self.waiting.take_all();
        let changed = self.reparse(all, &mut fresh);
        self.make_update(fresh, Vec::new(), changed)
    }

    /// Returns the number of bytes that were given to the parser so far; bytes that were parsed
    /// again count again.
    #[must_use]
    pub fn parsed_bytes(&self) -> u64 {
        self.parsed
    }

    /// Returns the blocks of the text's unfinished end as they are shown, with marks such as `**`
    /// closed.
    fn shown_tail(&mut self) -> Vec<Block> {
        let context = self.open.as_ref().map_or("", OpenBlock::context).to_owned();
        let in_code = self.open.as_ref().is_some_and(OpenBlock::is_code);
        let mut text = format!(
            "{context}{}",
            closed::without_ambiguous_line(&self.tail, in_code)
        );
        let mut read = self.parse_piece(&text);
        if let Some(open) = read.open {
            text = open.with_end_mark(&text);
            read = self.parse_piece(&text);
        }
        if let Some(closed) = close_marks(&text, context.len(), &read) {
            read = self.parse_piece(&closed);
        }
        let mut blocks: Vec<Block> = read.tops.into_iter().map(|top| top.block).collect();
        if let Some(open) = &self.open {
            open.join_first(&mut blocks);
        }
        blocks
    }

    /// Parses a piece of the text as if all footnotes that it refers to were defined, because they
    /// may still be.
    fn parse_piece(&mut self, text: &str) -> ParseResult {
        self.parse_piece_with(text, &|_, _| true)
    }

    fn parse_piece_with(
        &mut self,
        text: &str,
        defined: &dyn Fn(&Definitions, &str) -> bool,
    ) -> ParseResult {
        let preface = footnotes::footnote_definitions(text, &|name| defined(&self.known, name));
        let expansion = Expansion::new(self.expanded, self.length);
        self.parsed += (preface.len() + text.len()) as u64;
        if preface.is_empty() {
            return parse_piece(text, &self.known, !self.whole, expansion);
        }
        let length = preface.len();
        let mut read = parse_piece(&(preface + text), &self.known, !self.whole, expansion);
        read.tops.retain(|top| top.range.start >= length);
        for top in &mut read.tops {
            top.range.start -= length;
            top.range.end -= length;
            top.item = top.item.saturating_sub(length);
        }
        read.masked.drain(..length);
        read.open = read.open.and_then(|mut open| {
            open.start = open.start.checked_sub(length)?;
            Some(open)
        });
        read.leaf = read.leaf.and_then(|mut leaf| {
            leaf.start = leaf.start.checked_sub(length)?;
            Some(leaf)
        });
        read.notes.retain(|(_, place)| *place >= length);
        read
    }

    /// Parses the finished blocks `due` again, because new definitions may change them. Those that
    /// this push finished are replaced in `fresh`; the others are returned with their indices.
    fn reparse(&mut self, due: Vec<DueBlock>, fresh: &mut FreshBlocks) -> Vec<(usize, Block)> {
        let mut changed = Vec::new();
        for due in due {
            let known = |name: &str| self.known.has_note(name);
            if !due.stale && footnotes::all_defined(&due.source, &known) {
                continue;
            }
            let whole = self.whole;
            self.expanded = self.expanded.saturating_sub(due.expanded);
            let read =
                self.parse_piece_with(&due.source, &|known, name| !whole || known.has_note(name));
            self.expanded += read.expanded;
            self.waiting.count_expanded(&due, read.expanded);
            for (place, top) in (due.place..).zip(read.tops) {
                if let Some(block) = fresh.replace(place, top.block) {
                    changed.push((place, block));
                }
            }
        }
        changed
    }

    fn make_update(
        &mut self,
        fresh: FreshBlocks,
        shown: Vec<Block>,
        changed: Vec<(usize, Block)>,
    ) -> Update {
        let (done, within) = (fresh.done, fresh.within);
        let mut blocks = fresh.blocks;
        let mut rest = shown.iter().cloned();
        if self.open.is_some()
            && let (Some(block), Some(more)) = (blocks.last_mut(), rest.next())
        {
            update::append_content(block, more);
        }
        blocks.extend(rest);
        let mut same = 0;
        if !fresh.replaced {
            let pairs = self.shown.iter().zip(&blocks);
            same = pairs.take_while(|(before, now)| before == now).count();
        }
        self.shown = shown;
        Update {
            changed,
            kept: done + same,
            kept_within: if same == 0 { within } else { 0 },
            blocks: blocks.split_off(same),
            finished: self.done,
        }
    }
}
