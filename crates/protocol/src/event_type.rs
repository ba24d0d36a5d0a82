//! All values of an event's `type` (specification, Event types), each with its group, phase and
//! default text.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{FromJson, Json};

/// Subject of an event. Events of one group are phases of one step of the agent's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EventGroup {
    /// The stream itself.
    Stream,
    /// The answer's text.
    Answer,
    /// Approval of tool runs.
    Approval,
    /// A tool run.
    ToolExecution,
    /// The agent's thinking.
    Thinking,
    /// Knowledge retrieval.
    KnowledgeRetrieval,
    /// Interpretation of the request.
    RequestOrchestration,
    /// A complex plan.
    Plan,
    /// The review of a complex plan.
    PlanReview,
    /// The knowledge base part of a plan.
    PlanKnowledgeBase,
    /// The tool part of a plan.
    PlanToolUsage,
    /// The reflection on a plan's result.
    PlanReflection,
    /// The collaboration part of a plan.
    PlanCollaboration,
    /// Collaboration of several agents.
    Collaboration,
    /// One agent's share of a collaboration.
    AssistantResponse,
    /// Memories of earlier conversations.
    ContextMemories,
}

/// Phase of an event within its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The step begins.
    Started,
    /// The step goes on.
    InProgress,
    /// The step succeeded.
    Completed,
    /// The step failed.
    Failed,
    /// Any other remark.
    Other,
}

/// One row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct EventTypeInfo {
    /// The service's spelling.
    pub name: &'static str,
    /// Subject of the event.
    pub group: EventGroup,
    /// Phase within its step.
    pub phase: Phase,
    /// Default English text.
    pub text: &'static str,
}

impl EventTypeInfo {
    /// Returns the type that says of its step that it is done, if this one says that it begins or
    /// goes on; `None` also where the specification has no such type.
    #[must_use]
    pub fn completion(&self) -> Option<&'static Self> {
        let is_open = matches!(self.phase, Phase::Started | Phase::InProgress);
        let completes =
            |other: &&Self| other.group == self.group && other.phase == Phase::Completed;
        EVENT_TYPES.iter().find(completes).filter(|_| is_open)
    }
}

/// The type of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventType {
    /// The stream is established.
    ConnectionEstablished,
    /// The message was accepted.
    MessageReceived,
    /// A part of the answer.
    AgentResponseChunk,
    /// The whole answer.
    AgentResponseComplete,
    /// Human approval is needed.
    ApprovalRequest,
    /// Declared; its payload is not documented.
    ApprovalResponse,
    /// Processing failed; the stream closes.
    Error,
    /// One of the declared `NOTIFICATION_*` types.
    Notification(&'static EventTypeInfo),
    /// An undeclared type; shown and passed on, never an error.
    Unknown(String),
}

impl EventType {
    /// Returns the service's spelling.
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

    /// Returns its row of the table; `None` for an undeclared type.
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
        json.word().map(|name| Self::from(&*name))
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
    phase: Phase,
    text: &'static str,
) -> EventTypeInfo {
    EventTypeInfo {
        name,
        group,
        phase,
        text,
    }
}

use EventGroup as G;
use Phase as P;

