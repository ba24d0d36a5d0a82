//! The messages of the open conversation as rows that keep their identity.
//!
//! The service gives a conversation as a whole, and it may have thousands of messages.
//! Rows are made for a window of them only: from some message on to the last one.

use std::collections::VecDeque;

use assent_conversation::{
    Activity, ApprovalBatch, Author, Conversation, ConversationKey, LoadState, Message, MessageKey,
    ReadingPosition,
};

use leptos::prelude::*;

use super::{message::MessageRow, set_if_changed};

/// Number of messages that are shown when a conversation is opened. All are drawn in its first
/// frame: eight of usual length are three screens, and if they do not fill the screen and a half,
/// more come with the next frame.
const SHOWN_AT_OPENING: usize = 8;

/// Number of older messages that are added to the shown ones with each request for more.
const ADDED_AT_ONCE: usize = 10;

/// Maximum number of messages from a saved reading position to the end of its conversation. A
/// position further up is not restored, because all these messages would be drawn at once.
const MAX_POSITION_DISTANCE: usize = 100;

/// The signals of the transcript: the conversation that it shows, and rows for the last messages of
/// it.
#[derive(Clone, Copy)]
pub struct TranscriptView {
    /// The key of the conversation that is shown.
    pub conversation: RwSignal<ConversationKey>,
    /// The load state of the stored messages.
    pub load: RwSignal<LoadState>,
    /// The key of the user's last message, which changes when another one is sent; `None` if there
    /// is none.
    pub question: RwSignal<Option<MessageKey>>,
    /// Number of the conversation's messages before the first one that is shown.
    pub earlier: RwSignal<usize>,
    /// The saved reading position to restore, with all messages from there on in `rows`; `None` if
    /// the end of the conversation is shown first.
    pub position: RwSignal<Option<ReadingPosition>>,
    /// The messages that are shown, oldest first, up to the conversation's last one.
    pub rows: RwSignal<Vec<MessageRow>>,
}

impl TranscriptView {
    pub(super) fn new(conversation: &Conversation) -> Self {
        let view = Self {
            conversation: RwSignal::new(conversation.key),
            load: RwSignal::new(conversation.load.clone()),
            question: RwSignal::new(None),
            earlier: RwSignal::new(0),
            position: RwSignal::new(None),
            rows: RwSignal::new(Vec::new()),
        };
        view.show_from(conversation, first_shown(conversation));
        view
    }

    /// Shows this conversation. If the transcript shows it already, the rows of messages that stay
    /// are kept, and with them their nodes in the page.
    pub(super) fn open_conversation(&self, conversation: &Conversation) {
        if self
            .conversation
            .with_untracked(|shown| *shown == conversation.key)
        {
            return self.update_rows(conversation);
        }
        set_if_changed(&self.conversation, conversation.key);
        // Keys are unique within the whole page, so that no row of the other conversation is kept.
        self.show_from(conversation, first_shown(conversation));
    }

    /// Sets the rows and the load state to what `conversation` has now; rows of messages that stay
    /// are kept.
    pub(super) fn update_rows(&self, conversation: &Conversation) {
        let top = self
            .rows
            .with_untracked(|rows| rows.first().map(|row| row.key));
        let messages = &conversation.messages;
        // The window grows with new messages, and only its own growing moves its beginning up.
        let begins = messages
            .iter()
            .position(|message| Some(message.key) == top)
            .unwrap_or(messages.len());
        self.show_from(conversation, begins.min(first_shown(conversation)));
    }

    /// Adds rows for up to [`ADDED_AT_ONCE`] older messages before the first row.
    pub(super) fn show_older(&self, conversation: &Conversation) {
        let begins = self
            .earlier
            .with_untracked(|earlier| earlier.saturating_sub(ADDED_AT_ONCE));
        self.show_from(conversation, begins);
    }

    /// Shows the messages of the conversation from the index `begins` on, up to the last one.
    fn show_from(&self, conversation: &Conversation, begins: usize) {
        set_if_changed(&self.load, conversation.load.clone());
        let mut kept: VecDeque<MessageRow> = self
            .rows
            .with_untracked(|rows| rows.iter().cloned().collect());
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
        let window = conversation.messages.iter().skip(begins);
        let rows: Vec<MessageRow> = window.map(row).collect();
        let keys = |rows: &[MessageRow]| rows.iter().map(|row| row.key).collect::<Vec<_>>();
        set_if_changed(&self.earlier, begins);
        set_if_changed(&self.position, saved_position(conversation));
        if self
            .rows
            .with_untracked(|before| keys(before) != keys(&rows))
        {
            self.rows.update(|it| *it = rows);
        }
        let mut newest = conversation.messages.iter().rev();
        let question = newest.find(|message| message.author == Author::You);
        set_if_changed(&self.question, question.map(|message| message.key));
    }

    /// Returns true while a tool runs for one of the last messages.
    #[must_use]
    pub fn runs_tool(&self) -> bool {
        let runs = |row: &MessageRow| row.activity.with_untracked(Activity::runs_tool);
        self.rows
            .with_untracked(|rows| rows.iter().rev().take(SHOWN_AT_OPENING).any(runs))
    }

    /// Sets the row of the message with this key to what the message has now, if there is such a
    /// row.
    pub(super) fn refresh_row(&self, conversation: &Conversation, key: MessageKey) {
        let row = self
            .rows
            .with_untracked(|rows| rows.iter().rev().find(|row| row.key == key).cloned());
        if let (Some(row), Some(message)) = (row, conversation.message(key)) {
            row.apply(message, conversation);
        }
    }
}

/// Returns the saved reading position, if its message exists and is not too far from the end.
fn saved_position(conversation: &Conversation) -> Option<ReadingPosition> {
    let count = conversation.messages.len();
    let mut position = conversation.position.into_iter();
    position.find(|it| it.message < count && count - it.message <= MAX_POSITION_DISTANCE)
}

/// Returns the index of the first message that is shown when this conversation is opened. Batches
/// to be decided and the saved reading position are not before it.
fn first_shown(conversation: &Conversation) -> usize {
    let last = conversation.messages.len().saturating_sub(SHOWN_AT_OPENING);
    let last = saved_position(conversation).map_or(last, |it| it.message.min(last));
    let decides = |it: &Message| it.approvals.iter().any(ApprovalBatch::is_deciding);
    let asking = conversation.messages.iter().position(decides);
    asking.map_or(last, |asking| asking.min(last))
}
