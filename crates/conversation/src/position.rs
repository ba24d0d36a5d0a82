//! Where a reader is in a conversation. It is kept beyond the life of the page.

use assent_protocol::ThreadId;

use crate::{Conversation, State};

/// Where a reader is who went up in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingPosition {
    /// The first message of which something is seen, counted from the first one of the conversation, which is 0.
    pub message: usize,
    /// How far it begins below the top of what is seen, in CSS pixels; mostly it begins above that.
    pub below: i32,
}

impl State {
    /// Where the reader is in each thread, other than at its end.
    #[must_use]
    pub fn positions(&self) -> Vec<(ThreadId, ReadingPosition)> {
        let opened = |it: &Conversation| Some((it.thread_id()?.clone(), it.position?));
        let opened = self.conversations.iter().filter_map(opened);
        self.positions.iter().cloned().chain(opened).collect()
    }
}
