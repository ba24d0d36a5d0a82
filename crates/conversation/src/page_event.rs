//! What the page is told, beside what it sees.

use assent_protocol::{BatchId, ContentItem, ThreadId};

use crate::{Claim, Failure, ToolRun};

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
    /// Another thread is shown, or the one that is shown was made; `None`: the conversation has none yet.
    ThreadChanged(Option<ThreadId>),
    /// The service accepted a message of the person.
    MessageSent {
        /// In which thread.
        thread: ThreadId,
        /// What it says.
        content: Vec<ContentItem>,
    },
    /// An answer is whole.
    AnswerComplete {
        /// In which thread.
        thread: ThreadId,
        /// Its text, Markdown.
        text: String,
    },
    /// Something failed, and that is shown.
    Failed(Failure),
    /// So many answers came while nobody could see them.
    Unread(u32),
}
