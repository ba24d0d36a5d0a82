//! What a piece of an answer, or a whole one, says: text, a list of parts, or a refusal.

use serde_json::Value;

/// What a piece of an answer says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::agents::model) struct PieceContent {
    /// The words for the reader in the piece.
    pub(in crate::agents::model) text: String,
    /// True if the piece has thoughts, which `text` leaves out.
    pub(in crate::agents::model) thought: bool,
}

/// Fields of a piece that have thoughts.
const THOUGHT_FIELDS: [&str; 4] = [
    "reasoning_content",
    "reasoning",
    "thinking",
    "reasoning_details",
];

/// Returns what a piece of an answer (`delta`), or a whole one (`message`), says.
pub(in crate::agents::model) fn read(message: &Value) -> PieceContent {
    let mut said = PieceContent::default();
    if let Some(content) = message.get("content") {
        add_content(content, &mut said);
    }
    // A refusal is the answer.
    if let Some(refusal) = message.get("refusal").and_then(Value::as_str) {
        said.text.push_str(refusal);
    }
    said.thought |= THOUGHT_FIELDS.iter().any(|name| match message.get(name) {
        Some(Value::String(text)) => !text.is_empty(),
        Some(Value::Array(parts)) => !parts.is_empty(),
        _ => false,
    });
    said
}

fn add_content(content: &Value, said: &mut PieceContent) {
    match content {
        Value::String(text) => said.text.push_str(text),
        Value::Array(parts) => parts.iter().for_each(|part| add_content(part, said)),
        Value::Object(part) => {
            let kind = part.get("type").and_then(Value::as_str).unwrap_or_default();
            if [
                "thinking",
                "reasoning",
                "redacted_thinking",
                "thought",
                "summary",
            ]
            .contains(&kind)
            {
                said.thought = true;
                return;
            }
            let words = ["text", "refusal"].iter().find_map(|name| part.get(*name));
            match words {
                Some(Value::String(text)) => said.text.push_str(text),
                // As in answers of assistants: `{"text": {"value": "…"}}`.
                Some(Value::Object(text)) => {
                    let value = text.get("value").and_then(Value::as_str);
                    said.text.push_str(value.unwrap_or_default());
                }
                _ => {}
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::read;

    #[test]
    fn parts_are_words_or_thoughts_and_a_refusal_is_words() {
        let thought = json!({ "type": "thinking",
            "thinking": [{ "type": "text", "text": "Hm." }], "closed": true });
        for (message, text, thinks) in [
            (json!({ "content": "Hi" }), "Hi", false),
            (json!({ "content": null }), "", false),
            (json!({ "content": [thought] }), "", true),
            (
                json!({ "content": [thought, { "type": "text", "text": "Hi" }, " there"] }),
                "Hi there",
                true,
            ),
            (
                json!({ "content": [{ "type": "reasoning", "text": "Hm." },
                    { "type": "output_text", "text": "Hi" }, { "type": "image_url" }, 1] }),
                "Hi",
                true,
            ),
            (
                json!({ "content": [{ "type": "refusal", "refusal": "No." }] }),
                "No.",
                false,
            ),
            (json!({ "content": null, "refusal": "No." }), "No.", false),
            (
                json!({ "content": { "type": "text", "text": { "value": "Hi" } } }),
                "Hi",
                false,
            ),
            (json!({ "content": "", "reasoning": "Hm." }), "", true),
            (
                json!({ "content": [{ "type": "reference", "reference_ids": [1] }] }),
                "",
                false,
            ),
        ] {
            let said = read(&message);
            assert_eq!(
                (said.text.as_str(), said.thought),
                (text, thinks),
                "{message}"
            );
        }
    }
}
