//! Approval of tool runs: the statuses, what an answer must look like, and which answers a batch allows.
//!
//! Pure: the store hands in what was asked and carries out what is decided here, in one transaction.

mod answer;
mod decide;
mod transition;

use assent_protocol::{ApprovalRequest, ApprovalStatus};

pub use answer::{Submitted, read_answer};
pub use decide::{Decision, decide};
pub use transition::{Verdict, notification, transition};

/// One run of a tool that somebody was asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The request as it was streamed.
    pub request: ApprovalRequest,
    /// Where it stands now.
    pub status: ApprovalStatus,
}

impl Approval {
    /// The run's identifier.
    #[must_use]
    pub fn execution_id(&self) -> &str {
        self.request.tool_execution_id.as_str()
    }

    /// The batch it belongs to.
    #[must_use]
    pub fn batch_id(&self) -> &str {
        self.request.tool_execution_batch_id.as_str()
    }
}
