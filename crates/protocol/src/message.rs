//! Messages as endpoint 5 returns them (specification, Stored message).

use serde::{Serialize, Serializer};

#[cfg(feature = "openapi")]
use crate::openapi::{self, MessageFile};
use crate::{
    FromJson, Json, MessageId, StoredToolApproval, Timestamp, ToolImage, Words,
    wire_type::wire_type,
};

/// Author of a stored message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// The message was written by the user.
    User,
    /// The message was written by an agent.
    #[default]
    Assistant,
    /// A value that the specification does not have.
    Other(String),
}

impl Role {
    /// Returns the author's kind as the service spells it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Other(text) => text,
        }
    }
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
        json.as_word().map(|text| Self::from(&*text))
    }
}

impl Serialize for Role {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

wire_type! {
    /// A message of a thread, as the service stores it.
    pub struct StoredMessage {
        /// Identifier of the message.
        pub id: MessageId as String = "id",
        /// The author's kind.
        pub role: Role as String { schema_with = openapi::role_schema } = "role",
        /// Handle of the agent, on messages of agents: a name with a leading `@`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub handle: Option<String> as Option<String> { nullable = false } = "handle",
        /// Text of the message; Markdown on messages of agents.
        pub content: String = "content",
        /// The requests for approval of the message, with the present status of each tool run.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tool_execution_human_approval_request: Vec<StoredToolApproval> =
            "toolExecutionHumanApprovalRequest",
        /// Extension: the files that a message of the user came with, as far as they are still
        /// there.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub files: Vec<StoredFile> as Vec<MessageFile> = "files",
        /// Extension: the sentences of the service in the content of an agent's message.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub words: Vec<Words> = "words",
        /// Extension: the images that tools made for an agent's message, as far as they are still
        /// there.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tool_images: Vec<ToolImage> = "toolImages",
        /// Time at which the message was stored.
        pub timestamp: Timestamp as String { format = DateTime } = "timestamp",
    }
}

wire_type! {
    /// Extension: a file of a stored message. It has the identifier with which it was posted,
    /// either as a document or as an image.
    pub struct StoredFile {
        /// Identifier of the file, if it is a document.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub file_id: Option<String> as Option<String> { nullable = false } = "fileId",
        /// Identifier of the file, if it is an image.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub image_id: Option<String> as Option<String> { nullable = false } = "imageId",
        /// The user's own name for the file; may be empty.
        pub name: String = "name",
        /// Media type of the file, as far as it is known.
        pub media_type: String = "mediaType",
        /// Size of the file in bytes.
        pub size: u64 as i64 = "size",
    }
}
