//! What a push changes in the list of an answer's blocks, and how that is applied to a list.

use crate::Block;

/// The changes that a push makes. Blocks are identified by their index, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Finished blocks that a late definition of a link or footnote changed, each with its index
    /// and its new content.
    pub changed: Vec<(usize, Block)>,
    /// Number of blocks at the beginning of the list that stay as they were, apart from `changed`.
    pub kept: usize,
    /// Unchanged amount of the block at `kept`: bytes of a code block's text, rows of a table's
    /// body, items of a list. With 0 the block is new or replaced; otherwise the first of `blocks`
    /// is of its kind and holds only the content after that amount.
    pub kept_within: usize,
    /// The blocks from the index `kept` on, which replace the previous ones.
    pub blocks: Vec<Block>,
    /// Number of blocks at the beginning of the list that are finished: only a late definition can
    /// still change them.
    pub finished: usize,
}

impl Update {
    /// Applies the update to `blocks`, the list that all earlier updates of the document made.
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
                append_content(block, more);
            }
        } else {
            blocks.truncate(self.kept);
        }
        blocks.extend(fresh);
    }
}

/// Cuts a code block, table or list after `amount` bytes, rows or items.
fn shorten(block: &mut Block, amount: usize) {
    match block {
        Block::Code { text, .. } if text.is_char_boundary(amount) => text.truncate(amount),
        Block::Table { rows, .. } => rows.truncate(amount),
        Block::List { items, .. } => items.truncate(amount),
        _ => {}
    }
}

/// Appends the code, rows or items of `more` to a block of the same kind; returns how many bytes,
/// rows or items these are.
pub(super) fn append_content(block: &mut Block, more: Block) -> usize {
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
