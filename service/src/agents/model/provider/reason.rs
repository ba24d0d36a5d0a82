//! The reason of a failure, in whatever form a server says it.

use serde_json::Value;

/// Most values within each other in which a reason is looked for.
const MAX_DEPTH: usize = 6;

/// Names of the members of JSON objects that hold a reason, the most telling first.
const REASON_MEMBERS: [&str; 10] = [
    "error",
    "message",
    "detail",
    "details",
    "msg",
    "errors",
    "error_description",
    "description",
    "Message",
    "reason",
];

/// Returns the reason that the body of a failed request gives: JSON of any shape, frames of a
/// stream, a page, or text. `None` if it gives none.
pub(in crate::agents::model) fn reason(body: &str) -> Option<String> {
    let body = body.trim_start_matches('\u{feff}').trim();
    if let Ok(value) = serde_json::from_str::<Value>(body) {
        return find_reason(&value, 0);
    }
    let frames = body.lines().filter_map(|line| line.strip_prefix("data:"));
    let mut frames = frames.filter_map(|data| serde_json::from_str::<Value>(data.trim()).ok());
    if let Some(found) = frames.find_map(|value| find_reason(&value, 0)) {
        return Some(found);
    }
    let text = if body.starts_with('<') {
        page_reason(body)
    } else {
        body.to_owned()
    };
    (!text.is_empty()).then_some(text)
}

/// Returns the reason if a frame of a stream, or a whole answer, says that the server failed.
pub(in crate::agents::model) fn reason_in_chunk(chunk: &Value) -> Option<String> {
    let failed = match chunk {
        Value::Array(list) => return list.iter().find_map(reason_in_chunk),
        Value::Object(chunk) => {
            let error = chunk.get("error").is_some_and(|error| match error {
                Value::Null | Value::Bool(false) => false,
                Value::String(text) => !text.is_empty(),
                _ => true,
            });
            let kind = chunk.get("object").and_then(Value::as_str);
            let is_error = kind.is_some_and(|kind| kind.eq_ignore_ascii_case("error"));
            let bare = chunk.get("choices").is_none()
                && chunk.get("usage").is_none()
                && ["message", "detail", "details", "errors"]
                    .iter()
                    .any(|name| chunk.contains_key(*name));
            error || is_error || bare
        }
        _ => false,
    };
    failed.then(|| find_reason(chunk, 0).unwrap_or_else(|| chunk.to_string()))
}

fn find_reason(value: &Value, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    match value {
        Value::String(text) => {
            // A proxy quotes what the server behind it said.
            let inner = serde_json::from_str::<Value>(text).ok();
            let inner = inner.filter(|inner| inner.is_object() || inner.is_array());
            let inner = inner.and_then(|inner| find_reason(&inner, depth + 1));
            inner.or_else(|| (!text.trim().is_empty()).then(|| text.trim().to_owned()))
        }
        Value::Array(list) => list.iter().find_map(|one| find_reason(one, depth + 1)),
        Value::Object(map) => {
            let found = REASON_MEMBERS
                .iter()
                .filter_map(|place| map.get(*place))
                .find_map(|value| find_reason(value, depth + 1))?;
            // Where a validator found it, and what OpenRouter was told itself.
            let place = map.get("loc").and_then(Value::as_array).map(|place| {
                let text = |part: &Value| part.as_str().map_or(part.to_string(), str::to_owned);
                place.iter().map(text).collect::<Vec<_>>().join(".")
            });
            let raw = map.get("metadata").and_then(|more| more.get("raw"));
            let raw = raw.and_then(|raw| find_reason(raw, depth + 1));
            let found = match place {
                Some(place) => format!("{place}: {found}"),
                None => found,
            };
            Some(match raw {
                Some(raw) => format!("{found}: {raw}"),
                None => found,
            })
        }
        _ => None,
    }
}

