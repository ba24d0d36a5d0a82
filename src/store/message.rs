//! One message as signals.

use assent_conversation::{
    Activity, Attachment, Author, BatchId, Contribution, ContributionState, Conversation,
    ConversationKey, Message, MessageKey, MessageStatus, Millis, Words,
};
use leptos::prelude::*;

use super::{approval::ApprovalView, set_if_changed};

/// The signals of one message in the transcript. A clone has the same signals.
#[derive(Clone)]
pub struct MessageRow {
    /// The key of the message on this page.
    pub key: MessageKey,
    /// The key of the conversation that the message is in.
    pub conversation: ConversationKey,
    /// Author, files, time and status.
    pub head: ArcRwSignal<MessageHead>,
    /// The text of the message.
    pub text: ArcRwSignal<MessageText>,
    /// The steps of what agents did for the message.
    pub activity: ArcRwSignal<Activity>,
    /// What each of several agents adds to the message, in the order in which they began; empty if
    /// there is only one agent.
    pub contributions: ArcRwSignal<Vec<ContributionRow>>,
    /// The batches of the message, each with its id and a signal for its card.
    pub approvals: ArcRwSignal<Vec<(BatchId, ArcRwSignal<ApprovalView>)>>,
}

/// The text of a message or a contribution, as far as it has arrived.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageText {
    /// The text itself; an answer's is Markdown.
    pub text: String,
    /// The sentences in the text that the service wrote and no agent, with their keys and values: a
    /// page may show its own text in their place.
    pub words: Vec<Words>,
    /// True if the text is complete, and false while more may arrive.
    pub whole: bool,
    /// Counter that grows whenever the text is replaced by one that does not begin with it.
    pub revision: u32,
}

impl MessageText {
    /// Sets the text to `text` and the service's sentences in it to `words`; `whole` says whether
    /// the text is complete. Where `text` only continues the text that is here, only the new part
    /// is copied.
    pub fn follow(&mut self, text: &str, words: &[Words], whole: bool) {
        match text.strip_prefix(self.text.as_str()) {
            Some(more) => self.text.push_str(more),
            None => {
                text.clone_into(&mut self.text);
                self.revision = self.revision.wrapping_add(1);
            }
        }
        words.clone_into(&mut self.words);
        self.whole = whole;
    }
}

/// Sets the signal `shown` to this text with these sentences of the service, and notifies its
/// subscribers only if something differs.
fn follow_text(shown: &ArcRwSignal<MessageText>, text: &str, words: &[Words], whole: bool) {
    let is_same = shown.with_untracked(|before| {
        before.whole == whole && before.text == text && before.words == words
    });
    if !is_same {
        shown.update(|it| it.follow(text, words, whole));
    }
}

/// The signals of one agent's contribution to an answer of several agents. A clone has the same
/// signals.
#[derive(Clone)]
pub struct ContributionRow {
    /// The agent's name, or its handle if the service sends no name.
    pub agent: String,
    /// The state of the contribution.
    pub state: ArcRwSignal<ContributionState>,
    /// The text of the contribution.
    pub text: ArcRwSignal<MessageText>,
}

impl ContributionRow {
    fn new(said: &Contribution) -> Self {
        let name = if said.agent.is_empty() {
            &said.handle
        } else {
            &said.agent
        };
        let row = Self {
            agent: name.clone(),
            state: ArcRwSignal::new(said.state),
            text: ArcRwSignal::new(MessageText::default()),
        };
        row.apply(said);
        row
    }

    fn apply(&self, said: &Contribution) {
        set_if_changed(&self.state, said.state);
        let whole = said.state != ContributionState::Writing;
        follow_text(&self.text, &said.text, &said.words, whole);
    }
}

