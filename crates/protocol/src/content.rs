//! The body of a post: its items of text, files and decisions (specification, Message content item
//! and Endpoint 6).

use crate::{RawApprovalRequest, json::quote};

/// Which of two spellings is used for the items on which the specification contradicts itself (its
/// section Open points of the endpoints).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The spelling of the body's schema in the specification: `toolApprovalResult`, `imageId`.
    #[default]
    Declared,
    /// The spelling of the integration guidance: `tool_approval_results`, `image_url` with a `url`.
    Guide,
}

/// One item of the content of a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentItem {
    /// An item of type `text`, with what the person wrote.
    Text(String),
    /// An item of type `document`: a file, by the identifier that its upload returned.
    Document(String),
    /// An item of type `image`: an image, by the identifier that its upload returned.
    Image(String),
    /// An item of type `tool_approval_result`: the decisions about a whole batch, each the request
    /// with its `approvalResult` set.
    ToolApprovalResult(Vec<RawApprovalRequest>),
}

/// Body of a posted message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PostMessage {
    /// Items of the message: at most 100 of any kinds; the results of one batch all in one post.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 100))]
    pub content: Vec<ContentItem>,
    /// Which of two spellings is used where the specification contradicts itself.
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub dialect: Dialect,
}

impl PostMessage {
    /// Returns the body of the post as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let items = self
            .content
            .iter()
            .map(|item| item_json(item, self.dialect));
        let items: Vec<_> = items.collect();
        format!(r#"{{"content":[{}]}}"#, items.join(","))
    }
}

fn item_json(item: &ContentItem, dialect: Dialect) -> String {
    let guide = dialect == Dialect::Guide;
    let (kind, name, value) = match item {
        ContentItem::Text(text) => ("text", "text", quote(text)),
        ContentItem::Document(id) => ("document", "fileId", quote(id)),
        ContentItem::Image(url) if guide => ("image_url", "url", quote(url)),
        ContentItem::Image(id) => ("image", "imageId", quote(id)),
        ContentItem::ToolApprovalResult(results) => {
            let name = if guide {
                "tool_approval_results"
            } else {
                "toolApprovalResult"
            };
            let results: Vec<_> = results.iter().map(RawApprovalRequest::as_str).collect();
            (
                "tool_approval_result",
                name,
                format!("[{}]", results.join(",")),
            )
        }
    };
    format!(r#"{{"type":"{kind}","{name}":{value}}}"#)
}
