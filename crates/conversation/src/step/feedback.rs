//! Stopping a whole batch: the exclusive mode, and its feedback.

use assent_protocol::BatchId;

use crate::{ApprovalBatch, BatchPhase, Feedback};

use super::Turn;

impl Turn<'_> {
    pub(super) fn begin_feedback(&mut self, batch: &BatchId) {
        self.on_deciding(batch, ApprovalBatch::begin_feedback);
    }

    pub(super) fn edit_feedback(&mut self, batch: &BatchId, text: String) {
        self.on_feedback(batch, |feedback| feedback.text = text);
    }

    pub(super) fn cancel_feedback(&mut self, batch: &BatchId) {
        let stopping = |batch: &ApprovalBatch| is_stopping(batch);
        self.on_batch(batch, stopping, |batch| {
            if let BatchPhase::Deciding { feedback, .. } = &mut batch.phase {
                batch.draft = feedback.take().unwrap_or_default();
            }
        });
    }

    pub(super) fn submit_feedback(&mut self, id: BatchId) {
        let open = self.state.open;
        let answer = self.answerable(&id).and_then(|batch| {
            let feedback = batch.feedback_mut()?.clone();
            batch.aborted(&feedback)
        });
        if let Some(answer) = answer {
            self.submit(open, id, answer);
        }
    }

    /// Changes the feedback of a batch of the open conversation while it is being stopped.
    pub(super) fn on_feedback(&mut self, id: &BatchId, change: impl FnOnce(&mut Feedback)) {
        self.on_batch(id, is_stopping, |batch| {
            batch.feedback_mut().map(change);
        });
    }
}

fn is_stopping(batch: &ApprovalBatch) -> bool {
    matches!(
        batch.phase,
        BatchPhase::Deciding {
            feedback: Some(_),
            ..
        }
    )
}
