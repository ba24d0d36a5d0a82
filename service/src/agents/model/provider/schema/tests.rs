use serde_json::{Value, json};

use super::rewrite_parameters;

/// Refuses what strict servers refuse, with the place.
fn strict(schema: &Value, place: &str) -> Result<(), String> {
    let fault = |what: &str| Err(format!("{place}: {what}: {schema}"));
    let Some(map) = schema.as_object() else {
        return fault("no schema");
    };
    for keyword in map.keys() {
        let known = [
            "type",
            "title",
            "description",
            "properties",
            "required",
            "items",
            "enum",
            "anyOf",
            "additionalProperties",
            "default",
            "nullable",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
        ];
        if !known.contains(&keyword.as_str()) {
            return fault("an unknown keyword");
        }
    }
    let kinds = [
        "string", "integer", "number", "boolean", "array", "object", "null",
    ];
    let list = match map.get("type") {
        Some(Value::Array(list)) => list.clone(),
        Some(kind) => vec![kind.clone()],
        None => Vec::new(),
    };
    if list
        .iter()
        .any(|kind| !kinds.iter().any(|known| kind == known))
    {
        return fault("an unknown type");
    }
    if list.contains(&json!("array")) && !map.contains_key("items") {
        return fault("array schema missing items");
    }
    if list.contains(&json!("object")) && !map.contains_key("properties") {
        return fault("object schema missing properties");
    }
    if let Some(properties) = map.get("properties") {
        for (name, property) in properties.as_object().ok_or("properties are a map")? {
            strict(property, &format!("{place}/{name}"))?;
        }
    }
    if let Some(required) = map.get("required") {
        for name in required.as_array().ok_or("required is a list")? {
            let known = map["properties"].get(name.as_str().ok_or("required are names")?);
            known.ok_or_else(|| format!("{place}: {name} is not defined"))?;
        }
    }
    let within = ["items", "additionalProperties"].map(|name| map.get(name));
    for schema in within.into_iter().flatten().filter(|it| !it.is_boolean()) {
        strict(schema, &format!("{place}/within"))?;
    }
    for branch in map
        .get("anyOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        strict(branch, &format!("{place}/anyOf"))?;
    }
    Ok(())
}

fn said(schema: &Value) -> Value {
    let said = rewrite_parameters(schema).unwrap();
    assert_eq!(strict(&said, "#"), Ok(()));
    assert_eq!(said["type"], "object");
    for keyword in ["anyOf", "enum"] {
        assert_eq!(said.get(keyword), None, "none stands at the top: {said}");
    }
    said
}

fn object(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

#[test]
fn what_takes_no_arguments_is_an_object_without_properties() {
    for schema in [
        json!({ "type": "object" }),
        json!({}),
        json!(null),
        json!(true),
        json!({ "properties": null }),
        // As PHP writes an empty map.
        json!({ "type": "object", "properties": [], "required": [] }),
        json!({ "type": "OBJECT", "description": null, "required": null }),
    ] {
        assert_eq!(said(&schema), object(&json!({})), "{schema}");
    }
}

#[test]
fn types_have_their_names_and_lists_have_items() {
    let schema = object(&json!({
        "count": { "type": "int" },
        "ratio": { "type": "Float" },
        "name": "str",
        "all": { "type": "bool", "default": false },
        "tags": { "type": "array" },
        "more": { "type": "list", "items": true },
        "pair": { "type": "array", "items": [{ "type": "string" }, { "type": "int" }] },
        "maybe": { "type": ["string", "null", "string"] },
        "file": { "type": "file" },
        "any": null,
    }));
    let expected = object(&json!({
        "count": { "type": "integer" },
        "ratio": { "type": "number" },
        "name": { "type": "string" },
        "all": { "type": "boolean", "default": false },
        "tags": { "type": "array", "items": {} },
        "more": { "type": "array", "items": {} },
        "pair": { "type": "array",
            "items": { "anyOf": [{ "type": "string" }, { "type": "integer" }] } },
        "maybe": { "type": ["string", "null"] },
        "file": {},
        "any": {},
    }));
    assert_eq!(said(&schema), expected);
}

#[test]
fn each_name_of_a_type_is_known() {
    for (names, kind) in [
        (&["string", "str", "text", "char"][..], "string"),
        (&["integer", "int", "int32", "int64", "long"], "integer"),
        (&["number", "float", "double", "decimal", "num"], "number"),
        (&["boolean", "bool"], "boolean"),
        (&["array", "list", "tuple", "set"], "array"),
        (&["object", "dict", "map"], "object"),
        (&["null", "none", "nil"], "null"),
    ] {
        for name in names {
            let schema = object(&json!({ "a": { "type": name.to_uppercase() } }));
            assert_eq!(said(&schema)["properties"]["a"]["type"], kind, "{name}");
        }
    }
}

#[test]
fn keywords_that_stand_among_the_properties_are_none_of_them() {
    let schema = json!({ "properties": {
        "path": { "type": "string", "required": true },
        "mode": { "type": "string" },
        "required": ["mode", "gone"],
        "type": "object",
        "additionalProperties": false,
    } });
    let expected = json!({
        "type": "object",
        "properties": { "path": { "type": "string" }, "mode": { "type": "string" } },
        "required": ["mode", "path"],
    });
    let mut found = said(&schema);
    found["required"]
        .as_array_mut()
        .unwrap()
        .sort_by_key(ToString::to_string);
    assert_eq!(found, expected);
}

#[test]
fn parameters_that_are_called_like_keywords_are_left_alone() {
    let named = json!({
        "properties": { "type": "object", "properties": {} },
        "required": { "type": "array", "items": { "type": "string" } },
        "type": { "type": "string", "enum": ["a", "b"] },
        "items": { "type": "integer" },
        "anyOf": { "type": "boolean" },
        "$ref": { "type": "string" },
        "definitions": { "type": "string" },
    });
    let schema = json!({ "type": "object", "properties": named, "required": ["properties"] });
    assert_eq!(said(&schema), schema);
}

#[test]
fn alternatives_of_all_arguments_are_one_object() {
    let one = json!({ "type": "object", "required": ["id", "all"],
        "properties": { "id": { "type": "string" }, "all": { "type": "boolean" } } });
    let other = json!({ "type": "object", "required": ["id"], "additionalProperties": false,
        "properties": { "id": { "type": "integer" } } });
    for keyword in ["anyOf", "oneOf"] {
        let schema = json!({ keyword: [one, other, { "type": "null" }] });
        let id = json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] });
        let expected = json!({ "type": "object", "required": ["id"],
            "properties": { "id": id, "all": { "type": "boolean" } } });
        assert_eq!(said(&schema), expected);
    }
    let all = json!({ "allOf": [one, { "properties": { "x": { "type": "number" } },
        "required": ["x"] }] });
    assert_eq!(said(&all)["required"], json!(["id", "all", "x"]));
    // Alternatives that only say what is required.
    let either = json!({ "type": "object", "properties": one["properties"],
        "anyOf": [{ "required": ["id"] }, { "required": ["all"] }] });
    assert_eq!(said(&either), object(&one["properties"]));
}

