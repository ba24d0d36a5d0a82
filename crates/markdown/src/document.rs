//! A text that grows, and the blocks that it makes.

use crate::{Block, parse};

/// A text that grows.
#[derive(Clone, Debug, Default)]
pub struct Document {
    text: String,
    blocks: Vec<Block>,
}

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

impl Document {
    /// An empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// More text.
    pub fn push(&mut self, text: &str) -> Update {
        self.text.push_str(text);
        self.update(false)
    }

    /// The text is whole: the blocks are now those of [`parse`].
    pub fn finish(&mut self) -> Update {
        self.update(true)
    }

    fn update(&mut self, whole: bool) -> Update {
        let blocks = parse(&self.text);
        let pairs = self.blocks.iter().zip(&blocks);
        let kept = pairs.take_while(|(before, now)| before == now).count();
        let rest = blocks.get(kept..).unwrap_or_default().to_vec();
        let finished = if whole { blocks.len() } else { kept };
        self.blocks = blocks;
        Update {
            changed: Vec::new(),
            kept,
            kept_within: 0,
            blocks: rest,
            finished,
        }
    }
}
