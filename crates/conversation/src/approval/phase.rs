//! The phase of the answer to a batch.

use super::{BatchAnswer, DeliveryStatus, Feedback};
use crate::Failure;

/// The phase of the answer to a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchPhase {
    /// The user decides about the tools, or stops all of them with feedback.
    Deciding {
        /// The feedback so far, while the user stops the whole batch; otherwise `None`.
        feedback: Option<Feedback>,
        /// The reason why the last answer was not accepted; `None` if there was none.
        failure: Option<Failure>,
    },
    /// The answer was sent; it is not known yet whether it was accepted.
    Submitting {
        /// The answer that was sent. No other post is made of it automatically.
        answer: BatchAnswer,
        /// The delivery status of the answer.
        delivery: DeliveryStatus,
        /// The response to the post, which left the outcome open; `None` without one.
        failure: Option<Failure>,
    },
    /// The service accepted an answer to the batch, from this page or from elsewhere.
    Answered,
    /// Pending at the service, but not to be answered here: [`crate::ApprovalBatch::why_unanswerable`].
    Unanswerable,
}

impl BatchPhase {
    /// The phase of a batch that is to be decided, with no feedback and no failure so far.
    pub(crate) const DECIDING: Self = Self::Deciding {
        feedback: None,
        failure: None,
    };
}
