//! Session threads and the bodies that create and rename them (specification, Resources and
//! Endpoints 1 to 4).

use crate::{AgentId, ThreadId, Timestamp, json::quoted, wire_type::wire_type};

wire_type! {
    /// `SessionThread`. The specification does not say which fields are always present, so only
    /// `id` is required.
    pub struct SessionThread {
        /// `<thread_id>`.
        pub id: ThreadId = "id" required,
        /// Display name; may be empty.
        pub thread_name: String = "threadName",
        /// The agent the thread is bound to.
        pub agent_id: AgentId = "agentId",
        /// The agent's display name.
        pub agent_name: String = "agentName",
        /// The agent's handle.
        pub agent_handle: String = "agentHandle",
        /// `<build_id>`.
        pub root_agent_build_id: String = "rootAgentBuildId",
        /// Time of the last message; empty if the service does not say.
        pub last_message_time: Timestamp = "lastMessageTime",
        /// Type of the session; `LIVE` is the only documented value.
        pub session_type: String = "sessionType",
    }
}

/// Body of endpoint 1, start new session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateThread {
    /// The agent of the new thread.
    pub agent_id: AgentId,
}

impl CreateThread {
    /// Returns the body as it is sent.
    #[must_use]
    pub fn to_json(&self) -> String {
        format!(r#"{{"agentId":{}}}"#, quoted(self.agent_id.as_str()))
    }
}

/// Body of endpoint 3, rename session thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameThread {
    /// The new display name.
    pub thread_name: String,
}

impl RenameThread {
    /// Returns the body as it is sent.
    #[must_use]
    pub fn to_json(&self) -> String {
        format!(r#"{{"threadName":{}}}"#, quoted(&self.thread_name))
    }
}
