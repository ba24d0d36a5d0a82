//! Messages as endpoint 5 returns them (specification, Stored message).

use serde::{Serialize, Serializer};

use crate::{
    FromJson, Json, MessageId, StoredToolApproval, Timestamp, ToolImage, Words,
    wire_type::wire_type,
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
        /// Extension: the files that the user sent with it; empty from a service without it.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub files: Vec<StoredFile> = "files",
        /// Extension: the sentences of the service in the text, in order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub words: Vec<Words> = "words",
        /// Extension: the images that tools made in the answer, those that are still there.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pub tool_images: Vec<ToolImage> = "toolImages",
        /// Time of storage.
        pub timestamp: Timestamp = "timestamp",
    }
}

wire_type! {
    /// Extension: a file of a stored message. It has one of the two identifiers, which is the one
    /// that the message was posted with.
    pub struct StoredFile {
        /// Of a document.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub file_id: Option<String> = "fileId",
        /// Of an image.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub image_id: Option<String> = "imageId",
        /// The user's own name for it; may be empty.
        pub name: String = "name",
        /// Its media type, as far as it is known.
        pub media_type: String = "mediaType",
        /// Its size in bytes.
        pub size: u64 = "size",
    }
}
