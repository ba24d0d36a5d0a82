//! Everything that can happen, as one closed enumeration.

use assent_protocol::{BatchId, ExecutionId, SessionThread, SseEvent, StoredMessage, ThreadId};

use crate::{ConversationKey, Failure, LoadId, MessageKey, StreamId, Verdict};

/// Something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The person, or the page on the person's behalf, wants something.
    Intent(Intent),
    /// Answer to `Command::ListThreads`.
    Threads(Result<Vec<SessionThread>, Failure>),
    /// Answer to `Command::CreateThread`.
    ThreadCreated {
        /// For which conversation.
        conversation: ConversationKey,
        /// The new thread.
        result: Result<SessionThread, Failure>,
    },
    /// Answer to `Command::RenameThread`.
    ThreadRenamed {
        /// Which thread.
        thread: ThreadId,
        /// The thread with its new name.
        result: Result<SessionThread, Failure>,
    },
    /// Answer to `Command::DeleteThread`.
    ThreadDeleted {
        /// Which thread.
        thread: ThreadId,
        /// Nothing, or why not.
        result: Result<(), Failure>,
    },
    /// Answer to `Command::LoadMessages`.
    Messages {
        /// Of which conversation.
        conversation: ConversationKey,
        /// Which reading; an outdated one is ignored.
        load: LoadId,
        /// Oldest first.
        result: Result<Vec<StoredMessage>, Failure>,
    },
    /// The service answered a post with an event stream.
    StreamOpened(StreamId),
    /// An event of a stream.
    StreamEvent(StreamId, Box<SseEvent>),
    /// A frame of a stream that is no event: it is counted as activity, and the stream goes on.
    StreamGarbled(StreamId),
    /// A stream ended, or its post failed. Comes once for each `Command::Post`, unless it was cancelled.
    StreamEnded(StreamId, StreamEnd),
}

/// How a stream ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEnd {
    /// The service closed it.
    Closed,
    /// The post was refused, or the connection broke.
    Failed(Failure),
}

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Begin: read the threads, and open the one that was used last, if it is still there.
    Start {
        /// The thread to go back to.
        remembered: Option<ThreadId>,
    },
    /// Read the list of threads again.
    RefreshThreads,
    /// Show this thread.
    OpenThread(ThreadId),
    /// Show an empty conversation.
    NewThread,
    /// Give this thread this name. A blank name changes nothing.
    RenameThread(ThreadId, String),
    /// Delete this thread.
    DeleteThread(ThreadId),
    /// The composer of the open conversation holds this text now.
    EditDraft(String),
    /// Send the draft of the open conversation. A blank one is not sent.
    Send,
    /// Post a failed message of the open conversation again.
    RetryMessage(MessageKey),
    /// Take a failed message out of the open conversation; its text goes back into the composer.
    DismissMessage(MessageKey),
    /// Read the stored messages of the open conversation again, also to settle open outcomes.
    ReloadMessages,
    /// Stop listening to the answer of the open conversation.
    Stop,
    /// Decide one tool of a pending batch of the open conversation.
    Decide(BatchId, ExecutionId, Verdict),
    /// Decide all tools of a pending batch.
    DecideAll(BatchId, Verdict),
    /// Send the decisions of a batch; nothing happens until every tool is decided.
    SubmitDecisions(BatchId),
    /// Enter the mode of stopping a whole batch.
    BeginFeedback(BatchId),
    /// The feedback holds this text now.
    EditFeedback(BatchId, String),
    /// Leave that mode; the decisions made before are still there.
    CancelFeedback(BatchId),
    /// Stop the whole batch with the feedback typed.
    SubmitFeedback(BatchId),
    /// Do again what the notice says has failed.
    RetryNotice,
    /// Take the notice away.
    DismissNotice,
}
