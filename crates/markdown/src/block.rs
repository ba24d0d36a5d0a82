//! The tree of blocks.

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
        /// The code, with a line ending after each line.
        text: String,
    },
    /// A block quote.
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
    /// The content of a footnote, at the place where it was written.
    Footnote {
        /// Its name, as used in references.
        name: String,
        /// Its content.
        blocks: Vec<Block>,
    },
}

/// One item of a list.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListItem {
    /// True if a task is done; `None` if it is no task.
    pub task: Option<bool>,
    /// The content; a tight item is one paragraph.
    pub blocks: Vec<Block>,
}

/// Alignment of a table column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At the start of the text direction.
    Start,
    /// Centred.
    Center,
    /// At the end of the text direction.
    End,
}

/// Inline content.
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
    /// Strikethrough.
    Strikethrough(Vec<Inline>),
    /// A link that may be followed.
    Link {
        /// The target.
        target: LinkTarget,
        /// Its text.
        content: Vec<Inline>,
    },
    /// An image that was not loaded.
    Image {
        /// The source that it would be loaded from.
        source: ImageSource,
        /// Its description, which may be empty.
        alt: String,
    },
    /// A formula, as TeX.
    Math {
        /// The TeX, without the dollar signs.
        source: String,
        /// True for a formula on lines of its own.
        display: bool,
    },
    /// A reference to a footnote.
    FootnoteReference(String),
    /// A hard line break.
    Break,
}
