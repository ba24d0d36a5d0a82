//! Events for the host page, except approvals: the open thread, messages, answers and failures.

use assent_protocol::ThreadId;

use crate::{
    Change, Command, Conversation, ConversationKey, Failure, FailureKind, MessageKey, PageEvent,
    Stream,
};

use super::Turn;

impl Turn<'_> {
    pub(super) fn notify_page(&mut self, event: PageEvent) {
        self.command(Command::NotifyPage(event));
    }

    /// Reports a failure that is shown.
    pub(super) fn report_failure(&mut self, failure: &Failure) {
        self.notify_page(PageEvent::Failed(failure.clone()));
    }

    pub(super) fn report_failure_kind(&mut self, kind: FailureKind) {
        self.report_failure(&Failure::of(kind));
    }

    /// Reports the open thread if it changed.
    pub(super) fn report_thread(&mut self) {
        let open = self.state.open_conversation();
        let thread = open.and_then(Conversation::thread_id);
        if thread != self.state.reported_thread.as_ref() {
            let thread = thread.cloned();
            self.state.reported_thread.clone_from(&thread);
            self.notify_page(PageEvent::ThreadChanged(thread));
        }
    }

    /// Reports that the service has this message of the user.
    pub(super) fn report_sent(&mut self, key: ConversationKey, message: MessageKey) {
        let conversation = self.conversation(key);
        let content = conversation.and_then(|c| c.message(message));
        let content = content.map(crate::Message::content);
        if let Some((thread, content)) = self.thread_of(key).zip(content) {
            self.notify_page(PageEvent::MessageSent { thread, content });
        }
    }

    /// Reports that the answer of this stream is complete.
    pub(super) fn report_answer(&mut self, key: ConversationKey, stream: &mut Stream) {
        let speakers = stream.speakers.iter().map(|(_, message)| *message);
        let messages: Vec<MessageKey> = speakers
            .filter(|it| !stream.reported.contains(it))
            .collect();
        if !messages.is_empty() {
            self.report_answers(key, &messages);
            stream.reported.extend(messages);
        }
    }

    /// Reports that these messages of an agent are complete: they are one answer.
    pub(super) fn report_answers(&mut self, key: ConversationKey, messages: &[MessageKey]) {
        let text = |message: &MessageKey| {
            let message = self.conversation(key)?.message(*message)?;
            Some(message.text.as_str()).filter(|text| !text.is_empty())
        };
        let texts: Vec<&str> = messages.iter().filter_map(text).collect();
        let text = texts.join("\n\n");
        let Some(thread) = self.thread_of(key) else {
            return;
        };
        self.notify_page(PageEvent::AnswerComplete { thread, text });
        if !self.state.is_visible {
            self.state.unread = self.state.unread.saturating_add(1);
            self.notify_page(PageEvent::Unread(self.state.unread));
            if let Some(conversation) = self.conversation_mut(key)
                && let (None, Some(first)) = (conversation.first_unread, messages.first())
            {
                conversation.first_unread = Some(*first);
                self.change(Change::Message(key, *first));
            }
        }
    }

    /// Removes the mark before the first message that was unread.
    pub(super) fn see(&mut self, key: ConversationKey) {
        let conversation = self.conversation_mut(key);
        if let Some(first) = conversation.and_then(|it| it.first_unread.take()) {
            self.change(Change::Message(key, first));
        }
    }

    /// Handles a change of visibility: unread answers are seen now, and marked until the user leaves.
    pub(super) fn visibility_changed(&mut self, is_visible: bool) {
        let was_visible = std::mem::replace(&mut self.state.is_visible, is_visible);
        if is_visible && !was_visible {
            self.read_again(false);
        }
        if is_visible && std::mem::take(&mut self.state.unread) > 0 {
            self.notify_page(PageEvent::Unread(0));
        }
        if was_visible && !is_visible {
            let all = self.state.conversations.iter().map(|it| it.key);
            for key in all.collect::<Vec<_>>() {
                self.see(key);
            }
        }
    }

    fn thread_of(&self, key: ConversationKey) -> Option<ThreadId> {
        self.conversation(key)?.thread_id().cloned()
    }
}
