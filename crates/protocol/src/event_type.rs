//! The types of events (specification, Event types): each with what it is about, whether something
//! begins or ends with it, and a text to show.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{FromJson, Json};

/// What an event is about. The events of one group tell how one step of an agent's work begins,
/// goes on and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventGroup {
    /// Events about the stream itself.
    Stream,
    /// Events with the answer's text.
    Answer,
    /// Events about requests for approval.
    Approval,
    /// Events about a tool run.
    ToolExecution,
    /// Events about an agent's thinking.
    Thinking,
    /// Events about the search in a knowledge base.
    KnowledgeRetrieval,
    /// Events about how the agent understood the request.
    RequestOrchestration,
    /// Events about a plan of several steps.
    Plan,
    /// Events about the review of a plan.
    PlanReview,
    /// Events about the part of a plan that uses the knowledge base.
    PlanKnowledgeBase,
    /// Events about the part of a plan that uses tools.
    PlanToolUsage,
    /// Events about the check of a plan's result.
    PlanReflection,
    /// Events about the part of a plan that asks other agents.
    PlanCollaboration,
    /// Events about the collaboration of several agents.
    Collaboration,
    /// Events about what one of several agents adds to an answer.
    AssistantResponse,
    /// Events about what is remembered of earlier conversations.
    ContextMemories,
}

/// Whether a step of an agent's work begins, goes on or ends with an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventPhase {
    /// The step of an agent's work begins.
    Started,
    /// The step of an agent's work goes on.
    InProgress,
    /// The step of an agent's work succeeded.
    Completed,
    /// The step of an agent's work failed.
    Failed,
    /// The event says nothing about the begin or end of a step.
    Other,
}

/// What is known of one type of events: a row of the table `EVENT_TYPES`.
#[derive(Debug, PartialEq, Eq)]
pub struct EventTypeInfo {
    /// The name of the type as the service spells it.
    pub name: &'static str,
    /// What the event is about.
    pub group: EventGroup,
    /// Whether a step of an agent's work begins, goes on or ends with the event.
    pub phase: EventPhase,
    /// Default English text to show for the event.
    pub text: &'static str,
}

impl EventTypeInfo {
    /// Returns the type of the event that ends the same step, if this type begins or continues a
    /// step; `None` otherwise, and where the specification has no such type.
    #[must_use]
    pub fn completion(&self) -> Option<&'static Self> {
        let is_open = matches!(self.phase, EventPhase::Started | EventPhase::InProgress);
        let completes =
            |other: &&Self| other.group == self.group && other.phase == EventPhase::Completed;
        EVENT_TYPES.iter().find(completes).filter(|_| is_open)
    }
}

/// The type of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventType {
    /// The service has opened the stream.
    ConnectionEstablished,
    /// The message was accepted.
    MessageReceived,
    /// A part of the answer.
    AgentResponseChunk,
    /// The whole answer.
    AgentResponseComplete,
    /// A person has to decide about calls of tools.
    ApprovalRequest,
    /// `TOOL_EXECUTION_APPROVAL_RESPONSE`, of which the specification says no more than the name.
    ApprovalResponse,
    /// The service failed to answer; the stream closes.
    Error,
    /// One of the declared `NOTIFICATION_*` types, with its row in the table `EVENT_TYPES`.
    Notification(&'static EventTypeInfo),
    /// A type that the specification does not declare. It is shown and passed on, and is no error.
    Unknown(String),
}

impl EventType {
    /// Returns the name of the type as the service spells it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::ConnectionEstablished => "CONNECTION_ESTABLISHED",
            Self::MessageReceived => "MESSAGE_RECEIVED",
            Self::AgentResponseChunk => "AGENT_RESPONSE_CHUNK",
            Self::AgentResponseComplete => "AGENT_RESPONSE_COMPLETE",
            Self::ApprovalRequest => "TOOL_EXECUTION_APPROVAL_REQUEST",
            Self::ApprovalResponse => "TOOL_EXECUTION_APPROVAL_RESPONSE",
            Self::Error => "ERROR",
            Self::Notification(info) => info.name,
            Self::Unknown(name) => name,
        }
    }

    /// Returns the row of this type in the table of event types; `None` for an undeclared type.
    #[must_use]
    pub fn info(&self) -> Option<&'static EventTypeInfo> {
        match self {
            Self::Notification(info) => Some(info),
            Self::Unknown(_) => None,
            known => find(known.name()),
        }
    }
}

impl Default for EventType {
    fn default() -> Self {
        Self::Unknown(String::new())
    }
}

