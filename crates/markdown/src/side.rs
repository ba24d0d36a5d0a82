//! The direction of most letters.

use assent_characters::{Script, is_right_to_left, script};

use crate::{Block, Inline, ListItem};

/// Returns the number of right-to-left letters of a block, less the number of all its other
/// letters. Code, formulas and addresses do not count.
#[must_use]
pub fn balance(block: &Block) -> i64 {
    match block {
        Block::Paragraph(content) | Block::Heading { content, .. } => line(content),
        Block::Quote(blocks) | Block::Footnote { blocks, .. } => blocks.iter().map(balance).sum(),
        Block::List { items, .. } => items_balance(items),
        Block::Table { head, rows, .. } => row(head) + rows_balance(rows),
        Block::Code { .. } | Block::Rule => 0,
    }
}

/// Returns the number of right-to-left letters of a list's items, less the number of all other
/// letters.
#[must_use]
pub fn items_balance(items: &[ListItem]) -> i64 {
    items
        .iter()
        .flat_map(|item| &item.blocks)
        .map(balance)
        .sum()
}

/// Returns the number of right-to-left letters of a table's rows, less the number of all other
/// letters.
#[must_use]
pub fn rows_balance(rows: &[Vec<Vec<Inline>>]) -> i64 {
    rows.iter().map(|cells| row(cells)).sum()
}

fn row(cells: &[Vec<Inline>]) -> i64 {
    cells.iter().map(|cell| line(cell)).sum()
}

fn line(content: &[Inline]) -> i64 {
    let part = |part: &Inline| match part {
        Inline::Text(text) => text.chars().map(letter).sum(),
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strikethrough(inner) => {
            line(inner)
        }
        Inline::Link { target, content } => match content.as_slice() {
            [Inline::Text(text)] if target.as_str().contains(text.as_str()) => 0,
            content => line(content),
        },
        _ => 0,
    };
    content.iter().map(part).sum()
}

fn letter(c: char) -> i64 {
    if !c.is_alphabetic() {
        return 0;
    }
    match script(c) {
        Script::COMMON | Script::INHERITED => 0,
        own if is_right_to_left(c, own) => 1,
        _ => -1,
    }
}
