//! Recordings of answers that other pages received: requested once the stored messages are there,
//! and added to them.

use assent_protocol::ThreadId;

use crate::{Author, Change, Command, ConversationKey, Recording};

use super::Turn;

impl Turn<'_> {
    /// Requests the recordings of a thread once, if it has an answer whose activity was not seen here.
    pub(super) fn load_recordings(&mut self, key: ConversationKey) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let mut answers = conversation.messages.iter();
        let unknown = answers.any(|it| it.author != Author::You && it.activity.is_unseen());
        if unknown
            && !std::mem::replace(&mut conversation.has_requested_recordings, true)
            && let Some(thread) = conversation.thread_id().cloned()
        {
            self.command(Command::LoadRecordings(thread));
        }
    }

    /// Takes the recordings of a thread, oldest first.
    #[inline(never)]
    pub(super) fn recordings_loaded(&mut self, thread: &ThreadId, recordings: Vec<Recording>) {
        let mut all = self.state.conversations.iter();
        let Some(key) = all
            .find(|it| it.thread_id() == Some(thread))
            .map(|it| it.key)
        else {
            return;
        };
        // Of answers with the same text, the last recording belongs to the last answer.
        for seen in recordings.into_iter().rev().filter_map(Recording::replay) {
            if let Some(conversation) = self.conversation_mut(key)
                && let Some(message) = seen.restore_activity(&mut conversation.messages)
            {
                let message = message.key;
                self.change(Change::Message(key, message));
            }
        }
    }
}
