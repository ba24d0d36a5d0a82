//! What the parser must not see, as inert bytes in its place: formulas, line breaks written as
//! HTML, and what keeps emphasis from its end in languages without spaces.
//!
//! A masked text has the length of its source, byte for byte, and the same lines. The parser's
//! positions therefore lead back to the source, and whatever turns out to be code or HTML is the
//! source again. A mask depends on nothing outside of its top-level block, except that a formula
//! over several lines is one block with all that it touches ([`regions`]).

mod delimiter;
mod emphasis;
mod formulas;
mod html;
mod lines;
mod money;
mod wide;

use std::{borrow::Cow, ops::Range};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::Inline;
pub(crate) use delimiter::Opening;
pub(crate) use html::line_break;
pub(crate) use lines::regions;
pub(crate) use wide::{ends_address, is_letter as is_spaceless};

/// The byte in place of a masked one: for the parser a part of a word.
const INERT: u8 = 1;

/// Constructs that the parser knows; formulas are not among them.
pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_FOOTNOTES);

/// A masked text.
pub(crate) struct Masked<'text> {
    pub(crate) text: Cow<'text, str>,
    /// Inline content that is masked, with its place, in order.
    pub(crate) tokens: Vec<(Range<usize>, Inline)>,
    /// The formula that has begun at the end of the text.
    pub(crate) open: Option<Opening>,
}

/// Masks a text.
pub(crate) fn mask(source: &str) -> Masked<'_> {
    let mut masked = Masked {
        text: Cow::Borrowed(source),
        tokens: Vec::new(),
        open: None,
    };
    let has_formulas = delimiter::may_be_in(source);
    let spots = emphasis::spots(source);
    if !has_formulas && spots.is_empty() && !html::may_begin_a_line(source) {
        return masked;
    }
    let mut bytes = Bytes::new(source);
    lines::mask(source, &mut bytes, &mut masked.tokens);
    if has_formulas || !spots.is_empty() {
        let neutral = bytes.text();
        let leaves = leaves(&neutral);
        if has_formulas {
            masked.open = formulas::mask(source, &leaves, &mut bytes, &mut masked.tokens);
        }
        emphasis::mask(&spots, &leaves, &mut bytes);
    }
    masked.tokens.sort_by_key(|(range, _)| range.start);
    // A formula may have a line break in it.
    let mut end = 0;
    masked.tokens.retain(|(range, _)| {
        let is_outside = range.start >= end;
        end = end.max(range.end);
        is_outside
    });
    masked.text = Cow::Owned(bytes.text());
    masked
}

/// The bytes of a text that are being masked.
struct Bytes(Vec<u8>);

impl Bytes {
    fn new(source: &str) -> Self {
        Self(source.as_bytes().to_vec())
    }

    /// Masks a byte. Those of one character have to be masked together.
    fn set(&mut self, place: usize, value: u8) {
        if let Some(byte) = self.0.get_mut(place) {
            *byte = value;
        }
    }

    fn is_inert(&self, place: usize) -> bool {
        self.0.get(place) == Some(&INERT)
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

/// A text block, or a row of a table, as far as the parser reads words in it.
#[derive(Default)]
struct Leaf {
    /// The ranges of its words: no code, no HTML, no addresses.
    words: Vec<Range<usize>>,
    row: bool,
    head: bool,
    /// Number of quotes around it.
    quotes: usize,
}

impl Leaf {
    fn end(&self) -> usize {
        self.words.last().map_or(0, |words| words.end)
    }

    fn has(&self, place: usize) -> bool {
        let behind = self.words.partition_point(|words| words.start <= place);
        let words = behind
            .checked_sub(1)
            .and_then(|index| self.words.get(index));
        words.is_some_and(|words| place < words.end)
    }
}

fn leaves(text: &str) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    let mut leaf = Leaf::default();
    let mut code = false;
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        match event {
            Event::Text(_) if !code => leaf.words.push(range),
            Event::Start(
                Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
                | Tag::Link { .. }
                | Tag::Image { .. }
                | Tag::TableCell,
            )
            | Event::End(
                TagEnd::Emphasis
                | TagEnd::Strong
                | TagEnd::Strikethrough
                | TagEnd::Link
                | TagEnd::Image
                | TagEnd::TableCell,
            )
            | Event::Text(_)
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::TaskListMarker(_) => {}
            other => {
                let quotes = leaf.quotes;
                let next = Leaf {
                    words: Vec::new(),
                    head: matches!(other, Event::Start(Tag::TableHead)),
                    row: matches!(other, Event::Start(Tag::TableHead | Tag::TableRow)),
                    quotes: match other {
                        Event::Start(Tag::BlockQuote(_)) => quotes + 1,
                        Event::End(TagEnd::BlockQuote(_)) => quotes.saturating_sub(1),
                        _ => quotes,
                    },
                };
                code = matches!(other, Event::Start(Tag::CodeBlock(_)));
                let ended = std::mem::replace(&mut leaf, next);
                if !ended.words.is_empty() {
                    leaves.push(ended);
                }
            }
        }
    }
    if !leaf.words.is_empty() {
        leaves.push(leaf);
    }
    leaves
}
