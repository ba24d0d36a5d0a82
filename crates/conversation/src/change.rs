//! The changes that the view has to draw.

use assent_protocol::Words;

use crate::{ConversationKey, MessageKey};

/// One thing that has to be drawn again. The state has the values; a change only says where to
/// look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The list of threads: its load state, its rows or their order.
    Threads,
    /// Another conversation is shown: everything about it has to be drawn.
    Opened,
    /// The messages of a conversation were added, removed or moved, or its load state changed.
    Transcript(ConversationKey),
    /// More of the older messages of a conversation are to be shown. How many are shown is up to
    /// the view.
    Earlier(ConversationKey),
    /// One message: text, status, activity or approvals.
    Message(ConversationKey, MessageKey),
    /// What the composer of a conversation allows, such as sending or stopping, and the files of
    /// the draft.
    Composer(ConversationKey),
    /// The draft text of a conversation changed other than by typing.
    Draft(ConversationKey),
    /// The threads in which the user is to decide about tools, or how many tool runs these are.
    Waiting,
    /// The notice of a failure that belongs to no message.
    Notice,
    /// A text for users who do not see the screen.
    Announce(Announcement),
}

/// A text for a live region. At most a few for each answer, never one for each chunk. Failures are
/// not among them: they are shown as alerts, which are announced anyway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Announcement {
    /// An agent began to answer.
    Answering,
    /// An answer is complete.
    Answered {
        /// The agent's name; empty for the thread's agent.
        author: String,
        /// The text of the answer, which is Markdown.
        text: String,
        /// The paragraphs of the text that the service wrote itself, with the keys by which they
        /// are read in the widget's language.
        words: Vec<Words>,
    },
    /// Tool runs wait for a decision. This interrupts what is being read aloud.
    ApprovalNeeded {
        /// The names of the tools.
        tools: Vec<String>,
        /// The name of the conversation, which may be empty; `None` if it is the one that is shown.
        elsewhere: Option<String>,
    },
    /// A decision that was pending here was made somewhere else.
    DecidedElsewhere,
    /// The file with this name is being uploaded.
    Uploading(String),
    /// The file with this name is uploaded.
    Uploaded(String),
    /// The service is asked to end an answer.
    Stopping,
    /// A message was queued.
    Queued,
    /// A thread was renamed.
    Renamed,
    /// A thread was deleted.
    Deleted,
    /// A message was copied.
    Copied,
    /// An answer was interrupted.
    Interrupted,
    /// The diagnostic log was copied: true if it is in the clipboard, false if that failed.
    LogCopied(bool),
}
