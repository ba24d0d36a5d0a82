//! Posted content in both spellings (specification, Message content item and Open points of the
//! endpoints).
#![allow(clippy::unwrap_used, missing_docs, reason = "tests may fail loudly")]

use assent_protocol::{ContentItem, Dialect, PostMessage, RawApprovalRequest};
use serde_json::{Value, json};

fn items() -> Vec<ContentItem> {
    let result: RawApprovalRequest = serde_json::from_str(r#"{"toolId":"t"}"#).unwrap();
    vec![
        ContentItem::ToolApprovalResult(vec![result]),
        ContentItem::Text("Hi \"there\"\n".to_owned()),
        ContentItem::Document("file-1".to_owned()),
        ContentItem::Image("image-1".to_owned()),
    ]
}

fn body(dialect: Dialect) -> Value {
    let content = items();
    serde_json::from_str(&PostMessage { content, dialect }.to_json()).unwrap()
}

#[test]
fn the_declared_spelling() {
    let expected = json!({"content": [
        {"type": "tool_approval_result", "toolApprovalResult": [{"toolId": "t"}]},
        {"type": "text", "text": "Hi \"there\"\n"},
        {"type": "document", "fileId": "file-1"},
        {"type": "image", "imageId": "image-1"},
    ]});
    assert_eq!(body(Dialect::Declared), expected);
    assert_eq!(Dialect::default(), Dialect::Declared);
}

#[test]
fn the_spelling_of_the_integration_guidance() {
    let expected = json!({"content": [
        {"type": "tool_approval_result", "tool_approval_results": [{"toolId": "t"}]},
        {"type": "text", "text": "Hi \"there\"\n"},
        {"type": "document", "fileId": "file-1"},
        {"type": "image_url", "url": "image-1"},
    ]});
    assert_eq!(body(Dialect::Guide), expected);
}
