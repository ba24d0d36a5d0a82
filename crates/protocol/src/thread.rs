//! Session threads and the bodies that create and rename them (specification, Resources and
//! Endpoints 1 to 4).

use serde::Serialize;

use crate::{
    AgentId, FromJson, Json, ThreadId, Timestamp,
    json::{deserialize_from_json, quoted},
};

/// `SessionThread`. The specification does not say which fields are always present, so only `id` is
/// required.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionThread {
    /// `<thread_id>`.
    pub id: ThreadId,
    /// Display name; may be empty.
    pub thread_name: String,
    /// The agent the thread is bound to.
    pub agent_id: AgentId,
    /// The agent's display name.
    pub agent_name: String,
    /// The agent's handle.
    pub agent_handle: String,
    /// `<build_id>`.
    pub root_agent_build_id: String,
    /// Time of the last message; empty if the service does not say.
    pub last_message_time: Timestamp,
    /// Type of the session; `LIVE` is the only documented value.
    pub session_type: String,
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

deserialize_from_json!(SessionThread);

impl FromJson for SessionThread {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        object.get("id")?;
        Some(Self {
            id: ThreadId(object.text("id")),
            thread_name: object.text("threadName"),
            agent_id: AgentId(object.text("agentId")),
            agent_name: object.text("agentName"),
            agent_handle: object.text("agentHandle"),
            root_agent_build_id: object.text("rootAgentBuildId"),
            last_message_time: Timestamp(object.text("lastMessageTime")),
            session_type: object.text("sessionType"),
        })
    }
}