/// All declared types, in the order of the specification.
#[rustfmt::skip]
pub static EVENT_TYPES: [EventTypeInfo; 54] = [
    row("CONNECTION_ESTABLISHED", G::Stream, P::Started, "Connected"),
    row("MESSAGE_RECEIVED", G::Stream, P::Other, "Message received"),
    row("AGENT_RESPONSE_CHUNK", G::Answer, P::InProgress, "Answering"),
    row("AGENT_RESPONSE_COMPLETE", G::Answer, P::Completed, "Answered"),
    row("TOOL_EXECUTION_APPROVAL_REQUEST", G::Approval, P::Started, "Asking for approval"),
    row("TOOL_EXECUTION_APPROVAL_RESPONSE", G::Approval, P::Completed, "Decision received"),
    row("ERROR", G::Stream, P::Failed, "Failed"),
    row("NOTIFICATION_TOOL_EXECUTION_INITIATED", G::ToolExecution, P::Started, "Starting a tool"),
    row("NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS", G::ToolExecution, P::InProgress, "Running a tool"),
    row("NOTIFICATION_TOOL_EXECUTION_APPROVAL_REQUIRED", G::ToolExecution, P::Other, "Asked for approval"),
    row("NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED", G::ToolExecution, P::Other, "Approved"),
    row("NOTIFICATION_TOOL_EXECUTION_APPROVAL_DENIED", G::ToolExecution, P::Other, "Denied"),
    row("NOTIFICATION_TOOL_EXECUTION_APPROVAL_ABORTED", G::ToolExecution, P::Other, "Stopped with feedback"),
    row("NOTIFICATION_AGENT_THINKING_STARTED", G::Thinking, P::Started, "Thinking"),
    row("NOTIFICATION_AGENT_THINKING_COMPLETE", G::Thinking, P::Completed, "Thought it through"),
    row("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", G::KnowledgeRetrieval, P::Started, "Searching the knowledge base"),
    row("NOTIFICATION_KNOWLEDGE_RETRIEVAL_IN_PROGRESS", G::KnowledgeRetrieval, P::InProgress, "Reading sources"),
    row("NOTIFICATION_KNOWLEDGE_RETRIEVAL_COMPLETED", G::KnowledgeRetrieval, P::Completed, "Searched the knowledge base"),
    row("NOTIFICATION_KNOWLEDGE_RETRIEVAL_FAILED", G::KnowledgeRetrieval, P::Failed, "Searching the knowledge base failed"),
    row("NOTIFICATION_KNOWLEDGE_RETRIEVAL_DUPLICATED_CACHED", G::KnowledgeRetrieval, P::Completed, "Used what was looked up before"),
    row("NOTIFICATION_REQUEST_ORCHESTRATION_SIMPLE", G::RequestOrchestration, P::Other, "Took this as a simple request"),
    row("NOTIFICATION_REQUEST_ORCHESTRATION_COMPLEX", G::RequestOrchestration, P::Other, "Took this as a complex request"),
    row("NOTIFICATION_REQUEST_ORCHESTRATION_CAPABILITIES", G::RequestOrchestration, P::Other, "Took this as a question about capabilities"),
    row("NOTIFICATION_REQUEST_ORCHESTRATION_KNOWLEDGE_BASE", G::RequestOrchestration, P::Other, "Decided to consult the knowledge base"),
    row("NOTIFICATION_REQUEST_ORCHESTRATION_TOOL_USAGE", G::RequestOrchestration, P::Other, "Decided to use a tool"),
    row("NOTIFICATION_REQUEST_ORCHESTRATION_COLLABORATION", G::RequestOrchestration, P::Other, "Decided to ask other agents"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_INITIATED", G::Plan, P::Started, "Planning"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_IN_PROGRESS", G::Plan, P::InProgress, "Following the plan"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_COMPLETED", G::Plan, P::Completed, "Plan carried out"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_REVIEW_INITIATED", G::PlanReview, P::Started, "Reviewing the plan"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_REVIEW_IN_PROGRESS", G::PlanReview, P::InProgress, "Reviewing the plan"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COMPLEX_REVIEW_COMPLETED", G::PlanReview, P::Completed, "Plan reviewed"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_BASE_INITIATED", G::PlanKnowledgeBase, P::Started, "Consulting the knowledge base"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_BASE_IN_PROGRESS", G::PlanKnowledgeBase, P::InProgress, "Consulting the knowledge base"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_BASE_COMPLETED", G::PlanKnowledgeBase, P::Completed, "Knowledge base consulted"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_KNOWLEDGE_RETRIEVAL_INITIATED", G::PlanKnowledgeBase, P::InProgress, "Searching the knowledge base"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_INITIATED", G::PlanToolUsage, P::Started, "Choosing tools"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_IN_PROGRESS", G::PlanToolUsage, P::InProgress, "Using tools"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_COMPLETED", G::PlanToolUsage, P::Completed, "Tools used"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_INITIATED", G::PlanReflection, P::Started, "Checking the result"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_ABORTED", G::PlanReflection, P::Failed, "Checking the result was stopped"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_FAILED", G::PlanReflection, P::Failed, "Checking the result failed"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_REFLECTION_COMPLETED", G::PlanReflection, P::Completed, "Result checked"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COLLABORATION_INITIATED", G::PlanCollaboration, P::Started, "Asking other agents"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COLLABORATION_IN_PROGRESS", G::PlanCollaboration, P::InProgress, "Working with other agents"),
    row("NOTIFICATION_PLAN_ORCHESTRATION_COLLABORATION_COMPLETED", G::PlanCollaboration, P::Completed, "Other agents are done"),
    row("NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_STARTED", G::Collaboration, P::Started, "Agents work together"),
    row("NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_ASSISTANT_RESPONSE_IN_PROGRESS", G::AssistantResponse, P::InProgress, "An agent answers"),
    row("NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_ASSISTANT_RESPONSE_COMPLETED", G::AssistantResponse, P::Completed, "An agent answered"),
    row("NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_UNIFIED_RESPONSE_STARTED", G::Collaboration, P::InProgress, "Bringing the answers together"),
    row("NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_NO_UNIFIED_RESPONSE_REQUIRED", G::Collaboration, P::Other, "Left the answers apart"),
    row("NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_COMPLETED", G::Collaboration, P::Completed, "Agents worked together"),
    row("NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_FAILED", G::Collaboration, P::Failed, "Working together failed"),
    row("NOTIFICATION_CONTEXT_MEMORIES_RETRIEVAL_FAILED", G::ContextMemories, P::Failed, "Earlier context could not be read"),
];
