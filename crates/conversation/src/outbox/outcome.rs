//! The outcome of a post that was not accepted: refused, withheld, or unknown.

use assent_protocol::BatchId;

use crate::message::{batch_mut, find_message_mut, mark_failed, remove_messages};
use crate::output::Context;
use crate::{
    Change, Conversation, DeliveryStatus, Failure, FailureKind, MessageKey, MessageStatus,
    PostedContent, UnconfirmedReason, WithheldReason,
};

impl Conversation {
    /// Marks a message as failed, and tells the host page.
    pub(crate) fn fail_message(
        &mut self,
        cx: &mut Context<'_>,
        message: MessageKey,
        failure: Failure,
    ) {
        cx.output.report_failure(&failure);
        mark_failed(&mut self.messages, message, failure, cx);
    }

    /// Shows that the service certainly does not have a post: the message failed, or the batch is
    /// to be decided again.
    pub(crate) fn post_refused(
        &mut self,
        cx: &mut Context<'_>,
        posted: PostedContent,
        failure: Failure,
    ) {
        match posted {
            PostedContent::Message(message) => {
                self.stale |= failure.kind == FailureKind::Rejected;
                self.fail_message(cx, message, failure);
            }
            PostedContent::Approval { batch, feedback } => {
                self.remove_feedback(cx, feedback);
                // It may have come too late; the stored messages show who decided.
                self.stale |= matches!(failure.kind, FailureKind::Rejected | FailureKind::NotFound);
                self.decide_again(cx, &batch, failure);
            }
            PostedContent::Elsewhere { .. } => {}
        }
    }

    /// Shows that a post was withheld, so that nothing was sent: because the host page objected, or
    /// because another tab answers the batch.
    pub(crate) fn post_withheld(
        &mut self,
        cx: &mut Context<'_>,
        posted: PostedContent,
        why: WithheldReason,
    ) {
        match (posted, why) {
            (PostedContent::Approval { batch, feedback }, WithheldReason::ForOtherTab) => {
                self.remove_feedback(cx, feedback);
                self.mark_unconfirmed(cx, &batch, UnconfirmedReason::OtherTab);
            }
            (posted, _) => self.post_refused(cx, posted, Failure::of(FailureKind::Withheld)),
        }
    }

    /// Marks the post as unconfirmed: the service may or may not have it. `failure` is the response
    /// to the post, if there was one.
    pub(crate) fn post_unconfirmed(
        &mut self,
        cx: &mut Context<'_>,
        posted: PostedContent,
        failure: Option<Failure>,
    ) {
        match posted {
            PostedContent::Message(message) => {
                if let Some(message) = find_message_mut(&mut self.messages, message) {
                    message.status = MessageStatus::Unconfirmed {
                        checking: true,
                        failure,
                    };
                }
                cx.message_changed(message);
            }
            PostedContent::Approval { batch, feedback } => {
                self.remove_feedback(cx, feedback);
                self.mark_unconfirmed(cx, &batch, UnconfirmedReason::Lost);
                if let Some((_, batch)) = batch_mut(&mut self.messages, &batch) {
                    batch.keep_response(failure);
                }
            }
            PostedContent::Elsewhere { .. } => {}
        }
    }

    /// Removes a mirrored post without an answer: the other tab shows the post, and here the stored
    /// messages show whether it arrived.
    pub(crate) fn remove_mirrored(&mut self, cx: &mut Context<'_>, posted: &PostedContent) {
        self.stale = true;
        let (PostedContent::Message(message)
        | PostedContent::Approval {
            feedback: Some(message),
            ..
        }) = *posted
        else {
            return;
        };
        remove_messages(&mut self.messages, cx, &|it| it.key == message);
    }

    /// Lets the user decide a batch again whose answer was not accepted; all choices are kept.
    fn decide_again(&mut self, cx: &mut Context<'_>, id: &BatchId, failure: Failure) {
        cx.output.report_failure(&failure);
        if let Some((message, batch)) = batch_mut(&mut self.messages, id) {
            batch.reopen(failure);
            cx.message_changed(message);
            cx.output.change(Change::Waiting);
        }
    }

    /// Shows that it is unknown whether the answer to this batch was accepted, and why: only the
    /// stored messages can tell.
    fn mark_unconfirmed(&mut self, cx: &mut Context<'_>, batch: &BatchId, why: UnconfirmedReason) {
        if let Some((message, batch)) = batch_mut(&mut self.messages, batch) {
            batch.set_delivery(DeliveryStatus::Checking(why));
            cx.message_changed(message);
        }
    }

    /// Removes the message with the text of a stop: the answer itself has the text, which becomes a
    /// message only once the answer is accepted.
    fn remove_feedback(&mut self, cx: &mut Context<'_>, feedback: Option<MessageKey>) {
        if let Some(feedback) = feedback {
            remove_messages(&mut self.messages, cx, &|message| message.key == feedback);
        }
    }
}
