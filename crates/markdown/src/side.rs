//! Counts the letters of blocks that are written from right to left, and the others.

use assent_characters::{Script, is_right_to_left, script};

use crate::{Block, Inline, ListItem};

/// Returns the number of right-to-left letters of a block, less the number of all its other
/// letters. Code, formulas and addresses do not count.
#[must_use]
pub fn direction_balance(block: &Block) -> i64 {
    match block {
        Block::Paragraph(content) | Block::Heading { content, .. } => line_balance(content),
        Block::Quote(blocks) | Block::Footnote { blocks, .. } => {
            blocks.iter().map(direction_balance).sum()
        }
        Block::List { items, .. } => direction_balance_of_items(items),
        Block::Table { head, rows, .. } => row_balance(head) + direction_balance_of_rows(rows),
        Block::Code { .. } | Block::Rule => 0,
    }
}

/// Returns the number of right-to-left letters of a list's items, less the number of all other
/// letters.
#[must_use]
pub fn direction_balance_of_items(items: &[ListItem]) -> i64 {
    items
        .iter()
        .flat_map(|item| &item.blocks)
        .map(direction_balance)
        .sum()
}

/// Returns the number of right-to-left letters of a table's rows, less the number of all other
/// letters.
#[must_use]
pub fn direction_balance_of_rows(rows: &[Vec<Vec<Inline>>]) -> i64 {
    rows.iter().map(|cells| row_balance(cells)).sum()
}

fn row_balance(cells: &[Vec<Inline>]) -> i64 {
    cells.iter().map(|cell| line_balance(cell)).sum()
}

fn line_balance(content: &[Inline]) -> i64 {
    let part = |part: &Inline| match part {
        Inline::Text(text) => text.chars().map(letter_balance).sum(),
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strikethrough(inner) => {
            line_balance(inner)
        }
        Inline::Link { target, content } => match content.as_slice() {
            [Inline::Text(text)] if target.as_str().contains(text.as_str()) => 0,
            content => line_balance(content),
        },
        _ => 0,
    };
    content.iter().map(part).sum()
}

fn letter_balance(c: char) -> i64 {
    if !c.is_alphabetic() {
        return 0;
    }
    match script(c) {
        Script::COMMON | Script::INHERITED => 0,
        own if is_right_to_left(c, own) => 1,
        _ => -1,
    }
}
