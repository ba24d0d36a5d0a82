//! One message as signals.

use assent_conversation::{
    Activity, Author, BatchId, Conversation, Message, MessageKey, MessageStatus, Millis,
};

use super::{
    Watched,
    approval::ApprovalView,
    blocks::{self, BlockRow},
};

/// One message. Cloning it clones handles.
#[derive(Clone)]
pub struct MessageRow {
    /// Its name on this page.
    pub key: MessageKey,
    /// Who wrote it, when, and where it stands.
    pub head: Watched<MessageHead>,
    /// The text of a person's message; empty for an agent's, which has `blocks`.
    pub text: Watched<String>,
    /// The blocks of an agent's message; empty for a person's.
    pub blocks: Watched<Vec<BlockRow>>,
    /// What the agent did.
    pub activity: Watched<Activity>,
    /// What the agent asked for, one signal for each batch.
    pub approvals: Watched<Vec<(BatchId, Watched<ApprovalView>)>>,
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
            head: Watched::new(head(message)),
            text: Watched::new(String::new()),
            blocks: Watched::new(Vec::new()),
            activity: Watched::new(message.activity.clone()),
            approvals: Watched::new(Vec::new()),
        };
        row.apply(message, conversation);
        row
    }

    /// Brings every signal to what `message` says, touching only those that differ.
    pub(super) fn apply(&self, message: &Message, conversation: &Conversation) {
        self.head.set(head(message));
        if message.author == Author::You {
            self.text.set(message.text.clone());
        } else {
            blocks::update(&self.blocks, &message.text);
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
