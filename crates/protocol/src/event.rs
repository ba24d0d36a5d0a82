//! Streamed events (specification, `SseEvent`, `SseEventMessage`, `Agent`).

use crate::{
    AgentId, EventId, EventType, RawApprovalRequest, ThreadId, Timestamp, ToolImage, Words,
    wire_type::wire_type,
};

wire_type! {
    /// One streamed event: the JSON of one frame's data.
    pub struct SseEvent {
        /// Type of the event.
        pub event_type: EventType = "type",
        /// Identifier; events with the same id are the same event; may be empty.
        pub event_id: EventId = "eventId",
        /// The thread the stream belongs to.
        pub thread_id: ThreadId = "threadId",
        /// Equal for all events of one stream.
        pub request_id: String = "requestId",
        /// The event's content.
        pub event_message: SseEventMessage = "eventMessage",
    }
}

wire_type! {
    /// The content of an event.
    pub struct SseEventMessage {
        /// The speaking agent; `null` in most events.
        pub agent: Option<Agent> = "agent",
        /// Text of the event; empty for some.
        pub content: String = "content",
        /// Meaning not documented; used to distinguish the agents of a collaboration.
        pub collaboration_id: Option<String> = "collaborationId",
        /// Meaning not documented.
        pub active_assistant_collaboration_required: Option<bool> =
            "activeAssistantCollaborationRequired",
        /// Filled in approval request events only.
        pub tool_execution_approval_request: Option<Vec<RawApprovalRequest>> =
            "toolExecutionApprovalRequest",
        /// Extension: the sentences of the service in the content, in order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub words: Vec<Words> = "words",
        /// Extension: the images that a tool made, in a report of its run.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tool_images: Vec<ToolImage> = "toolImages",
        /// Time of the event; may have no zone.
        pub timestamp: Timestamp = "timestamp",
    }
}

wire_type! {
    /// The agent inside an event; a sample carries only name and id.
    pub struct Agent {
        /// Display name.
        pub name: String = "name",
        /// `<agent_id>`.
        pub id: AgentId = "id",
        /// `<build_id>`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub build_id: Option<String> = "buildId",
        /// Kind of build; empty if not given.
        pub build_type: String = "buildType",
        /// Handle; empty if not given.
        pub handle: String = "handle",
    }
}
