//! What a server gives with calls and wants to have back: signatures and thoughts. It goes to the
//! server that gave it, and to nobody else.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::habits::{Habits, ReturnedThoughts};
use crate::transcript::{Call, Item, Note, Transcript};

/// JSON fields by their names.
type Fields = Map<String, Value>;

/// Names of the fields of a call that servers want to have back.
const CALL_FIELDS: [&str; 3] = [
    "extra_content",
    "provider_specific_fields",
    "thought_signature",
];

/// Names of the fields of an answer with calls that servers want to have back.
const ANSWER_FIELDS: [&str; 3] = ["reasoning_content", "reasoning_details", "thinking_blocks"];

/// Adds the fields of a call that its server wants to have back to `kept`; `piece` is a streamed
/// part of the call.
pub(in crate::agents::model) fn keep_of_call(piece: &Value, kept: &mut Fields) {
    keep(piece, &CALL_FIELDS, kept);
}

/// Adds the fields of an answer that its server wants to have back to `kept`; `piece` is a streamed
/// part of the answer.
pub(in crate::agents::model) fn keep_of_answer(piece: &Value, kept: &mut Fields) {
    keep(piece, &ANSWER_FIELDS, kept);
}

fn keep(piece: &Value, fields: &[&str], kept: &mut Fields) {
    for name in fields {
        let Some(value) = piece.get(*name).filter(|value| !value.is_null()) else {
            continue;
        };
        match (kept.get_mut(*name), value) {
            (Some(Value::String(before)), Value::String(more)) => before.push_str(more),
            (Some(Value::Array(before)), Value::Array(more)) => {
                more.iter().for_each(|part| add_part(before, part));
            }
            (None, Value::Array(more)) => {
                let mut parts = Vec::new();
                more.iter().for_each(|part| add_part(&mut parts, part));
                kept.insert((*name).to_owned(), parts.into());
            }
            (Some(Value::Object(before)), Value::Object(more)) => {
                let more = more
                    .iter()
                    .map(|(name, value)| (name.clone(), value.clone()));
                before.extend(more);
            }
            _ => {
                kept.insert((*name).to_owned(), value.clone());
            }
        }
    }
}

/// Adds a part of the model's thoughts to `parts`, or joins it with the last one: a block of
/// thoughts comes in pieces, its signature with the last of them, and the server takes back whole
/// blocks only.
fn add_part(parts: &mut Vec<Value>, part: &Value) {
    let is_open = |part: &Value| {
        let signature = part.get("signature").and_then(Value::as_str);
        part.get("type").is_some_and(|kind| kind == "thinking")
            && signature.is_none_or(str::is_empty)
    };
    let last = parts.last_mut().filter(|last| is_open(last));
    let last = last.and_then(Value::as_object_mut);
    match (last, part) {
        (Some(last), Value::Object(piece)) if piece.get("type") == last.get("type") => {
            let text = |block: &Fields| {
                block
                    .get("thinking")
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            };
            let whole = [text(last), text(piece)]
                .map(Option::unwrap_or_default)
                .concat();
            last.extend(piece.clone());
            last.insert("thinking".to_owned(), whole.into());
        }
        _ => parts.push(part.clone()),
    }
}

/// The fields that one server gave with the calls of a transcript, and wants to have back with
/// them.
pub(in crate::agents::model) struct KeptFields<'a> {
    /// The fields that came with each call, by the id of the call.
    calls: BTreeMap<&'a str, GivenFields<'a>>,
    habits: &'a Habits,
}

/// The fields that a server gave with one call, and wants to have back with it.
struct GivenFields<'a> {
    /// The fields that came with the call itself.
    call: &'a Fields,
    /// The fields that came with the answer that the call is in.
    answer: &'a Fields,
    /// True if the call, or one beside it, has fields: of calls that are made at once, Gemini signs
    /// the first alone.
    is_signed: bool,
}

