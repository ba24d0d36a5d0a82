//! The arguments that a rule lets a person change before approving (`editable`).

use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::{Map, Value, json};

/// The longest schema of an argument that goes with a request, in bytes; by a longer one the tool's
/// server alone checks what a person wrote.
const MAX_SCHEMA_BYTES: usize = 4096;

/// A JSON pointer to an argument, such as `/body`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArgumentPointer(String);

impl<'de> Deserialize<'de> for ArgumentPointer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let name = text.strip_prefix('/').filter(|name| !name.is_empty());
        let escapes_only = |name: &str| {
            let rest = name.replace("~0", "").replace("~1", "");
            !rest.contains(['/', '~'])
        };
        match name {
            Some(name) if escapes_only(name) => Ok(Self(text)),
            _ => Err(D::Error::custom(format!(
                "{text:?} names no argument: they are written as JSON pointers such as \"/body\", \
                 and an argument is changed as a whole"
            ))),
        }
    }
}

impl ArgumentPointer {
    fn name(&self) -> String {
        let name = self.0.strip_prefix('/').unwrap_or_default();
        name.replace("~1", "/").replace("~0", "~")
    }
}

/// An argument of a call that a person may change before approving.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EditableArgument {
    /// The JSON pointer to the argument.
    pub(crate) pointer: String,
    /// The argument's JSON schema, as a text; empty if the tool has none for it, or a longer one than
    /// goes with a request.
    pub(crate) schema: String,
}

/// Returns those arguments of a call that these pointers let a person change, with what the tool's
/// schema says of each.
pub(super) fn editable_arguments(
    pointers: &[ArgumentPointer],
    parameters: &Value,
    arguments: &Map<String, Value>,
) -> Vec<EditableArgument> {
    let there = pointers
        .iter()
        .filter(|pointer| arguments.contains_key(&pointer.name()));
    let editable = there.map(|pointer| EditableArgument {
        pointer: pointer.0.clone(),
        schema: schema_of(parameters, &pointer.name()),
    });
    editable.collect()
}

/// Returns the schema of one argument, which stands alone: what it refers to goes with it.
fn schema_of(parameters: &Value, name: &str) -> String {
    let Some(Value::Object(schema)) = parameters.get("properties").and_then(|it| it.get(name))
    else {
        return String::new();
    };
    let mut schema = schema.clone();
    if Value::Object(schema.clone())
        .to_string()
        .contains("\"$ref\"")
    {
        for definitions in ["$defs", "definitions"] {
            if let Some(shared) = parameters.get(definitions) {
                let own = schema.entry(definitions).or_insert_with(|| json!({}));
                if let (Some(own), Some(shared)) = (own.as_object_mut(), shared.as_object()) {
                    own.extend(shared.clone());
                }
            }
        }
    }
    let text = Value::Object(schema).to_string();
    if text.len() > MAX_SCHEMA_BYTES {
        return String::new();
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn pointer(text: &str) -> Result<ArgumentPointer, String> {
        serde_json::from_value(json!(text)).map_err(|error| error.to_string())
    }

    #[test]
    fn an_argument_is_named_by_a_pointer_and_changed_as_a_whole() {
        assert_eq!(pointer("/body").unwrap().name(), "body");
        assert_eq!(pointer("/a~1b~0c").unwrap().name(), "a/b~c");
        for bad in ["", "/", "body", "/a/b", "/a~2", "//"] {
            assert!(pointer(bad).unwrap_err().contains("JSON pointers"), "{bad}");
        }
    }

    #[test]
    fn what_a_call_has_can_be_changed_and_its_schema_stands_alone() {
        let parameters = json!({
            "properties": {
                "body": { "$ref": "#/$defs/text" },
                "subject": { "type": "string" },
                "long": { "enum": ["x".repeat(5000)] },
            },
            "$defs": { "text": { "type": "string" } },
        });
        let pointers = ["/body", "/long", "/free", "/subject"].map(|it| pointer(it).unwrap());
        let arguments = json!({ "body": "b", "long": "x", "free": 1 });
        let editable = editable_arguments(&pointers, &parameters, arguments.as_object().unwrap());
        let schemas: Vec<_> = editable
            .iter()
            .map(|it| (it.pointer.as_str(), it.schema.as_str()))
            .collect();
        let body = r##"{"$defs":{"text":{"type":"string"}},"$ref":"#/$defs/text"}"##;
        let mut sorted: Value = serde_json::from_str(schemas[0].1).unwrap();
        sorted.sort_all_objects();
        assert_eq!(sorted.to_string(), body);
        assert_eq!(schemas[0].0, "/body");
        assert_eq!(&schemas[1..], [("/long", ""), ("/free", "")]);
    }
}
