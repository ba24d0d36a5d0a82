//! The requests of the host page, which gets the result.

use assent_protocol::{ContentItem, ThreadId};

use crate::{ConversationKey, MessageKey};

/// A request of the host page. Each request is answered by one `Command::Resolve`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageRequest {
    /// Show an empty conversation.
    NewThread,
    /// Show this thread; done when it is loaded.
    OpenThread(ThreadId),
    /// Rename this thread; done when the service has the name.
    RenameThread(ThreadId, String),
    /// Delete this thread; done when it is deleted.
    DeleteThread(ThreadId),
    /// Delete what is stored on the device; done when it is deleted.
    Forget,
    /// Send these texts and files in the open conversation; done when the answer is complete.
    Send(Vec<ContentItem>),
}

/// The event that resolves a request of the host page, which waits for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AwaitedEvent {
    /// The list of threads is loaded; then this request is carried out.
    List(PageRequest),
    /// The stored messages of this thread are loaded, or cannot be.
    Opened(ThreadId),
    /// The service answers to the renaming of this thread.
    Renamed(ThreadId),
    /// The service answers to the deletion of this thread.
    Deleted(ThreadId),
    /// The data on the device are deleted.
    Forgotten,
    /// The answer to this message is complete.
    Answer(ConversationKey, MessageKey),
}
