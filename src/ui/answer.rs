//! An answer's blocks as nodes.
//!
//! The tree is safe by construction (`assent-markdown`); here it only gets its elements.

use assent_markdown::{Align, Block, Inline, ListItem};
use leptos::prelude::*;

use super::{
    code_block::code_block,
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
                dynamic(move || block.with(self::block))
            })
        };
        blocks.get().into_iter().map(row).collect()
    });
    view! { class="a", <div class="answer">{rows}</div> }.into_any()
}

fn blocks(list: &[Block]) -> AnyView {
    list.iter().map(block).collect::<Vec<_>>().into_any()
}

fn block(it: &Block) -> AnyView {
    match it {
        Block::Paragraph(content) => {
            view! { class="a", <p dir="auto">{inlines(content)}</p> }.into_any()
        }
        Block::Heading { level, content } => heading(*level, inlines(content)),
        Block::Code { language, text } => {
            code_block(language.clone().unwrap_or_default(), text.clone())
        }
        Block::Quote(inner) => {
            view! { class="a", <blockquote>{blocks(inner)}</blockquote> }.into_any()
        }
        Block::List {
            start: Some(start),
            items,
        } => view! { class="a",
            <ol dir="auto" start=start.to_string()>{items.iter().map(item).collect::<Vec<_>>()}</ol>
        }
        .into_any(),
        Block::List { start: None, items } => view! { class="a",
            <ul dir="auto">{items.iter().map(item).collect::<Vec<_>>()}</ul>
        }
        .into_any(),
        Block::Table {
            alignment,
            head,
            rows,
        } => {
            let align = |column: usize| match alignment.get(column) {
                Some(Align::Center) => "center",
                Some(Align::End) => "end",
                Some(Align::Start) | None => "start",
            };
            let header: Vec<AnyView> = head
                .iter()
                .enumerate()
                .map(|(column, cell)| {
                    view! { class="a",
                        <th scope="col" dir="auto" data-align=align(column)>{inlines(cell)}</th>
                    }
                    .into_any()
                })
                .collect();
            let cell = |(column, cell): (usize, &Vec<Inline>)| {
                view! { class="a", <td dir="auto" data-align=align(column)>{inlines(cell)}</td> }
                    .into_any()
            };
            let line = |row: &Vec<Vec<Inline>>| {
                let cells: Vec<AnyView> = row.iter().enumerate().map(cell).collect();
                view! { class="a", <tr>{cells}</tr> }.into_any()
            };
            let body: Vec<AnyView> = rows.iter().map(line).collect();
            view! { class="a",
                <div class="table" tabindex="0">
                    <table>
                        <thead><tr>{header}</tr></thead>
                        <tbody>{body}</tbody>
                    </table>
                </div>
            }
            .into_any()
        }
        Block::Rule => view! { class="a", <hr/> }.into_any(),
    }
}

/// The widget's own heading is of level 2, so that an answer's begin at 3.
fn heading(level: u8, content: AnyView) -> AnyView {
    match level {
        1 => view! { class="a", <h3 dir="auto" data-level="1">{content}</h3> }.into_any(),
        2 => view! { class="a", <h4 dir="auto" data-level="2">{content}</h4> }.into_any(),
        3 => view! { class="a", <h5 dir="auto" data-level="3">{content}</h5> }.into_any(),
        _ => view! { class="a", <h6 dir="auto" data-level="4">{content}</h6> }.into_any(),
    }
}

/// The list takes its direction, and with it the side of its marks, from its first words: those of the items, which
/// therefore have no direction of their own.
fn item(item: &ListItem) -> AnyView {
    let content = match item.blocks.as_slice() {
        // A tight item stands without a paragraph's space.
        [Block::Paragraph(content)] => inlines(content),
        [Block::Paragraph(content), rest @ ..] => {
            view! { class="a", <p>{inlines(content)}</p> {blocks(rest)} }.into_any()
        }
        all => blocks(all),
    };
    match item.task {
        Some(done) => {
            let name = if done {
                strings::DONE
            } else {
                strings::NOT_DONE
            };
            view! { class="a",
                <li class="task">
                    <input type="checkbox" disabled checked=done aria-label=name/>
                    {content}
                </li>
            }
            .into_any()
        }
        None => view! { class="a", <li>{content}</li> }.into_any(),
    }
}
