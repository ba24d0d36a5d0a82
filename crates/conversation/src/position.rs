//! The reading position in a conversation, which is stored beyond the lifetime of the page.

use assent_protocol::ThreadId;

use crate::{Conversation, State};

/// The reading position of a user who scrolled up in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadingPosition {
    /// The index of the first message that is partly visible, counted from 0 in the conversation.
    pub message: usize,
    /// The distance from the top of the visible area down to the beginning of that message, in CSS
    /// pixels; mostly negative.
    pub below: i32,
}

impl State {
    /// Returns the reading positions in threads, except those at the end of a thread.
    #[must_use]
    pub fn positions(&self) -> Vec<(ThreadId, ReadingPosition)> {
        let opened = |it: &Conversation| Some((it.thread_id()?.clone(), it.position?));
        let opened = self.conversations.iter().filter_map(opened);
        self.positions.iter().cloned().chain(opened).collect()
    }
}
