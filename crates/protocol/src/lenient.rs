//! Deserializers of single values that may be `null` or not text, from any format.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Reads text from any value: a string as it is, `null` as empty, anything else as its JSON.
pub(crate) fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    })
}
