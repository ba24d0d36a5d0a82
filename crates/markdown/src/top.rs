//! The top-level blocks of a text, with their places in it.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag};

use crate::Block;

/// A text block: a paragraph, a heading, a cell, an item's first line.
#[derive(Clone, Copy)]
pub(crate) struct Leaf {
    pub(crate) start: usize,
    /// True if it ends with its line.
    pub(crate) line: bool,
}

/// A top-level block and its range in the text.
pub(crate) struct Top {
    pub(crate) block: Block,
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
    /// Start of a list's last item.
    pub(crate) item: usize,
}

/// Kind of a top-level block, as far as it matters for its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Ended by a blank line.
    UntilBlank,
    /// Ended by its own line ending.
    Line,
    Table,
    List,
    Fence,
    Indented,
    Footnote,
    Other,
}

impl Kind {
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
