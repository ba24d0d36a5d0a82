//! Messages that are sent while the conversation is not ready for them. While an answer is being
//! written they are queued; while a batch is pending the service accepts none, and the user is asked
//! whether it is feedback or is to be queued.

use crate::output::Context;
use crate::{
    Announcement, Attachment, Change, ComposerState, Conversation, MessageKey, QueuedMessage,
};

impl Conversation {
    /// Starts to ask the user what the draft is meant for, if there is a batch to decide.
    pub(crate) fn ask_how_to_send(&mut self, cx: &mut Context<'_>) {
        if !self.is_asking && self.first_deciding_batch().is_some() {
            self.is_asking = true;
            cx.output.change(Change::Composer(cx.key));
        }
    }

    /// Stops asking the user what the draft is meant for, if `ends` returns true for the
    /// conversation.
    pub(crate) fn end_question(&mut self, cx: &mut Context<'_>, ends: fn(&Self) -> bool) {
        if self.is_asking && ends(self) {
            self.is_asking = false;
            cx.output.change(Change::Composer(cx.key));
        }
    }

    /// Queues the draft, behind what is queued already.
    pub(crate) fn queue_draft(&mut self, cx: &mut Context<'_>) {
        self.is_asking = false;
        self.queued.push(QueuedMessage {
            key: cx.keys.next_message(),
            text: std::mem::take(&mut self.draft),
            files: std::mem::take(&mut self.files),
        });
        cx.output.change(Change::Draft(cx.key));
        cx.output.change(Change::Composer(cx.key));
        cx.announce(Announcement::Queued);
    }

    /// Takes a message out of the queue and returns it; `None` if the message is not queued.
    pub(crate) fn take_queued(
        &mut self,
        cx: &mut Context<'_>,
        message: MessageKey,
    ) -> Option<QueuedMessage> {
        let at = self.queued.iter().position(|it| it.key == message)?;
        cx.output.change(Change::Composer(cx.key));
        Some(self.queued.remove(at))
    }

    /// Sends the first queued message if the conversation is ready for it, or turns all of them
    /// into a draft if they can no longer be sent. `whole` is true if the answer before them is
    /// complete.
    pub(crate) fn release_queued(&mut self, cx: &mut Context<'_>, whole: bool) {
        self.end_question(cx, |it| {
            it.composer_state() != ComposerState::AwaitingApproval
                || it.first_deciding_batch().is_none()
        });
        let Some(first) = self.queued.first() else {
            return;
        };
        match self.composer_state() {
            ComposerState::AwaitingApproval | ComposerState::Streaming => {}
            ComposerState::Ready if whole && Attachment::all_uploaded(&first.files) => {
                let first = self.queued.remove(0);
                cx.output.change(Change::Composer(cx.key));
                self.send_text(cx, &first.text, first.files);
            }
            ComposerState::Ready | ComposerState::AwaitingElsewhere => {
                self.take_back_queue();
                cx.output.change(Change::Draft(cx.key));
                cx.output.change(Change::Composer(cx.key));
            }
        }
    }
}
