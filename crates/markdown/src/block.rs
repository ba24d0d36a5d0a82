//! The tree of blocks and inline content that Markdown is parsed to.

use crate::{ImageSource, LinkTarget};

/// A block of Markdown, such as a paragraph or a list; blocks stand one below the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A heading.
    Heading {
        /// The level of the heading, 1 to 6, as written.
        level: u8,
        /// The text of the heading.
        content: Vec<Inline>,
    },
    /// A code block.
    Code {
        /// The programming language: the first word behind the opening fence; `None` if there is
        /// none.
        language: Option<String>,
        /// The code, with a line ending after each line.
        text: String,
    },
    /// A block quote.
    Quote(Vec<Block>),
    /// A list.
    List {
        /// The first number of an ordered list; `None` for a list without numbers.
        start: Option<u64>,
        /// The items of the list.
        items: Vec<ListItem>,
    },
    /// A table.
    Table {
        /// The alignment of each column.
        alignment: Vec<Align>,
        /// The cells of the header row.
        head: Vec<Vec<Inline>>,
        /// The cells of each row below the header.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A thematic break: a horizontal line.
    Rule,
    /// The content of a footnote, at the place where it was written.
    Footnote {
        /// The name of the footnote, as used in references.
        name: String,
        /// The content of the footnote.
        blocks: Vec<Block>,
    },
}

/// One item of a list, with the blocks in it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ListItem {
    /// True if the item is a task that is done, false if a task that is not; `None` if it is no
    /// task.
    pub task: Option<bool>,
    /// The content of the item; text without blank lines around it is one paragraph.
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

/// A part of the text within a line, such as words, a link or an image.
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
        /// The target of the link.
        target: LinkTarget,
        /// The text of the link.
        content: Vec<Inline>,
    },
    /// An image, which is shown only after a person or the page allowed it.
    Image {
        /// The source that the image would be loaded from.
        source: ImageSource,
        /// The description of the image, which may be empty.
        alt: String,
    },
    /// A formula, as TeX.
    Math {
        /// The TeX, without the dollar signs.
        source: String,
        /// True for a formula on a line of its own; false for one within a line of text.
        display: bool,
    },
    /// A reference to the footnote of this name.
    FootnoteReference(String),
    /// A line break that is shown as one.
    Break,
}
