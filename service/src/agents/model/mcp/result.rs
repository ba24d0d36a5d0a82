//! The result of a call, as the model is told it.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents, ServerResult};
use serde_json::Value;

use crate::{documents::media::image_type, transcript::CallEnd};

/// Longest image that is read of a call's result, in bytes; longer ones are left out.
const MAX_IMAGE_BYTES: usize = 5 * 1024 * 1024;
/// Most images that are read of one call's result; further ones are left out.
const MAX_IMAGES: usize = 8;

/// The end of a call, and what it brings for the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) struct CallOutcome {
    pub(in crate::agents::model) end: CallEnd,
    pub(in crate::agents::model) text: String,
    /// The bytes of each image of the result; all are of known types.
    pub(in crate::agents::model) images: Vec<Vec<u8>>,
    /// True for the first call to a process or a session of a server that works for one thread or one
    /// user: what earlier ones left there is gone.
    pub(in crate::agents::model) state_is_new: bool,
}

impl CallOutcome {
    pub(in crate::agents::model) fn new(end: CallEnd, text: &str) -> Self {
        Self {
            end,
            text: text.to_owned(),
            images: Vec::new(),
            state_is_new: false,
        }
    }
}

/// The words in the place of what cannot be read of a result.
const UNREADABLE_REST: &str = "(The rest of the result cannot be read.)";

/// Reads what a server answered to a call. A tool that answered has run, in whatever form it says
/// what came of it, unless it asks for something first.
pub(super) fn read(answer: &ServerResult) -> CallOutcome {
    match answer {
        ServerResult::CallToolResult(result) => read_result(result),
        ServerResult::InputRequiredResult(_) => CallOutcome::new(
            CallEnd::Failed,
            "The tool asked for something that only its own client could give.",
        ),
        ServerResult::CreateTaskResult(_) => CallOutcome::new(
            CallEnd::Unknown,
            "it goes on by itself, and what comes of it is not told here.",
        ),
        other => read_value(&serde_json::to_value(other).unwrap_or_default()),
    }
}

/// Reads a result of a call: its texts, and its structured value if the texts do not say the same.
fn read_result(result: &CallToolResult) -> CallOutcome {
    let mut images = Vec::new();
    let parts = result.content.iter().map(|block| part(block, &mut images));
    let mut parts: Vec<String> = parts.collect();
    if let Some(value) = &result.structured_content
        && !value.is_null()
        && !say_same(&parts, value)
    {
        parts.push(value.to_string());
    }
    CallOutcome {
        images,
        ..outcome(result.is_error == Some(true), &parts)
    }
}

/// Returns true if the texts of a result say the same as its structured value, as they should.
/// There are servers that wrap what is no object as `result`, and give each item of a list as a
/// text.
fn say_same(parts: &[String], value: &Value) -> bool {
    let wrapped = value.as_object().filter(|members| members.len() == 1);
    let wrapped = wrapped.and_then(|members| members.get("result"));
    let says = |part: &String, value: &Value| match value {
        Value::String(text) if text == part => true,
        value => serde_json::from_str::<Value>(part).is_ok_and(|said| said == *value),
    };
    [Some(value), wrapped].into_iter().flatten().any(|value| {
        let items = value.as_array().filter(|items| items.len() == parts.len());
        let each = items.is_some_and(|items| parts.iter().zip(items).all(|(p, v)| says(p, v)));
        each || parts.iter().any(|part| says(part, value))
    })
}

/// Reads an answer that is no result as the protocol has it, as far as there is something to read.
fn read_value(answer: &Value) -> CallOutcome {
    let mut content = ["content", "toolResult"].into_iter();
    let content = content.find_map(|name| answer.get(name)).unwrap_or(answer);
    let blocks = match content {
        Value::Array(blocks) => blocks.as_slice(),
        Value::Null => &[],
        Value::Object(members) if members.is_empty() => &[],
        one => std::slice::from_ref(one),
    };
    let mut images = Vec::new();
    let read = blocks.iter().map(|block| odd_part(block, &mut images));
    let read: Vec<Option<String>> = read.collect();
    let rest = read.contains(&None).then(|| UNREADABLE_REST.to_owned());
    let parts: Vec<String> = read.into_iter().flatten().chain(rest).collect();
    let is_error = answer.get("isError");
    let is_error = is_error.is_some_and(|it| *it == Value::Bool(true) || *it == "true");
    CallOutcome {
        images,
        ..outcome(is_error, &parts)
    }
}

