//! Ending an answer at the service, if the service offers that: the stream then ends by itself,
//! with what was said so far.

use assent_protocol::ThreadId;

use crate::{Announcement, Change, Command, ConversationKey, Failure, FailureKind, NoticeSubject};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    /// Asks the service to end the answer under way, as soon as the service has the post. Returns
    /// false if the service does not offer that, or was asked already.
    pub(super) fn cancel_answer(&mut self, key: ConversationKey) -> bool {
        let can_cancel = self.state.can_cancel;
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return false;
        };
        let stream = conversation.stream_mut();
        let Some(stream) = stream.filter(|it| can_cancel && !it.is_stopping) else {
            return false;
        };
        stream.is_stopping = true;
        cx.output.change(Change::Composer(key));
        cx.announce(Announcement::Stopping);
        if stream.is_accepted() {
            self.cancel_if_stopping(key);
        }
        true
    }

    /// Asks the service to end the answer under way if the user wants to stop it. The service has
    /// the post: before that there is nothing to end.
    pub(super) fn cancel_if_stopping(&mut self, key: ConversationKey) {
        let Some(conversation) = self.conversation(key) else {
            return;
        };
        if let Some(thread) = conversation.thread_id().cloned()
            && conversation.stream().is_some_and(|it| it.is_stopping)
        {
            self.command(Command::CancelAnswer(thread));
        }
    }

    pub(super) fn answer_cancelled(&mut self, thread: &ThreadId, result: Result<(), Failure>) {
        let Err(failure) = result else { return };
        // Nothing is being written any more: what is left of the stream is on its way.
        if matches!(failure.kind, FailureKind::Rejected | FailureKind::NotFound) {
            return;
        }
        let Some(key) = self.state.conversation_of(thread).map(|it| it.key) else {
            return;
        };
        let conversation = self.conversation_mut(key);
        let stream = conversation.and_then(|it| it.stream_mut());
        if let Some(stream) = stream.filter(|stream| stream.is_stopping) {
            stream.is_stopping = false;
            self.change(Change::Composer(key));
            self.show_notice(NoticeSubject::Cancel(thread.clone()), failure);
        }
    }
}
