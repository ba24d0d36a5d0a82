//! The commands of the core: what is to be done outside of it.

use assent_protocol::{ContentItem, ThreadId};

use crate::{
    AnswerSummary, CachedRequest, ConversationKey, Failure, LoadId, Millis, PageEvent, RequestId,
    StreamId, UploadId,
};

/// A command of the core. The comment of each says which input answers it, if any does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Request the list of threads (endpoint 2). Answered by `Input::Threads`.
    ListThreads {
        /// True if the newest threads are enough at first: if the service can list these alone, and
        /// they are not all, the result is `Input::LatestThreads`.
        latest_first: bool,
    },
    /// Request what waits for the user in all threads. Answered by `Input::Inbox`.
    LoadInbox,
    /// Create a thread (endpoint 1). Answered by `Input::ThreadCreated`.
    CreateThread {
        /// The conversation that gets the thread.
        conversation: ConversationKey,
        /// The first message. If the host page objects, no thread is created, and the result is a
        /// failure; if the page changes the message, `Input::Edited` comes first.
        content: Vec<ContentItem>,
    },
    /// Rename a thread (endpoint 3). Answered by `Input::ThreadRenamed`.
    RenameThread {
        /// The thread to rename.
        thread: ThreadId,
        /// The new name of the thread.
        name: String,
    },
    /// Delete a thread (endpoint 4). Answered by `Input::ThreadDeleted`.
    DeleteThread {
        /// The thread to delete.
        thread: ThreadId,
    },
    /// Request the stored messages of a thread (endpoint 5). Answered by `Input::Messages`.
    LoadMessages {
        /// The conversation that shows the messages.
        conversation: ConversationKey,
        /// The identifier of this load.
        load: LoadId,
        /// The thread that has the messages.
        thread: ThreadId,
        /// The delay in milliseconds before the request is sent.
        after: Millis,
        /// True if nothing is shown yet: if the service can list the latest messages alone, and
        /// they are not all, the result is `Input::LatestMessages`.
        latest_first: bool,
    },
    /// Look up recordings of this thread's answers that other pages received. Answered by
    /// `Input::Recordings`, if recordings are stored.
    LoadRecordings(ThreadId),
    /// Post a message or an answer to a batch (endpoint 6). Answered by `Input::StreamOpened`,
    /// events, and one `Input::StreamEnded`.
    Post {
        /// The identifier of the stream.
        stream: StreamId,
        /// The thread to post to.
        thread: ThreadId,
        /// The text, files or decisions of the post, in order.
        content: Vec<ContentItem>,
        /// True for a message about which the host page was not asked yet. If the page objects, the
        /// stream ends as withheld; if the page changes the message, `Input::Edited` comes first.
        is_proposal: bool,
        /// The key by which the service knows the post again, so that the post may be repeated where it
        /// is in doubt whether it arrived; `None` if the service offers no such keys.
        key: Option<String>,
        /// The decisions, if the post answers a batch. Nothing is posted, and the stream ends as
        /// withheld, if the host page objects, if another tab answers the batch, or if the device has
        /// stored another request for one of the tool runs than the one that this answer echoes.
        summary: Option<AnswerSummary>,
    },
    /// Read an answer that this page did not ask for, or does not read any more. Answered by events
    /// and one `Input::StreamEnded`.
    Follow {
        /// The identifier of the stream.
        stream: StreamId,
        /// The thread of the answer.
        thread: ThreadId,
        /// The identifier of the event after which the stream begins.
        after: String,
    },
    /// Ask the service to end the answer that it is writing in this thread; the stream goes on
    /// until the answer has ended. Answered by `Input::AnswerCancelled`.
    CancelAnswer(ThreadId),
    /// Stop listening to a stream; no more input comes from it. A stream that another tab posted is
    /// stopped in that tab, too.
    CancelStream(StreamId),
    /// Stop listening to a stream whose answer is complete. It counts as one that has ended, also in
    /// other tabs.
    CloseStream(StreamId),
    /// Wait this long, to see whether more events of the stream come. Answered by `Input::Waited`.
    Wait(StreamId, Millis),
    /// Store which thread was used last; `None`: a new conversation.
    RememberThread(Option<ThreadId>),
    /// Store these requests beyond the lifetime of the page, each in place of the stored one for
    /// its batch and execution.
    KeepRequests(Vec<CachedRequest>),
    /// Delete these stored requests, which were answered or are gone.
    ForgetRequests(Vec<CachedRequest>),
    /// Delete everything that is stored on the device for this service, agent and user. Answered by
    /// `Input::Forgotten`, and before that by `Input::CachedRequests`.
    Forget,
    /// Copy the diagnostic log. Answered by `Input::LogCopied`.
    CopyLog,
    /// Upload a file. Answered by `Input::UploadProgress` and one `Input::Uploaded`, unless it is
    /// cancelled.
    Upload(UploadId),
    /// Cancel an upload, and forget the file.
    CancelUpload(UploadId),
    /// Report the result of this request of the host page.
    Resolve(RequestId, Result<(), Failure>),
    /// Send this event to the host page.
    NotifyPage(PageEvent),
}
