//! The messages of the open conversation as rows that keep their identity.

use std::collections::HashMap;

use assent_conversation::{Conversation, ConversationKey, Load, Message, MessageKey};
use leptos::prelude::*;

use super::message::{MessageRow, set_if_different};

/// The transcript that is shown.
#[derive(Clone)]
pub struct TranscriptView {
    /// Of which conversation.
    pub conversation: ArcRwSignal<ConversationKey>,
    /// Whether the stored messages were read.
    pub load: ArcRwSignal<Load>,
    /// Oldest first.
    pub rows: ArcRwSignal<Vec<MessageRow>>,
}

impl TranscriptView {
    pub(super) fn new(conversation: &Conversation) -> Self {
        let view = Self {
            conversation: ArcRwSignal::new(conversation.key),
            load: ArcRwSignal::new(conversation.load.clone()),
            rows: ArcRwSignal::new(Vec::new()),
        };
        view.open(conversation);
        view
    }

    /// Shows another conversation.
    pub(super) fn open(&self, conversation: &Conversation) {
        set_if_different(&self.conversation, conversation.key);
        set_if_different(&self.load, conversation.load.clone());
        self.rows
            .set(conversation.messages.iter().map(MessageRow::new).collect());
    }

    /// Brings membership, order and load state up to date; rows of messages that stay are kept.
    pub(super) fn arrange(&self, conversation: &Conversation) {
        set_if_different(&self.load, conversation.load.clone());
        let mut kept: HashMap<MessageKey, MessageRow> = self
            .rows
            .with_untracked(|rows| rows.iter().map(|row| (row.key, row.clone())).collect());
        let row = |message: &Message| match kept.remove(&message.key) {
            Some(row) => {
                row.apply(message);
                row
            }
            None => MessageRow::new(message),
        };
        let rows: Vec<MessageRow> = conversation.messages.iter().map(row).collect();
        let keys = |rows: &[MessageRow]| rows.iter().map(|row| row.key).collect::<Vec<_>>();
        if self
            .rows
            .with_untracked(|before| keys(before) != keys(&rows))
        {
            self.rows.set(rows);
        }
    }

    /// Brings one message up to date.
    pub(super) fn refresh(&self, conversation: &Conversation, key: MessageKey) {
        let row = self
            .rows
            .with_untracked(|rows| rows.iter().rev().find(|row| row.key == key).cloned());
        if let (Some(row), Some(message)) = (row, conversation.message(key)) {
            row.apply(message);
        }
    }
}
