//! One message as signals.

use assent_conversation::{
    Activity, ApprovalBatch, Author, BatchId, Message, MessageKey, MessageStatus, Millis,
};

use leptos::prelude::*;

use super::blocks::{self, BlockRow};

/// One message. Cloning it clones handles.
#[derive(Clone)]
pub struct MessageRow {
    /// Its name on this page.
    pub key: MessageKey,
    /// Who wrote it, when, and where it stands.
    pub head: ArcRwSignal<MessageHead>,
    /// The text of a person's message; empty for an agent's, which has `blocks`.
    pub text: ArcRwSignal<String>,
    /// The blocks of an agent's message; empty for a person's.
    pub blocks: ArcRwSignal<Vec<BlockRow>>,
    /// What the agent did.
    pub activity: ArcRwSignal<Activity>,
    /// What the agent asked for, one signal for each batch.
    pub approvals: ArcRwSignal<Vec<(BatchId, ArcRwSignal<ApprovalBatch>)>>,
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
            head: ArcRwSignal::new(head(message)),
            text: ArcRwSignal::new(String::new()),
            blocks: ArcRwSignal::new(Vec::new()),
            activity: ArcRwSignal::new(message.activity.clone()),
            approvals: ArcRwSignal::new(Vec::new()),
        };
        row.apply(message);
        row
    }

    /// Brings every signal to what `message` says, touching only those that differ.
    pub(super) fn apply(&self, message: &Message) {
        set_if_different(&self.head, head(message));
        if message.author == Author::You {
            if self.text.with_untracked(|text| *text != message.text) {
                self.text.set(message.text.clone());
            }
        } else {
            blocks::update(&self.blocks, &message.text);
        }
        if self
            .activity
            .with_untracked(|before| *before != message.activity)
        {
            self.activity.set(message.activity.clone());
        }
        self.apply_approvals(&message.approvals);
    }

    fn apply_approvals(&self, batches: &[ApprovalBatch]) {
        let same = self.approvals.with_untracked(|rows| {
            rows.len() == batches.len()
                && rows
                    .iter()
                    .zip(batches)
                    .all(|((id, _), batch)| *id == batch.id)
        });
        if same {
            self.approvals.with_untracked(|rows| {
                for ((_, row), batch) in rows.iter().zip(batches) {
                    set_if_different(row, batch.clone());
                }
            });
        } else {
            let row = |batch: &ApprovalBatch| (batch.id.clone(), ArcRwSignal::new(batch.clone()));
            self.approvals.set(batches.iter().map(row).collect());
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

/// Signals notify on every set; this one only where something changed.
pub(super) fn set_if_different<T: PartialEq + Send + Sync + 'static>(
    signal: &ArcRwSignal<T>,
    value: T,
) {
    if signal.with_untracked(|before| *before != value) {
        signal.set(value);
    }
}
