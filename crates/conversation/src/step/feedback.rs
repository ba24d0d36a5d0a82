//! Stopping a whole batch: the exclusive mode, and its feedback.

use assent_protocol::BatchId;

use crate::{ApprovalBatch, BatchPhase, Change, Feedback, conversation::join_before_draft};

use super::sequencer::Sequencer;

impl Sequencer<'_> {
    pub(super) fn begin_feedback(&mut self, batch: &BatchId) {
        self.change_deciding(batch, ApprovalBatch::begin_feedback);
    }

    pub(super) fn edit_feedback(&mut self, batch: &BatchId, text: String) {
        self.change_feedback(batch, |feedback| feedback.text = text);
    }

    pub(super) fn cancel_feedback(&mut self, batch: &BatchId) {
        let stopping = |batch: &ApprovalBatch| is_stopping(batch);
        self.change_batch(batch, stopping, |batch| {
            if let BatchPhase::Deciding { feedback, .. } = &mut batch.phase {
                batch.draft = feedback.take().unwrap_or_default();
            }
        });
    }

    pub(super) fn submit_feedback(&mut self, id: BatchId) {
        let open = self.state.open;
        let answer = self.answerable_batch(&id).and_then(|batch| {
            let feedback = batch.feedback_mut()?.clone();
            batch.answer_with_stop(&feedback)
        });
        if let Some(answer) = answer {
            self.submit_answer(open, id, answer);
        }
    }

    /// Sends the draft as feedback that stops the first pending batch.
    pub(super) fn send_as_feedback(&mut self) {
        let open = self.state.open;
        let Some(conversation) = self.conversation_mut(open) else {
            return;
        };
        if !conversation.is_asking || conversation.stream().is_some() {
            return;
        }
        let text = conversation.draft.clone();
        let files = conversation.files.clone();
        let first = conversation
            .first_deciding_batch()
            .map(|batch| batch.id.clone());
        let batch = first.and_then(|id| conversation.batch_mut(&id));
        let Some((message, batch)) = batch.filter(|(_, batch)| batch.is_deciding()) else {
            return;
        };
        batch.begin_feedback();
        let id = batch.id.clone();
        // While a file is being uploaded, the feedback waits in the card.
        let feedback = batch.feedback_mut().map(|feedback| {
            feedback.text = join_before_draft(&feedback.text, &text);
            feedback.files.extend(files);
            feedback.clone()
        });
        let answer = feedback.and_then(|feedback| batch.answer_with_stop(&feedback));
        conversation.draft.clear();
        conversation.files.clear();
        conversation.is_asking = false;
        self.change(Change::Draft(open));
        self.change(Change::Composer(open));
        self.change(Change::Message(open, message));
        if let Some(answer) = answer {
            self.submit_answer(open, id, answer);
        }
    }

    /// Calls `change` with the feedback on a batch of the open conversation, if the user is
    /// stopping the batch.
    pub(super) fn change_feedback(&mut self, id: &BatchId, change: impl FnOnce(&mut Feedback)) {
        self.change_batch(id, is_stopping, |batch| {
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
