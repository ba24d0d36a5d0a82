//! Requests for approval and their answers, as the description has them.

use std::collections::BTreeMap;

use utoipa::ToSchema;

/// A tool of a stored approval request; some names differ from the streamed request.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct StoredToolApproval {
    pub tool_id: String,
    pub name: String,
    pub provider: String,
    pub category: String,
    pub tool_execution_id: String,
    pub execution_batch_id: String,
    pub tool_arguments: BTreeMap<String, String>,
    pub status: ApprovalStatus,
    /// The extension `memory-id`: with it the whole request is here, and whoever reads it can
    /// answer it.
    pub tool_memory_id: String,
    /// Why a person is asked, where there is a reason to tell.
    #[schema(nullable = false)]
    pub reason: Option<String>,
    #[schema(inline, nullable = false)]
    pub effect: Option<ToldEffect>,
    #[schema(inline, nullable = false)]
    pub effect_source: Option<EffectSource>,
    /// True if the tool is new or was changed since it was last accepted; left out otherwise.
    #[schema(nullable = false)]
    pub definition_changed: Option<bool>,
    /// What the server says of a tool that is new or was changed, by names such as `description`
    /// and `inputSchema`; left out otherwise, and if it is too long to be read.
    #[schema(nullable = false)]
    pub definition: Option<BTreeMap<String, String>>,
    /// What it said when the tool was last accepted, if that is known.
    #[schema(nullable = false)]
    pub accepted_definition: Option<BTreeMap<String, String>>,
}

/// The status of the approval of one run of a tool.
#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ApprovalStatus {
    PendingHumanApproval,
    Approved,
    Denied,
    AbortedWithFeedback,
}

/// What a tool does, where the policy or the tool's server says it.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum ToldEffect {
    Reads,
    Writes,
    /// What it does cannot be undone.
    Deletes,
}

/// Who says what a tool does; left out together with `effect`.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum EffectSource {
    /// A rule of the service.
    Policy,
    /// A hint of the tool's server, which is no more than a claim. It never makes a tool sound more
    /// harmless than a rule does.
    Server,
}

/// The decision about one tool: the request as it was streamed, with `approvalResult` changed.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ToolApprovalResponse {
    pub tool_id: String,
    pub tool_name: String,
    pub tool_provider: String,
    pub tool_category: String,
    pub tool_execution_id: String,
    pub tool_execution_batch_id: String,
    pub tool_memory_id: String,
    /// If sent, it has to be as it was asked.
    #[schema(nullable = false)]
    pub tool_arguments: Option<BTreeMap<String, String>>,
    #[schema(inline)]
    pub approval_result: Decision,
    /// If sent, it has to be as it was asked.
    #[schema(nullable = false)]
    pub reason: Option<String>,
    #[schema(inline, nullable = false)]
    pub effect: Option<ToldEffect>,
    #[schema(inline, nullable = false)]
    pub effect_source: Option<EffectSource>,
    /// If sent, it has to be as it was asked.
    #[schema(nullable = false)]
    pub definition_changed: Option<bool>,
    /// If sent, it has to be as it was asked.
    #[schema(nullable = false)]
    pub definition: Option<BTreeMap<String, String>>,
    /// If sent, it has to be as it was asked.
    #[schema(nullable = false)]
    pub accepted_definition: Option<BTreeMap<String, String>>,
    /// Of an approval with `definition`: false if this call alone is approved, and not the tool as it
    /// is defined now.
    #[schema(nullable = false)]
    pub accept_definition: Option<bool>,
}

#[derive(ToSchema)]
#[schema(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Decision {
    Approved,
    Denied,
    /// For every tool of the batch or for none.
    AbortedWithFeedback,
    /// The same as `ABORTED_WITH_FEEDBACK`.
    Aborted,
}

/// A tool that needs approval.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct ToolApprovalRequest {
    pub tool_id: String,
    pub tool_name: String,
    pub tool_provider: String,
    pub tool_category: String,
    pub tool_execution_id: String,
    /// Tools with the same one are decided about in one post.
    pub tool_execution_batch_id: String,
    pub tool_memory_id: String,
    pub tool_arguments: BTreeMap<String, String>,
    pub approval_result: ApprovalStatus,
    /// Why a person is asked, where there is a reason to tell.
    #[schema(nullable = false)]
    pub reason: Option<String>,
    #[schema(inline, nullable = false)]
    pub effect: Option<ToldEffect>,
    #[schema(inline, nullable = false)]
    pub effect_source: Option<EffectSource>,
    /// True if the tool is new or was changed since it was last accepted; left out otherwise.
    #[schema(nullable = false)]
    pub definition_changed: Option<bool>,
    /// What the server says of a tool that is new or was changed, by names such as `description`
    /// and `inputSchema`; left out otherwise, and if it is too long to be read.
    #[schema(nullable = false)]
    pub definition: Option<BTreeMap<String, String>>,
    /// What it said when the tool was last accepted, if that is known.
    #[schema(nullable = false)]
    pub accepted_definition: Option<BTreeMap<String, String>>,
}