/// Returns what can be read of a part of an answer that is not as the protocol has it: a text, a
/// value as JSON, or words for an image or a sound; `None` if nothing can.
fn odd_part(block: &Value, images: &mut Vec<Vec<u8>>) -> Option<String> {
    let kind = block.get("type").and_then(Value::as_str);
    let text = |name: &str| match block.get(name)? {
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    match kind {
        Some("image") => {
            let data = block.get("data").and_then(Value::as_str);
            Some(add_image(data.unwrap_or_default(), images))
        }
        Some("audio") => Some("(a sound)".to_owned()),
        Some(_) => ["text", "json", "data", "value"].into_iter().find_map(text),
        None => match block {
            Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        },
    }
}

/// Returns the outcome of a call whose result has the texts `parts`. Where they are empty, the
/// model is told that there was no output, or that the tool failed without saying why.
fn outcome(is_error: bool, parts: &[String]) -> CallOutcome {
    let text = parts.join("\n");
    match (is_error, text.trim().is_empty()) {
        (false, false) => CallOutcome::new(CallEnd::Succeeded, &text),
        (false, true) => CallOutcome::new(CallEnd::Succeeded, "(no output)"),
        (true, false) => CallOutcome::new(CallEnd::Failed, &text),
        (true, true) => CallOutcome::new(CallEnd::Failed, "The tool failed, and did not say why."),
    }
}

/// Adds an image, given in base64, to `images` if a model can see it; returns the words that stand
/// in its place in the text.
fn add_image(data: &str, images: &mut Vec<Vec<u8>>) -> String {
    // Some servers give an address with the scheme `data`, or break the lines.
    let data = data.split_once(";base64,").map_or(data, |(_, data)| data);
    if data.len() / 4 * 3 > MAX_IMAGE_BYTES {
        return "(an image that was left out: it is larger than 5 MB)".to_owned();
    }
    let data: String = data.split_whitespace().collect();
    let bytes = STANDARD.decode(data).unwrap_or_default();
    if image_type(&bytes).is_none() {
        return "(an image that was left out: it is no PNG, JPEG, GIF or WebP)".to_owned();
    }
    if images.len() == MAX_IMAGES {
        return format!("(an image that was left out: there are {MAX_IMAGES} before it)");
    }
    images.push(bytes);
    "(an image)".to_owned()
}

fn part(block: &ContentBlock, images: &mut Vec<Vec<u8>>) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            ResourceContents::BlobResourceContents {
                blob,
                mime_type: Some(kind),
                ..
            } if kind.starts_with("image/") => add_image(blob, images),
            _ => "(a file that is no text)".to_owned(),
        },
        ContentBlock::ResourceLink(link) => link.uri.clone(),
        ContentBlock::Image(it) => add_image(&it.data, images),
        ContentBlock::Audio(_) => "(a sound)".to_owned(),
        _ => "(something else)".to_owned(),
    }
}

/// Cuts a text that is longer than `max_bytes`, between characters, and adds a line with its
/// length.
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

    use super::{CallOutcome, cut, read};
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
                "(an image that was left out: it is no PNG, JPEG, GIF or WebP)",
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
            (
                json!({ "content": "No such order", "isError": "true" }),
                CallEnd::Failed,
                "No such order",
            ),
        ] {
            let read_as = |answer: &Value| read(&serde_json::from_value(answer.clone()).unwrap());
            assert_eq!(read_as(&answer), CallOutcome::new(end, text), "{answer}");
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
