//! The look-up of open outcomes: whether a post arrived and how an answer went on, of which the
//! connection broke. It says when the stored messages are loaded for that, and what is shown if
//! they do not tell.

use assent_protocol::BatchId;

use crate::output::Context;
use crate::{
    ApprovalBatch, Author, BatchCompleteness, Change, Conversation, DeliveryStatus, Failure,
    FailureKind, Interruption, Message, MessageKey, MessageStatus, Millis, UnconfirmedReason,
};

/// The times after a connection broke, in milliseconds, at which loads of the stored messages
/// start, to learn whether the service has the post. The service may still be storing the post:
/// only the last load shows that it does not have it. These are times and not a number of loads,
/// because the user and other tabs cause loads, too.
const LOOKUP_TIMES: [Millis; 4] = [Millis(0), Millis(1000), Millis(3500), Millis(8500)];

/// The times in place of [`LOOKUP_TIMES`] if each post had a response: a service that responded is
/// not still storing the post.
const LOOKUP_TIMES_AFTER_RESPONSE: [Millis; 2] = [Millis(0), Millis(2000)];

impl Conversation {
    /// Begins to look up the outcome of posts and answers whose connection broke: requests the
    /// first of a limited number of loads of the stored messages.
    pub(crate) fn look_up_outcomes(&mut self, cx: &mut Context<'_>) {
        self.lookup_since = cx.now;
        self.load_messages(cx, Millis(0));
    }

    /// Requests the next load of stored messages that may tell an open outcome. Returns false if
    /// the load that came was the last one for that.
    pub(crate) fn request_next_load(&mut self, cx: &mut Context<'_>) -> bool {
        let (now, since) = (cx.now, self.lookup_since);
        if now < since {
            // The clock was set back.
            self.look_up_outcomes(cx);
            return true;
        }
        let times: &[Millis] = if all_had_response(self) {
            &LOOKUP_TIMES_AFTER_RESPONSE
        } else {
            &LOOKUP_TIMES
        };
        let started = self.load_due.0.saturating_sub(since.0);
        let Some(next) = times.iter().find(|time| time.0 > started) else {
            return false;
        };
        let passed = now.0.saturating_sub(since.0);
        self.load_messages(cx, Millis(next.0.saturating_sub(passed).max(0)));
        true
    }

    /// Begins the look-up if the outcome of a post or an answer is open; otherwise loads the stored
    /// messages if these may have changed while a stream ran. It is called once no stream is under
    /// way.
    pub(crate) fn look_up_if_open(&mut self, cx: &mut Context<'_>) {
        let stale = std::mem::take(&mut self.stale);
        if self.has_open_outcome() {
            self.look_up_outcomes(cx);
        } else if stale {
            self.load_messages(cx, Millis(0));
        }
    }

    /// Ends the look-up without success: shows that the outcome is unknown, or that the post did
    /// not arrive. `pending` are the batches that the last load showed as pending; `None` if it
    /// failed.
    ///
    /// Returns true if requests for approval are to be stored on the device anew, because another
    /// tab seems to have removed them too early.
    pub(crate) fn give_up_lookup(
        &mut self,
        cx: &mut Context<'_>,
        pending: Option<&[BatchId]>,
    ) -> bool {
        let mut touched = Vec::new();
        let mut failed = Vec::new();
        let mut again = false;
        for message in self.messages.iter_mut().filter(|it| it.has_open_outcome()) {
            touched.push(message.key);
            match &mut message.status {
                MessageStatus::Unconfirmed { failure, .. } if pending.is_some() => {
                    failed.push(FailureKind::NotDelivered);
                    message.status = MessageStatus::Failed(failure_of_undelivered(failure.take()));
                }
                MessageStatus::Unconfirmed { checking, .. } if *checking => {
                    failed.push(FailureKind::Unconfirmed);
                    *checking = false;
                }
                MessageStatus::Interrupted { checking, .. } if *checking => {
                    failed.push(FailureKind::Interrupted);
                    *checking = false;
                }
                _ => {}
            }
            for batch in &mut message.approvals {
                if let BatchCompleteness::PossiblyIncomplete { checking } = &mut batch.completeness
                {
                    *checking = false;
                }
                let Some(reason) = batch.unconfirmed_reason() else {
                    continue;
                };
                if pending.is_some_and(|pending| pending.contains(&batch.id))
                    && batch.is_being_checked()
                {
                    again |= reason == UnconfirmedReason::OtherTab;
                    let kind = match reason {
                        UnconfirmedReason::Lost => FailureKind::NotDelivered,
                        UnconfirmedReason::OtherTab => FailureKind::OtherTab,
                    };
                    failed.push(kind);
                    let response = batch.response_to_post().cloned();
                    batch.reopen(match kind {
                        FailureKind::NotDelivered => failure_of_undelivered(response),
                        kind => Failure::of(kind),
                    });
                } else {
                    batch.set_delivery(DeliveryStatus::Unknown(reason));
                }
            }
        }
        for kind in failed {
            cx.output.report_failure(&Failure::of(kind));
        }
        for message in touched {
            cx.message_changed(message);
        }
        cx.output.change(Change::Composer(cx.key));
        cx.output.change(Change::Waiting);
        again
    }

