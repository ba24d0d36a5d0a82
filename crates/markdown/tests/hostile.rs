//! Corpus of hostile inputs in `hostile/`: none panics, makes a forbidden link, nests without
//! bound, loses its text or costs more than it should, whole and while it streams.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

#[path = "hostile/corpus.rs"]
mod corpus;

use std::collections::BTreeSet;

use assent_markdown::{Block, Document, Inline, LinkTarget, MAX_DEPTH, Update, parse};
use corpus::{Case, cases, group};

/// Minimum size of the corpus.
const FEWEST: usize = 150;
/// Texts up to this many characters stream character by character.
const SHORT: usize = 600;
/// Longer texts stream in this many chunks.
const CHUNKS: usize = 23;
/// Schemes of links that any page lets the user follow.
const ORDINARY: [&str; 4] = ["http", "https", "mailto", "tel"];
/// Schemes that never become a link.
const NEVER: [&str; 5] = ["javascript", "data", "vbscript", "blob", "file"];

/// Statistics of a tree.
#[derive(Debug, Default)]
struct Census {
    /// Blocks, items, cells and inline parts.
    nodes: usize,
    /// Bytes of text, without addresses.
    text: usize,
    /// Bytes of addresses.
    addresses: usize,
    /// Containers and spans around the innermost part.
    depth: usize,
}

impl Census {
    fn of(blocks: &[Block]) -> Self {
        let mut census = Self::default();
        census.blocks(blocks, 0);
        census
    }

    fn enter(&mut self, depth: usize) {
        self.nodes += 1;
        self.depth = self.depth.max(depth);
    }

    fn blocks(&mut self, blocks: &[Block], depth: usize) {
        for block in blocks {
            self.enter(depth);
            match block {
                Block::Paragraph(content) | Block::Heading { content, .. } => {
                    self.inlines(content, depth);
                }
                Block::Code { language, text } => {
                    self.text += text.len() + language.as_ref().map_or(0, String::len);
                }
                Block::Quote(inner) => self.blocks(inner, depth + 1),
                Block::Footnote { name, blocks } => {
                    self.text += name.len();
                    self.blocks(blocks, depth + 1);
                }
                Block::List { items, .. } => {
                    for item in items {
                        self.enter(depth + 1);
                        self.blocks(&item.blocks, depth + 2);
                    }
                }
                Block::Table { head, rows, .. } => {
                    for cell in head.iter().chain(rows.iter().flatten()) {
                        self.enter(depth);
                        self.inlines(cell, depth);
                    }
                }
                Block::Rule => {}
            }
        }
    }

    fn inlines(&mut self, content: &[Inline], depth: usize) {
        for inline in content {
            self.enter(depth);
            match inline {
                Inline::Text(text)
                | Inline::Code(text)
                | Inline::Math { source: text, .. }
                | Inline::FootnoteReference(text) => self.text += text.len(),
                Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strikethrough(inner) => {
                    self.inlines(inner, depth + 1);
                }
                Inline::Link { target, content } => {
                    check_target(target);
                    self.addresses += target.as_str().len();
                    self.inlines(content, depth + 1);
                }
                Inline::Image { source, alt } => {
                    self.text += alt.len();
                    self.addresses += source.host.as_ref().map_or(0, String::len);
                }
                Inline::Break => {}
            }
        }
    }
}

/// Checks a target independently of the code under test.
fn check_target(target: &LinkTarget) {
    let address = target.as_str();
    let scheme = address.split(':').next().expect("a part");
    let scheme = scheme.to_ascii_lowercase();
    let is_never = NEVER.contains(&scheme.as_str());
    let is_clean = !address.chars().any(|c| c.is_control() || c == ' ');
    assert!(!is_never && is_clean, "a link to {address:?}");
    assert_eq!(
        target.is_ordinary(),
        ORDINARY.contains(&scheme.as_str()),
        "{address:?}"
    );
}

/// Returns the text that a person reads, without spaces.
fn words(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        match block {
            Block::Paragraph(content) | Block::Heading { content, .. } => {
                inline_words(content, &mut text);
            }
            Block::Code { text: code, .. } => text.push_str(code),
            Block::Quote(blocks) | Block::Footnote { blocks, .. } => text.push_str(&words(blocks)),
            Block::List { items, .. } => {
                for item in items {
                    text.push_str(&words(&item.blocks));
                }
            }
            Block::Table { head, rows, .. } => {
                for cell in head.iter().chain(rows.iter().flatten()) {
                    inline_words(cell, &mut text);
                }
            }
            Block::Rule => {}
        }
    }
    without_spaces(&text)
}

