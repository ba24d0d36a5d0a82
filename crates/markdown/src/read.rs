//! Parsing of a piece of text by pulldown-cmark.

use std::cell::{Cell, RefCell};

use pulldown_cmark::{BrokenLink, CowStr, Parser};

use crate::{
    Block,
    build::Builder,
    definitions::{Definition, Definitions, Expansion},
    line_ends::LineEnds,
    mask::{self, Opening},
    top::{Leaf, Top},
};

/// Parses a whole text. Total: any text gives blocks.
#[must_use]
pub fn parse(text: &str) -> Vec<Block> {
    let mut lines = String::new();
    LineEnds::default().push(text, &mut lines);
    let read = read(
        &lines,
        &Definitions::default(),
        false,
        Expansion::new(0, lines.len()),
    );
    read.tops.into_iter().map(|top| top.block).collect()
}

/// Result of parsing a piece of text.
#[derive(Default)]
pub(crate) struct Read {
    /// The top-level blocks.
    pub(crate) tops: Vec<Top>,
    /// References to unknown definitions.
    pub(crate) misses: Vec<String>,
    /// The definitions of the text itself.
    pub(crate) definitions: Vec<(String, Definition)>,
    /// Number of bytes that its references expanded to.
    pub(crate) expanded: usize,
    /// The footnotes that the text defines, with their positions.
    pub(crate) notes: Vec<(String, usize)>,
    /// The last text block, unless that is code or HTML.
    pub(crate) leaf: Option<Leaf>,
    /// The text as the parser saw it.
    pub(crate) masked: String,
    /// The formula that has begun at the end of the text.
    pub(crate) open: Option<Opening>,
}

/// Parses a piece of text. Known definitions win over those of the text. The language of a fence is
/// unknown while the text is `growing` and the fence's line has no end.
pub(crate) fn read(text: &str, known: &Definitions, growing: bool, expansion: Expansion) -> Read {
    let masked = mask::mask(text);
    let misses = RefCell::new(Vec::new());
    let left = Cell::new(expansion);
    let answer = |link: BrokenLink<'_>| {
        if let Some(definition) = known.get(&link.reference) {
            let mut expansion = left.get();
            let follow = expansion.spend(definition.size);
            left.set(expansion);
            return follow.then_some((CowStr::Borrowed(""), CowStr::Borrowed("")));
        }
        misses.borrow_mut().push(link.reference.into_string());
        None
    };
    let parser = Parser::new_with_broken_link_callback(&masked.text, mask::OPTIONS, Some(answer));
    let definitions = parser.reference_definitions().iter();
    let definitions = definitions
        .map(|(label, definition)| {
            let address = definition.dest.to_string();
            let title = definition.title.as_ref().map_or(0, |title| title.len());
            let size = address.len() + title;
            (label.to_owned(), Definition { address, size })
        })
        .collect();
    let mut builder = Builder::new(text, &masked, known, growing, expansion);
    for (event, range) in parser.into_offset_iter() {
        builder.take(event, range);
    }
    let leaf = builder.leaf;
    let expanded = builder.expansion.spent - expansion.spent;
    let (tops, notes) = builder.finish();
    Read {
        tops,
        notes,
        leaf,
        misses: misses.into_inner(),
        definitions,
        expanded,
        open: masked.open,
        masked: masked.text.into_owned(),
    }
}
