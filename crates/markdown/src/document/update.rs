//! What a push changed, and how it is taken over.

use crate::Block;

/// What a push changed. Blocks are known by their place, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Blocks further up that a definition, which came late, made others: their places and what they are now.
    pub changed: Vec<(usize, Block)>,
    /// How many blocks from the start are as they were, but for `changed`.
    pub kept: usize,
    /// How much of the block at `kept` is as it was: bytes of a code block's text, rows of a table's body, items of a
    /// list. With 0 the block is new or another one; else the first of `blocks` is of its kind and holds only what
    /// comes after that much.
    pub kept_within: usize,
    /// The blocks from `kept` on; what was there before is gone.
    pub blocks: Vec<Block>,
    /// How many blocks from the start are finished: only a late definition can still change them.
    pub finished: usize,
}

impl Update {
    /// Brings the blocks that all updates before made to what they are after this one.
    pub fn apply(self, blocks: &mut Vec<Block>) {
        for (place, block) in self.changed {
            if let Some(before) = blocks.get_mut(place) {
                *before = block;
            }
        }
        let mut fresh = self.blocks.into_iter();
        if self.kept_within > 0 {
            blocks.truncate(self.kept + 1);
            if let (Some(block), Some(more)) = (blocks.last_mut(), fresh.next()) {
                shorten(block, self.kept_within);
                append(block, more);
            }
        } else {
            blocks.truncate(self.kept);
        }
        blocks.extend(fresh);
    }
}

/// Leaves only the given amount of a code block, table or list.
fn shorten(block: &mut Block, amount: usize) {
    match block {
        Block::Code { text, .. } if text.is_char_boundary(amount) => text.truncate(amount),
        Block::Table { rows, .. } => rows.truncate(amount),
        Block::List { items, .. } => items.truncate(amount),
        _ => {}
    }
}

/// Puts what a code block, table or list goes on with behind it; says how much that was.
pub(super) fn append(block: &mut Block, more: Block) -> usize {
    match (block, more) {
        (Block::Code { text, .. }, Block::Code { text: more, .. }) => {
            text.push_str(&more);
            more.len()
        }
        (Block::Table { rows, .. }, Block::Table { rows: more, .. }) => {
            let amount = more.len();
            rows.extend(more);
            amount
        }
        (Block::List { items, .. }, Block::List { items: more, .. }) => {
            let amount = more.len();
            items.extend(more);
            amount
        }
        _ => 0,
    }
}
