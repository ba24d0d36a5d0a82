//! The outcomes of pending batches after a load.
//!
//! `reconcile` takes the stored statuses into the batches; this module does what follows from them.

use assent_protocol::BatchId;

use crate::{
    Announcement, Change, Command, Conversation, ConversationKey, MessageKey, PageEvent, UploadId,
    conversation::before_draft,
};

use super::Turn;

/// A batch that was pending before a load.
pub(super) struct Pending {
    message: MessageKey,
    batch: BatchId,
    uploads: Vec<UploadId>,
}

impl Pending {
    /// Returns those of this conversation.
    pub(super) fn of(conversation: &Conversation) -> Vec<Self> {
        let mut pending = Vec::new();
        for message in &conversation.messages {
            for batch in message.approvals.iter().filter(|it| it.is_pending()) {
                pending.push(Self {
                    message: message.key,
                    batch: batch.id.clone(),
                    uploads: batch.uploads(),
                });
            }
        }
        pending
    }
}

impl Turn<'_> {
    /// Reports the outcomes of these batches, and returns the messages whose batch is decided now.
    pub(super) fn report_outcomes(
        &mut self,
        key: ConversationKey,
        pending: Vec<Pending>,
    ) -> Vec<MessageKey> {
        let mut decided = Vec::new();
        let mut overtaken = false;
        let thread = self.conversation(key).and_then(|c| c.thread_id().cloned());
        for before in pending {
            let Some(message) = self.message_mut(key, before.message) else {
                continue;
            };
            let mut batches = message.approvals.iter_mut().rev();
            let batch = batches.find(|batch| batch.id == before.batch);
            let Some(batch) = batch.filter(|batch| !batch.is_pending()) else {
                continue;
            };
            decided.push(before.message);
            let elsewhere = batch.elsewhere;
            let typed = std::mem::take(&mut batch.draft).text;
            let arrived = batch.given_up.take().zip(thread.clone());
            let summary = arrived.map(|(answer, thread)| answer.summary(thread, batch));
            self.forget_files(before.uploads);
            if let Some(summary) = summary {
                self.command(Command::NotifyPage(PageEvent::ApprovalAnswered(summary)));
            }
            overtaken |= elsewhere;
            self.give_back(key, &typed);
        }
        if overtaken {
            self.announce(key, Announcement::DecidedElsewhere);
        }
        decided
    }

    /// Puts feedback that can no longer stop anything before the draft, so that it is not lost.
    fn give_back(&mut self, key: ConversationKey, text: &str) {
        if let Some(conversation) = self.conversation_mut(key)
            && !text.trim().is_empty()
        {
            conversation.draft = before_draft(text, &conversation.draft);
            self.change(Change::Draft(key));
        }
    }
}
