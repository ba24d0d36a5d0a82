//! The list of conversations as the service gives it, newest first.

use std::sync::Arc;

use assent_protocol::{AgentId, ThreadId};

use crate::{Load, Millis};

/// The list. Rows are in the order to show: newest `last_message` first, those without one last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadList {
    /// The load state. During a reload the rows stay.
    pub load: Load,
    /// The rows, one for each thread. Shared, because who draws thousands of them keeps a copy, and
    /// few change at a time.
    pub rows: Vec<Arc<ThreadRow>>,
}

/// One thread of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadRow {
    /// The thread.
    pub id: ThreadId,
    /// Its display name; may be empty.
    pub name: String,
    /// Its agent; may be empty.
    pub agent: AgentId,
    /// The name of its agent; may be empty.
    pub agent_name: String,
    /// The name that stored messages give that agent; may be empty.
    pub agent_handle: String,
    /// The time of its last message, if the service says.
    pub last_message: Option<Millis>,
    /// The action under way.
    pub state: RowState,
}

/// The action under way on a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowState {
    /// None.
    Idle,
    /// The new name is shown and was sent; on failure the previous name is restored.
    Renaming {
        /// The previous name.
        before: String,
    },
    /// Deletion was sent.
    Deleting,
}