    /// Shows each message and each batch of unknown outcome as being checked again, except the
    /// batch whose answer the stream under way posts.
    pub(crate) fn mark_checked_again(&mut self, cx: &mut Context<'_>) {
        let posted = self.stream().and_then(|it| it.posted.batch());
        let posted = posted.cloned();
        for message in &mut self.messages {
            let mut open = false;
            if let MessageStatus::Unconfirmed { checking, .. }
            | MessageStatus::Interrupted { checking, .. } = &mut message.status
            {
                *checking = true;
                open = true;
            }
            for batch in &mut message.approvals {
                let being_posted = posted.as_ref() == Some(&batch.id);
                if let BatchCompleteness::PossiblyIncomplete { checking } = &mut batch.completeness
                {
                    *checking = true;
                    open = true;
                }
                let reason = batch
                    .unconfirmed_reason()
                    .unwrap_or(UnconfirmedReason::Lost);
                open |= !being_posted && batch.set_delivery(DeliveryStatus::Checking(reason));
            }
            if open {
                cx.message_changed(message.key);
            }
        }
    }

    /// Adds an empty answer, shown as being checked, if the last message turned out to have arrived
    /// and has no stored answer yet, or if the agent goes on after somebody else decided. `open`
    /// are the messages whose outcome was unknown before the load, `decided` those whose batches
    /// are decided since.
    pub(crate) fn await_missing_answer(
        &mut self,
        cx: &mut Context<'_>,
        open: &[MessageKey],
        decided: &[MessageKey],
    ) {
        let waiting = cx.keys.next_message();
        let Some(last) = self.messages.last() else {
            return;
        };
        let was_open = open.contains(&last.key);
        let arrived = was_open && last.author == Author::You;
        let answered = has_decided_batch(last) && decided.contains(&last.key);
        if !last.has_open_outcome() && (arrived || answered) {
            if !was_open {
                // The load that came is the first to look for it.
                (self.lookup_since, self.load_due) = (cx.now, cx.now);
            }
            let mut answer = Message::new_streaming(waiting, cx.now);
            answer.status = MessageStatus::Interrupted {
                by: Interruption::Lost,
                checking: true,
            };
            self.messages.push(answer);
        }
    }
}

/// Returns true if the message asks for approval, and nothing of it is pending.
fn has_decided_batch(message: &Message) -> bool {
    !message.approvals.is_empty() && !message.approvals.iter().any(ApprovalBatch::is_pending)
}

/// Returns the failure of a post that the stored messages do not have. It keeps the details of the
/// response to the post, if there was one.
fn failure_of_undelivered(response: Option<Failure>) -> Failure {
    let kind = FailureKind::NotDelivered;
    Failure {
        kind,
        ..response.unwrap_or_else(|| Failure::of(kind))
    }
}

/// Returns true if every post whose outcome is being looked up had a response.
fn all_had_response(conversation: &Conversation) -> bool {
    let mut open = conversation
        .messages
        .iter()
        .filter(|it| it.has_open_outcome());
    open.all(|message| {
        let is_own = match &message.status {
            MessageStatus::Unconfirmed { failure, .. } => failure.is_some(),
            status => !matches!(status, MessageStatus::Interrupted { checking: true, .. }),
        };
        let mut batches = message.approvals.iter().filter(|it| it.has_open_outcome());
        is_own && batches.all(|batch| batch.response_to_post().is_some())
    })
}
