//! What the page is told, beside what it sees.

use assent_protocol::{BatchId, ThreadId};

use crate::{Claim, ToolRun};

/// Something that the page may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageEvent {
    /// An agent asked for approval of a batch, or of more runs of one.
    ApprovalRequested {
        /// In which thread.
        thread: ThreadId,
        /// In which batch.
        batch: BatchId,
        /// The runs that were not asked for before.
        tools: Vec<ToolRun>,
    },
    /// The service accepted an answer.
    ApprovalAnswered(Claim),
}
