//! Messages as endpoint 5 returns them (specification, Stored message).

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{MessageId, StoredToolApproval, Timestamp, lenient, object::objects};

/// Who wrote a stored message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The person.
    User,
    /// An agent.
    #[default]
    Assistant,
    /// A value that is not shown in the specification.
    Other(String),
}

impl<'de> Deserialize<'de> for Role {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = lenient::text(from)?;
        Ok(match text.as_str() {
            "user" => Self::User,
            "assistant" | "" => Self::Assistant,
            _ => Self::Other(text),
        })
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct StoredMessage {
    /// `<message_id>`.
    #[serde(default)]
    pub id: MessageId,
    /// The author's kind.
    #[serde(default)]
    pub role: Role,
    /// The agent's name with a leading `@`; on assistant messages.
    #[serde(
        default,
        deserialize_with = "lenient::optional_text",
        skip_serializing_if = "Option::is_none"
    )]
    pub handle: Option<String>,
    /// The text.
    #[serde(default, deserialize_with = "lenient::text")]
    pub content: String,
    /// On assistant messages that asked for tool approval; else empty.
    #[serde(
        default,
        deserialize_with = "lenient::list",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub tool_execution_human_approval_request: Vec<StoredToolApproval>,
    /// When it was stored.
    #[serde(default)]
    pub timestamp: Timestamp,
}

objects!(StoredMessage);
