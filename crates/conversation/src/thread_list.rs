//! The list of conversations as the service gives it, newest first.

use assent_protocol::ThreadId;

use crate::{Load, Millis};

/// The list. Rows are in the order to show: newest `last_message` first, those without one last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadList {
    /// Whether it was read. While it is read again the rows stay.
    pub load: Load,
    /// One for each thread.
    pub rows: Vec<ThreadRow>,
}

/// One thread of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadRow {
    /// Which.
    pub id: ThreadId,
    /// Its display name; may be empty.
    pub name: String,
    /// The name of its agent; may be empty.
    pub agent_name: String,
    /// The name that stored messages give that agent; may be empty.
    pub agent_handle: String,
    /// When its last message was written, where the service says.
    pub last_message: Option<Millis>,
    /// What is being done to it.
    pub state: RowState,
}

/// What is being done to a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowState {
    /// Nothing.
    Settled,
    /// The new name is shown and was sent; this is the name to go back to.
    Renaming {
        /// The name before.
        before: String,
    },
    /// Deletion was sent.
    Deleting,
}
