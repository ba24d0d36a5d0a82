//! The tree.

use crate::{ImageSource, LinkTarget};

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading.
    Heading {
        /// 1 to 6, as written.
        level: u8,
        /// Its text.
        content: Vec<Inline>,
    },
    /// A code block.
    Code {
        /// First word of the fence's info string.
        language: Option<String>,
        /// The code, with a line end after each line.
        text: String,
    },
    /// A quote.
    Quote(Vec<Block>),
    /// A list.
    List {
        /// First number of an ordered list.
        start: Option<u64>,
        /// Its items.
        items: Vec<ListItem>,
    },
    /// A table.
    Table {
        /// One for each column.
        alignment: Vec<Align>,
        /// The cells of the header row.
        head: Vec<Vec<Inline>>,
        /// The cells of each further row.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A thematic break.
    Rule,
    /// What a footnote says, at the place where it was written.
    Footnote {
        /// Its name, as references have it.
        name: String,
        /// What it says.
        blocks: Vec<Block>,
    },
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListItem {
    /// Whether a task is done; `None` where it is no task.
    pub task: Option<bool>,
    /// A tight item is one paragraph.
    pub blocks: Vec<Block>,
}

/// Alignment of a table's column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// As the text's direction wants it.
    Start,
    /// In the middle.
    Center,
    /// Against the text's direction.
    End,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inline {
    /// Text, raw HTML included.
    Text(String),
    /// Code.
    Code(String),
    /// Emphasis.
    Emphasis(Vec<Inline>),
    /// Strong emphasis.
    Strong(Vec<Inline>),
    /// Struck out.
    Strikethrough(Vec<Inline>),
    /// A link that may be followed.
    Link {
        /// Where to.
        target: LinkTarget,
        /// Its text.
        content: Vec<Inline>,
    },
    /// An image that was not loaded.
    Image {
        /// Where it would come from.
        source: ImageSource,
        /// Its description, which may be empty.
        alt: String,
    },
    /// A formula, as TeX.
    Math {
        /// Without the dollar signs.
        source: String,
        /// Whether it stands on lines of its own.
        display: bool,
    },
    /// A reference to a footnote.
    FootnoteReference(String),
    /// A hard line break.
    Break,
}
