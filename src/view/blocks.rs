//! The blocks of one answer, one signal each.

use assent_markdown::Block;

use super::{Watched, markdown};

/// One block and its place, which is its identity: blocks are only appended or changed, until the text is replaced.
#[derive(Clone)]
pub struct BlockRow {
    /// Its place from the start.
    pub index: usize,
    /// What it is now.
    pub block: Watched<Block>,
}

/// Brings `rows` to what `text` says, touching only the blocks that differ.
pub(super) fn update(rows: &Watched<Vec<BlockRow>>, text: &str) {
    let blocks = markdown::read(text);
    let count = blocks.len();
    let mut appended = Vec::new();
    rows.peek(|rows| {
        for (index, block) in blocks.into_iter().enumerate() {
            match rows.get(index) {
                Some(row) if row.block.peek(|before| *before == block) => {}
                Some(row) => row.block.set(block),
                None => appended.push(BlockRow {
                    index,
                    block: Watched::new(block),
                }),
            }
        }
    });
    if !appended.is_empty() || rows.peek(Vec::len) > count {
        rows.update(|rows| {
            rows.truncate(count);
            rows.append(&mut appended);
        });
    }
}
