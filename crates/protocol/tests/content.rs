//! Posted content in both spellings (specification, Message content item and Open points of the
//! endpoints).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests may fail loudly"
)]

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

#[test]
fn both_spellings_are_read() {
    for dialect in [Dialect::Declared, Dialect::Guide] {
        let text = body(dialect)["content"].to_string();
        assert_eq!(
            serde_json::from_str::<Vec<ContentItem>>(&text).unwrap(),
            items()
        );
    }
}

#[test]
fn an_item_that_lacks_its_part_says_which() {
    let check = |item: &str, expected: &str| {
        let error = serde_json::from_str::<ContentItem>(item).unwrap_err();
        assert!(error.to_string().contains(expected), "{item}: {error}");
    };
    check(r#"{"type":"text"}"#, "text");
    check(r#"{"type":"document"}"#, "fileId");
    check(r#"{"type":"image"}"#, "imageId");
    check(r#"{"type":"tool_approval_result"}"#, "toolApprovalResult");
    check(r#"{"type":"video","text":"x"}"#, "video");
    check(r#"{"text":"x"}"#, "type");
    check("[]", "");
    check("7", "");
}
