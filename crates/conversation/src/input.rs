//! Everything that can happen, as one closed enumeration.

use assent_protocol::{
    BatchId, ContentItem, ExecutionId, SessionThread, SseEvent, StoredMessage, ThreadId,
};

use crate::{
    ConversationKey, Draft, Failure, FileRef, KeptRequest, LoadId, MessageKey, ReadingPosition,
    Recording, Request, RequestId, StreamId, Unsent, UploadId, Verdict,
};

/// Something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The person, or the page on the person's behalf, wants something.
    Intent(Intent),
    /// The page asks for something. Answered by `Command::Settle`.
    Request(RequestId, Request),
    /// Whether a person can see the widget.
    VisibilityChanged(bool),
    /// Whether the browser has a network.
    Online(bool),
    /// The page changed what is being sent in this conversation.
    Edited(ConversationKey, Vec<ContentItem>),
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
    /// Whether nothing at all came of a post for a while, neither an event nor a sign of life.
    StreamStalled(StreamId, bool),
    /// A stream ended, or its post failed. Comes once for each `Command::Post`, unless it was cancelled.
    StreamEnded(StreamId, StreamEnd),
    /// Another tab posted this to a thread, and is being answered: what comes there comes here as events of this stream,
    /// from the beginning. The name must be one that is not counted here. It is taken if the conversation is here and
    /// has no stream of its own; then it ends as a stream does.
    StreamFollowed(StreamId, ThreadId, Vec<ContentItem>),
    /// A person stopped this stream in another tab.
    StreamStopped(StreamId),
    /// This thread was deleted in another tab.
    ThreadGone(ThreadId),
    /// All requests that are kept beyond the life of the page now: at the beginning, and when another tab changed them.
    Kept(Vec<KeptRequest>),
    /// All drafts that are kept beyond the life of the page now: at the beginning, and when another tab changed one.
    Drafts(Vec<Draft>),
    /// Words that a page left behind that is gone.
    Unsent(Vec<Unsent>),
    /// Where the reader was in threads, other than at their end, as it is kept beyond the life of the page: at the
    /// beginning, and when nothing is kept any more.
    Positions(Vec<(ThreadId, ReadingPosition)>),
    /// Answer to `Command::Recall`: what came of posts to this thread, oldest first.
    Recalled(ThreadId, Vec<Recording>),
    /// Answer to `Command::Forget`: nothing is left on the device, or nobody can tell.
    Forgotten(Result<(), Failure>),
    /// Answer to `Command::CopyLog`: whether the log is in the clipboard.
    LogCopied(bool),
    /// So much of a file is uploaded, from 0 to 100.
    UploadProgress(UploadId, u8),
    /// A file is there, or it is not; the reason may be empty. Comes once for each `Command::Upload`, unless it was
    /// cancelled.
    Uploaded(UploadId, Result<FileRef, String>),
}

/// How a stream ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEnd {
    /// The service closed it.
    Closed,
    /// The post was refused, or the connection broke.
    Failed(Failure),
    /// Nothing was posted.
    Withheld(Withheld),
}

/// Why nothing was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Withheld {
    /// The page objected.
    ByPage,
    /// Another tab is answering the same batch, or has answered it.
    ForOtherTab,
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
    /// Send this text, which the page suggests, as the first message of the open conversation; the draft stays. Nothing
    /// is sent where there is a message already.
    SendSuggestion(String),
    /// Send the draft of the open conversation. A blank one without files is not sent, and none while a file of it is not
    /// there. While a batch is to be decided, the person is
    /// asked what is meant.
    Send,
    /// It is meant as feedback that stops the actions.
    SendAsFeedback,
    /// It is to be sent after the answer to the decision.
    SendAfterwards,
    /// It is not to be sent, or not any more: it is a draft again.
    KeepAsDraft,
    /// Post a failed message of the open conversation again.
    RetryMessage(MessageKey),
    /// Post a message of the open conversation again whose outcome is unknown and is not being read for. It may arrive
    /// twice: the person was told.
    ResendMessage(MessageKey),
    /// Take a failed message out of the open conversation; its text goes back into the composer.
    DismissMessage(MessageKey),
    /// Read the stored messages of the open conversation again, also to settle open outcomes. A stream of which nothing
    /// came for a while is given up for it.
    ReloadMessages,
    /// Stop listening to the answer of the open conversation.
    Stop,
    /// Open the long argument at this place of one tool, for good: folding it again is a matter of looks.
    OpenArgument(BatchId, ExecutionId, usize),
    /// Decide one tool of a pending batch of the open conversation. What cannot be approved stays undecided.
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
    /// Add a file to the feedback or the draft, and begin to upload it.
    AttachFile {
        /// To the feedback of which batch of the open conversation; `None`: to its draft.
        batch: Option<BatchId>,
        /// What the file is called here from now on.
        upload: UploadId,
        /// Its file name.
        name: String,
        /// Its size in bytes.
        size: u64,
    },
    /// Upload a file again that failed, of that feedback or the draft.
    RetryFile(Option<BatchId>, UploadId),
    /// Take a file out of that feedback or the draft.
    RemoveFile(Option<BatchId>, UploadId),
    /// Stop the whole batch with the feedback.
    SubmitFeedback(BatchId),
    /// The reader is here now in the open conversation; `None`: at its end, or where an answer is to be read from.
    ReadAt(Option<ReadingPosition>),
    /// Show some more of the older messages of the open conversation.
    ShowEarlier,
    /// Copy what the device keeps of how answers came about, for whoever looks into a problem.
    CopyLog,
    /// Forget what the device keeps for this service, agent and user. What is on the page stays.
    ForgetDevice,
    /// Do again what the notice says has failed.
    RetryNotice,
    /// Take the notice away.
    DismissNotice,
}
