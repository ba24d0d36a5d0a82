//! Session threads and the bodies that create and rename them (specification, Resources and
//! Endpoints 1 to 4).

#[cfg(feature = "openapi")]
use crate::openapi;
use crate::{AgentId, ThreadId, Timestamp, json::quote, wire_type::wire_type};

wire_type! {
    /// A thread: one conversation with one agent.
    // The specification does not say which fields are always present, so only `id` is required.
    pub struct SessionThread {
        /// Identifier of the thread.
        pub id: ThreadId as String = "id" required,
        /// Name of the thread: "New conversation" until the first message or the user names it.
        pub thread_name: String = "threadName",
        /// The agent that the thread is bound to.
        pub agent_id: AgentId as String = "agentId",
        /// The agent's display name.
        pub agent_name: String = "agentName",
        /// Handle of the agent: a name with a leading `@`.
        pub agent_handle: String = "agentHandle",
        /// The build of the agent.
        pub root_agent_build_id: String = "rootAgentBuildId",
        /// Time of the last message, UTC; for a thread without messages, when it was started.
        pub last_message_time: Timestamp as String { format = DateTime } = "lastMessageTime",
        /// Type of the session; `LIVE` is the only documented value.
        pub session_type: String as String { schema_with = openapi::session_type_schema }
            = "sessionType",
    }
}

/// Body of a request for a new thread.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(
    feature = "openapi",
    schema(as = StartThread, rename_all = "camelCase")
)]
pub struct CreateThread {
    /// The agent to talk to; more than white space.
    #[cfg_attr(
        feature = "openapi",
        schema(
            value_type = String,
            min_length = 1,
            pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
        )
    )]
    pub agent_id: AgentId,
}

impl CreateThread {
    /// Returns the body of the request as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        format!(r#"{{"agentId":{}}}"#, quote(self.agent_id.as_str()))
    }
}

/// Body of a request that renames a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(rename_all = "camelCase"))]
pub struct RenameThread {
    /// The new name of the thread; more than white space.
    #[cfg_attr(
        feature = "openapi",
        schema(
            min_length = 1,
            max_length = 200,
            pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
        )
    )]
    pub thread_name: String,
}

impl RenameThread {
    /// Returns the body of the request as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        format!(r#"{{"threadName":{}}}"#, quote(&self.thread_name))
    }
}
