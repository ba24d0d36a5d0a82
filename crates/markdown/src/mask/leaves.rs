//! The positions of the words in a text, collected from the parser's events.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use crate::open::{ends_inline, is_inline};

/// A paragraph, heading or row of a table, with the positions of its words.
pub(super) struct Leaf {
    /// The ranges in the text that the parser reads as words: no code, no HTML, no addresses.
    pub(super) words: Vec<Range<usize>>,
    pub(super) row: bool,
    pub(super) head: bool,
    /// Number of quotes around the block, inside each other.
    pub(super) quotes: usize,
}

impl Leaf {
    pub(super) fn end(&self) -> usize {
        self.words.last().map_or(0, |words| words.end)
    }
}

/// The text blocks of a text, such as paragraphs, collected from the parser's events with the
/// positions of their words.
#[derive(Default)]
pub(crate) struct Leaves {
    pub(super) all: Vec<Leaf>,
    quotes: usize,
    row: bool,
    head: bool,
    code: bool,
    /// True if the next words belong to the last text block, and not to a new one.
    within: bool,
}

impl Leaves {
    pub(crate) fn take_event(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Text(_) if !self.code => {
                if !self.within {
                    self.within = true;
                    self.all.push(Leaf {
                        words: Vec::new(),
                        row: self.row,
                        head: self.head,
                        quotes: self.quotes,
                    });
                }
                if let Some(leaf) = self.all.last_mut() {
                    leaf.words.push(range);
                }
                return;
            }
            Event::Start(Tag::BlockQuote(_)) => self.quotes += 1,
            Event::End(TagEnd::BlockQuote(_)) => self.quotes = self.quotes.saturating_sub(1),
            Event::Start(Tag::TableCell) | Event::End(TagEnd::TableCell) => return,
            Event::Start(tag) if is_inline(tag) => return,
            Event::End(tag) if ends_inline(*tag) => return,
            Event::Start(_) | Event::End(_) | Event::Rule => {}
            _ => return,
        }
        self.within = false;
        self.code = matches!(event, Event::Start(Tag::CodeBlock(_)));
        self.head = matches!(event, Event::Start(Tag::TableHead));
        self.row = self.head || matches!(event, Event::Start(Tag::TableRow));
    }
}
