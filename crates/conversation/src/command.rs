//! What the core wants done in the world.

use assent_protocol::{ContentItem, ThreadId};

use crate::{ConversationKey, LoadId, Millis, StreamId};

/// One thing to do. Each is answered by the `Input` of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Endpoint 2. Answered by `Input::Threads`.
    ListThreads,
    /// Endpoint 1. Answered by `Input::ThreadCreated`.
    CreateThread {
        /// For which conversation.
        conversation: ConversationKey,
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
    /// Endpoint 6. Answered by `Input::StreamOpened`, events, and one `Input::StreamEnded`.
    Post {
        /// Its name.
        stream: StreamId,
        /// To which thread.
        thread: ThreadId,
        /// The items, in order.
        content: Vec<ContentItem>,
    },
    /// Stop listening to a stream; no more input comes from it.
    CancelStream(StreamId),
    /// Keep which thread was used last; `None`: a new conversation.
    RememberThread(Option<ThreadId>),
}