impl From<&str> for EventType {
    fn from(name: &str) -> Self {
        match name {
            "CONNECTION_ESTABLISHED" => Self::ConnectionEstablished,
            "MESSAGE_RECEIVED" => Self::MessageReceived,
            "AGENT_RESPONSE_CHUNK" => Self::AgentResponseChunk,
            "AGENT_RESPONSE_COMPLETE" => Self::AgentResponseComplete,
            "TOOL_EXECUTION_APPROVAL_REQUEST" => Self::ApprovalRequest,
            "TOOL_EXECUTION_APPROVAL_RESPONSE" => Self::ApprovalResponse,
            "ERROR" => Self::Error,
            other => match find(other) {
                Some(info) => Self::Notification(info),
                None => Self::Unknown(other.to_owned()),
            },
        }
    }
}

impl FromJson for EventType {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.as_word().map(|name| Self::from(&*name))
    }
}

impl<'de> Deserialize<'de> for EventType {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(|name| Self::from(name.as_str()))
    }
}

impl Serialize for EventType {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

fn find(name: &str) -> Option<&'static EventTypeInfo> {
    EVENT_TYPES.iter().find(|info| info.name == name)
}

const fn row(
    name: &'static str,
    group: EventGroup,
    phase: EventPhase,
    text: &'static str,
) -> EventTypeInfo {
    EventTypeInfo {
        name,
        group,
        phase,
        text,
    }
}

/// Makes the table of all types of events that the specification declares, and a constant for each
/// `NOTIFICATION_*` type. The names of these are written without that prefix.
macro_rules! event_types {
    (
        { $($own:literal $own_group:ident $own_phase:ident $own_text:literal,)+ }
        { $($name:ident $group:ident $phase:ident $text:literal,)+ }
    ) => {
        const COUNT: usize = [$($own,)+ $(stringify!($name)),+].len();

        /// All types of events that the specification declares, in its order.
        pub static EVENT_TYPES: [EventTypeInfo; COUNT] = [
            $(row($own, EventGroup::$own_group, EventPhase::$own_phase, $own_text),)+
            $(row(
                concat!("NOTIFICATION_", stringify!($name)),
                EventGroup::$group,
                EventPhase::$phase,
                $text,
            ),)+
        ];

        /// The `NOTIFICATION_*` types that the specification declares, each as a constant.
        pub mod notification {
            use super::{EventGroup, EventType, EventTypeInfo, EventPhase, row};

            $(
                #[doc = concat!("`NOTIFICATION_", stringify!($name), "`.")]
                pub const $name: EventType = {
                    const ROW: EventTypeInfo = row(
                        concat!("NOTIFICATION_", stringify!($name)),
                        EventGroup::$group,
                        EventPhase::$phase,
                        $text,
                    );
                    EventType::Notification(&ROW)
                };
            )+
        }
    };
}

