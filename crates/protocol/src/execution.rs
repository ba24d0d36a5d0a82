//! Extension `executions`: what became of one tool run, step by step.

#[cfg(feature = "openapi")]
use crate::openapi;
use crate::{AgentId, ExecutionId, ThreadId, Timestamp, wire_type::wire_type};

wire_type! {
    /// Extension `executions`: a tool run with all that is known of it.
    pub struct ToolExecution {
        /// Identifier of this tool run.
        pub tool_execution_id: ExecutionId as String = "toolExecutionId" required,
        /// The tool as the audit names it: its provider and its name.
        pub tool_id: String = "toolId",
        /// Identifier of the thread.
        pub thread_id: ThreadId as String = "threadId",
        /// The agent that called the tool: the thread's, or a colleague of it.
        pub agent_id: AgentId as String = "agentId",
        /// The steps so far, in their order.
        pub steps: Vec<ExecutionStep> = "steps",
    }
}

wire_type! {
    /// Extension `executions`: a step of a tool run.
    pub struct ExecutionStep {
        /// What happened.
        pub step: String as String { schema_with = openapi::step_schema } = "step",
        /// Time of the step, UTC.
        pub at: Timestamp as String { format = DateTime } = "at",
        /// SHA-256 of the exact arguments that the step is about, or of the result, in hexadecimal
        /// digits; left out if they are not stored.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub hash: String = "hash",
        /// The exact arguments as the text of a JSON object: of `proposed`, `shown` and
        /// `effective`. Of `shown` they are those that the texts of the request stand for.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub arguments: String = "arguments",
        /// What was decided: of `decided`.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub decision: String as String { schema_with = openapi::step_decision_schema }
            = "decision",
        /// Who or what decided that a person is asked (`shown`), that the call may run (`decided`),
        /// or that its outcome is not known (`result`); left out if nobody says it.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub by: String as String { schema_with = openapi::step_source_schema } = "by",
        /// Name of the rule or the limit that decided.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub rule: String = "rule",
        /// Identifier of the grant that decided, or that a person gave with the decision.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub grant_id: String = "grantId",
        /// Version of the agent's policy; left out of an agent without one.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub policy: String = "policy",
        /// The way in which the run ended: of `result`.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub outcome: String as String { schema_with = openapi::step_outcome_schema } = "outcome",
        /// The text that the agent was given as the result: of `result`.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub text: String = "text",
    }
}
