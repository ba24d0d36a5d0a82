//! All inputs of the core, as one closed enumeration.

use assent_protocol::{BatchId, ContentItem, SessionThread, SseEvent, StoredMessage, ThreadId};

use crate::{
    CachedRequest, ConversationKey, Draft, Failure, FileRef, LoadId, MessageKey, PageRequest,
    ReadingPosition, Recording, RequestId, RequestVersion, StreamId, UnsentMessage, UploadId,
    Verdict,
};

/// An input of the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// An action of the user, or of the host page on the user's behalf.
    Intent(Intent),
    /// A request of the host page. Answered by `Command::Resolve`.
    Request(RequestId, PageRequest),
    /// The visibility of the widget changed: true if a user can see it.
    VisibilityChanged(bool),
    /// The browser went online (true) or offline.
    Online(bool),
    /// True if the service offers to end answers early.
    CancelOffered(bool),
    /// If the service accepts a post only once that is repeated with its key, a text that no other
    /// page has: the keys of posts begin with it. Otherwise `None`.
    KeysOffered(Option<String>),
    /// True if the service offers to tell what waits for the user in all threads.
    InboxOffered(bool),
    /// Result of `Command::LoadInbox`: the threads of the agent with tool runs that wait, newest
    /// first, each with the number of these. `None`: the service did not tell it.
    Inbox(Option<Vec<(ThreadId, usize)>>),
    /// The host page changed the message that is being sent in this conversation.
    Edited(ConversationKey, Vec<ContentItem>),
    /// Result of `Command::ListThreads`: all threads, or the failure.
    Threads(Result<Vec<SessionThread>, Failure>),
    /// Result of `Command::ListThreads` with `latest_first`: the newest threads, which may not be
    /// all.
    LatestThreads(Vec<SessionThread>),
    /// Result of `Command::CreateThread`.
    ThreadCreated {
        /// The conversation for which the thread was created.
        conversation: ConversationKey,
        /// The new thread, or the failure.
        result: Result<SessionThread, Failure>,
    },
    /// Result of `Command::RenameThread`.
    ThreadRenamed {
        /// The thread that was renamed.
        thread: ThreadId,
        /// The thread with its new name, or the failure.
        result: Result<SessionThread, Failure>,
    },
    /// Result of `Command::DeleteThread`.
    ThreadDeleted {
        /// The thread that was deleted.
        thread: ThreadId,
        /// Nothing, or the failure.
        result: Result<(), Failure>,
    },
    /// Result of `Command::LoadMessages`: all stored messages, or the failure.
    Messages {
        /// The conversation whose messages were loaded.
        conversation: ConversationKey,
        /// The identifier of the load; an outdated one is ignored.
        load: LoadId,
        /// The stored messages, oldest first, or the failure.
        result: Result<Vec<StoredMessage>, Failure>,
    },
    /// Result of `Command::LoadMessages` while the service is writing an answer in the thread.
    MessagesWhileAnswering {
        /// The conversation whose messages were loaded.
        conversation: ConversationKey,
        /// The identifier of the load; an outdated one is ignored.
        load: LoadId,
        /// The stored messages, oldest first.
        stored: Vec<StoredMessage>,
        /// The identifier of the event after which the events follow whose text is not among the
        /// stored messages.
        after: String,
    },
    /// Result of `Command::LoadMessages` with `latest_first`: the latest messages, which may not be
    /// all.
    LatestMessages {
        /// The conversation whose messages were loaded.
        conversation: ConversationKey,
        /// The identifier of the load; an outdated one is ignored.
        load: LoadId,
        /// The latest messages, oldest first.
        stored: Vec<StoredMessage>,
    },
    /// The service answered a post with an event stream.
    StreamOpened(StreamId),
    /// An event came in a stream.
    StreamEvent(StreamId, Box<SseEvent>),
    /// A frame of a stream that is no event: it is noted as activity, and the stream goes on.
    StreamGarbled(StreamId),
    /// A stream stalled (true): neither an event nor a sign of life came for a while. Or something
    /// came again (false).
    StreamStalled(StreamId, bool),
    /// Result of `Command::CancelAnswer`: whether the service ends the answer in this thread.
    AnswerCancelled(ThreadId, Result<(), Failure>),
    /// Result of `Command::Wait`: the time to wait for the stream has passed.
    Waited(StreamId),
    /// A stream ended, or its post failed. Comes once for each `Command::Post`, unless it was
    /// cancelled.
    StreamEnded(StreamId, StreamEnd),
    /// Another tab posted this to a thread; the answer comes here as events of this stream, from
    /// the beginning. The identifier must not be one that this page gives to its own streams. The
    /// stream is accepted if the conversation is open here and has no stream of its own; then it
    /// ends as any stream does.
    StreamFollowed(StreamId, ThreadId, Vec<ContentItem>),
    /// The user stopped this stream in another tab.
    StreamStopped(StreamId),
    /// Another page wrote in this thread.
    MessagesChanged(ThreadId),
    /// This thread was deleted in another tab.
    ThreadGone(ThreadId),
    /// All requests that are stored on the device: at the beginning, and when another tab changed
    /// them.
    CachedRequests(Vec<CachedRequest>),
    /// All drafts that are stored on the device: at the beginning, and when another tab changed
    /// one.
    Drafts(Vec<Draft>),
    /// The threads whose drafts the device cannot store; `None`: that of a conversation without a
    /// thread.
    DraftsUnstored(Vec<Option<ThreadId>>),
    /// Messages that a page which is gone had sent or queued, and that the service may not have.
    Unsent(Vec<UnsentMessage>),
    /// The reading positions in threads, other than at their end, that are stored on the device: at
    /// the beginning, and when nothing is stored any more.
    Positions(Vec<(ThreadId, ReadingPosition)>),
    /// Result of `Command::LoadRecordings`: recordings of posts to this thread, oldest first.
    Recordings(ThreadId, Vec<Recording>),
    /// Result of `Command::Forget`: nothing is left on the device, or a failure if that is
    /// uncertain.
    Forgotten(Result<(), Failure>),
    /// Result of `Command::CopyLog`: true if the log is in the clipboard.
    LogCopied(bool),
    /// The upload progress of a file, from 0 to 100.
    UploadProgress(UploadId, u8),
    /// A file is uploaded, or failed with a reason that may be empty. Comes once for each
    /// `Command::Upload`, unless it was cancelled.
    Uploaded(UploadId, Result<FileRef, String>),
}

