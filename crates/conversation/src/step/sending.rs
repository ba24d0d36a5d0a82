//! The composer of the open conversation: the draft, sending it, the queue, and messages that
//! failed; and the thread that the first message creates.

use assent_protocol::SessionThread;

use crate::{
    Attachment, Change, Command, ComposerState, ConversationKey, Failure, FailureKind, MessageKey,
    MessageStatus, ThreadBinding,
};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    pub(super) fn edit_draft(&mut self, text: String) {
        let Some((conversation, cx)) = self.conversation_context(self.state.open) else {
            return;
        };
        conversation.draft = text;
        if conversation.end_empty_question() {
            cx.output.change(Change::Composer(cx.key));
        }
    }

    pub(super) fn send(&mut self) {
        let Some((conversation, mut cx)) = self.conversation_context(self.state.open) else {
            return;
        };
        if !conversation.has_draft() || !Attachment::all_uploaded(&conversation.files) {
            return;
        }
        match conversation.composer_state() {
            ComposerState::Ready => {
                let text = std::mem::take(&mut conversation.draft);
                let files = std::mem::take(&mut conversation.files);
                cx.output.change(Change::Draft(cx.key));
                conversation.send_text(&mut cx, &text, files);
            }
            ComposerState::AwaitingApproval => conversation.ask_how_to_send(&mut cx),
            ComposerState::Streaming => conversation.queue_draft(&mut cx),
            ComposerState::AwaitingElsewhere => {}
        }
    }

    /// Sends a suggestion, unless there is a message already: suggestions are shown until the first
    /// message is there, and the second click of a double click may come after it.
    pub(super) fn send_suggestion(&mut self, text: &str) {
        if let Some((conversation, mut cx)) = self.conversation_context(self.state.open)
            && conversation.is_known_empty()
            && !text.trim().is_empty()
        {
            conversation.send_text(&mut cx, text, Vec::new());
        }
    }

    /// Queues the draft until the answer to the pending decision is complete.
    pub(super) fn send_afterwards(&mut self) {
        if let Some((conversation, mut cx)) = self.conversation_context(self.state.open)
            && conversation.is_asking
        {
            conversation.queue_draft(&mut cx);
        }
    }

    pub(super) fn keep_as_draft(&mut self) {
        if let Some((conversation, mut cx)) = self.conversation_context(self.state.open) {
            conversation.end_question(&mut cx, |_| true);
        }
    }

    /// Turns a queued message of the open conversation into a draft again.
    pub(super) fn edit_queued(&mut self, message: MessageKey) {
        if let Some((conversation, mut cx)) = self.conversation_context(self.state.open)
            && let Some(message) = conversation.take_queued(&mut cx, message)
        {
            conversation.prepend_to_draft(&message.text, message.files);
            cx.output.change(Change::Draft(cx.key));
        }
    }

    /// Removes a queued message of the open conversation, and its files.
    pub(super) fn remove_queued(&mut self, message: MessageKey) {
        if let Some((conversation, mut cx)) = self.conversation_context(self.state.open)
            && let Some(message) = conversation.take_queued(&mut cx, message)
        {
            let uploads = message.files.iter().map(|file| file.upload).collect();
            cx.output.cancel_uploads(uploads);
        }
    }

    /// Posts a message again that failed. For an answer that failed or was stopped, the message
    /// that it answers is posted anew, although the service has it.
    pub(super) fn retry_message(&mut self, message: MessageKey) {
        let Some((conversation, mut cx)) = self.conversation_context(self.state.open) else {
            return;
        };
        let Some(question) = conversation.unanswered_message(message) else {
            let has_failed = |it: &MessageStatus| matches!(it, MessageStatus::Failed(_));
            return conversation.post_again(&mut cx, message, has_failed);
        };
        if conversation.composer_state() == ComposerState::Ready {
            let (text, files) = (question.text.clone(), question.files.clone());
            conversation.dismiss_message(&mut cx, message);
            conversation.send_text(&mut cx, &text, files);
        }
    }

    /// Posts a message again of which it is unknown whether it arrived, at the risk that it arrives
    /// twice.
    pub(super) fn resend_message(&mut self, message: MessageKey) {
        if let Some((conversation, mut cx)) = self.conversation_context(self.state.open) {
            conversation.post_again(&mut cx, message, |it| {
                matches!(
                    it,
                    MessageStatus::Unconfirmed {
                        checking: false,
                        ..
                    }
                )
            });
        }
    }

    pub(super) fn dismiss_message(&mut self, message: MessageKey) {
        if let Some((conversation, mut cx)) = self.conversation_context(self.state.open) {
            conversation.dismiss_message(&mut cx, message);
        }
    }

    pub(super) fn thread_created(
        &mut self,
        key: ConversationKey,
        result: Result<SessionThread, Failure>,
    ) {
        let result = match result {
            Ok(thread) if thread.id.as_str().is_empty() => {
                Err(Failure::of(FailureKind::Unreadable))
            }
            Ok(thread) if self.state.conversation_of(&thread.id).is_some() => {
                Err(Failure::of(FailureKind::NotDelivered))
            }
            result => result,
        };
        match result {
            Ok(thread) => self.bind_thread(key, thread),
            Err(failure) => self.creation_failed(key, failure),
        }
    }

    /// Binds a conversation to its new thread. The message for which the thread was created is
    /// posted, unless the user stopped it meanwhile.
    fn bind_thread(&mut self, key: ConversationKey, thread: SessionThread) {
        let (id, now) = (thread.id.clone(), self.now);
        let binding = self.conversation_mut(key).map(|it| &mut it.thread);
        let waiting = match binding {
            // The conversation was removed or has a thread: this one is an ordinary row of the
            // list.
            Some(ThreadBinding::Bound(_)) | None => {
                return self.state.threads.insert(&mut self.output, thread, now);
            }
            Some(binding) => std::mem::replace(binding, ThreadBinding::Bound(id.clone())),
        };
        self.change(Change::Waiting);
        self.state.unanswered.push(id.clone());
        self.state.threads.insert(&mut self.output, thread, now);
        if self.state.open == key {
            self.command(Command::RememberThread(Some(id)));
        }
        if let Some((conversation, mut cx)) = self.conversation_context(key)
            && let ThreadBinding::Creating(message) = waiting
        {
            // The host page was asked before the thread was created.
            conversation.post_message(&mut cx, message, false);
        }
    }

    fn creation_failed(&mut self, key: ConversationKey, failure: Failure) {
        let Some((conversation, mut cx)) = self.conversation_context(key) else {
            return;
        };
        let ThreadBinding::Creating(message) = conversation.thread else {
            return;
        };
        conversation.thread = ThreadBinding::None;
        conversation.fail_message(&mut cx, message, failure);
        cx.output.change(Change::Composer(key));
        conversation.release_queued(&mut cx, false);
        if !cx.is_shown {
            conversation.keep_unsent_text(&mut cx);
        }
    }
}
