//! The draft, and sending a message to the service.

use assent_protocol::{ContentItem, SessionThread};

use crate::{
    AnswerSummary, ApprovalBatch, Attachment, Author, Change, Command, Composer, Conversation,
    ConversationKey, Failure, FailureKind, Message, MessageKey, MessageStatus, Posted, Stream,
    ThreadBinding,
};

use super::Turn;

impl Turn<'_> {
    pub(super) fn edit_draft(&mut self, text: String) {
        let open = self.state.open;
        let Some(conversation) = self.conversation_mut(open) else {
            return;
        };
        conversation.draft = text;
        if conversation.end_empty_question() {
            self.change(Change::Composer(open));
        }
    }

    pub(super) fn send(&mut self) {
        let open = self.state.open;
        let Some(conversation) = self.conversation_mut(open) else {
            return;
        };
        if !conversation.has_draft() || !Attachment::all_there(&conversation.files) {
            return;
        }
        match conversation.composer() {
            Composer::Ready => {
                let text = std::mem::take(&mut conversation.draft);
                let files = std::mem::take(&mut conversation.files);
                self.change(Change::Draft(open));
                self.send_text(open, &text, files);
            }
            Composer::AwaitingApproval => self.ask_how_to_send(),
            Composer::Streaming => self.queue_draft(),
            Composer::AwaitingElsewhere => {}
        }
    }

    /// Sends a suggestion, which is there until the first message is. The second click of a double
    /// click may come after it.
    pub(super) fn send_suggestion(&mut self, text: &str) {
        let open = self.state.open;
        let fresh = self.conversation(open).is_some_and(Conversation::is_fresh);
        if fresh && !text.trim().is_empty() {
            self.send_text(open, text, Vec::new());
        }
    }

    /// Sends text, uploaded files, or both, in a conversation that is ready. Returns the message.
    pub(super) fn send_text(
        &mut self,
        key: ConversationKey,
        text: &str,
        files: Vec<Attachment>,
    ) -> MessageKey {
        let (message, now) = (self.state.next_message(), self.now);
        if let Some(conversation) = self.conversation_mut(key) {
            let text = text.trim().to_owned();
            let sending = Message::sending(message, text, files, now);
            conversation.messages.push(sending);
            self.see(key);
            self.dispatch(key, message);
        }
        message
    }

    /// Posts a message that is `Sending`, or first creates the thread to post it to.
    pub(super) fn dispatch(&mut self, key: ConversationKey, message: MessageKey) {
        self.change(Change::Transcript(key));
        self.change(Change::Composer(key));
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        if conversation.thread_id().is_none() {
            let content = conversation.message(message).map(Message::content);
            conversation.thread = ThreadBinding::Creating(message);
            self.command(Command::CreateThread {
                conversation: key,
                content: content.unwrap_or_default(),
            });
        } else {
            self.post_message(key, message, true);
        }
    }

    fn post_message(&mut self, key: ConversationKey, message: MessageKey, is_proposal: bool) {
        let content = self.conversation(key).and_then(|c| c.message(message));
        if let Some(content) = content.map(Message::content) {
            let posted = Posted::Message(message);
            self.post(key, posted, content, is_proposal, None);
        }
    }

    /// Begins a stream. The conversation is bound and has none.
    pub(super) fn post(
        &mut self,
        key: ConversationKey,
        posted: Posted,
        content: Vec<ContentItem>,
        is_proposal: bool,
        summary: Option<AnswerSummary>,
    ) {
        let stream = self.state.next_stream();
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let Some(thread) = conversation.thread_id().cloned() else {
            return;
        };
        conversation.streams.push(Stream::new(stream, posted));
        self.change(Change::Composer(key));
        self.command(Command::Post {
            stream,
            thread,
            content,
            is_proposal,
            summary,
        });
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
            Ok(thread) => self.bind(key, thread),
            Err(failure) => self.creation_failed(key, failure),
        }
    }

    /// Binds a new thread; the message that waits for it is posted, unless the user stopped it
    /// meanwhile.
    fn bind(&mut self, key: ConversationKey, thread: SessionThread) {
        let id = thread.id.clone();
        let waiting = match self.conversation(key).map(|c| &c.thread) {
            Some(ThreadBinding::Creating(message)) => Some(*message),
            Some(ThreadBinding::None) => None,
            // The conversation was removed or has a thread: this one is an ordinary row of the
            // list.
            Some(ThreadBinding::Bound(_)) | None => return self.insert_row(thread),
        };
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.thread = ThreadBinding::Bound(id.clone());
        }
        self.change(Change::Waiting);
        self.state.unanswered.push(id.clone());
        self.insert_row(thread);
        if self.state.open == key {
            self.command(Command::RememberThread(Some(id)));
        }
        if let Some(message) = waiting {
            // The host page was asked before the thread was created.
            self.post_message(key, message, false);
        }
    }

    fn creation_failed(&mut self, key: ConversationKey, failure: Failure) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let ThreadBinding::Creating(message) = conversation.thread else {
            return;
        };
        conversation.thread = ThreadBinding::None;
        self.fail_message(key, message, failure, true);
        self.change(Change::Composer(key));
        self.release_queued(key, false);
        if self.state.open != key {
            self.keep_unsent_text(key);
        }
    }

    /// Marks a message as failed. `is_own`: no other tab posted it, whose page is told.
    pub(super) fn fail_message(
        &mut self,
        key: ConversationKey,
        message: MessageKey,
        failure: Failure,
        is_own: bool,
    ) {
        if is_own {
            self.report_failure(&failure);
        }
        if let Some(message) = self.message_mut(key, message) {
            message.status = MessageStatus::Failed(failure);
        }
        self.change(Change::Message(key, message));
    }

    /// Posts a message that failed again, or asks once more what an agent failed to answer, or was
    /// stopped at: the service has the question, and gets it anew.
    pub(super) fn retry_message(&mut self, message: MessageKey) {
        let open = self.state.open;
        let conversation = self.conversation(open);
        let unanswered = conversation.and_then(|it| it.unanswered(message));
        let Some(question) = unanswered else {
            return self.post_again(message, |it| matches!(it, MessageStatus::Failed(_)));
        };
        if conversation.map(Conversation::composer) == Some(Composer::Ready) {
            let (text, files) = (question.text.clone(), question.files.clone());
            self.dismiss_message(message);
            self.send_text(open, &text, files);
        }
    }

    pub(super) fn dismiss_message(&mut self, message: MessageKey) {
        let open = self.state.open;
        let Some(conversation) = self.conversation_mut(open) else {
            return;
        };
        let streams = conversation.streams.iter();
        let live = streams.flat_map(Stream::messages).any(|m| m == message);
        if live {
            return;
        }
        let messages = &mut conversation.messages;
        let Some(at) = messages
            .iter()
            .position(|m| m.key == message && is_dismissible(m))
        else {
            return;
        };
        let dismissed = messages.remove(at);
        if dismissed.author == Author::You {
            conversation.put_back(&dismissed.text, dismissed.files);
            self.change(Change::Draft(open));
        }
        self.change(Change::Transcript(open));
        self.change(Change::Composer(open));
    }
}

fn is_dismissible(message: &Message) -> bool {
    let given_up = matches!(
        message.status,
        MessageStatus::Failed(_)
            | MessageStatus::Unconfirmed {
                checking: false,
                ..
            }
    );
    given_up && !message.approvals.iter().any(ApprovalBatch::is_pending)
}
