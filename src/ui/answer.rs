//! An answer's blocks as nodes.
//!
//! The tree is safe by construction (`assent-markdown`); here it only gets its elements.

use assent_markdown::{Align, Block, Inline, ListItem};
use leptos::prelude::*;

use super::{
    code_block::code_block,
    element::{Element, el},
    erased::{Key, Row, dynamic, each},
    inline::inlines,
    strings,
};
use crate::view::{BlockRow, Watched};

pub(super) fn answer(blocks: Watched<Vec<BlockRow>>) -> AnyView {
    let rows = each(move || {
        let row = |row: BlockRow| {
            let place = u32::try_from(row.index).unwrap_or(u32::MAX);
            Row::new(Key::Number(place), move || {
                let block = row.block.clone();
                dynamic(move || block.with(|it| self::block(it).view()))
            })
        };
        blocks.get().into_iter().map(row).collect()
    });
    el("div", "answer").child(rows).view()
}

/// Puts blocks at the end of `into`.
fn blocks(into: Element, list: &[Block]) -> Element {
    list.iter().fold(into, |into, it| into.child(block(it)))
}

fn block(it: &Block) -> Element {
    match it {
        Block::Paragraph(content) => line("p", content),
        Block::Heading { level, content } => heading(*level, content),
        Block::Code { language, text } => code_block(language.as_deref().unwrap_or_default(), text),
        Block::Quote(inner) | Block::Footnote { blocks: inner, .. } => blocks(el("blockquote", ""), inner),
        Block::List { start, items } => {
            let list = match start {
                Some(start) => el("ol", "").attr("start", &start.to_string()),
                None => el("ul", ""),
            };
            items
                .iter()
                .fold(list.attr("dir", "auto"), |list, it| list.child(item(it)))
        }
        Block::Table {
            alignment,
            head,
            rows,
        } => {
            let head = el("thead", "").child(table_row("th", alignment, head));
            let body = rows.iter().fold(el("tbody", ""), |body, row| {
                body.child(table_row("td", alignment, row))
            });
            el("div", "table")
                .attr("tabindex", "0")
                .child(el("table", "").child(head).child(body))
        }
        Block::Rule => el("hr", ""),
    }
}

/// Parts of a line, with a direction of their own.
fn line(tag: &str, content: &[Inline]) -> Element {
    inlines(el(tag, "").attr("dir", "auto"), content)
}

/// The widget's own heading is of level 2, so that an answer's begin at 3.
fn heading(level: u8, content: &[Inline]) -> Element {
    let (tag, level) = match level {
        1 => ("h3", "1"),
        2 => ("h4", "2"),
        3 => ("h5", "3"),
        _ => ("h6", "4"),
    };
    line(tag, content).attr("data-level", level)
}

fn table_row(tag: &str, alignment: &[Align], cells: &[Vec<Inline>]) -> Element {
    let row = el("tr", "");
    cells.iter().enumerate().fold(row, |row, (column, cell)| {
        let align = match alignment.get(column) {
            Some(Align::Center) => "center",
            Some(Align::End) => "end",
            Some(Align::Start) | None => "start",
        };
        let cell = line(tag, cell).attr("data-align", align);
        row.child(if tag == "th" {
            cell.attr("scope", "col")
        } else {
            cell
        })
    })
}

/// The list takes its direction, and with it the side of its marks, from its first words: those of the items, which
/// therefore have no direction of their own.
fn item(item: &ListItem) -> Element {
    let into = match item.task {
        Some(done) => el("li", "task").child(task_mark(done)),
        None => el("li", ""),
    };
    match item.blocks.as_slice() {
        // A tight item stands without a paragraph's space.
        [Block::Paragraph(content)] => inlines(into, content),
        [Block::Paragraph(content), rest @ ..] => {
            blocks(into.child(inlines(el("p", ""), content)), rest)
        }
        all => blocks(into, all),
    }
}

fn task_mark(done: bool) -> Element {
    let mark = el("input", "")
        .attr("type", "checkbox")
        .attr("disabled", "");
    if done {
        mark.attr("checked", "").attr("aria-label", strings::DONE)
    } else {
        mark.attr("aria-label", strings::NOT_DONE)
    }
}
