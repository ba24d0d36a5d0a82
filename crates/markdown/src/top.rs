//! The blocks of a text that are in no other block, with their positions in the text.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use crate::Block;

/// A text block: a paragraph, a heading, a cell of a table, or the first line of an item.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    pub(crate) start: usize,
    /// True if the text block ends with its line, as a heading does.
    pub(crate) line: bool,
}

/// A block that is in no other one, and its range in the text.
pub(crate) struct TopBlock {
    pub(crate) block: Block,
    pub(crate) kind: BlockKind,
    pub(crate) range: Range<usize>,
    /// Byte position of the last item, if the block is a list; otherwise without a meaning.
    pub(crate) item: usize,
}

/// Kind of a top-level block, as far as it decides where the block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// A paragraph or quote: a blank line ends it.
    UntilBlank,
    /// A heading or a horizontal line: it ends with its own line.
    Line,
    Table,
    List,
    Fence,
    Indented,
    Footnote,
    Other,
}

impl BlockKind {
    pub(crate) fn of(event: &Event<'_>) -> Self {
        match event {
            Event::Start(Tag::Paragraph | Tag::BlockQuote(_)) => Self::UntilBlank,
            Event::Start(Tag::Heading { .. }) | Event::Rule => Self::Line,
            Event::Start(Tag::Table(_)) => Self::Table,
            Event::Start(Tag::FootnoteDefinition(_)) => Self::Footnote,
            Event::Start(Tag::List(_)) => Self::List,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => Self::Fence,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => Self::Indented,
            _ => Self::Other,
        }
    }
}