fn inline_words(content: &[Inline], text: &mut String) {
    for inline in content {
        match inline {
            Inline::Text(part)
            | Inline::Code(part)
            | Inline::Math { source: part, .. }
            | Inline::FootnoteReference(part) => text.push_str(part),
            Inline::Emphasis(inner)
            | Inline::Strong(inner)
            | Inline::Strikethrough(inner)
            | Inline::Link { content: inner, .. } => inline_words(inner, text),
            Inline::Image { alt, .. } => text.push_str(alt),
            Inline::Break => text.push(' '),
        }
    }
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Counts the links that any page lets the user follow.
fn links(blocks: &[Block]) -> usize {
    fn in_line(content: &[Inline]) -> usize {
        let of = |inline: &Inline| match inline {
            Inline::Link { target, content } => {
                usize::from(target.is_ordinary()) + in_line(content)
            }
            Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strikethrough(inner) => {
                in_line(inner)
            }
            _ => 0,
        };
        content.iter().map(of).sum()
    }
    let of = |block: &Block| match block {
        Block::Paragraph(content) | Block::Heading { content, .. } => in_line(content),
        Block::Quote(blocks) | Block::Footnote { blocks, .. } => links(blocks),
        Block::List { items, .. } => items.iter().map(|item| links(&item.blocks)).sum(),
        Block::Table { head, rows, .. } => head
            .iter()
            .chain(rows.iter().flatten())
            .map(|cell| in_line(cell))
            .sum(),
        Block::Code { .. } | Block::Rule => 0,
    };
    blocks.iter().map(of).sum()
}

/// Applies an update to a list of blocks.
fn apply(blocks: &mut Vec<Block>, update: Update) {
    for (place, block) in update.changed {
        blocks[place] = block;
    }
    let mut rest = update.blocks.into_iter();
    if update.kept_within > 0 {
        let within = update.kept_within;
        match (&mut blocks[update.kept], rest.next()) {
            (Block::Code { text, .. }, Some(Block::Code { text: more, .. })) => {
                text.truncate(within);
                text.push_str(&more);
            }
            (Block::Table { rows, .. }, Some(Block::Table { rows: more, .. })) => {
                rows.truncate(within);
                rows.extend(more);
            }
            (Block::List { items, .. }, Some(Block::List { items: more, .. })) => {
                items.truncate(within);
                items.extend(more);
            }
            (before, now) => panic!("{now:?} goes on with {before:?}"),
        }
        blocks.truncate(update.kept + 1);
    } else {
        blocks.truncate(update.kept);
    }
    blocks.extend(rest);
}

fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let length = if characters.len() <= SHORT {
        1
    } else {
        characters.len().div_ceil(CHUNKS)
    };
    characters
        .chunks(length)
        .map(|piece| piece.iter().collect())
        .collect()
}

fn check_bounds(case: &Case, blocks: &[Block]) {
    let name = &case.name;
    let census = Census::of(blocks);
    assert!(census.depth <= MAX_DEPTH, "{name}: {} levels", census.depth);
    // Missing cells of a row are added, and a definition may be used more than once: both up to a
    // limit.
    let length = case.text.len();
    assert!(
        census.nodes <= 4 * length + 300_000,
        "{name}: {} nodes of {length} bytes",
        census.nodes
    );
    // One byte may become a character of three bytes, such as a null.
    assert!(
        census.text <= 4 * length + 100,
        "{name}: {} bytes of text of {length}",
        census.text
    );
    assert!(
        census.addresses <= 4 * length + 200_000,
        "{name}: {} bytes of addresses of {length}",
        census.addresses
    );
}

#[test]
fn the_corpus_is_large_and_has_no_input_twice() {
    let cases = cases();
    let texts: BTreeSet<&str> = cases.iter().map(|case| case.text.as_str()).collect();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    println!("{} distinct hostile inputs", texts.len());
    assert_eq!(texts.len(), cases.len(), "an input is there twice");
    assert_eq!(names.len(), cases.len(), "a name is there twice");
    assert!(texts.len() >= FEWEST, "only {}", texts.len());
}

#[test]
fn every_input_gives_bounded_blocks() {
    for case in cases() {
        check_bounds(&case, &parse(&case.text));
    }
}

#[test]
fn every_input_gives_bounded_blocks_while_it_streams() {
    for case in cases() {
        let mut document = Document::new();
        let mut blocks = Vec::new();
        for piece in pieces(&case.text) {
            apply(&mut blocks, document.push(&piece));
            check_bounds(&case, &blocks);
        }
        apply(&mut blocks, document.finish());
        assert!(
            blocks == parse(&case.text),
            "{}: streamed and whole differ",
            case.name
        );
    }
}

#[test]
fn raw_html_stays_text_letter_by_letter() {
    for case in group("html") {
        let blocks = parse(&case.text);
        assert_eq!(words(&blocks), without_spaces(&case.text), "{}", case.name);
    }
}

#[test]
fn an_address_that_must_not_be_followed_is_no_link() {
    for case in group("links") {
        assert_eq!(links(&parse(&case.text)), 0, "{}", case.name);
    }
}

#[test]
fn an_address_that_may_be_followed_is_a_link_to_where_it_leads() {
    // Those without brackets are links only where bare addresses are.
    for case in group("lookalikes") {
        let bare = !case.text.contains(['[', '<']);
        assert!(
            bare || links(&parse(&case.text)) > 0,
            "{}: no link",
            case.name
        );
    }
}

#[test]
fn what_is_deep_keeps_its_innermost_words() {
    let deep: Vec<Case> = group("shapes")
        .into_iter()
        .filter(|case| case.text.ends_with("deep"))
        .collect();
    assert!(deep.len() >= 8, "only {}", deep.len());
    for case in deep {
        assert!(
            words(&parse(&case.text)).ends_with("deep"),
            "{}: the words are lost",
            case.name
        );
    }
}
