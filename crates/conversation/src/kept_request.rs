//! Requests for approval that outlive the page: a stored message lacks `toolMemoryId`, so that only who keeps the
//! streamed request can answer it later.
//!
//! Here is what is kept and for how long; where it is kept is the business of the shell.

use assent_protocol::{BatchId, ExecutionId, RawApprovalRequest, ThreadId};

use crate::Millis;

/// After this time nobody waits for an answer any more: 30 days.
const LIFETIME: Millis = Millis(30 * 24 * 60 * 60 * 1000);

/// A reading that does not list a younger request may be older than the request itself.
const SETTLED: Millis = Millis(60_000);

/// One streamed request for approval, kept until it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRequest {
    /// In which thread it was asked.
    pub thread: ThreadId,
    /// When it came.
    pub at: Millis,
    /// Which run it asks for.
    pub execution: ExecutionId,
    /// In which batch.
    pub batch: BatchId,
    /// The request as it came.
    pub request: RawApprovalRequest,
}

impl KeptRequest {
    /// `None` where the request names no execution or batch.
    #[must_use]
    pub fn new(thread: ThreadId, at: Millis, request: RawApprovalRequest) -> Option<Self> {
        let read = request.read()?;
        Some(Self {
            thread,
            at,
            execution: read.tool_execution_id,
            batch: read.tool_execution_batch_id,
            request,
        })
    }

    /// True where both are for the same run of the same batch.
    pub(crate) fn is_for_same(&self, other: &Self) -> bool {
        self.execution == other.execution && self.batch == other.batch
    }

    /// True where nobody waits for an answer any more.
    #[must_use]
    pub fn is_expired(&self, now: Millis) -> bool {
        now.0.saturating_sub(self.at.0) > LIFETIME.0
    }

    /// True where what does not list it is the later one.
    pub(crate) fn is_settled(&self, now: Millis) -> bool {
        now.0.saturating_sub(self.at.0) > SETTLED.0
    }
}
