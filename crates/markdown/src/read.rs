//! Parsing of a piece of text by pulldown-cmark.

use std::ops::Range;

use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser};

use crate::{
    Block,
    build::Builder,
    definitions::{Definition, Definitions, Expansion},
    line_ends::LineEnds,
    mask::{self, Leaves, OpenFormula},
    top::{Leaf, TopBlock},
};

/// Returns the blocks of a whole Markdown text. No text is an error.
#[must_use]
pub fn parse(text: &str) -> Vec<Block> {
    let mut lines = String::new();
    LineEnds::default().push(text, &mut lines);
    let read = parse_piece(
        &lines,
        &Definitions::default(),
        false,
        Expansion::new(0, lines.len()),
    );
    read.tops.into_iter().map(|top| top.block).collect()
}

/// What the parser found in a piece of an answer: its blocks, and what the document has to know of
/// it.
#[derive(Default)]
pub(crate) struct ParseResult {
    /// The blocks of the text that are in no other block.
    pub(crate) tops: Vec<TopBlock>,
    /// The labels that links and images of the text refer to and that are not defined.
    pub(crate) misses: Vec<String>,
    /// The definitions of links in the text itself, each with its label.
    pub(crate) definitions: Vec<(String, Definition)>,
    /// Number of bytes to which the references in the text expanded: addresses and titles.
    pub(crate) expanded: usize,
    /// The names of the footnotes that the text defines, with the positions of the definitions.
    pub(crate) notes: Vec<(String, usize)>,
    /// The last paragraph, heading or cell of the text; `None` if the text ends with code or HTML.
    pub(crate) leaf: Option<Leaf>,
    /// The text as the parser saw it, with formulas and other content masked.
    pub(crate) masked: String,
    /// The formula that has begun and has no end at the end of the text; `None` if there is none.
    pub(crate) open: Option<OpenFormula>,
}

/// Parses a piece of an answer. The definitions in `known` win over those in `text`. While
/// `growing`, the language of a code block is left out until its line has ended.
pub(crate) fn parse_piece(
    text: &str,
    known: &Definitions,
    growing: bool,
    expansion: Expansion,
) -> ParseResult {
    let mut masked = mask::mask(text);
    if masked.needs_words() {
        let mut leaves = Leaves::default();
        let take = &mut |event: Event<'_>, range| leaves.take_event(&event, range);
        for_each_event(&masked.text, known, expansion, take);
        masked.mask_words(text, &leaves);
    }
    let mut builder = Builder::new(
        text,
        &masked.text,
        masked.formulas,
        known,
        growing,
        expansion,
    );
    let take = &mut |event: Event<'_>, range| builder.take_event(event, range);
    let (misses, definitions) = for_each_event(&masked.text, known, expansion, take);
    let leaf = builder.leaf;
    let expanded = builder.expansion.spent - expansion.spent;
    let (tops, notes) = builder.finish();
    ParseResult {
        tops,
        notes,
        leaf,
        misses,
        definitions,
        expanded,
        open: masked.open,
        masked: masked.text,
    }
}

/// Calls `take` with each of the parser's events for a text. Returns the labels that the text
/// refers to and that are not defined, and the definitions in the text itself.
fn for_each_event(
    text: &str,
    known: &Definitions,
    mut left: Expansion,
    take: &mut dyn FnMut(Event<'_>, Range<usize>),
) -> (Vec<String>, Vec<(String, Definition)>) {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let mut misses = Vec::new();
    let answer = |link: BrokenLink<'_>| {
        if let Some(definition) = known.get(&link.reference) {
            let follow = left.try_spend(definition.size);
            return follow.then_some((CowStr::Borrowed(""), CowStr::Borrowed("")));
        }
        misses.push(link.reference.into_string());
        None
    };
    let parser = Parser::new_with_broken_link_callback(text, options, Some(answer));
    let definitions = parser.reference_definitions().iter();
    let definitions = definitions
        .map(|(label, definition)| {
            let address = definition.dest.to_string();
            let title = definition.title.as_ref().map_or(0, |title| title.len());
            let size = address.len() + title;
            (label.to_owned(), Definition { address, size })
        })
        .collect();
    for (event, range) in parser.into_offset_iter() {
        take(event, range);
    }
    (misses, definitions)
}
