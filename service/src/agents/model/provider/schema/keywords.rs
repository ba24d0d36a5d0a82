//! Types by the names that servers of tools give them, and keywords that are told in words.

use serde_json::{Map, Value, json};

/// The types of JSON schema, each with the names that tool servers write for it.
const TYPES: [(&str, &[&str]); 7] = [
    ("string", &["string", "str", "text", "char"]),
    ("integer", &["integer", "int", "int32", "int64", "long"]),
    ("number", &["number", "float", "double", "decimal", "num"]),
    ("boolean", &["boolean", "bool"]),
    ("array", &["array", "list", "tuple", "set"]),
    ("object", &["object", "dict", "map"]),
    ("null", &["null", "none", "nil"]),
];

/// Keywords that some servers refuse (`format`: Gemini; `pattern`: llama.cpp), so that the model
/// reads them in the description.
const DESCRIBED_KEYWORDS: [&str; 6] = [
    "format",
    "pattern",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "uniqueItems",
];

/// Returns the type, or the types, as JSON schema calls them; `None` for anything else.
pub(super) fn schema_types(given: &Value) -> Option<Value> {
    match given {
        Value::String(name) => schema_type(name).map(Value::from),
        Value::Array(names) => {
            let mut kinds: Vec<&str> = Vec::new();
            for found in names
                .iter()
                .filter_map(Value::as_str)
                .filter_map(schema_type)
            {
                if !kinds.contains(&found) {
                    kinds.push(found);
                }
            }
            match kinds[..] {
                [] => None,
                [only] => Some(only.into()),
                _ => Some(json!(kinds)),
            }
        }
        _ => None,
    }
}

fn schema_type(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let found = TYPES
        .iter()
        .find(|(_, names)| names.contains(&name.as_str()));
    found.map(|(kind, _)| *kind)
}

/// Returns the description of a schema, and behind it the keywords that are told in words; `None`
/// if the schema has neither.
pub(super) fn full_description(schema: &Map<String, Value>) -> Option<String> {
    let text = schema.get("description").and_then(Value::as_str);
    let mut text = text.unwrap_or_default().to_owned();
    for name in DESCRIBED_KEYWORDS {
        let word = match schema.get(name) {
            Some(Value::String(word)) => word.clone(),
            Some(word @ (Value::Number(_) | Value::Bool(true))) => word.to_string(),
            _ => continue,
        };
        let gap = if text.is_empty() { "" } else { " " };
        text = format!("{text}{gap}({name}: {word})");
    }
    (!text.is_empty()).then_some(text)
}

/// How a schema within another one is reached: its depth in the outermost one, and the references
/// to it.
#[derive(Clone, Debug, Default)]
pub(super) struct SchemaPath {
    pub(super) depth: usize,
    /// The references that were followed on the way.
    followed: Vec<String>,
}

impl SchemaPath {
    pub(super) fn deeper(&self) -> Self {
        Self {
            depth: self.depth + 1,
            followed: self.followed.clone(),
        }
    }

    /// Returns the path to the schema that the reference `to` names; `None` if the reference leads
    /// into itself.
    pub(super) fn follow(&self, to: &str) -> Option<Self> {
        if self.followed.iter().any(|before| before == to) {
            return None;
        }
        let mut within = self.deeper();
        within.followed.push(to.to_owned());
        Some(within)
    }
}
