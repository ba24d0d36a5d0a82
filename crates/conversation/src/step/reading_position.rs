//! Where the reader is in each conversation.

use assent_protocol::ThreadId;

use crate::{ConversationKey, Load, ReadingPosition};

use super::Turn;

impl Turn<'_> {
    /// The reader went somewhere in the open conversation; `None`: to its end.
    pub(super) fn read_at(&mut self, position: Option<ReadingPosition>) {
        let open = self.state.open;
        let conversation = self.conversation_mut(open);
        // Before that nothing is counted.
        if let Some(conversation) = conversation.filter(|it| it.load == Load::Ready) {
            conversation.position = position;
        }
    }

    /// Takes all positions that are kept. Where there is none, a thread is read from its end.
    pub(super) fn positions_kept(&mut self, positions: Vec<(ThreadId, ReadingPosition)>) {
        self.state.positions = positions;
        let conversations = self.state.conversations.iter();
        let keys: Vec<ConversationKey> = conversations.map(|it| it.key).collect();
        for key in keys {
            self.take_position(key);
        }
    }

    /// Gives a conversation the position that is kept for its thread.
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
