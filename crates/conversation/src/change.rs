//! What there is to draw again.

use crate::{ConversationKey, MessageKey};

/// One thing that looks different now. The state is the truth; a change only says where to look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The list of threads: its load state, its rows or their order.
    Threads,
    /// Another conversation is shown: everything about it is to be read.
    Opened,
    /// The messages of a conversation came, went or moved, or its load state changed.
    Transcript(ConversationKey),
    /// More of the older messages of a conversation are to be shown. How many are shown is a matter of looks.
    Earlier(ConversationKey),
    /// One message: text, status, activity or approvals.
    Message(ConversationKey, MessageKey),
    /// What the composer of a conversation can do, and the files of the draft.
    Composer(ConversationKey),
    /// The text of the draft of a conversation changed by something else than typing.
    Draft(ConversationKey),
    /// What waits for approval: which threads, or how many tool runs.
    Waiting,
    /// The notice.
    Notice,
    /// Something to say to people who do not see the screen.
    Announce(Announcement),
}

/// Something to say in a live region. At most a few for each answer, never one for each chunk.
/// Failures are not among them: they are shown as alerts, which speak for themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// An agent began to answer.
    Answering,
    /// An answer is whole.
    Answered {
        /// The agent's name; empty where the thread's agent is meant.
        author: String,
        /// Its text, Markdown.
        text: String,
    },
    /// Tool runs wait for a decision. Assertive.
    ApprovalNeeded {
        /// The names of the tools.
        tools: Vec<String>,
        /// The name of the conversation, where it is not the one that is shown; it may be empty.
        elsewhere: Option<String>,
    },
    /// A decision that was to be made here has been made somewhere else.
    DecidedElsewhere,
    /// A file is on its way.
    Uploading(String),
    /// A file is there.
    Uploaded(String),
    /// An answer stopped short.
    Interrupted,
    /// Whether the diagnostic log is in the clipboard.
    LogCopied(bool),
}
