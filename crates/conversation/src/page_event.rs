//! The events that the host page gets.

use assent_protocol::{BatchId, ContentItem, ThreadId};

use crate::{AnswerSummary, Failure, ToolRun};

/// An event for the host page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageEvent {
    /// An agent asked for approval of a new batch, or of more runs of a batch.
    ApprovalRequested {
        /// The thread in which the agent asked.
        thread: ThreadId,
        /// The batch with the tool runs.
        batch: BatchId,
        /// The tool runs that were not asked for before.
        tools: Vec<ToolRun>,
    },
    /// The service accepted an answer to a batch.
    ApprovalAnswered(AnswerSummary),
    /// Another conversation is shown, or the thread of the one that is shown was created; `None`:
    /// the conversation has no thread yet.
    ThreadChanged(Option<ThreadId>),
    /// The service accepted a message of the user.
    MessageSent {
        /// The thread of the message.
        thread: ThreadId,
        /// The text and files of the message.
        content: Vec<ContentItem>,
    },
    /// An answer is complete.
    AnswerComplete {
        /// The thread of the answer.
        thread: ThreadId,
        /// The text of the answer, Markdown.
        text: String,
    },
    /// A failure that the user is shown.
    Failed(Failure),
    /// The number of answers that came while nobody could see them.
    Unread(u32),
}
