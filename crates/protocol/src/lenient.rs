//! Reading values that may be missing, `null`, or of another kind than declared.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Text from any JSON value: a string as it is, `null` as nothing, anything else as its JSON.
///
/// For `#[serde(default, deserialize_with = "lenient::text")]`.
pub(crate) fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(optional_text(from)?.unwrap_or_default())
}

/// As [`text`], but `null` stays visible.
pub(crate) fn optional_text<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    })
}

/// A value that turns to its default where it is `null` or does not have the declared shape.
pub(crate) fn or_default<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: serde::de::DeserializeOwned + Default,
{
    // Through text, because raw JSON (`RawValue`) cannot be read out of a `Value`.
    let raw = Box::<serde_json::value::RawValue>::deserialize(from)?;
    Ok(serde_json::from_str::<Option<T>>(raw.get())
        .ok()
        .flatten()
        .unwrap_or_default())
}

/// The elements of an array that have the declared shape; `null` or no array at all is an empty list.
pub(crate) fn list<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: serde::de::DeserializeOwned,
{
    let raw: Vec<Box<serde_json::value::RawValue>> = or_default(from)?;
    Ok(raw
        .iter()
        .filter_map(|item| serde_json::from_str(item.get()).ok())
        .collect())
}
