//! What the core wants done in the world.

use assent_protocol::{ContentItem, ThreadId};

use crate::{
    Claim, ConversationKey, Failure, KeptRequest, LoadId, Millis, PageEvent, RequestId, StreamId,
    UploadId,
};

/// One thing to do. Each is answered by the `Input` of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Endpoint 2. Answered by `Input::Threads`.
    ListThreads,
    /// Endpoint 1. Answered by `Input::ThreadCreated`.
    CreateThread {
        /// For which conversation.
        conversation: ConversationKey,
        /// What it is made for. Nothing is made, and the answer is a failure, where the page objects; where the page
        /// changes it, `Input::Edited` comes first.
        content: Vec<ContentItem>,
    },
    /// Endpoint 3. Answered by `Input::ThreadRenamed`.
    RenameThread {
        /// Which.
        thread: ThreadId,
        /// Its new name.
        name: String,
    },
    /// Endpoint 4. Answered by `Input::ThreadDeleted`.
    DeleteThread {
        /// Which.
        thread: ThreadId,
    },
    /// Endpoint 5. Answered by `Input::Messages`.
    LoadMessages {
        /// For which conversation.
        conversation: ConversationKey,
        /// Which reading.
        load: LoadId,
        /// Of which thread.
        thread: ThreadId,
        /// How long to wait before.
        after: Millis,
    },
    /// Look up how answers of this thread came about that other pages listened to. Answered by `Input::Recalled`, where
    /// that is kept.
    Recall(ThreadId),
    /// Endpoint 6. Answered by `Input::StreamOpened`, events, and one `Input::StreamEnded`.
    Post {
        /// Its name.
        stream: StreamId,
        /// To which thread.
        thread: ThreadId,
        /// The items, in order.
        content: Vec<ContentItem>,
        /// A message that the page was not asked about yet. It may object, upon which the stream ends as withheld, or
        /// change it, upon which `Input::Edited` comes first.
        is_proposal: bool,
        /// What it decides, if it answers a batch. Nothing is posted, and the stream ends as withheld, where the page
        /// objects, where another tab answers the batch, or where its requests are no longer kept.
        claim: Option<Claim>,
    },
    /// Stop listening to a stream; no more input comes from it. One of another tab is stopped there, too.
    CancelStream(StreamId),
    /// Keep which thread was used last; `None`: a new conversation.
    RememberThread(Option<ThreadId>),
    /// Keep these requests beyond the life of the page, each in place of what is kept for its batch and execution.
    KeepRequests(Vec<KeptRequest>),
    /// These were answered or are gone: forget their requests.
    ForgetRequests(Vec<KeptRequest>),
    /// Forget everything that the device keeps for this service, agent and user. Answered by `Input::Forgotten`, and before
    /// that by `Input::Kept`.
    Forget,
    /// Copy the diagnostic log. Answered by `Input::LogCopied`.
    CopyLog,
    /// Upload a file. Answered by `Input::UploadProgress` and one `Input::Uploaded`, unless it is cancelled.
    Upload(UploadId),
    /// End an upload, and forget the file.
    CancelUpload(UploadId),
    /// This request of the page was done, or could not be.
    Settle(RequestId, Result<(), Failure>),
    /// Say this to the page.
    Tell(PageEvent),
}
