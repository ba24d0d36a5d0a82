//! What waits for a decision of the user over all threads and agents: the extension `inbox`.

#[cfg(feature = "openapi")]
use crate::openapi;
use crate::{
    AgentId, ApprovalRequest, BatchId, ExecutionId, Json, ThreadId, Timestamp,
    approval::serialize_told_arguments, wire_type::wire_type,
};

wire_type! {
    /// Extension `inbox`: a batch that waits for the user's decision, with the thread in which it
    /// is decided.
    pub struct WaitingBatch {
        /// Identifier of the batch: `toolExecutionBatchId` in the streamed request.
        pub tool_execution_batch_id: BatchId as String = "toolExecutionBatchId",
        /// Identifier of the thread.
        pub thread_id: ThreadId as String = "threadId" required,
        /// Name of the thread.
        pub thread_name: String = "threadName",
        /// The agent that the thread is bound to.
        pub agent_id: AgentId as String = "agentId",
        /// The agent's display name.
        pub agent_name: String = "agentName",
        /// Handle of the agent: a name with a leading `@`.
        pub agent_handle: String = "agentHandle",
        /// Time at which the person was asked, UTC.
        pub requested_at: Timestamp as String { format = DateTime } = "requestedAt",
        /// Extension `expiry`: the time from which on no decision is taken any more; left out if the
        /// batch waits for ever.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub expires_at: Option<Timestamp> as String { format = DateTime } = "expiresAt",
        /// The tool runs that are decided together, in the order of the request.
        pub tools: Vec<WaitingTool> = "tools",
    }
}

wire_type! {
    /// Extension `inbox`: a tool run that waits for a decision. The names are those of the streamed
    /// request.
    pub struct WaitingTool {
        /// Identifier of the tool.
        pub tool_id: String = "toolId",
        /// Display name of the tool.
        pub tool_name: String = "toolName",
        /// Provider of the tool.
        pub tool_provider: String = "toolProvider",
        /// Category of the tool.
        pub tool_category: String = "toolCategory",
        /// Identifier of this tool run.
        pub tool_execution_id: ExecutionId as String = "toolExecutionId",
        /// The reason why a person is asked to decide; left out if there is none to tell.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub reason: String = "reason",
        /// What the tool does to the world, where the policy or the tool's server says it.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub effect: String as String { schema_with = openapi::effect_schema } = "effect",
        /// Who says what the tool does; left out together with `effect`.
        #[serde(skip_serializing_if = "String::is_empty")]
        pub effect_source: String as String { schema_with = openapi::effect_source_schema }
            = "effectSource",
        /// True if the tool is new or was changed since it was last accepted; left out otherwise.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub definition_changed: bool = "definitionChanged",
        /// Names and values of the tool's arguments, in order of arrival, for those who ask for
        /// them.
        #[serde(
            serialize_with = "serialize_told_arguments",
            skip_serializing_if = "Option::is_none"
        )]
        pub tool_arguments: Option<Vec<(String, String)>>
            as BTreeMap<String, String> { required = false } = "toolArguments",
    }
}

impl WaitingTool {
    /// Returns what is told of a request, with its arguments or without.
    #[must_use]
    pub fn of(request: ApprovalRequest, with_arguments: bool) -> Self {
        Self {
            tool_id: request.tool_id,
            tool_name: request.tool_name,
            tool_provider: request.tool_provider,
            tool_category: request.tool_category,
            tool_execution_id: request.tool_execution_id,
            reason: request.reason,
            effect: request.effect,
            effect_source: request.effect_source,
            definition_changed: request.definition_changed,
            tool_arguments: with_arguments.then_some(request.tool_arguments),
        }
    }
}

/// Reads a list of batches that wait as the threads in which they do, in the order of the list, each
/// with the number of its tool runs: those with `agent`, or those with any agent without it. Returns
/// `None` if it is no list.
// By hand: a list of `WaitingBatch` would be read whole, and each visitor would download how.
#[must_use]
pub fn read_waiting(text: &str, agent: Option<&AgentId>) -> Option<Vec<(ThreadId, usize)>> {
    let mut waiting: Vec<(ThreadId, usize)> = Vec::new();
    for batch in Json::new(text)?.items()? {
        let Some(batch) = batch.object() else {
            continue;
        };
        let thread = batch.text("threadId");
        let is_other = |agent: &AgentId| batch.text("agentId") != agent.as_str();
        if thread.is_empty() || agent.is_some_and(is_other) {
            continue;
        }
        let tools = batch.get("tools").and_then(Json::items);
        let count = tools.map_or(0, |tools| tools.len());
        match waiting.iter_mut().find(|(it, _)| it.as_str() == thread) {
            Some((_, sum)) => *sum += count,
            None => waiting.push((ThreadId(thread), count)),
        }
    }
    Some(waiting)
}
