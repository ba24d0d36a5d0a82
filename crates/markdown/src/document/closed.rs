//! How a text reads whose end is not there yet: marks that are open are closed, and what may still be anything waits.

use crate::{Block, read::Read};

/// The tail without a last line that may still become several things.
pub(super) fn held(tail: &str, in_code: bool) -> &str {
    let _ = in_code;
    tail
}

/// The text with its open marks closed; `None` where there is nothing to close.
pub(super) fn closed(text: &str, context: usize, read: &Read) -> Option<String> {
    let _ = (
        text,
        context,
        read.tops.last().map(|top| matches!(top.block, Block::Rule)),
    );
    None
}
