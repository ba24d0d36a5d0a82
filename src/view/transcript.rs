//! The messages of the open conversation as rows that keep their identity.

use std::collections::VecDeque;

use assent_conversation::{Author, Conversation, ConversationKey, Load, Message, MessageKey};

use super::{Watched, message::MessageRow};

/// The transcript that is shown.
#[derive(Clone)]
pub struct TranscriptView {
    /// Of which conversation.
    pub conversation: Watched<ConversationKey>,
    /// Whether the stored messages were read.
    pub load: Watched<Load>,
    /// How many messages of the person there are; grows when one is sent.
    pub sent: Watched<usize>,
    /// Oldest first.
    pub rows: Watched<Vec<MessageRow>>,
}

impl TranscriptView {
    pub(super) fn new(conversation: &Conversation) -> Self {
        let view = Self {
            conversation: Watched::new(conversation.key),
            load: Watched::new(conversation.load.clone()),
            sent: Watched::new(0),
            rows: Watched::new(Vec::new()),
        };
        view.open(conversation);
        view
    }

    /// Shows another conversation; the one that is shown already keeps its rows, which its nodes follow.
    pub(super) fn open(&self, conversation: &Conversation) {
        if self.conversation.peek(|shown| *shown == conversation.key) {
            return self.arrange(conversation);
        }
        self.conversation.set(conversation.key);
        self.load.set(conversation.load.clone());
        let row = |message| MessageRow::new(message, conversation);
        let rows = conversation.messages.iter().map(row).collect();
        self.rows.update(|it| *it = rows);
        self.sent.set(sent(conversation));
    }

    /// Brings membership, order and load state up to date; rows of messages that stay are kept.
    pub(super) fn arrange(&self, conversation: &Conversation) {
        self.load.set(conversation.load.clone());
        let mut kept: VecDeque<MessageRow> = self.rows.peek(|rows| rows.iter().cloned().collect());
        // Messages mostly stay where they are, so that the next row is nearly always at the front.
        let row = |message: &Message| {
            let at = kept.iter().position(|row| row.key == message.key);
            match at.and_then(|at| kept.remove(at)) {
                Some(row) => {
                    row.apply(message, conversation);
                    row
                }
                None => MessageRow::new(message, conversation),
            }
        };
        let rows: Vec<MessageRow> = conversation.messages.iter().map(row).collect();
        let keys = |rows: &[MessageRow]| rows.iter().map(|row| row.key).collect::<Vec<_>>();
        if self.rows.peek(|before| keys(before) != keys(&rows)) {
            self.rows.update(|it| *it = rows);
        }
        self.sent.set(sent(conversation));
    }

    /// Brings one message up to date.
    pub(super) fn refresh(&self, conversation: &Conversation, key: MessageKey) {
        let row = self
            .rows
            .peek(|rows| rows.iter().rev().find(|row| row.key == key).cloned());
        if let (Some(row), Some(message)) = (row, conversation.message(key)) {
            row.apply(message, conversation);
        }
    }
}

fn sent(conversation: &Conversation) -> usize {
    conversation
        .messages
        .iter()
        .filter(|message| message.author == Author::You)
        .count()
}