#[test]
fn references_are_written_out_and_end_where_they_lead_into_themselves() {
    for place in ["definitions", "$defs"] {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "$ref": format!("#/{place}/Node"),
            place: { "Node": { "type": "object", "properties": {
                "name": { "$ref": "#/$defs/Name", "description": "Its name." },
                "next": { "$ref": format!("#/{place}/Node") },
                "far": { "$ref": "https://schemas.example/far.json" },
            } }, "Name": { "type": "string", "pattern": "^a" } },
        });
        let name = json!({ "type": "string", "description": "Its name." });
        let next = json!({ "type": "object", "properties": {} });
        let expected = object(&json!({ "name": name, "next": next, "far": {} }));
        assert_eq!(said(&schema), expected, "{place}");
    }
    // Each of them leads to two of the next.
    let mut definitions = json!({});
    for number in 0..30 {
        let next = json!({ "$ref": format!("#/$defs/d{}", number + 1) });
        definitions[format!("d{number}")] = object(&json!({ "a": next, "b": next }));
    }
    let wide = json!({ "$ref": "#/$defs/d0", "$defs": definitions });
    assert!(
        rewrite_parameters(&wide)
            .unwrap_err()
            .contains("2000 parts")
    );
}

#[test]
fn what_some_servers_refuse_is_told_in_words_or_left_out() {
    let schema = object(&json!({
        "when": { "type": "string", "format": "uri", "description": "Where." },
        "code": { "type": "string", "pattern": "^[a-z]+(?=x)", "examples": ["ax"] },
        "kind": { "const": "a", "x-order": 1 },
        "size": { "type": "integer", "exclusiveMinimum": 0, "minimum": "1", "maxLength": null },
        "mode": { "enum": ["a", "a", "b"] },
        "odd": { "enum": [] },
        "if": { "if": { "type": "string" }, "then": {}, "not": {}, "oneOf": null },
    }));
    let expected = object(&json!({
        "when": { "type": "string", "description": "Where. (format: uri)" },
        "code": { "type": "string", "description": "(pattern: ^[a-z]+(?=x))" },
        "kind": { "type": "string", "enum": ["a"] },
        "size": { "type": "integer", "description": "(exclusiveMinimum: 0)" },
        "mode": { "type": "string", "enum": ["a", "b"] },
        "odd": {},
        "if": {},
    }));
    assert_eq!(said(&schema), expected);
}

#[test]
fn what_is_no_object_cannot_be_said() {
    for schema in [
        json!({ "type": "string" }),
        json!({ "type": "int" }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "array" }] }),
        json!({ "type": "array", "items": {} }),
        json!({ "$ref": "#/$defs/a", "$defs": { "a": { "type": "string" } } }),
        json!("object"),
        json!([]),
        json!(false),
    ] {
        assert!(rewrite_parameters(&schema).is_err(), "{schema}");
    }
}

#[test]
fn any_json_in_the_place_of_a_schema_is_said_strictly_or_not_at_all() {
    let odd = [
        json!(null),
        json!(true),
        json!(0),
        json!("string"),
        json!([]),
        json!(["a"]),
        json!({}),
        json!({ "type": 1 }),
        json!({ "properties": { "a": 1 } }),
        json!([{ "type": "list" }]),
    ];
    let keywords = [
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "additionalProperties",
        "prefixItems",
        "description",
        "minimum",
        "default",
    ];
    for one in keywords {
        for other in keywords {
            for (value, with) in odd.iter().flat_map(|a| odd.iter().map(move |b| (a, b))) {
                let inner = json!({ one: value, other: with });
                let outer = object(&json!({ "a": inner, "b": { "items": inner } }));
                for schema in [&inner, &outer] {
                    if let Ok(said) = rewrite_parameters(schema) {
                        assert_eq!(strict(&said, "#"), Ok(()), "{schema}");
                    }
                }
            }
        }
    }
}
