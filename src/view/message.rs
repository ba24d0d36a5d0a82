//! One message as signals.

use assent_conversation::{
    Activity, ApprovalBatch, Author, BatchId, Message, MessageKey, MessageStatus, Millis,
};

use super::{
    Watched,
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
    pub approvals: Watched<Vec<(BatchId, Watched<ApprovalBatch>)>>,
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
    /// Nothing of it can be shown yet.
    pub blank: bool,
}

impl MessageRow {
    /// A row that shows `message`.
    pub(super) fn new(message: &Message) -> Self {
        let row = Self {
            key: message.key,
            head: Watched::new(head(message)),
            text: Watched::new(String::new()),
            blocks: Watched::new(Vec::new()),
            activity: Watched::new(message.activity.clone()),
            approvals: Watched::new(Vec::new()),
        };
        row.apply(message);
        row
    }

    /// Brings every signal to what `message` says, touching only those that differ.
    pub(super) fn apply(&self, message: &Message) {
        self.head.set(head(message));
        if message.author == Author::You {
            self.text.set(message.text.clone());
        } else {
            blocks::update(&self.blocks, &message.text);
        }
        if self.activity.peek(|before| *before != message.activity) {
            self.activity.set(message.activity.clone());
        }
        self.apply_approvals(&message.approvals);
    }

    fn apply_approvals(&self, batches: &[ApprovalBatch]) {
        let same = self.approvals.peek(|rows| {
            rows.len() == batches.len()
                && rows
                    .iter()
                    .zip(batches)
                    .all(|((id, _), batch)| *id == batch.id)
        });
        if same {
            self.approvals.peek(|rows| {
                for ((_, row), batch) in rows.iter().zip(batches) {
                    row.set(batch.clone());
                }
            });
        } else {
            let row = |batch: &ApprovalBatch| (batch.id.clone(), Watched::new(batch.clone()));
            let rows = batches.iter().map(row).collect();
            self.approvals.update(|it| *it = rows);
        }
    }
}

fn head(message: &Message) -> MessageHead {
    MessageHead {
        author: message.author.clone(),
        time: message.time,
        status: message.status.clone(),
        blank: message.is_blank(),
    }
}
