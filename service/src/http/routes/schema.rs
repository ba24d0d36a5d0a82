//! Schemas for the interface description only; responses are made of `assent_protocol`'s types.
//!
//! They are the same shapes: a test compares them with real answers.

#![allow(
    missing_docs,
    reason = "each type is documented for readers of the description"
)]

mod approvals;
mod files;
mod words;

use assent_protocol::EVENT_TYPES;
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

pub use approvals::{
    ApprovalStatus, StoredToolApproval, ToolApprovalRequest, ToolApprovalResponse,
};
pub use files::{File, StoredFile, ToolImage, Upload, Uploaded};
pub use words::Words;

/// One conversation with one agent.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SessionThread {
    pub id: String,
    /// "New conversation" until the first message or the user names it.
    pub thread_name: String,
    pub agent_id: String,
    pub agent_name: String,
    /// A name with a leading `@`.
    pub agent_handle: String,
    pub root_agent_build_id: String,
    /// UTC. For a thread without messages, when it was started.
    #[schema(format = DateTime)]
    pub last_message_time: String,
    #[schema(inline)]
    pub session_type: SessionType,
}

#[derive(ToSchema)]
#[schema(rename_all = "UPPERCASE")]
pub enum SessionType {
    Live,
}

/// Body of a request for a new thread.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct StartThread {
    /// More than white space.
    #[schema(
        min_length = 1,
        pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
    )]
    pub agent_id: String,
}

/// Body of a request for another name.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RenameThread {
    /// More than white space.
    #[schema(
        min_length = 1,
        max_length = 200,
        pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
    )]
    pub thread_name: String,
}

/// A stored message.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct StoredMessage {
    pub id: String,
    #[schema(inline)]
    pub role: Role,
    /// On messages of agents; a name with a leading `@`.
    #[schema(nullable = false)]
    pub handle: Option<String>,
    /// Markdown on messages of agents.
    pub content: String,
    /// On messages that asked for approval, with the present status of each tool.
    #[schema(nullable = false)]
    pub tool_execution_human_approval_request: Option<Vec<StoredToolApproval>>,
    /// Extension: on messages of the user that came with uploaded files, those that are still there.
    #[schema(nullable = false)]
    pub files: Option<Vec<StoredFile>>,
    /// Extension: on messages of agents with sentences of the service, those.
    #[schema(nullable = false)]
    pub words: Option<Vec<Words>>,
    /// Extension: on messages of agents whose tools made images, those that are still there.
    #[schema(nullable = false)]
    pub tool_images: Option<Vec<ToolImage>>,
    #[schema(format = DateTime)]
    pub timestamp: String,
}

#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Role {
    User,
    Assistant,
}

/// Body of a posted message.
#[derive(ToSchema)]
pub struct PostMessage {
    /// At most 100 items of any kinds; the results of one batch all in one post.
    #[schema(min_items = 1, max_items = 100)]
    pub content: Vec<ContentItem>,
}

/// One item of a posted message. `image_url` with `url` is understood as an image,
/// `tool_approval_results` as `toolApprovalResult`.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ContentItem {
    Text {
        text: String,
    },
    Document {
        #[serde(rename = "fileId")]
        #[schema(
            min_length = 1,
            pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
        )]
        file_id: String,
    },
    Image {
        #[serde(rename = "imageId")]
        #[schema(
            min_length = 1,
            pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]"
        )]
        image_id: String,
    },
    ToolApprovalResult {
        #[serde(rename = "toolApprovalResult")]
        #[schema(min_items = 1, max_items = 500)]
        tool_approval_result: Vec<ToolApprovalResponse>,
    },
}

/// One event of a stream as it is framed: only `data` is sent.
#[derive(ToSchema)]
pub struct StreamedEvent {
    /// The JSON of an `SseEvent`.
    #[schema(content_media_type = "application/json")]
    pub data: String,
}

/// The JSON of one `data:` line of a stream.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SseEvent {
    pub r#type: SseEventType,
    pub event_id: String,
    pub thread_id: String,
    /// Equal for all events of one stream.
    pub request_id: String,
    pub event_message: SseEventMessage,
}

/// The content of an event.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct SseEventMessage {
    /// Set while an agent other than the thread's speaks.
    #[schema(required = true)]
    pub agent: Option<Agent>,
    pub content: String,
    /// Set where `agent` is: one collaboration, one id.
    #[schema(required = true)]
    pub collaboration_id: Option<String>,
    #[schema(required = true)]
    pub active_assistant_collaboration_required: Option<bool>,
    /// Set in approval request events.
    #[schema(required = true)]
    pub tool_execution_approval_request: Option<Vec<ToolApprovalRequest>>,
    /// Extension: where `content` has sentences of the service, those.
    #[schema(nullable = false)]
    pub words: Option<Vec<Words>>,
    /// Extension: in a report of a tool that made images, those.
    #[schema(nullable = false)]
    pub tool_images: Option<Vec<ToolImage>>,
    #[schema(format = DateTime)]
    pub timestamp: String,
}

/// An agent that speaks in an answer.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Agent {
    pub name: String,
    pub id: String,
    #[schema(nullable = false)]
    pub build_id: Option<String>,
    pub build_type: String,
    pub handle: String,
}

/// A failed request.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Error {
    /// A sentence for people.
    pub message: String,
    /// The same in short.
    pub error: String,
}

/// An approval answer that cannot be read or does not fit the requests.
#[derive(ToSchema)]
pub struct RejectedForm {
    pub message: String,
    pub error: String,
    pub details: RejectedDetails,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RejectedDetails {
    pub batch_id: String,
    pub issues: Vec<Issue>,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct Issue {
    pub tool_execution_id: String,
    pub error: String,
}

/// An approval answer that stops some tools of a batch and decides about others.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct RejectedMix {
    pub message: String,
    pub error: String,
    pub batch_id: String,
    pub conflicting_states: Vec<ApprovalStatus>,
    pub invalid_states: Vec<InvalidState>,
}

#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct InvalidState {
    pub tool_execution_id: String,
    pub state: ApprovalStatus,
}

/// The body of a refused post.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[serde(untagged)]
pub enum BadPost {
    Form(RejectedForm),
    Mix(RejectedMix),
    Other(Error),
}

/// All values of an event's `type`.
pub struct SseEventType;

impl PartialSchema for SseEventType {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("What happened."))
            .enum_values(Some(EVENT_TYPES.iter().map(|info| Value::from(info.name))))
            .into()
    }
}

impl ToSchema for SseEventType {}
