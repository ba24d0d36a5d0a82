//! Approval of tool runs: the statuses, the form of an answer, and the answers that a batch allows.
//!
//! Pure: the store hands in the requests and carries out the decisions, in one transaction.

mod answer;
mod decide;
mod edits;
mod granting;
mod transition;

use assent_protocol::{ApprovalRequest, ApprovalStatus};
use jiff::Timestamp;

use crate::transcript::Call;

pub(crate) use answer::refuse_one;
pub use answer::{SubmittedDecision, read_answer};
pub use decide::{Decision, decide};
pub use transition::{Verdict, transition, transition_event};

/// One run of a tool that needs approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// The request for approval, as it was streamed to the client.
    pub request: ApprovalRequest,
    /// The present status of the run.
    pub status: ApprovalStatus,
    /// True if the run was denied because no decision came in time.
    pub is_expired: bool,
    /// The arguments that a person approved in place of those of the request, as one compact JSON
    /// object; `None` if nothing was changed.
    pub edited: Option<String>,
}

/// Says why a call that a person changed may not run, by the id of its agent; `None` if it may.
pub type EditJudge<'a> = &'a (dyn Fn(&str, &Call) -> Option<String> + Send + Sync);

impl Approval {
    /// Returns the id of the run.
    #[must_use]
    pub fn execution_id(&self) -> &str {
        self.request.tool_execution_id.as_str()
    }

    /// Returns true if the run waits for a decision, and its time was over before `now`.
    #[must_use]
    pub fn has_ended(&self, now: Timestamp) -> bool {
        let end = self.request.expires_at.as_ref();
        let end = end.and_then(|end| end.0.parse::<Timestamp>().ok());
        self.status == ApprovalStatus::Pending && end.is_some_and(|end| end <= now)
    }

    /// Returns the id of the batch that the run belongs to.
    #[must_use]
    pub fn batch_id(&self) -> &str {
        self.request.tool_execution_batch_id.as_str()
    }
}

/// Tools that an agent wants to run, and the agent's memory for the time after the decision.
#[derive(Clone, Debug)]
pub struct Question {
    /// The `toolMemoryId` that all requests of the question have.
    pub memory_id: String,
    /// All requests of the question, of all its batches.
    pub requests: Vec<ApprovalRequest>,
    /// The memory of the agent, which gets this text back with the decision, as it is.
    pub memory: String,
}

impl Question {
    /// Returns the number of bytes that the question takes in the database.
    pub(crate) fn size(&self) -> Result<usize, serde_json::Error> {
        let mut size = self.memory.len();
        for request in &self.requests {
            size += serde_json::to_string(request)?.len();
        }
        Ok(size)
    }
}
