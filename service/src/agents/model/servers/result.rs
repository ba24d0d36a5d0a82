//! The result of a call, as the model is told it.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, ServerResult};
use serde_json::Value;

use crate::transcript::CallEnd;

/// The end of a call and its text for the model.
pub(in crate::agents::model) type Outcome = (CallEnd, String);

/// Words for what a result holds and nobody here can read.
const UNREADABLE: &str = "(The rest of the result cannot be read.)";

/// Reads what a server answered to a call. A tool that answered has run, in whatever form it says
/// what came of it, unless it asks for something first.
pub(super) fn read(answer: &ServerResult) -> Outcome {
    match answer {
        ServerResult::CallToolResult(result) => read_result(result),
        ServerResult::InputRequiredResult(_) => (
            CallEnd::Failed,
            "The tool asked for something that only its own client could give.".to_owned(),
        ),
        ServerResult::CreateTaskResult(_) => (
            CallEnd::Unknown,
            "it goes on by itself, and what comes of it is not told here.".to_owned(),
        ),
        other => read_value(&serde_json::to_value(other).unwrap_or_default()),
    }
}

/// Reads a result: its texts, or without any its structured value.
fn read_result(result: &CallToolResult) -> Outcome {
    let mut parts: Vec<String> = result.content.iter().map(part).collect();
    if parts.is_empty()
        && let Some(value) = &result.structured_content
    {
        parts.push(value.to_string());
    }
    outcome(result.is_error == Some(true), parts)
}

/// Reads an answer that is no result as the protocol has it, as far as there is something to read.
fn read_value(answer: &Value) -> Outcome {
    let mut content = ["content", "toolResult"].into_iter();
    let content = content.find_map(|name| answer.get(name)).unwrap_or(answer);
    let blocks = match content {
        Value::Array(blocks) => blocks.as_slice(),
        Value::Null => &[],
        Value::Object(members) if members.is_empty() => &[],
        one => std::slice::from_ref(one),
    };
    let read: Vec<Option<String>> = blocks.iter().map(odd_part).collect();
    let rest = read.contains(&None).then(|| UNREADABLE.to_owned());
    let parts = read.into_iter().flatten().chain(rest).collect();
    outcome(answer.get("isError") == Some(&Value::Bool(true)), parts)
}

/// Returns what can be read of a part of an odd answer: a text, or a value that is no block.
fn odd_part(block: &Value) -> Option<String> {
    let kind = block.get("type").and_then(Value::as_str);
    let text = |name: &str| match block.get(name)? {
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    match kind {
        Some("image") => Some("(an image)".to_owned()),
        Some("audio") => Some("(a sound)".to_owned()),
        Some(_) => ["text", "json", "data", "value"].into_iter().find_map(text),
        None => match block {
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        },
    }
}

fn outcome(is_error: bool, mut parts: Vec<String>) -> Outcome {
    if parts.is_empty() {
        parts.push("(no output)".to_owned());
    }
    let end = match is_error {
        true => CallEnd::Failed,
        false => CallEnd::Succeeded,
    };
    (end, parts.join("\n"))
}

fn part(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            _ => "(a file that is no text)".to_owned(),
        },
        ContentBlock::ResourceLink(link) => link.uri.clone(),
        ContentBlock::Image(_) => "(an image)".to_owned(),
        ContentBlock::Audio(_) => "(a sound)".to_owned(),
        _ => "(something else)".to_owned(),
    }
}

/// Cuts a text to this many bytes, between characters, and says so.
pub(super) fn cut(text: &mut String, max_bytes: usize) {
    if text.len() <= max_bytes {
        return;
    }
    let length = text.len();
    text.truncate(text.floor_char_boundary(max_bytes));
    text.push_str(&format!("\n(cut: {length} bytes in all)"));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{cut, read};
    use crate::transcript::CallEnd;

    #[test]
    fn what_answered_has_run_and_says_what_can_be_read_of_it() {
        let rest = "(The rest of the result cannot be read.)";
        for (answer, end, text) in [
            (
                json!({ "content": [{ "type": "text", "text": "Done" }] }),
                CallEnd::Succeeded,
                "Done",
            ),
            (json!({ "content": [] }), CallEnd::Succeeded, "(no output)"),
            (
                json!({ "content": [{ "type": "text", "text": { "id": 7 } }] }),
                CallEnd::Succeeded,
                "{\"id\":7}",
            ),
            (
                json!({ "content": "Refund 7 booked" }),
                CallEnd::Succeeded,
                "Refund 7 booked",
            ),
            (
                json!({ "content": [{ "type": "json", "json": { "id": 7 } }] }),
                CallEnd::Succeeded,
                "{\"id\":7}",
            ),
            (
                json!({ "content": [{ "type": "image", "data": "aGk=" }] }),
                CallEnd::Succeeded,
                "(an image)",
            ),
            (
                json!({ "toolResult": { "id": 7 } }),
                CallEnd::Succeeded,
                "{\"id\":7}",
            ),
            (
                json!({ "toolResult": [{ "type": "text", "text": "Done" }] }),
                CallEnd::Succeeded,
                "Done",
            ),
            (json!({ "id": 7 }), CallEnd::Succeeded, "{\"id\":7}"),
            (json!({}), CallEnd::Succeeded, "(no output)"),
            (json!("Done"), CallEnd::Succeeded, "Done"),
            (json!(null), CallEnd::Succeeded, "(no output)"),
            (
                json!({ "content": [{ "type": "text", "text": "Done" }, { "type": "chart", "points": [1] }] }),
                CallEnd::Succeeded,
                &format!("Done\n{rest}"),
            ),
            (
                json!({ "content": "No such order", "isError": true }),
                CallEnd::Failed,
                "No such order",
            ),
        ] {
            let read_as = |answer: &Value| read(&serde_json::from_value(answer.clone()).unwrap());
            assert_eq!(read_as(&answer), (end, text.to_owned()), "{answer}");
        }
    }

    #[test]
    fn a_long_result_is_cut_between_characters_and_says_so() {
        let mut text = "aäb".to_owned();
        cut(&mut text, 2);
        assert_eq!(text, "a\n(cut: 4 bytes in all)");
        let mut short = "aä".to_owned();
        cut(&mut short, 3);
        assert_eq!(short, "aä");
    }
}
