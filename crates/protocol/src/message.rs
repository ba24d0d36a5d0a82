//! Messages as endpoint 5 returns them (specification, Stored message).

use serde::{Serialize, Serializer};

use crate::{
    FromJson, Json, MessageId, StoredToolApproval, Timestamp, json::deserialize_from_json,
};

/// Author of a stored message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The user.
    User,
    /// An agent.
    #[default]
    Assistant,
    /// A value not documented in the specification.
    Other(String),
}

impl From<String> for Role {
    fn from(text: String) -> Self {
        match text.as_str() {
            "user" => Self::User,
            "assistant" | "" => Self::Assistant,
            _ => Self::Other(text),
        }
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Other(text) => text,
        })
    }
}

/// A stored message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredMessage {
    /// `<message_id>`.
    pub id: MessageId,
    /// The author's kind.
    pub role: Role,
    /// The agent's name with a leading `@`; on assistant messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handle: Option<String>,
    /// The text.
    pub content: String,
    /// Approval requests of assistant messages that have some; otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_execution_human_approval_request: Vec<StoredToolApproval>,
    /// Time of storage.
    pub timestamp: Timestamp,
}

deserialize_from_json!(StoredMessage);

impl FromJson for StoredMessage {
    #[inline(never)] // Browsers optimise what runs thousands of times: only this, and not all around it.
    fn from_json(json: Json<'_>) -> Option<Self> {
        let object = json.object()?;
        Some(Self {
            id: MessageId(object.text("id")),
            role: Role::from(object.text("role")),
            handle: object.optional_text("handle"),
            content: object.text("content"),
            tool_execution_human_approval_request: object.list("toolExecutionHumanApprovalRequest"),
            timestamp: Timestamp(object.text("timestamp")),
        })
    }
}