/// What is known of a message besides its text: author, files, times and status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageHead {
    /// The author of the message: the user, or an agent with its name.
    pub author: Author,
    /// The agent's handle; empty if there is none, as for a message of the user.
    pub handle: String,
    /// The files of a message of the user.
    pub files: Vec<Attachment>,
    /// The time when the message was written; `None` if it is not known.
    pub time: Option<Millis>,
    /// The time of the message before this one; `None` if there is no such message or its time is
    /// not known.
    pub time_before: Option<Millis>,
    /// The status of the message.
    pub status: MessageStatus,
    /// True if the user can send the message again, or for an answer the message that it answers.
    pub is_retriable: bool,
    /// True for the first of the messages that came while nobody could see the conversation.
    pub is_first_unread: bool,
}

impl MessageRow {
    /// Creates a row that shows `message`.
    pub(super) fn new(message: &Message, conversation: &Conversation) -> Self {
        let row = Self {
            key: message.key,
            conversation: conversation.key,
            head: ArcRwSignal::new(message_head(message, conversation)),
            text: ArcRwSignal::new(MessageText::default()),
            activity: ArcRwSignal::new(message.activity.clone()),
            contributions: ArcRwSignal::new(Vec::new()),
            approvals: ArcRwSignal::new(Vec::new()),
        };
        row.apply(message, conversation);
        row
    }

    /// Sets the signals of the row to what `message` has now; a signal that has the same value
    /// already is not touched.
    pub(super) fn apply(&self, message: &Message, conversation: &Conversation) {
        set_if_changed(&self.head, message_head(message, conversation));
        let whole = message.status != MessageStatus::Streaming;
        follow_text(&self.text, &message.text, &message.words, whole);
        self.apply_contributions(&message.contributions);
        if self
            .activity
            .with_untracked(|before| *before != message.activity)
        {
            set_if_changed(&self.activity, message.activity.clone());
        }
        self.apply_approvals(message, conversation);
    }

    /// Sets the rows of the contributions to `said`. That list only grows, or becomes empty when
    /// each contribution has become a message of its own.
    fn apply_contributions(&self, said: &[Contribution]) {
        let known = self.contributions.with_untracked(|rows| {
            for (row, said) in rows.iter().zip(said) {
                row.apply(said);
            }
            rows.len()
        });
        if known != said.len() {
            let new = said.iter().skip(known).map(ContributionRow::new);
            self.contributions.update(|rows| {
                rows.truncate(said.len());
                rows.extend(new);
            });
        }
    }

    fn apply_approvals(&self, message: &Message, conversation: &Conversation) {
        // A card follows the value it was made with, so that a batch keeps its value when others
        // are added.
        let count = message.approvals.len();
        let row = |(at, batch): (usize, &assent_conversation::ApprovalBatch)| {
            let view = ApprovalView::new(batch, conversation, message.time, (at + 1, count));
            let known = self.approvals.with_untracked(|rows| {
                rows.iter()
                    .find(|(id, _)| *id == batch.id)
                    .map(|(_, row)| row.clone())
            });
            let row = match known {
                Some(row) => {
                    set_if_changed(&row, view);
                    row
                }
                None => ArcRwSignal::new(view),
            };
            (batch.id.clone(), row)
        };
        let rows: Vec<_> = message.approvals.iter().enumerate().map(row).collect();
        let ids = |rows: &[(BatchId, ArcRwSignal<ApprovalView>)]| {
            rows.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>()
        };
        if self
            .approvals
            .with_untracked(|before| ids(before) != ids(&rows))
        {
            self.approvals.update(|it| *it = rows);
        }
    }
}

fn message_head(message: &Message, conversation: &Conversation) -> MessageHead {
    MessageHead {
        author: message.author.clone(),
        handle: message.handle.clone(),
        files: message.files.clone(),
        time: message.time,
        time_before: conversation.time_of_previous(message),
        status: message.status.clone(),
        is_first_unread: conversation.first_unread == Some(message.key),
        is_retriable: match message.author {
            Author::You => matches!(message.status, MessageStatus::Failed(_)),
            Author::Agent(_) => conversation.unanswered_message(message.key).is_some(),
        },
    }
}