/// The end of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamEnd {
    /// The service closed the stream.
    Closed,
    /// The post was refused, or the connection broke.
    Failed(Failure),
    /// Nothing was posted, for this reason.
    Withheld(WithheldReason),
}

/// The reason why nothing was posted in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WithheldReason {
    /// The host page objected.
    ByPage,
    /// Another tab is answering the same batch, or has answered it.
    ForOtherTab,
}

/// An action of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Start: load the threads, and open the one that was used last, if it still exists.
    Start {
        /// The thread that this user used last on this device; `None` if there is none.
        remembered: Option<ThreadId>,
    },
    /// Load the list of threads again.
    RefreshThreads,
    /// Show this thread.
    OpenThread(ThreadId),
    /// Show an empty conversation.
    NewThread,
    /// Rename this thread. A blank name changes nothing.
    RenameThread(ThreadId, String),
    /// Delete this thread.
    DeleteThread(ThreadId),
    /// Set the draft text of the open conversation.
    EditDraft(String),
    /// Send this text, which the host page suggests, as the first message of the open conversation;
    /// the draft stays. Nothing is sent if there is a message already.
    SendSuggestion(String),
    /// Send the draft of the open conversation. It is not sent if it is blank without files, nor
    /// while a file of it is not uploaded. While an answer is being written, it is queued; while a
    /// batch is pending, the user is asked what is meant.
    Send,
    /// Send the draft as feedback that stops the actions.
    SendAsFeedback,
    /// Queue the draft until the answer to the pending decision is complete.
    SendAfterwards,
    /// Keep the draft, and close the question whether it is feedback or a message for later.
    KeepAsDraft,
    /// Make this queued message of the open conversation a draft again.
    EditQueued(MessageKey),
    /// Remove this queued message of the open conversation.
    RemoveQueued(MessageKey),
    /// Post a failed message of the open conversation again; for a failed answer, the message that
    /// it answers.
    RetryMessage(MessageKey),
    /// Post a message of the open conversation again, if its outcome is unknown and not being
    /// checked. The message may arrive twice, which the user was told.
    ResendMessage(MessageKey),
    /// Remove a failed message from the open conversation; the text goes back into the composer.
    DismissMessage(MessageKey),
    /// Load the stored messages of the open conversation again, also to look up open outcomes. A
    /// stalled stream is given up for that.
    ReloadMessages,
    /// Ask the service to end the answer of the open conversation, if the service offers that and
    /// was not asked yet; otherwise stop listening to the answer.
    Stop,
    /// Open the long text at this index of the arguments and the definition of one request, for
    /// good: folding it again is up to the view. Nothing changes once the request has another
    /// version.
    OpenArgument(BatchId, RequestVersion, usize),
    /// Each of these requests was wholly on the screen, or the user went into it with the focus.
    MarkSeen(BatchId, Vec<RequestVersion>),
    /// Set what is allowed beforehand if the request, drawn in this version, is approved with
    /// [`Verdict::ApproveBeforehand`]: the JSON of `grant` in the answer.
    AllowBeforehand(BatchId, RequestVersion, String),
    /// Set what runs in place of the arguments if the request, drawn in this version, is approved: the
    /// JSON of `editedArguments` in the answer, or `None` for the arguments themselves; and true if the
    /// tool takes it.
    EditArguments(BatchId, RequestVersion, Option<String>, bool),
    /// Decide one tool of a pending batch of the open conversation, whose request is drawn in this
    /// version. A tool that cannot be approved stays undecided.
    Decide(BatchId, RequestVersion, Verdict),
    /// Decide all tools of a pending batch whose requests are drawn in these versions. An approval
    /// counts for those alone that were seen.
    DecideAll(BatchId, Vec<RequestVersion>, Verdict),
    /// Decide the only tool of a pending batch of the open conversation, whose request is drawn in
    /// this version, and send the decision. Nothing happens if the batch has other tools too, or if
    /// the verdict is not possible now.
    Answer(BatchId, RequestVersion, Verdict),
    /// Send the decisions of a batch; nothing happens until every tool is decided.
    SubmitDecisions(BatchId),
    /// Enter the mode of stopping a whole batch.
    BeginFeedback(BatchId),
    /// Set the feedback text of a batch that is being stopped.
    EditFeedback(BatchId, String),
    /// Leave the mode of stopping a whole batch; the decisions made before are kept.
    CancelFeedback(BatchId),
    /// Add a file to the feedback or the draft, and begin to upload it.
    AttachFile {
        /// The batch of the open conversation to whose feedback the file is added; `None`: the file
        /// is added to the draft.
        batch: Option<BatchId>,
        /// The identifier of the file from now on.
        upload: UploadId,
        /// The name of the file.
        name: String,
        /// The size of the file in bytes.
        size: u64,
    },
    /// Retry the failed upload of a file of the feedback of this batch, or, with `None`, of the
    /// draft.
    RetryFile(Option<BatchId>, UploadId),
    /// Remove a file from the feedback of this batch, or, with `None`, from the draft.
    RemoveFile(Option<BatchId>, UploadId),
    /// Stop the whole batch with the feedback.
    SubmitFeedback(BatchId),
    /// Set the reading position in the open conversation; `None`: at its end, or at the start of an
    /// answer to be read.
    ReadAt(Option<ReadingPosition>),
    /// Show some more of the older messages of the open conversation.
    ShowEarlier,
    /// Copy the diagnostic log that the device keeps, for whoever looks into a problem.
    CopyLog,
    /// Delete what is stored on the device for this service, agent and user. The page keeps its
    /// state.
    ForgetDevice,
    /// Retry the failed action of the notice.
    RetryNotice,
    /// Dismiss the notice.
    DismissNotice,
}
