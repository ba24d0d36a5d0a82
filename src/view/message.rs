//! One message as signals.

use assent_conversation::{
    Activity, Author, BatchId, Conversation, ConversationKey, Message, MessageKey, MessageStatus,
    Millis,
};

use super::{Watched, approval::ApprovalView};

/// One message. Cloning it clones handles.
#[derive(Clone)]
pub struct MessageRow {
    /// Its name on this page.
    pub key: MessageKey,
    /// The conversation that it is in.
    pub conversation: ConversationKey,
    /// Who wrote it, when, and where it stands.
    pub head: Watched<MessageHead>,
    /// What it says.
    pub text: Watched<MessageText>,
    /// What the agent did.
    pub activity: Watched<Activity>,
    /// What the agent asked for, one signal for each batch.
    pub approvals: Watched<Vec<(BatchId, Watched<ApprovalView>)>>,
}

/// The text of a message, as far as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageText {
    /// The text.
    pub text: String,
    /// Nothing more is to come.
    pub whole: bool,
    /// Another number for a text that does not begin with the one before it.
    pub revision: u32,
}

impl MessageText {
    /// Becomes `text`; one that only grew costs no more than what is new.
    fn follow(&mut self, text: &str, whole: bool) {
        match text.strip_prefix(self.text.as_str()) {
            Some(more) => self.text.push_str(more),
            None => {
                text.clone_into(&mut self.text);
                self.revision = self.revision.wrapping_add(1);
            }
        }
        self.whole = whole;
    }
}

/// The small things about a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageHead {
    /// Who wrote it.
    pub author: Author,
    /// When.
    pub time: Option<Millis>,
    /// Where it stands.
    pub status: MessageStatus,
}

impl MessageRow {
    /// A row that shows `message`.
    pub(super) fn new(message: &Message, conversation: &Conversation) -> Self {
        let row = Self {
            key: message.key,
            conversation: conversation.key,
            head: Watched::new(head(message)),
            text: Watched::new(MessageText::default()),
            activity: Watched::new(message.activity.clone()),
            approvals: Watched::new(Vec::new()),
        };
        row.apply(message, conversation);
        row
    }

    /// Brings every signal to what `message` says, touching only those that differ.
    pub(super) fn apply(&self, message: &Message, conversation: &Conversation) {
        self.head.set(head(message));
        let whole = message.status != MessageStatus::Streaming;
        if self
            .text
            .peek(|before| before.whole != whole || before.text != message.text)
        {
            self.text.update(|it| it.follow(&message.text, whole));
        }
        if self.activity.peek(|before| *before != message.activity) {
            self.activity.set(message.activity.clone());
        }
        self.apply_approvals(message, conversation);
    }

    fn apply_approvals(&self, message: &Message, conversation: &Conversation) {
        // A card follows the value it was made with, so that a batch keeps its value when others come.
        let row = |batch: &assent_conversation::ApprovalBatch| {
            let view = ApprovalView::new(batch, conversation);
            let known = self.approvals.peek(|rows| {
                rows.iter()
                    .find(|(id, _)| *id == batch.id)
                    .map(|(_, row)| row.clone())
            });
            let row = match known {
                Some(row) => {
                    row.set(view);
                    row
                }
                None => Watched::new(view),
            };
            (batch.id.clone(), row)
        };
        let rows: Vec<_> = message.approvals.iter().map(row).collect();
        let ids = |rows: &[(BatchId, Watched<ApprovalView>)]| {
            rows.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>()
        };
        if self.approvals.peek(|before| ids(before) != ids(&rows)) {
            self.approvals.update(|it| *it = rows);
        }
    }
}

fn head(message: &Message) -> MessageHead {
    MessageHead {
        author: message.author.clone(),
        time: message.time,
        status: message.status.clone(),
    }
}
