//! Several schemas of one value as one schema.

use serde_json::{Map, Value, json};

/// How many of several schemas hold for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaBranches {
    /// Each of the schemas holds.
    AllOf,
    /// One of the schemas holds, or more.
    OneOf,
}

/// Returns one schema for a value of `own` and of `branches`, which says at most less than these
/// schemas do.
pub(super) fn merge(
    own: Map<String, Value>,
    branches: Vec<Map<String, Value>>,
    kind: SchemaBranches,
) -> Map<String, Value> {
    let mut merged = own;
    let mut common: Option<Vec<Value>> = None;
    for mut branch in branches {
        let required = match branch.remove("required") {
            Some(Value::Array(required)) => required,
            _ => Vec::new(),
        };
        common = Some(match (common, kind) {
            (None, _) => required,
            (Some(mut all), SchemaBranches::AllOf) => {
                all.extend(required);
                all
            }
            (Some(mut all), SchemaBranches::OneOf) => {
                all.retain(|name| required.contains(name));
                all
            }
        });
        if kind == SchemaBranches::OneOf {
            // What one of the schemas forbids another one may allow.
            branch.remove("additionalProperties");
        }
        if let Some(Value::Object(properties)) = branch.remove("properties") {
            let all = merged.entry("properties").or_insert_with(|| json!({}));
            if let Value::Object(all) = all {
                add(all, properties, kind);
            }
        }
        for (name, value) in branch {
            merged.entry(name).or_insert(value);
        }
    }
    require(&mut merged, common.unwrap_or_default());
    merged
}

fn add(all: &mut Map<String, Value>, properties: Map<String, Value>, kind: SchemaBranches) {
    for (name, schema) in properties {
        match all.get_mut(&name) {
            None => {
                all.insert(name, schema);
            }
            Some(before) if *before == schema || kind == SchemaBranches::AllOf => {}
            Some(before) => match before.get_mut("anyOf").and_then(Value::as_array_mut) {
                Some(kinds) if kinds.contains(&schema) => {}
                Some(kinds) => kinds.push(schema),
                None => *before = json!({ "anyOf": [before.take(), schema] }),
            },
        }
    }
}

fn require(merged: &mut Map<String, Value>, names: Vec<Value>) {
    let mut required = match merged.remove("required") {
        Some(Value::Array(required)) => required,
        _ => Vec::new(),
    };
    let properties = merged.get("properties").and_then(Value::as_object);
    for name in names {
        let known = name.as_str().zip(properties);
        let known = known.is_some_and(|(name, all)| all.contains_key(name));
        if known && !required.contains(&name) {
            required.push(name);
        }
    }
    if !required.is_empty() {
        merged.insert("required".to_owned(), required.into());
    }
}
