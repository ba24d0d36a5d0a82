//! The messages of a stream: the first one of its answer, and further ones.

use assent_protocol::SseEventMessage;

use crate::message::find_message;
use crate::output::Context;
use crate::{Announcement, Change, Message, MessageKey, Millis, PostedContent, Stream};

impl Stream {
    /// Returns the first message of the answer, which is added if the agent has just begun.
    pub(crate) fn first_message(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
    ) -> MessageKey {
        if let Some(lead) = self.lead {
            return lead;
        }
        let lead = self.add_message(messages, cx);
        self.lead = Some(lead);
        self.current = Some(lead);
        cx.announce(Announcement::Answering);
        lead
    }

    /// Adds a message of the agent behind the others of its stream, and before messages that were
    /// posted since.
    pub(super) fn add_message(
        &mut self,
        messages: &mut Vec<Message>,
        cx: &mut Context<'_>,
    ) -> MessageKey {
        let message = cx.keys.next_message();
        let added = Message {
            followed: self.followed.is_some()
                || matches!(self.posted, PostedContent::Elsewhere { .. }),
            ..Message::new_streaming(message, cx.now)
        };
        let own = self.messages();
        let last = messages.iter().rposition(|it| own.contains(&it.key));
        messages.insert(last.map_or(messages.len(), |it| it + 1), added);
        self.written.push(message);
        cx.output.change(Change::Transcript(cx.key));
        message
    }
}

/// Announces a message of an agent that is complete.
pub(crate) fn announce_answer(messages: &[Message], message: MessageKey, cx: &mut Context<'_>) {
    let message = find_message(messages, message).filter(|it| !it.text.trim().is_empty());
    // The text is copied only for an announcement that is made.
    if let Some(message) = message.filter(|_| cx.is_shown) {
        cx.announce(Announcement::Answered {
            author: message.author.agent_name().to_owned(),
            text: message.text.clone(),
            words: message.words.clone(),
        });
    }
}

pub(crate) fn time_of(message: &SseEventMessage) -> Option<Millis> {
    message.timestamp.epoch_millis().map(Millis)
}
