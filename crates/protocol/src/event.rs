//! Streamed events (specification, `SseEvent`, `SseEventMessage`, `Agent`).

use serde::Serialize;

use crate::{
    AgentId, EventId, EventType, FromJson, Json, RawApprovalRequest, ThreadId, Timestamp,
    json::{self, deserialize_from_json},
};

/// One streamed event: the JSON of one frame's data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SseEvent {
    /// Type of the event.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// Identifier; events with the same id are the same event; may be empty.
    pub event_id: EventId,
    /// The thread the stream belongs to.
    pub thread_id: ThreadId,
    /// Equal for all events of one stream.
    pub request_id: String,
    /// The event's content.
    pub event_message: SseEventMessage,
}

/// The content of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SseEventMessage {
    /// The speaking agent; `null` in most events.
    pub agent: Option<Agent>,
    /// Text of the event; empty for some.
    pub content: String,
    /// Meaning not documented; used to distinguish the agents of a collaboration.
    pub collaboration_id: Option<String>,
    /// Meaning not documented.
    pub active_assistant_collaboration_required: Option<bool>,
    /// Filled in approval request events only.
    pub tool_execution_approval_request: Option<Vec<RawApprovalRequest>>,
    /// Time of the event; may have no zone.
    pub timestamp: Timestamp,
}

/// The agent inside an event; a sample carries only name and id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Agent {
    /// Display name.
    pub name: String,
    /// `<agent_id>`.
    pub id: AgentId,
    /// `<build_id>`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build_id: Option<String>,
    /// Kind of build; empty if not given.
    pub build_type: String,
    /// Handle; empty if not given.
    pub handle: String,
}

deserialize_from_json!(SseEvent);

impl FromJson for SseEvent {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        Some(Self {
            event_type: EventType::from(object.text("type").as_str()),
            event_id: EventId(object.text("eventId")),
            thread_id: ThreadId(object.text("threadId")),
            request_id: object.text("requestId"),
            event_message: object.value("eventMessage").unwrap_or_default(),
        })
    }
}

impl FromJson for SseEventMessage {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        let required = object.get("activeAssistantCollaborationRequired");
        let requests = object.get("toolExecutionApprovalRequest");
        Some(Self {
            agent: object.value("agent"),
            content: object.text("content"),
            collaboration_id: object.optional_text("collaborationId"),
            active_assistant_collaboration_required: match required.map(Json::as_str) {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            tool_execution_approval_request: requests.and_then(Json::items).map(json::list),
            timestamp: Timestamp(object.text("timestamp")),
        })
    }
}

impl FromJson for Agent {
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        Some(Self {
            name: object.text("name"),
            id: AgentId(object.text("id")),
            build_id: object.optional_text("buildId"),
            build_type: object.text("buildType"),
            handle: object.text("handle"),
        })
    }
}
