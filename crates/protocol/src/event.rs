//! Streamed events (specification, `SseEvent`, `SseEventMessage`, `Agent`).

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, EventId, EventType, RawApprovalRequest, ThreadId, Timestamp, lenient, object::objects,
};

/// One streamed event: the JSON of one frame's data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SseEvent {
    /// What happened.
    #[serde(rename = "type", default)]
    pub event_type: EventType,
    /// The same id twice is the same event; may be empty.
    #[serde(default)]
    pub event_id: EventId,
    /// The thread the stream belongs to.
    #[serde(default)]
    pub thread_id: ThreadId,
    /// Equal for all events of one stream.
    #[serde(default, deserialize_with = "lenient::text")]
    pub request_id: String,
    /// The event's content.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub event_message: SseEventMessage,
}

/// The content of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SseEventMessage {
    /// Who speaks; `null` in most events.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub agent: Option<Agent>,
    /// Text of the event; empty for some.
    #[serde(default, deserialize_with = "lenient::text")]
    pub content: String,
    /// Meaning not shown; used to keep the agents of a collaboration apart.
    #[serde(default, deserialize_with = "lenient::optional_text")]
    pub collaboration_id: Option<String>,
    /// Meaning not shown.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub active_assistant_collaboration_required: Option<bool>,
    /// Filled in approval request events only.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub tool_execution_approval_request: Option<Vec<RawApprovalRequest>>,
    /// May carry no zone.
    #[serde(default)]
    pub timestamp: Timestamp,
}

/// The agent inside an event; a sample carries only name and id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Agent {
    /// Display name.
    #[serde(default, deserialize_with = "lenient::text")]
    pub name: String,
    /// `<agent_id>`.
    #[serde(default)]
    pub id: AgentId,
    /// `<build_id>`.
    #[serde(
        default,
        deserialize_with = "lenient::optional_text",
        skip_serializing_if = "Option::is_none"
    )]
    pub build_id: Option<String>,
    /// Kind of build; empty where not said.
    #[serde(default, deserialize_with = "lenient::text")]
    pub build_type: String,
    /// Handle; empty where not said.
    #[serde(default, deserialize_with = "lenient::text")]
    pub handle: String,
}

objects!(SseEvent, SseEventMessage, Agent);
