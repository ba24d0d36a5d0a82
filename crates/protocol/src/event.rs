//! The types of the events in a stream (specification, `SseEvent`, `SseEventMessage`, `Agent`).

#[cfg(feature = "openapi")]
use crate::ApprovalRequest;
use crate::{
    AgentId, EventId, EventType, RawApprovalRequest, ThreadId, Timestamp, ToolImage, Words,
    wire_type::wire_type,
};

wire_type! {
    /// One event of a stream: the JSON of its `data:` line.
    pub struct SseEvent {
        /// Type of the event.
        pub event_type: EventType = "type",
        /// Identifier of the event; events with the same one are the same event.
        pub event_id: EventId as String = "eventId",
        /// The thread the stream belongs to.
        pub thread_id: ThreadId as String = "threadId",
        /// Identifier of the request that the stream answers: the same for all events of one
        /// stream.
        pub request_id: String = "requestId",
        /// The event's content.
        pub event_message: SseEventMessage = "eventMessage",
    }
}

wire_type! {
    /// The content of an event.
    pub struct SseEventMessage {
        /// The agent that speaks, if it is not the thread's own.
        pub agent: Option<Agent> as Option<Agent> { required = true } = "agent",
        /// Text of the event: for an answer its Markdown; empty for some types.
        pub content: String = "content",
        /// Identifier of the collaboration in which `agent` speaks; set where `agent` is.
        pub collaboration_id: Option<String> as Option<String> { required = true } = "collaborationId",
        /// A member that the specification declares without saying what it means.
        pub active_assistant_collaboration_required: Option<bool>
            as Option<bool> { required = true } =
            "activeAssistantCollaborationRequired",
        /// The requests for approval; set in events that ask for approval.
        pub tool_execution_approval_request: Option<Vec<RawApprovalRequest>>
            as Option<Vec<ApprovalRequest>> { required = true } =
            "toolExecutionApprovalRequest",
        /// Extension: the sentences of the service in `content`, if there are any.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub words: Vec<Words> = "words",
        /// Extension: the images that a tool made; set in the event that reports on the tool.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tool_images: Vec<ToolImage> = "toolImages",
        /// Extension `grants`: the identifier of what a person allowed beforehand, by which a tool runs;
        /// left out where it does not.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub grant_id: String = "grantId",
        /// Time of the event.
        pub timestamp: Timestamp as String { format = DateTime } = "timestamp",
    }
}

wire_type! {
    /// An agent that speaks in an answer.
    pub struct Agent {
        /// Display name of the agent.
        pub name: String = "name",
        /// Identifier of the agent.
        pub id: AgentId as String = "id",
        /// Identifier of the agent's build.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub build_id: Option<String> as Option<String> { nullable = false } = "buildId",
        /// Kind of the agent's build.
        pub build_type: String = "buildType",
        /// Handle of the agent: a name with a leading `@`.
        pub handle: String = "handle",
    }
}