/// Returns the reason in an HTML page that a server answered: its title, or else its text.
fn page_reason(html: &str) -> String {
    let lower = html.to_ascii_lowercase();
    let title = lower.find("<title>").and_then(|at| {
        let begin = at + "<title>".len();
        let end = begin + lower.get(begin..)?.find("</title>")?;
        html.get(begin..end)
    });
    if let Some(title) = title.filter(|title| !title.trim().is_empty()) {
        return title.trim().to_owned();
    }
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        rest = tag.split_once('>').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{reason, reason_in_chunk};

    #[test]
    fn a_reason_is_found_in_every_form() {
        let quoted = json!({ "detail": [{ "loc": ["body", "n"], "msg": "Extra inputs" }] });
        for (body, said) in [
            (
                r#"[{"error":{"code":400,"message":"Bad key."}}]"#.to_owned(),
                "Bad key.",
            ),
            (
                r#"{"error":"model not found"}"#.to_owned(),
                "model not found",
            ),
            (r#"{"detail":"Not Found"}"#.to_owned(), "Not Found"),
            (quoted.to_string(), "body.n: Extra inputs"),
            (
                json!({ "object": "error", "message": quoted }).to_string(),
                "body.n: Extra inputs",
            ),
            (
                json!({ "object": "error", "message": quoted.to_string() }).to_string(),
                "body.n: Extra inputs",
            ),
            (
                r#"{"errors":[{"message":"No route."}],"error":null}"#.to_owned(),
                "No route.",
            ),
            (r#"{"Message":"Denied."}"#.to_owned(), "Denied."),
            (
                json!({ "error": { "message": "Provider returned error",
                    "metadata": { "raw": "{\"error\":{\"message\":\"Too long.\"}}" } } })
                .to_string(),
                "Provider returned error: Too long.",
            ),
            (
                "upstream connect error\n".to_owned(),
                "upstream connect error",
            ),
            (
                "data: {\"error\":{\"message\":\"Cut.\"}}\n\n".to_owned(),
                "Cut.",
            ),
            (
                "<html><head><TITLE>502 Bad Gateway</TITLE></head><body>nginx</body>".to_owned(),
                "502 Bad Gateway",
            ),
            (
                "<p>Blocked by <b>policy</b></p>".to_owned(),
                "Blocked by policy",
            ),
        ] {
            assert_eq!(reason(&body).as_deref(), Some(said), "{body}");
        }
        for nothing in [
            "",
            "{}",
            "null",
            "[]",
            "<html></html>",
            r#"{"error":{"code":5}}"#,
        ] {
            assert_eq!(reason(nothing), None, "{nothing}");
        }
        let deep = (0..50).fold(json!("x"), |inner, _| json!({ "error": inner }));
        assert_eq!(reason(&deep.to_string()), None);
    }

    #[test]
    fn a_frame_says_that_the_server_failed_or_is_a_part_of_the_answer() {
        for (chunk, said) in [
            (
                json!({ "object": "error", "message": "No room.", "code": 400 }),
                "No room.",
            ),
            (json!([{ "error": { "message": "Quota." } }]), "Quota."),
            (
                json!({ "error": { "code": 5 } }),
                "{\"error\":{\"code\":5}}",
            ),
            (json!({ "detail": "Busy." }), "Busy."),
            (json!({ "code": 400, "details": "Too many." }), "Too many."),
            (json!({ "choices": [], "error": "Off." }), "Off."),
        ] {
            assert_eq!(reason_in_chunk(&chunk).as_deref(), Some(said));
        }
        for chunk in [
            json!({ "choices": [{ "delta": { "content": "error" } }] }),
            json!({ "choices": [{ "message": { "content": "a" } }], "error": null, "message": "ok" }),
            json!({ "object": "chat.completion.chunk", "choices": [] }),
            json!({ "usage": {} }),
            Value::Null,
        ] {
            assert_eq!(reason_in_chunk(&chunk), None, "{chunk}");
        }
    }
}
