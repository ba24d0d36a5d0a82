//! What a posted message is made of (specification, Message content item and Endpoint 6).

use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap};

use crate::RawApprovalRequest;

/// Which spelling of the open points is sent (specification, Open points of the endpoints).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The declared body schema: `toolApprovalResult`, `imageId`.
    #[default]
    Declared,
    /// The integration guidance: `tool_approval_results`, `image_url` with a `url`.
    Guide,
}

/// One message content item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentItem {
    /// `text`.
    Text(String),
    /// `document`, by its file identifier.
    Document(String),
    /// `image`, by its image file identifier.
    Image(String),
    /// `tool_approval_result`: one whole batch, each request with its `approvalResult` set.
    ToolApprovalResult(Vec<RawApprovalRequest>),
}

/// Body of endpoint 6, add session thread message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostMessage {
    /// The items, in order.
    pub content: Vec<ContentItem>,
    /// How the open points are spelled.
    pub dialect: Dialect,
}

impl Serialize for PostMessage {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let items: Vec<_> = self
            .content
            .iter()
            .map(|item| Spelled(item, self.dialect))
            .collect();
        let mut map = to.serialize_map(Some(1))?;
        map.serialize_entry("content", &items)?;
        map.end()
    }
}

struct Spelled<'a>(&'a ContentItem, Dialect);

impl Serialize for Spelled<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        let guide = self.1 == Dialect::Guide;
        match self.0 {
            ContentItem::Text(text) => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", text)?;
            }
            ContentItem::Document(id) => {
                map.serialize_entry("type", "document")?;
                map.serialize_entry("fileId", id)?;
            }
            ContentItem::Image(url) if guide => {
                map.serialize_entry("type", "image_url")?;
                map.serialize_entry("url", url)?;
            }
            ContentItem::Image(id) => {
                map.serialize_entry("type", "image")?;
                map.serialize_entry("imageId", id)?;
            }
            ContentItem::ToolApprovalResult(results) => {
                map.serialize_entry("type", "tool_approval_result")?;
                let name = if guide {
                    "tool_approval_results"
                } else {
                    "toolApprovalResult"
                };
                map.serialize_entry(name, results)?;
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for ContentItem {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let item = AnyItem::deserialize(from)?;
        let missing = serde::de::Error::missing_field;
        match item.kind.as_str() {
            "text" => item.text.map(Self::Text).ok_or_else(|| missing("text")),
            "document" => item
                .file_id
                .map(Self::Document)
                .ok_or_else(|| missing("fileId")),
            "image" | "image_url" => item
                .image_id
                .map(Self::Image)
                .ok_or_else(|| missing("imageId")),
            "tool_approval_result" => item
                .tool_approval_result
                .map(Self::ToolApprovalResult)
                .ok_or_else(|| missing("toolApprovalResult")),
            other => Err(serde::de::Error::unknown_variant(
                other,
                &["text", "document", "image", "tool_approval_result"],
            )),
        }
    }
}

/// All spellings of all kinds at once.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnyItem {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    file_id: Option<String>,
    #[serde(alias = "url")]
    image_id: Option<String>,
    #[serde(alias = "tool_approval_results")]
    tool_approval_result: Option<Vec<RawApprovalRequest>>,
}
