//! Requests for approval that outlive the page: a stored message lacks `toolMemoryId` but for an
//! extension of the service, and without it the decision can be sent later only if the streamed
//! request was kept.
//!
//! This module defines what is cached and for how long; where it is stored is up to the client.

use assent_protocol::{BatchId, ExecutionId, RawApprovalRequest, ThreadId};

use crate::Millis;

/// The time after which a request expires: 30 days.
const MAX_AGE: Millis = Millis(30 * 24 * 60 * 60 * 1000);

/// The age from which the stored messages of a load should show a request. A younger request may
/// have come after the service put the response to the load together.
const MIN_LISTED_AGE: Millis = Millis(60_000);

/// One streamed request for approval, cached until it is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CachedRequest {
    /// The thread in which the agent asked.
    pub thread: ThreadId,
    /// The time at which the request came.
    pub at: Millis,
    /// The tool run for which the agent asks approval.
    pub execution: ExecutionId,
    /// The batch that the tool run is decided with.
    pub batch: BatchId,
    /// The request as the stream brought it, which the answer echoes.
    pub request: RawApprovalRequest,
}

impl CachedRequest {
    /// Returns a request to be cached; `None` if the request names no execution or batch.
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

    /// Returns true if both requests are for the same run of the same batch.
    pub(crate) fn is_for_same_run(&self, other: &Self) -> bool {
        self.execution == other.execution && self.batch == other.batch
    }

    /// Returns true if the request is so old that nobody waits for an answer any more.
    #[must_use]
    pub fn is_expired(&self, now: Millis) -> bool {
        now.0.saturating_sub(self.at.0) > MAX_AGE.0
    }

    /// Returns true if the request is so old that the stored messages of a load should show it.
    pub(crate) fn should_be_listed(&self, now: Millis) -> bool {
        now.0.saturating_sub(self.at.0) > MIN_LISTED_AGE.0
    }
}
