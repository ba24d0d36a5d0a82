//! The body of a post: its items of text, files and decisions (specification, Message content item
//! and Endpoint 6).

use crate::{RawApprovalRequest, json::quote};

/// Which of two spellings is used for the items on which the specification contradicts itself (its
/// section Open points of the endpoints).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The declared body schema: `toolApprovalResult`, `imageId`.
    #[default]
    Declared,
    /// The integration guidance: `tool_approval_results`, `image_url` with a `url`.
    Guide,
}

/// One item of the content of a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentItem {
    /// Type `text`: this text.
    Text(String),
    /// Type `document`: a file, by its identifier.
    Document(String),
    /// Type `image`: an image, by the identifier of its file.
    Image(String),
    /// Type `tool_approval_result`: one whole batch, each request with its `approvalResult` set.
    ToolApprovalResult(Vec<RawApprovalRequest>),
}

/// Body of a posted message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PostMessage {
    /// Items of the message: at most 100 of any kinds; the results of one batch all in one post.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 100))]
    pub content: Vec<ContentItem>,
    /// Spelling of what the specification leaves open.
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
