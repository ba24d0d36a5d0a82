//! The outcomes of pending batches after a load.
//!
//! `reconcile` takes the stored statuses into the batches; this module does what follows from them.

use assent_protocol::BatchId;

use crate::{
    Announcement, Author, Change, Command, Conversation, ConversationKey, Message, MessageKey,
    PageEvent, UploadId, conversation::before_draft,
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

/// Returns the text with which this page tried to stop a batch, if the service does not have it:
/// somebody else stopped it with other words.
fn unsaid(conversation: &Conversation, before: &Pending) -> Option<String> {
    let mut messages = conversation.messages.iter();
    let asking = messages.find(|it| it.key == before.message)?;
    let batch = asking.approvals.iter().rfind(|it| it.id == before.batch)?;
    let text = batch.given_up.as_ref()?.text()?;
    let is_said = |it: &Message| it.author == Author::You && it.text.trim() == text;
    (!messages.any(is_said)).then(|| text.to_owned())
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
            let unsaid = self.conversation(key).and_then(|c| unsaid(c, &before));
            let Some(message) = self.message_mut(key, before.message) else {
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
    pub(super) fn give_back(&mut self, key: ConversationKey, text: &str) {
        if let Some(conversation) = self.conversation_mut(key)
            && !text.trim().is_empty()
        {
            conversation.draft = before_draft(text, &conversation.draft);
            self.change(Change::Draft(key));
        }
    }
}
