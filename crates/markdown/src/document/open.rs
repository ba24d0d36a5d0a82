//! The block whose beginning has left the tail.

use super::update;
use crate::Block;

/// A code block, table or list whose beginning has left the tail.
#[derive(Clone, Debug)]
pub(super) struct OpenBlock {
    /// Text before the tail with which the parser continues the block: a fence, or a table's head.
    pub(super) context: String,
    /// The block without content.
    pub(super) empty: Block,
    /// The part of the block's text that has left the tail. It is not needed for code.
    pub(super) source: String,
    /// The labels in `source` whose definition is unknown. They are not needed for code.
    pub(super) misses: Vec<String>,
    /// Number of bytes that the block's references expanded to.
    pub(super) expanded: usize,
    /// The amount of the block that has left the tail, as `Update::kept_within` counts it.
    pub(super) within: usize,
}

impl OpenBlock {
    pub(super) fn new(context: String, block: &Block) -> Self {
        let empty = match block {
            Block::Code { language, .. } => Block::Code {
                language: language.clone(),
                text: String::new(),
            },
            Block::Table {
                alignment, head, ..
            } => Block::Table {
                alignment: alignment.clone(),
                head: head.clone(),
                rows: Vec::new(),
            },
            Block::List { start, .. } => Block::List {
                start: *start,
                items: Vec::new(),
            },
            other => other.clone(),
        };
        Self {
            context,
            empty,
            source: String::new(),
            misses: Vec::new(),
            expanded: 0,
            within: 0,
        }
    }

    pub(super) fn context(&self) -> &str {
        &self.context
    }

    pub(super) fn is_code(&self) -> bool {
        matches!(self.empty, Block::Code { .. })
    }

    /// Turns the first of the parsed blocks into the continuation of this block.
    pub(super) fn join_first(&self, blocks: &mut Vec<Block>) {
        let mut own = self.empty.clone();
        let same = blocks
            .first()
            .is_some_and(|first| std::mem::discriminant(first) == std::mem::discriminant(&own));
        if same {
            let more = blocks.remove(0);
            update::append_content(&mut own, more);
        }
        blocks.insert(0, own);
    }
}
