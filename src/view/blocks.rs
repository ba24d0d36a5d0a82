//! The blocks of one answer, one signal each.

use assent_markdown::{Block, parse};
use leptos::prelude::*;

/// One block and its place, which is its identity: blocks are only appended or changed, until the text is replaced.
#[derive(Clone)]
pub struct BlockRow {
    /// Its place from the start.
    pub index: usize,
    /// What it is now.
    pub block: ArcRwSignal<Block>,
}

/// Brings `rows` to what `text` says, touching only the blocks that differ.
pub(super) fn update(rows: &ArcRwSignal<Vec<BlockRow>>, text: &str) {
    let blocks = parse(text);
    let count = blocks.len();
    let mut appended = Vec::new();
    rows.with_untracked(|rows| {
        for (index, block) in blocks.into_iter().enumerate() {
            match rows.get(index) {
                Some(row) if row.block.with_untracked(|before| *before == block) => {}
                Some(row) => row.block.set(block),
                None => appended.push(BlockRow {
                    index,
                    block: ArcRwSignal::new(block),
                }),
            }
        }
    });
    if !appended.is_empty() || rows.with_untracked(Vec::len) > count {
        rows.update(|rows| {
            rows.truncate(count);
            rows.append(&mut appended);
        });
    }
}
