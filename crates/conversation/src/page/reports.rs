//! Events for the host page about messages and answers.

use crate::output::Context;
use crate::{Conversation, Message, MessageKey, PageEvent};

impl Conversation {
    /// Tells the host page that the service has this message of the user.
    pub(crate) fn report_sent(&self, cx: &mut Context<'_>, message: MessageKey) {
        let content = self.message(message).map(Message::content);
        if let Some((thread, content)) = self.thread_id().cloned().zip(content) {
            cx.output
                .notify_page(PageEvent::MessageSent { thread, content });
        }
    }

    /// Tells the host page that these messages of an agent are complete: together they are one
    /// answer. `unread` counts the answers that nobody saw; `None` while somebody can see them.
    pub(crate) fn report_answers(
        &mut self,
        cx: &mut Context<'_>,
        messages: &[MessageKey],
        unread: Option<&mut u32>,
    ) {
        let text = |message: &MessageKey| {
            let message = self.message(*message)?;
            Some(message.text.as_str()).filter(|text| !text.is_empty())
        };
        let texts: Vec<&str> = messages.iter().filter_map(text).collect();
        let text = texts.join("\n\n");
        let Some(thread) = self.thread_id().cloned() else {
            return;
        };
        cx.output
            .notify_page(PageEvent::AnswerComplete { thread, text });
        if let Some(unread) = unread {
            *unread = unread.saturating_add(1);
            cx.output.notify_page(PageEvent::Unread(*unread));
            if let (None, Some(first)) = (self.first_unread, messages.first()) {
                self.first_unread = Some(*first);
                cx.message_changed(*first);
            }
        }
    }
}
