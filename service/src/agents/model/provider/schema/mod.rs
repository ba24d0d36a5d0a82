//! The schema of a tool's arguments as every server of models takes it.
//!
//! One schema that a strict server does not know refuses the whole request, also for "hi". What is
//! said here is the subset that all of them know: an object at the top, no references, no keyword
//! that some refuse. It says at most less than the tool's own schema, which the policy, the hash and
//! the person still see, and which the tool's server checks.

mod keywords;
mod merge;
mod references;

use serde_json::{Map, Value, json};

use keywords::{SchemaPath, full_description, schema_types};
use merge::{SchemaBranches, merge};
use references::Root;

/// Most schemas within one tool's schema, with each reference followed.
const MAX_SCHEMAS: usize = 2_000;

/// Most schemas within each other; one that is deeper allows anything.
const MAX_DEPTH: usize = 24;

/// A function that says whether the value of a keyword is of the right kind.
type AcceptsValue = fn(&Value) -> bool;

/// Keywords whose values are kept as they are if they are of the right kind.
const KEPT_KEYWORDS: [(&str, AcceptsValue); 9] = [
    ("title", Value::is_string),
    ("default", |_| true),
    ("nullable", Value::is_boolean),
    ("minimum", Value::is_number),
    ("maximum", Value::is_number),
    ("minLength", Value::is_u64),
    ("maxLength", Value::is_u64),
    ("minItems", Value::is_u64),
    ("maxItems", Value::is_u64),
];

/// Returns the schema of a tool's arguments as every server takes it.
///
/// # Errors
///
/// Why there is no such schema: it allows no object, or has too many parts.
pub(in crate::agents::model) fn rewrite_parameters(schema: &Value) -> Result<Value, String> {
    let mut writer = SchemaWriter {
        root: Root::new(schema),
        left: MAX_SCHEMAS + 1,
    };
    let nothing = Map::new();
    let said = match schema {
        Value::Null | Value::Bool(true) => writer.top(&nothing)?,
        Value::Object(schema) => writer.top(schema)?,
        _ => return Err("its schema is no object".to_owned()),
    };
    if writer.left == 0 {
        return Err(format!("its schema has more than {MAX_SCHEMAS} parts"));
    }
    Ok(said.into())
}

/// Writes a tool's schema anew, in a form that every server of models takes.
struct SchemaWriter<'a> {
    root: Root<'a>,
    /// The number of schemas within the tool's schema that may still be written.
    left: usize,
}

impl<'a> SchemaWriter<'a> {
    /// Writes the schema of all arguments: an object without alternatives, as OpenAI wants it.
    fn top(&mut self, schema: &'a Map<String, Value>) -> Result<Map<String, Value>, String> {
        let mut said = self.object(schema, &SchemaPath::default());
        if let Some(Value::Array(branches)) = said.remove("anyOf") {
            let objects = branches.into_iter().filter_map(|branch| match branch {
                Value::Object(branch) if !is_not_object(&branch) => Some(branch),
                _ => None,
            });
            let objects: Vec<Map<String, Value>> = objects.collect();
            if objects.is_empty() {
                return Err("it takes no object".to_owned());
            }
            said = merge(said, objects, SchemaBranches::OneOf);
        }
        if is_not_object(&said) {
            return Err("it takes no object".to_owned());
        }
        said.remove("enum");
        said.insert("type".to_owned(), "object".into());
        said.entry("properties").or_insert_with(|| json!({}));
        Ok(said)
    }

    /// Writes a value that stands where a schema belongs; what is no schema allows anything.
    fn write_any(&mut self, schema: &'a Value, bounds: &SchemaPath) -> Value {
        match schema {
            Value::Object(schema) => self.object(schema, bounds).into(),
            // The name of a type in the place of a schema.
            Value::String(name) => match schema_types(&json!(name)) {
                Some(kind) => json!({ "type": kind }),
                None => json!({}),
            },
            _ => json!({}),
        }
    }

    fn object(
        &mut self,
        schema: &'a Map<String, Value>,
        bounds: &SchemaPath,
    ) -> Map<String, Value> {
        let Some(left) = self.left.checked_sub(1) else {
            return Map::new();
        };
        self.left = left;
        if bounds.depth > MAX_DEPTH {
            return Map::new();
        }
        let mut said = Map::new();
        if let Some(kind) = schema.get("type").and_then(schema_types) {
            said.insert("type".to_owned(), kind);
        }
        if let Some(text) = full_description(schema) {
            said.insert("description".to_owned(), text.into());
        }
        for (name, fits) in KEPT_KEYWORDS {
            if let Some(value) = schema.get(name).filter(|value| fits(value)) {
                said.insert(name.to_owned(), value.clone());
            }
        }
        write_choices(schema, &mut said);
        let within = bounds.deeper();
        self.properties(schema, &mut said, &within);
        self.items(schema, &mut said, &within);
        if said.get("type").is_none_or(|kind| has(kind, "object")) {
            match schema.get("additionalProperties") {
                Some(more @ Value::Bool(_)) => {
                    said.insert("additionalProperties".to_owned(), more.clone());
                }
                Some(more @ Value::Object(_)) => {
                    let more = self.write_any(more, &within);
                    said.insert("additionalProperties".to_owned(), more);
                }
                _ => {}
            }
        }
        self.reference(schema, bounds, &mut said);
        for (name, branches) in [
            ("allOf", SchemaBranches::AllOf),
            ("anyOf", SchemaBranches::OneOf),
        ] {
            self.branches(schema.get(name), branches, &within, &mut said);
        }
        self.branches(
            schema.get("oneOf"),
            SchemaBranches::OneOf,
            &within,
            &mut said,
        );
        said
    }