#[rustfmt::skip]
event_types! {
    {
        "CONNECTION_ESTABLISHED" Stream Started "Connected",
        "MESSAGE_RECEIVED" Stream Other "Message received",
        "AGENT_RESPONSE_CHUNK" Answer InProgress "Answering",
        "AGENT_RESPONSE_COMPLETE" Answer Completed "Answered",
        "TOOL_EXECUTION_APPROVAL_REQUEST" Approval Started "Asking for approval",
        "TOOL_EXECUTION_APPROVAL_RESPONSE" Approval Completed "Decision received",
        "ERROR" Stream Failed "Failed",
    }
    {
        TOOL_EXECUTION_INITIATED ToolExecution Started "Starting a tool",
        TOOL_EXECUTION_IN_PROGRESS ToolExecution InProgress "Running a tool",
        TOOL_EXECUTION_APPROVAL_REQUIRED ToolExecution Other "Asked for approval",
        TOOL_EXECUTION_APPROVAL_ACCEPTED ToolExecution Other "Approved",
        TOOL_EXECUTION_APPROVAL_DENIED ToolExecution Other "Denied",
        TOOL_EXECUTION_APPROVAL_ABORTED ToolExecution Other "Stopped with feedback",
        AGENT_THINKING_STARTED Thinking Started "Thinking",
        AGENT_THINKING_COMPLETE Thinking Completed "Thought it through",
        KNOWLEDGE_RETRIEVAL_INITIATED KnowledgeRetrieval Started "Searching the knowledge base",
        KNOWLEDGE_RETRIEVAL_IN_PROGRESS KnowledgeRetrieval InProgress "Reading sources",
        KNOWLEDGE_RETRIEVAL_COMPLETED KnowledgeRetrieval Completed "Searched the knowledge base",
        KNOWLEDGE_RETRIEVAL_FAILED KnowledgeRetrieval Failed "Searching the knowledge base failed",
        KNOWLEDGE_RETRIEVAL_DUPLICATED_CACHED KnowledgeRetrieval Completed "Used what was looked up before",
        REQUEST_ORCHESTRATION_SIMPLE RequestOrchestration Other "Took this as a simple request",
        REQUEST_ORCHESTRATION_COMPLEX RequestOrchestration Other "Took this as a complex request",
        REQUEST_ORCHESTRATION_CAPABILITIES RequestOrchestration Other "Took this as a question about capabilities",
        REQUEST_ORCHESTRATION_KNOWLEDGE_BASE RequestOrchestration Other "Decided to consult the knowledge base",
        REQUEST_ORCHESTRATION_TOOL_USAGE RequestOrchestration Other "Decided to use a tool",
        REQUEST_ORCHESTRATION_COLLABORATION RequestOrchestration Other "Decided to ask other agents",
        PLAN_ORCHESTRATION_COMPLEX_INITIATED Plan Started "Planning",
        PLAN_ORCHESTRATION_COMPLEX_IN_PROGRESS Plan InProgress "Following the plan",
        PLAN_ORCHESTRATION_COMPLEX_COMPLETED Plan Completed "Plan carried out",
        PLAN_ORCHESTRATION_COMPLEX_REVIEW_INITIATED PlanReview Started "Reviewing the plan",
        PLAN_ORCHESTRATION_COMPLEX_REVIEW_IN_PROGRESS PlanReview InProgress "Reviewing the plan",
        PLAN_ORCHESTRATION_COMPLEX_REVIEW_COMPLETED PlanReview Completed "Plan reviewed",
        PLAN_ORCHESTRATION_KNOWLEDGE_BASE_INITIATED PlanKnowledgeBase Started "Consulting the knowledge base",
        PLAN_ORCHESTRATION_KNOWLEDGE_BASE_IN_PROGRESS PlanKnowledgeBase InProgress "Consulting the knowledge base",
        PLAN_ORCHESTRATION_KNOWLEDGE_BASE_COMPLETED PlanKnowledgeBase Completed "Knowledge base consulted",
        PLAN_ORCHESTRATION_KNOWLEDGE_RETRIEVAL_INITIATED PlanKnowledgeBase InProgress "Searching the knowledge base",
        PLAN_ORCHESTRATION_TOOL_USAGE_INITIATED PlanToolUsage Started "Choosing tools",
        PLAN_ORCHESTRATION_TOOL_USAGE_IN_PROGRESS PlanToolUsage InProgress "Using tools",
        PLAN_ORCHESTRATION_TOOL_USAGE_COMPLETED PlanToolUsage Completed "Tools used",
        PLAN_ORCHESTRATION_REFLECTION_INITIATED PlanReflection Started "Checking the result",
        PLAN_ORCHESTRATION_REFLECTION_ABORTED PlanReflection Failed "Checking the result was stopped",
        PLAN_ORCHESTRATION_REFLECTION_FAILED PlanReflection Failed "Checking the result failed",
        PLAN_ORCHESTRATION_REFLECTION_COMPLETED PlanReflection Completed "Result checked",
        PLAN_ORCHESTRATION_COLLABORATION_INITIATED PlanCollaboration Started "Asking other agents",
        PLAN_ORCHESTRATION_COLLABORATION_IN_PROGRESS PlanCollaboration InProgress "Working with other agents",
        PLAN_ORCHESTRATION_COLLABORATION_COMPLETED PlanCollaboration Completed "Other agents are done",
        MULTI_ASSISTANT_COLLABORATION_STARTED Collaboration Started "Agents work together",
        MULTI_ASSISTANT_COLLABORATION_ASSISTANT_RESPONSE_IN_PROGRESS AssistantResponse InProgress "An agent answers",
        MULTI_ASSISTANT_COLLABORATION_ASSISTANT_RESPONSE_COMPLETED AssistantResponse Completed "An agent answered",
        MULTI_ASSISTANT_COLLABORATION_UNIFIED_RESPONSE_STARTED Collaboration InProgress "Bringing the answers together",
        MULTI_ASSISTANT_COLLABORATION_NO_UNIFIED_RESPONSE_REQUIRED Collaboration Other "Left the answers apart",
        MULTI_ASSISTANT_COLLABORATION_COMPLETED Collaboration Completed "Agents worked together",
        MULTI_ASSISTANT_COLLABORATION_FAILED Collaboration Failed "Working together failed",
        CONTEXT_MEMORIES_RETRIEVAL_FAILED ContextMemories Failed "Earlier context could not be read",
    }
}
