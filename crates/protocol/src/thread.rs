//! Session threads and the bodies that make and rename them (specification, Resources and Endpoints 1 to 4).

use serde::{Deserialize, Serialize};

use crate::{AgentId, ThreadId, Timestamp, lenient, object::objects};

/// `SessionThread`. Which fields are always present is not shown, so that only `id` is relied upon.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SessionThread {
    /// `<thread_id>`.
    pub id: ThreadId,
    /// Display name; may be empty.
    #[serde(default, deserialize_with = "lenient::text")]
    pub thread_name: String,
    /// The agent the thread is bound to.
    #[serde(default)]
    pub agent_id: AgentId,
    /// The agent's display name.
    #[serde(default, deserialize_with = "lenient::text")]
    pub agent_name: String,
    /// The agent's handle.
    #[serde(default, deserialize_with = "lenient::text")]
    pub agent_handle: String,
    /// `<build_id>`.
    #[serde(default, deserialize_with = "lenient::text")]
    pub root_agent_build_id: String,
    /// When the last message was written; empty where the service does not say.
    #[serde(default)]
    pub last_message_time: Timestamp,
    /// `LIVE` is the only value shown.
    #[serde(default, deserialize_with = "lenient::text")]
    pub session_type: String,
}

/// Body of endpoint 1, start new session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateThread {
    /// Whom the thread is with.
    pub agent_id: AgentId,
}

/// Body of endpoint 3, rename session thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenameThread {
    /// The new display name.
    pub thread_name: String,
}

objects!(SessionThread);
