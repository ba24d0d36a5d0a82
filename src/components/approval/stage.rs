//! The stages of a card: each has its own buttons or note below the card's tools.

use assent_conversation::{
    ApprovalBatch, BatchPhase, DeliveryStatus, UnanswerableReason, UnconfirmedReason,
};

/// How far a card is, which decides what is shown below its tools. Unlike the batch's phase it does
/// not change while feedback is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::components) enum Stage {
    Deciding,
    Refused,
    Feedback,
    Submitting,
    Checking(UnconfirmedReason),
    Unknown(UnconfirmedReason),
    Answered,
    Unanswerable(UnanswerableReason),
}

impl Stage {
    pub(super) fn of(batch: &ApprovalBatch) -> Self {
        match &batch.phase {
            BatchPhase::Deciding {
                feedback: Some(_), ..
            } => Self::Feedback,
            BatchPhase::Deciding {
                failure: Some(_), ..
            } => Self::Refused,
            BatchPhase::Deciding { .. } => Self::Deciding,
            BatchPhase::Submitting { delivery, .. } => match delivery {
                DeliveryStatus::Sent => Self::Submitting,
                DeliveryStatus::Checking(reason) => Self::Checking(*reason),
                DeliveryStatus::Unknown(reason) => Self::Unknown(*reason),
            },
            BatchPhase::Answered => Self::Answered,
            BatchPhase::Unanswerable => {
                let why = batch.why_unanswerable();
                Self::Unanswerable(why.unwrap_or(UnanswerableReason::NeverSeen))
            }
        }
    }

    /// Returns true if the person can choose for each tool.
    pub(in crate::components) fn is_deciding(self) -> bool {
        matches!(self, Self::Deciding | Self::Refused)
    }

    /// Returns true if each tool of the card shows its choice or its outcome, in place of the
    /// buttons for choosing.
    pub(super) fn has_outcome(self) -> bool {
        !self.is_deciding() && !matches!(self, Self::Feedback | Self::Unanswerable(_))
    }
}

/// Returns the value of `data-state` for the card of a batch (`docs/PARTS.md`).
pub(super) fn state_name(batch: &ApprovalBatch) -> &'static str {
    match &batch.phase {
        BatchPhase::Deciding {
            failure: Some(_), ..
        } => "failed",
        BatchPhase::Deciding { .. } => "pending",
        BatchPhase::Submitting { .. } => "submitting",
        BatchPhase::Answered => "answered",
        BatchPhase::Unanswerable => "unanswerable",
    }
}