impl<'a> KeptFields<'a> {
    /// Looks up what the server at `endpoint` gave with the calls of a transcript.
    pub(in crate::agents::model) fn of(
        transcript: &'a Transcript,
        endpoint: &str,
        habits: &'a Habits,
    ) -> Self {
        let mut all = BTreeMap::new();
        for item in &transcript.items {
            if let Item::Note(Note::Kept {
                endpoint: by,
                calls,
                answer,
            }) = item
                && by == endpoint
            {
                let is_signed = calls.values().any(|call| !call.is_empty());
                let given = |call| GivenFields {
                    call,
                    answer,
                    is_signed,
                };
                all.extend(calls.iter().map(|(id, call)| (id.as_str(), given(call))));
            }
        }
        Self { calls: all, habits }
    }

    /// Returns the fields that are sent back with a call.
    pub(in crate::agents::model) fn of_call(&self, call: &Call) -> Fields {
        let kept = self.calls.get(call.id.as_str());
        let mut fields = kept.map_or_else(Map::new, |given| given.call.clone());
        if self.habits.signed_calls && !kept.is_some_and(|given| given.is_signed) {
            // What Google has for calls of other models.
            let signature = json!({ "thought_signature": "skip_thought_signature_validator" });
            let signature = json!({ "google": signature });
            fields.insert("extra_content".to_owned(), signature);
        }
        fields
    }

    /// Returns the fields that are sent back with an answer that has these calls; `present` is true
    /// if it is of the present turn. Thoughts of earlier turns are of no use.
    pub(in crate::agents::model) fn of_answer(&self, calls: &[Call], present: bool) -> Fields {
        let mut fields = Map::new();
        if calls.is_empty() || self.habits.thoughts == ReturnedThoughts::Never {
            return fields;
        }
        let kept = calls.iter().find_map(|it| self.calls.get(it.id.as_str()));
        if let Some(given) = kept.filter(|_| present) {
            fields.clone_from(given.answer);
        }
        if self.habits.thoughts == ReturnedThoughts::Always {
            fields
                .entry("reasoning_content")
                .or_insert_with(|| "".into());
        }
        fields
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{keep_of_answer, keep_of_call};

    #[test]
    fn fields_that_come_in_pieces_are_whole() {
        let mut kept = Map::new();
        for piece in [
            json!({ "extra_content": { "google": { "thought_signature": "s" } } }),
            json!({ "extra_content": null, "provider_specific_fields": { "a": 1 } }),
            json!({ "extra_content": { "more": 1 }, "id": "x", "thought_signature": "be" }),
            json!({ "thought_signature": "gun" }),
        ] {
            keep_of_call(&piece, &mut kept);
        }
        let whole = json!({
            "extra_content": { "google": { "thought_signature": "s" }, "more": 1 },
            "provider_specific_fields": { "a": 1 },
            "thought_signature": "begun",
        });
        assert_eq!(Value::from(kept), whole);
    }

    #[test]
    fn blocks_of_thoughts_end_with_their_signatures() {
        let open = |text: &str| json!({ "type": "thinking", "thinking": text, "signature": null });
        let end =
            |signature: &str| json!({ "type": "thinking", "thinking": "", "signature": signature });
        let hidden = json!({ "type": "redacted_thinking", "data": "x" });
        let detail = |text: &str| json!({ "type": "reasoning.text", "text": text });
        let mut kept = Map::new();
        for blocks in [
            vec![open("a"), open("b")],
            vec![end("1"), open("c")],
            vec![hidden.clone()],
            vec![open("d"), end("2")],
        ] {
            keep_of_answer(&json!({ "thinking_blocks": blocks }), &mut kept);
        }
        for text in ["a", "b"] {
            keep_of_answer(&json!({ "reasoning_details": [detail(text)] }), &mut kept);
        }
        let block = |text: &str, signature: Value| json!({ "type": "thinking", "thinking": text, "signature": signature });
        let blocks = [
            block("ab", "1".into()),
            block("c", Value::Null),
            hidden,
            block("d", "2".into()),
        ];
        assert_eq!(kept["thinking_blocks"], json!(blocks));
        let details = json!([detail("a"), detail("b")]);
        assert_eq!(kept["reasoning_details"], details);
    }
}
