//! What the page asks for, and is told the end of.

use assent_protocol::{ContentItem, ThreadId};

use crate::{ConversationKey, MessageKey};

/// Something that the page asks for. Each is answered by one `Command::Settle`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Show an empty conversation.
    NewThread,
    /// Show this thread; done when it was read.
    OpenThread(ThreadId),
    /// Give this thread this name; done when the service has it.
    RenameThread(ThreadId, String),
    /// Delete this thread; done when it is gone.
    DeleteThread(ThreadId),
    /// Forget what the device keeps; done when it is gone.
    Forget,
    /// Send these texts and files in the open conversation; done when the answer is whole.
    Send(Vec<ContentItem>),
}

/// What has to happen before a request of the page is settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The list of threads is read; then this is asked for.
    List(Request),
    /// This thread is read.
    Opened(ThreadId),
    /// The service answers to a new name of this thread.
    Renamed(ThreadId),
    /// The service answers to the deletion of this thread.
    Deleted(ThreadId),
    /// The device has forgotten.
    Forgotten,
    /// The answer to this message is whole.
    Answer(ConversationKey, MessageKey),
}
