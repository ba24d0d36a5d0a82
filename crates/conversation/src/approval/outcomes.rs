//! The outcomes of pending batches after a load, or after another tab decided.
//!
//! `reconcile` takes the stored statuses into the batches; this module does what follows from them.

use assent_protocol::{BatchId, ThreadId};

use crate::message::find_message_mut;
use crate::output::Context;
use crate::{Author, Message, MessageKey, PageEvent, UploadId};

/// A batch that was pending before a load.
pub(crate) struct PendingBatch {
    message: MessageKey,
    batch: BatchId,
    uploads: Vec<UploadId>,
}

impl PendingBatch {
    /// Returns the batches of these messages that are pending.
    pub(crate) fn of(messages: &[Message]) -> Vec<Self> {
        let mut pending = Vec::new();
        for message in messages {
            for batch in message.approvals.iter().filter(|it| it.is_pending()) {
                pending.push(Self {
                    message: message.key,
                    batch: batch.id.clone(),
                    uploads: batch.unfinished_uploads(),
                });
            }
        }
        pending
    }
}

/// Returns the text with which this page tried to stop a batch, if the service does not have it:
/// somebody else stopped it with other words.
fn undelivered_text(messages: &[Message], before: &PendingBatch) -> Option<String> {
    let mut messages = messages.iter();
    let asking = messages.find(|it| it.key == before.message)?;
    let batch = asking.approvals.iter().rfind(|it| it.id == before.batch)?;
    let text = batch.given_up.as_ref()?.stop_text()?;
    let is_said = |it: &Message| it.author == Author::You && it.text.trim() == text;
    (!messages.any(is_said)).then(|| text.to_owned())
}

/// What became of batches that were pending before a load, or before another tab decided.
#[derive(Default)]
pub(crate) struct Outcomes {
    /// The messages whose batch is decided now.
    pub(crate) decided: Vec<MessageKey>,
    /// The texts that the user typed as feedback for these batches, and that cannot be sent as
    /// feedback any more.
    pub(crate) typed: Vec<String>,
    /// True if somebody else decided one of the batches.
    pub(crate) is_elsewhere: bool,
}

/// Returns what became of those `pending` batches that are decided now, and tells the host page of
/// the answers of this page that arrived.
pub(crate) fn report_outcomes(
    messages: &mut [Message],
    cx: &mut Context<'_>,
    thread: Option<&ThreadId>,
    pending: Vec<PendingBatch>,
) -> Outcomes {
    let mut outcomes = Outcomes::default();
    for before in pending {
        let unsaid = undelivered_text(messages, &before);
        let Some(message) = find_message_mut(messages, before.message) else {
            continue;
        };
        let mut batches = message.approvals.iter_mut().rev();
        let batch = batches.find(|batch| batch.id == before.batch);
        let Some(batch) = batch.filter(|batch| !batch.is_pending()) else {
            continue;
        };
        if let Some(text) = unsaid {
            batch.elsewhere = true;
            batch.given_up = None;
            if batch.draft.text.trim().is_empty() {
                batch.draft.text = text;
            }
        }
        outcomes.decided.push(before.message);
        outcomes.is_elsewhere |= batch.elsewhere;
        outcomes.typed.push(std::mem::take(&mut batch.draft).text);
        let arrived = batch.given_up.take().zip(thread.cloned());
        let summary = arrived.map(|(answer, thread)| answer.summary(thread, batch));
        cx.output.cancel_uploads(before.uploads);
        if let Some(summary) = summary {
            cx.output.notify_page(PageEvent::ApprovalAnswered(summary));
        }
    }
    outcomes
}
