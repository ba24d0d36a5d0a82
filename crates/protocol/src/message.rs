//! Messages as endpoint 5 returns them (specification, Stored message).

use serde::{Serialize, Serializer};

use crate::{FromJson, Json, MessageId, StoredToolApproval, Timestamp, wire_type::wire_type};

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

impl From<&str> for Role {
    fn from(text: &str) -> Self {
        match text {
            "user" => Self::User,
            "assistant" | "" => Self::Assistant,
            other => Self::Other(other.to_owned()),
        }
    }
}

impl FromJson for Role {
    fn from_json(json: Json<'_>) -> Option<Self> {
        json.word().map(|text| Self::from(&*text))
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

wire_type! {
    /// A stored message.
    pub struct StoredMessage {
        /// `<message_id>`.
        pub id: MessageId = "id",
        /// The author's kind.
        pub role: Role = "role",
        /// The agent's name with a leading `@`; on assistant messages.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub handle: Option<String> = "handle",
        /// The text.
        pub content: String = "content",
        /// Approval requests of assistant messages that have some; otherwise empty.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tool_execution_human_approval_request: Vec<StoredToolApproval> =
            "toolExecutionHumanApprovalRequest",
        /// Time of storage.
        pub timestamp: Timestamp = "timestamp",
    }
}
