//! The reading position in each conversation.

use assent_protocol::ThreadId;

use crate::{ConversationKey, Load, ReadingPosition};

use super::Turn;

impl Turn<'_> {
    /// Sets the reading position in the open conversation; `None`: at its end.
    pub(super) fn read_at(&mut self, position: Option<ReadingPosition>) {
        let open = self.state.open;
        let conversation = self.conversation_mut(open);
        // Before that there are no messages to count.
        if let Some(conversation) = conversation.filter(|it| it.load == Load::Ready) {
            conversation.position = position;
        }
    }

    /// Takes all stored positions. A thread without one is read from its end.
    pub(super) fn positions_kept(&mut self, positions: Vec<(ThreadId, ReadingPosition)>) {
        self.state.positions = positions;
        let conversations = self.state.conversations.iter();
        let keys: Vec<ConversationKey> = conversations.map(|it| it.key).collect();
        for key in keys {
            self.take_position(key);
        }
    }

    /// Gives a conversation the stored position of its thread.
    pub(super) fn take_position(&mut self, key: ConversationKey) {
        let thread = self
            .conversation(key)
            .and_then(|it| it.thread_id().cloned());
        let positions = &mut self.state.positions;
        let at = positions
            .iter()
            .position(|(of, _)| Some(of) == thread.as_ref());
        let position = at.map(|at| positions.remove(at).1);
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.position = position;
        }
    }
}
