//! The texts by which a request for approval shows the arguments of a call.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// Returns the text by which a request for approval shows a value: a text as it is, everything else as
/// compact JSON. A text that would be taken for something else, such as "false", is in quotes.
pub(crate) fn shown_text(value: Value) -> String {
    match value {
        Value::String(text) if !is_compact_json(&text) => text,
        other => other.to_string(),
    }
}

/// Returns the arguments that shown texts stand for, as the compact JSON of an object: exactly those
/// that [`shown_text`] was given.
pub(crate) fn exact_arguments(shown: &[(String, String)]) -> serde_json::Result<String> {
    serde_json::to_string(&ShownArguments(shown))
}

struct ShownArguments<'a>(&'a [(String, String)]);

impl Serialize for ShownArguments<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, text)| (name, value_of(text))))
    }
}

fn value_of(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value) if is_compact_json(text) => value,
        _ => text.into(),
    }
}

/// Returns true if a text reads as compact JSON, such as `false`, so that it could be taken for
/// that value.
fn is_compact_json(text: &str) -> bool {
    let compact = serde_json::from_str::<Value>(text).and_then(|it| serde_json::to_string(&it));
    compact.is_ok_and(|compact| compact == text.trim())
}
