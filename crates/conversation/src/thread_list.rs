//! The list of conversations as the service gives it, newest first.

use std::sync::Arc;

use assent_protocol::{AgentId, ThreadId};

use crate::{LoadState, Millis};

/// The list of threads. Rows are in the order to show: newest `last_message` first, those without
/// one last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadList {
    /// The load state of the list. During a reload the rows stay.
    pub load: LoadState,
    /// The rows, one for each thread. Shared, because who draws thousands of them keeps a copy, and
    /// few change at a time.
    pub rows: Vec<Arc<ThreadRow>>,
}

/// One thread of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadRow {
    /// The identifier of the thread.
    pub id: ThreadId,
    /// The display name of the thread; may be empty.
    pub name: String,
    /// The agent of the thread; may be empty.
    pub agent: AgentId,
    /// The display name of the agent of the thread; may be empty.
    pub agent_name: String,
    /// The name that stored messages give that agent; may be empty.
    pub agent_handle: String,
    /// The time of the last message in the thread, if the service says.
    pub last_message: Option<Millis>,
    /// The action under way on the row.
    pub state: RowState,
}

/// The action under way on a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowState {
    /// No action is under way.
    Idle,
    /// The new name is shown and was sent; on failure the previous name is restored.
    Renaming {
        /// The previous name.
        before: String,
    },
    /// The deletion was sent.
    Deleting,
}
