//! Streamed events (specification, `SseEvent`, `SseEventMessage`, `Agent`).

#[cfg(feature = "openapi")]
use crate::ApprovalRequest;
use crate::{
    AgentId, EventId, EventType, RawApprovalRequest, ThreadId, Timestamp, ToolImage, Words,
    wire_type::wire_type,
};

wire_type! {
    /// The JSON of one `data:` line of a stream.
    pub struct SseEvent {
        /// Type of the event.
        pub event_type: EventType = "type",
        /// Identifier; events with the same one are the same event.
        pub event_id: EventId as String = "eventId",
        /// The thread the stream belongs to.
        pub thread_id: ThreadId as String = "threadId",
        /// Equal for all events of one stream.
        pub request_id: String = "requestId",
        /// The event's content.
        pub event_message: SseEventMessage = "eventMessage",
    }
}

wire_type! {
    /// The content of an event.
    pub struct SseEventMessage {
        /// Set while an agent other than the thread's speaks.
        pub agent: Option<Agent> as Option<Agent> { required = true } = "agent",
        /// Text of the event; empty for some.
        pub content: String = "content",
        /// Set where `agent` is: one collaboration, one id.
        pub collaboration_id: Option<String> as Option<String> { required = true } = "collaborationId",
        /// Declared by the specification without a meaning.
        pub active_assistant_collaboration_required: Option<bool>
            as Option<bool> { required = true } =
            "activeAssistantCollaborationRequired",
        /// Set in approval request events.
        pub tool_execution_approval_request: Option<Vec<RawApprovalRequest>>
            as Option<Vec<ApprovalRequest>> { required = true } =
            "toolExecutionApprovalRequest",
        /// Extension: where `content` has sentences of the service, those.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub words: Vec<Words> = "words",
        /// Extension: in a report of a tool that made images, those.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tool_images: Vec<ToolImage> = "toolImages",
        /// Time of the event.
        pub timestamp: Timestamp as String { format = DateTime } = "timestamp",
    }
}

wire_type! {
    /// An agent that speaks in an answer.
    pub struct Agent {
        /// Display name.
        pub name: String = "name",
        /// Its identifier.
        pub id: AgentId as String = "id",
        /// Its build.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub build_id: Option<String> as Option<String> { nullable = false } = "buildId",
        /// Kind of build.
        pub build_type: String = "buildType",
        /// A name with a leading `@`.
        pub handle: String = "handle",
    }
}
