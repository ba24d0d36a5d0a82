//! The JSON object that is looked for in the text of a model's answer.

use serde::de::DeserializeOwned;
use serde_json::{Deserializer, Map, Value};

/// Most objects that are tried in one answer.
const MAX_OBJECTS: usize = 16;

/// Returns the first object in the text that is a `T`: the whole text, or one between other words
/// or in a fence. Part of an object is none.
pub(in crate::agents::model) fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    let mut rest = text;
    for _ in 0..MAX_OBJECTS {
        rest = rest.get(rest.find('{')?..)?;
        let mut objects = Deserializer::from_str(rest).into_iter::<Map<String, Value>>();
        let end = match objects.next() {
            Some(Ok(object)) => {
                if let Ok(value) = serde_json::from_value(Value::Object(object)) {
                    return Some(value);
                }
                objects.byte_offset()
            }
            _ => 1,
        };
        rest = rest.get(end..)?;
    }
    None
}
