//! The way to the Markdown reader, which stands in a module of its own and comes after the widget.

use std::{cell::RefCell, rc::Rc};

use assent_markdown::{Block, Inline};

/// Reads a text; `None` where the reader cannot.
pub type Reader = Rc<dyn Fn(&str) -> Option<Vec<Block>>>;

thread_local! {
    /// One for all widgets of the page, as the module is one.
    static READER: RefCell<Option<Reader>> = const { RefCell::new(None) };
}

/// Reads Markdown with `reader` from now on. What is on the screen already is read again by `Store::reread`.
pub fn read_with(reader: Reader) {
    READER.set(Some(reader));
}

/// The blocks of `text`; without a reader, its paragraphs as they are written.
pub(super) fn read(text: &str) -> Vec<Block> {
    // Taken out first: the reader belongs to another module, and who knows whom it calls.
    let reader = READER.with_borrow(Clone::clone);
    reader
        .and_then(|reader| reader(text))
        .unwrap_or_else(|| plain(text))
}

fn plain(text: &str) -> Vec<Block> {
    let mut paragraphs = Vec::new();
    let mut paragraph = String::new();
    // A line at a time: looking for two line ends at once takes a search that nothing else in the module needs.
    for line in text.lines().chain([""]) {
        if !line.trim().is_empty() {
            if !paragraph.is_empty() {
                paragraph.push('\n');
            }
            paragraph.push_str(line);
        } else if !paragraph.is_empty() {
            let text = Inline::Text(paragraph.trim().to_owned());
            paragraphs.push(Block::Paragraph(vec![text]));
            paragraph.clear();
        }
    }
    paragraphs
}
