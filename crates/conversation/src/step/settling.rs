//! Settling open outcomes: which loads look them up after a broken connection, and what is shown if
//! these do not tell.

use assent_protocol::BatchId;

use crate::{
    BatchCompleteness, Change, Conversation, ConversationKey, DeliveryStatus, Failure, FailureKind,
    MessageKey, MessageStatus, Millis, UnconfirmedReason,
};

use super::Turn;

/// When the loads that are to settle an open outcome start, after the connection broke. The service
/// may still be storing the post: only the last one shows that it does not have it. These are times
/// and not a number of loads, because the user and other tabs cause loads, too.
const SETTLE_TIMES: [Millis; 4] = [Millis(0), Millis(1000), Millis(3500), Millis(8500)];

/// The same if each post had a response: a service that responded is not still storing the post.
const SETTLE_TIMES_AFTER_RESPONSE: [Millis; 2] = [Millis(0), Millis(2000)];

impl Turn<'_> {
    /// Begins to settle open outcomes: the first of a limited number of loads.
    pub(super) fn settle(&mut self, key: ConversationKey) {
        let now = self.now;
        if let Some(conversation) = self.conversation_mut(key) {
            conversation.settling_since = now;
        }
        self.load_messages(key, Millis(0));
    }

    /// Requests the next of them; returns false if the load that came was the last.
    pub(super) fn settle_on(&mut self, key: ConversationKey) -> bool {
        let now = self.now;
        let Some(conversation) = self.conversation_mut(key) else {
            return false;
        };
        let since = conversation.settling_since;
        if now < since {
            // The clock was set back.
            self.settle(key);
            return true;
        }
        let times: &[Millis] = if responded(conversation) {
            &SETTLE_TIMES_AFTER_RESPONSE
        } else {
            &SETTLE_TIMES
        };
        let started = conversation.load_due.0.saturating_sub(since.0);
        let Some(next) = times.iter().find(|time| time.0 > started) else {
            return false;
        };
        let passed = now.0.saturating_sub(since.0);
        self.load_messages(key, Millis(next.0.saturating_sub(passed).max(0)));
        true
    }

    /// Gives up settling. `pending` are the batches that the last load showed as pending; `None` if
    /// it failed.
    pub(super) fn give_up(&mut self, key: ConversationKey, pending: Option<&[BatchId]>) {
        let Some(conversation) = self.conversation_mut(key) else {
            return;
        };
        let mut touched = Vec::new();
        let mut failed = Vec::new();
        let mut again = false;
        for message in conversation
            .messages
            .iter_mut()
            .filter(|m| m.is_unsettled())
        {
            touched.push(message.key);
            match &mut message.status {
                MessageStatus::Unconfirmed { failure, .. } if pending.is_some() => {
                    failed.push(FailureKind::NotDelivered);
                    message.status = MessageStatus::Failed(not_delivered(failure.take()));
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
                if pending.is_some_and(|pending| pending.contains(&batch.id)) && batch.is_checked()
                {
                    again |= reason == UnconfirmedReason::OtherTab;
                    let kind = match reason {
                        UnconfirmedReason::Lost => FailureKind::NotDelivered,
                        UnconfirmedReason::OtherTab => FailureKind::OtherTab,
                    };
                    failed.push(kind);
                    let response = batch.response().cloned();
                    batch.reopen(match kind {
                        FailureKind::NotDelivered => not_delivered(response),
                        kind => Failure::of(kind),
                    });
                } else {
                    batch.set_delivery(DeliveryStatus::Unknown(reason));
                }
            }
        }
        for kind in failed {
            self.report_failure_kind(kind);
        }
        for message in touched {
            self.change(Change::Message(key, message));
        }
        self.change(Change::Composer(key));
        self.change(Change::Waiting);
        if again {
            self.keep_again(key);
        }
    }
}

/// Marks everything whose outcome is open as being checked, except the post of the running stream.
pub(super) fn check_again(conversation: &mut Conversation) -> Vec<MessageKey> {
    let posted = conversation.stream().and_then(|it| it.posted.batch());
    let posted = posted.cloned();
    let mut touched = Vec::new();
    for message in &mut conversation.messages {
        let mut open = false;
        if let MessageStatus::Unconfirmed { checking, .. }
        | MessageStatus::Interrupted { checking, .. } = &mut message.status
        {
            *checking = true;
            open = true;
        }
        for batch in &mut message.approvals {
            let being_posted = posted.as_ref() == Some(&batch.id);
            if let BatchCompleteness::PossiblyIncomplete { checking } = &mut batch.completeness {
                *checking = true;
                open = true;
            }
            let reason = batch
                .unconfirmed_reason()
                .unwrap_or(UnconfirmedReason::Lost);
            open |= !being_posted && batch.set_delivery(DeliveryStatus::Checking(reason));
        }
        if open {
            touched.push(message.key);
        }
    }
    touched
}

/// Returns the failure of a post that the stored messages do not have, with the response to it, if
/// there was one.
fn not_delivered(response: Option<Failure>) -> Failure {
    let kind = FailureKind::NotDelivered;
    Failure {
        kind,
        ..response.unwrap_or_else(|| Failure::of(kind))
    }
}

/// Returns true if a response left open every outcome that is being settled.
fn responded(conversation: &Conversation) -> bool {
    let mut open = conversation.messages.iter().filter(|it| it.is_unsettled());
    open.all(|message| {
        let is_own = match &message.status {
            MessageStatus::Unconfirmed { failure, .. } => failure.is_some(),
            status => !matches!(status, MessageStatus::Interrupted { checking: true, .. }),
        };
        let mut batches = message.approvals.iter().filter(|it| it.is_unsettled());
        is_own && batches.all(|batch| batch.response().is_some())
    })
}