    fn properties(
        &mut self,
        schema: &'a Map<String, Value>,
        said: &mut Map<String, Value>,
        within: &SchemaPath,
    ) {
        let mut required: Vec<&str> = names(schema.get("required"));
        let mut properties = Map::new();
        if let Some(given) = schema.get("properties").and_then(Value::as_object) {
            for (name, schema) in given {
                match schema {
                    // `required` stands one level too deep.
                    Value::Array(_) if name == "required" => required.extend(names(Some(schema))),
                    Value::Object(property) => {
                        // As in the third draft.
                        if property.get("required") == Some(&Value::Bool(true)) {
                            required.push(name);
                        }
                        properties.insert(name.clone(), self.write_any(schema, within));
                    }
                    Value::Bool(true) | Value::Null => {
                        properties.insert(name.clone(), json!({}));
                    }
                    Value::String(kind)
                        if name != "type" && schema_types(&json!(kind)).is_some() =>
                    {
                        properties.insert(name.clone(), self.write_any(schema, within));
                    }
                    // A keyword that stands one level too deep, or what may not be there.
                    _ => {}
                }
            }
        }
        let is_object = said.get("type").is_some_and(|kind| has(kind, "object"));
        if properties.is_empty() && !is_object {
            return;
        }
        said.entry("type").or_insert_with(|| "object".into());
        required.retain(|name| properties.contains_key(*name));
        let mut once: Vec<&str> = Vec::new();
        for name in required {
            if !once.contains(&name) {
                once.push(name);
            }
        }
        if !once.is_empty() {
            said.insert("required".to_owned(), once.into());
        }
        said.insert("properties".to_owned(), properties.into());
    }

    fn items(
        &mut self,
        schema: &'a Map<String, Value>,
        said: &mut Map<String, Value>,
        within: &SchemaPath,
    ) {
        let list = said.get("type").is_some_and(|kind| has(kind, "array"));
        let given = schema.get("items");
        let places = [schema.get("prefixItems"), given];
        let places = places.into_iter().flatten().find_map(Value::as_array);
        let items = match (places, given) {
            (Some(places), _) => {
                let mut kinds: Vec<Value> = Vec::new();
                for place in places {
                    let kind = self.write_any(place, within);
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                match kinds.pop() {
                    Some(only) if kinds.is_empty() => only,
                    Some(last) => {
                        kinds.push(last);
                        json!({ "anyOf": kinds })
                    }
                    None => json!({}),
                }
            }
            (None, Some(items @ (Value::Object(_) | Value::String(_)))) => {
                self.write_any(items, within)
            }
            _ if list => json!({}),
            _ => return,
        };
        said.entry("type").or_insert_with(|| "array".into());
        if said.get("type").is_some_and(|kind| has(kind, "array")) {
            said.insert("items".to_owned(), items);
        }
    }

    /// Writes the schema that the reference in `schema` points to into `said`, in the place of the
    /// reference.
    fn reference(
        &mut self,
        schema: &'a Map<String, Value>,
        bounds: &SchemaPath,
        said: &mut Map<String, Value>,
    ) {
        let Some(to) = schema.get("$ref").and_then(Value::as_str) else {
            return;
        };
        let Some(target) = self.root.find(to) else {
            return;
        };
        let target = match bounds.follow(to) {
            Some(bounds) => self.write_any(target, &bounds),
            // The reference is within its own target.
            None => match target.get("type").and_then(schema_types) {
                Some(kind) if has(&kind, "object") => json!({ "type": kind, "properties": {} }),
                Some(kind) if has(&kind, "array") => json!({ "type": kind, "items": {} }),
                Some(kind) => json!({ "type": kind }),
                None => json!({}),
            },
        };
        if let Value::Object(target) = target {
            *said = merge(std::mem::take(said), vec![target], SchemaBranches::AllOf);
        }
    }

    fn branches(
        &mut self,
        given: Option<&'a Value>,
        kind: SchemaBranches,
        within: &SchemaPath,
        said: &mut Map<String, Value>,
    ) {
        let given = given.and_then(Value::as_array);
        let mut branches: Vec<Map<String, Value>> = Vec::new();
        for branch in given.into_iter().flatten() {
            if let Value::Object(branch) = self.write_any(branch, within)
                && !branches.contains(&branch)
            {
                branches.push(branch);
            }
        }
        if branches.is_empty() {
            return;
        }
        if kind == SchemaBranches::AllOf || branches.len() == 1 {
            *said = merge(std::mem::take(said), branches, SchemaBranches::AllOf);
        } else if let Some(Value::Array(before)) = said.get_mut("anyOf") {
            before.extend(branches.into_iter().map(Value::from));
        } else {
            let branches: Vec<Value> = branches.into_iter().map(Value::from).collect();
            said.insert("anyOf".to_owned(), branches.into());
        }
    }
}

/// Writes `enum` and `const`, with the type of their values.
fn write_choices(schema: &Map<String, Value>, said: &mut Map<String, Value>) {
    let given = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(values)), _) if !values.is_empty() => values.clone(),
        (_, Some(value)) => vec![value.clone()],
        _ => return,
    };
    let mut values: Vec<Value> = Vec::new();
    for value in given {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if values.iter().all(Value::is_string) {
        said.entry("type").or_insert_with(|| "string".into());
    }
    said.insert("enum".to_owned(), values.into());
}

/// Returns the texts in a JSON list; none if it is no list.
fn names(list: Option<&Value>) -> Vec<&str> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).collect()
}

/// Returns true if `kind`, which is a type or a list of types, has this name.
fn has(kind: &Value, name: &str) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| kind == name),
        kind => kind == name,
    }
}

/// Returns true for the schema of something that is no object.
fn is_not_object(schema: &Map<String, Value>) -> bool {
    schema.get("type").is_some_and(|kind| !has(kind, "object"))
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
