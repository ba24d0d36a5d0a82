//! A long block that is finished in parts: its beginning has left the tail, the unfinished end of
//! the text.

use super::update;
use crate::Block;

/// A code block, table or list whose beginning is finished and will not be parsed again, while its
/// end still grows.
#[derive(Clone, Debug)]
pub(super) struct OpenBlock {
    /// The text that is put before the rest of the block, so that the parser continues the block: a
    /// fence, or a table's head.
    pub(super) context: String,
    /// The block without its code, rows or items.
    pub(super) empty: Block,
    /// The part of the block's source that is finished; empty for code.
    pub(super) source: String,
    /// The labels of links in `source` that are not defined yet; none for code.
    pub(super) misses: Vec<String>,
    /// Number of bytes to which the references in the finished part expanded.
    pub(super) expanded: usize,
    /// The amount of the block that is finished, in bytes, rows or items as in
    /// `Update::kept_within`.
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

    /// Makes the first of the parsed `blocks` one that continues this block; if it is of another
    /// kind, an empty continuation is put before it.
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
