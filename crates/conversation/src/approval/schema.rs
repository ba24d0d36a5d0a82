//! Whether a tool takes a value that a person wrote: the parts of JSON Schema that can be said in a
//! short sentence. What is not understood here forbids nothing; the service checks all of it.

use assent_protocol::{Json, Object};

/// How deep references and alternatives of a schema are followed.
const MAX_DEPTH: usize = 8;

/// Most values that [`SchemaFault::NotListed`] names.
const MAX_LISTED: usize = 10;

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaFault {
    /// It is no number.
    NoNumber,
    /// It is no whole number.
    NoWholeNumber,
    /// It is no JSON of an object, a list or null.
    NoJson,
    /// It is none of these values, of which there may be more.
    NotListed(Vec<String>),
    /// It has fewer characters than this.
    TooShort(usize),
    /// It has more characters than this.
    TooLong(usize),
    /// It is less than this, or not above it.
    TooSmall(String),
    /// It is more than this, or not below it.
    TooLarge(String),
}

/// Returns what is wrong with `text`, a value as requests show it, by a JSON schema; `None` if nothing
/// that can be told.
#[must_use]
pub fn schema_fault(schema: &str, text: &str) -> Option<SchemaFault> {
    let schema = Json::new(schema)?.object()?;
    fault(&schema, &schema, text, MAX_DEPTH)
}

fn fault(schema: &Object<'_>, root: &Object<'_>, text: &str, depth: usize) -> Option<SchemaFault> {
    let depth = depth.checked_sub(1)?;
    if let Some(reference) = schema.optional_text("$ref") {
        return fault(&resolve(&reference, root)?, root, text, depth);
    }
    for alternatives in ["anyOf", "oneOf"] {
        if let Some(items) = schema.get(alternatives).and_then(Json::items) {
            let mut first = None;
            for item in items {
                let of_item = fault(&item.object()?, root, text, depth);
                // One alternative that fits is enough.
                of_item.as_ref()?;
                first = first.or(of_item);
            }
            return first;
        }
    }
    if let Some(values) = schema.get("enum").and_then(Json::items) {
        let is_listed = values.iter().any(|value| is_value(*value, text));
        let listed = values.iter().take(MAX_LISTED);
        let listed = listed.filter_map(|value| value.text()).collect();
        return (!is_listed).then_some(SchemaFault::NotListed(listed));
    }
    if let Some(value) = schema.get("const") {
        let only = value.text().into_iter().collect();
        return (!is_value(value, text)).then_some(SchemaFault::NotListed(only));
    }
    let json = Json::new(text);
    match schema.get("type").and_then(Json::string).as_deref() {
        Some("string") => length_fault(schema, text),
        Some("integer") => match number(json) {
            Some(value) if value.fract() == 0.0 => range_fault(schema, value),
            _ => Some(SchemaFault::NoWholeNumber),
        },
        Some("number") => match number(json) {
            Some(value) => range_fault(schema, value),
            None => Some(SchemaFault::NoNumber),
        },
        Some("boolean") => {
            let values = ["true", "false"];
            let listed = values.map(str::to_owned).to_vec();
            (!values.contains(&text.trim())).then_some(SchemaFault::NotListed(listed))
        }
        Some("object") => json
            .and_then(Json::object)
            .is_none()
            .then_some(SchemaFault::NoJson),
        Some("array") => json
            .and_then(Json::items)
            .is_none()
            .then_some(SchemaFault::NoJson),
        Some("null") => (text.trim() != "null").then_some(SchemaFault::NoJson),
        _ => None,
    }
}

/// Returns the part of the schema that a reference such as `#/$defs/line` leads to.
fn resolve<'a>(reference: &str, root: &Object<'a>) -> Option<Object<'a>> {
    let mut parts = reference.strip_prefix("#/")?.split('/');
    let first = root.get(parts.next()?)?;
    parts
        .try_fold(first, |json, part| json.object()?.get(part))?
        .object()
}

/// Returns true if `text` shows this value.
fn is_value(value: Json<'_>, text: &str) -> bool {
    value.string().is_some_and(|it| it == text) || value.as_str() == text.trim()
}

/// Returns the value of a JSON number; `None` for every other value.
fn number(json: Option<Json<'_>>) -> Option<f64> {
    let text = json?.as_str();
    let is_number = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

fn length_fault(schema: &Object<'_>, text: &str) -> Option<SchemaFault> {
    // A text that looks like another value is shown in quotes.
    let inner = Json::new(text).and_then(Json::string);
    let characters = inner.as_deref().unwrap_or(text).chars().count();
    let bound = |name| schema.get(name)?.as_str().parse::<usize>().ok();
    let shortest = bound("minLength").filter(|least| characters < *least);
    let longest = bound("maxLength").filter(|most| characters > *most);
    shortest
        .map(SchemaFault::TooShort)
        .or(longest.map(SchemaFault::TooLong))
}

fn range_fault(schema: &Object<'_>, value: f64) -> Option<SchemaFault> {
    let breaks = |name: &str, is_broken: fn(f64, f64) -> bool| {
        let bound = schema.get(name)?.as_str();
        let is_broken = is_broken(value, bound.parse().ok()?);
        is_broken.then(|| bound.to_owned())
    };
    let least = breaks("minimum", |value, bound| value < bound)
        .or_else(|| breaks("exclusiveMinimum", |value, bound| value <= bound));
    let most = breaks("maximum", |value, bound| value > bound)
        .or_else(|| breaks("exclusiveMaximum", |value, bound| value >= bound));
    least
        .map(SchemaFault::TooSmall)
        .or(most.map(SchemaFault::TooLarge))
}

#[cfg(test)]
mod tests {
    use super::{SchemaFault as F, schema_fault};

    fn listed(values: &[&str]) -> Option<F> {
        Some(F::NotListed(
            values.iter().map(|it| (*it).to_owned()).collect(),
        ))
    }

    #[test]
    fn what_a_tool_does_not_take_is_told() {
        let least = |text: &str| Some(F::TooSmall(text.to_owned()));
        let most = |text: &str| Some(F::TooLarge(text.to_owned()));
        for (schema, text, fault) in [
            (
                r#"{"type":"string","minLength":2}"#,
                "a",
                Some(F::TooShort(2)),
            ),
            (
                r#"{"type":"string","maxLength":2}"#,
                "äöü",
                Some(F::TooLong(2)),
            ),
            (r#"{"type":"string","maxLength":4}"#, "\"true\"", None),
            (r#"{"type":"string"}"#, "12", None),
            (r#"{"type":"integer"}"#, "12", None),
            (r#"{"type":"integer"}"#, "1.5", Some(F::NoWholeNumber)),
            (r#"{"type":"integer"}"#, "twelve", Some(F::NoWholeNumber)),
            (r#"{"type":"integer"}"#, "", Some(F::NoWholeNumber)),
            (r#"{"type":"number"}"#, "1.5e3", None),
            (r#"{"type":"number"}"#, "inf", Some(F::NoNumber)),
            (r#"{"type":"number"}"#, "\"1\"", Some(F::NoNumber)),
            (r#"{"type":"number","minimum":1}"#, "0", least("1")),
            (r#"{"type":"number","exclusiveMinimum":1}"#, "1", least("1")),
            (r#"{"type":"number","maximum":9}"#, "10", most("9")),
            (r#"{"type":"number","exclusiveMaximum":9}"#, "9", most("9")),
            (r#"{"type":"boolean"}"#, "yes", listed(&["true", "false"])),
            (r#"{"type":"boolean"}"#, "false", None),
            (r#"{"type":"array"}"#, "[1]", None),
            (r#"{"type":"array"}"#, "[1", Some(F::NoJson)),
            (r#"{"type":"object"}"#, "[1]", Some(F::NoJson)),
            (r#"{"type":"null"}"#, "null", None),
            (r#"{"enum":["low","high",3]}"#, "high", None),
            (r#"{"enum":["low","high",3]}"#, "3", None),
            (
                r#"{"enum":["low","high"]}"#,
                "middle",
                listed(&["low", "high"]),
            ),
            (r#"{"const":"on"}"#, "off", listed(&["on"])),
        ] {
            assert_eq!(schema_fault(schema, text), fault, "{schema} {text}");
        }
    }

    #[test]
    fn alternatives_and_references_are_followed_and_what_is_not_understood_forbids_nothing() {
        let either = r#"{"anyOf":[{"type":"integer"},{"type":"null"}]}"#;
        assert_eq!(schema_fault(either, "7"), None);
        assert_eq!(schema_fault(either, "null"), None);
        assert_eq!(schema_fault(either, "x"), Some(F::NoWholeNumber));
        let shared = r##"{"$ref":"#/$defs/n","$defs":{"n":{"type":"number"}}}"##;
        assert_eq!(schema_fault(shared, "x"), Some(F::NoNumber));
        let round = r##"{"$ref":"#/$defs/n","$defs":{"n":{"$ref":"#/$defs/n"}}}"##;
        for unclear in [
            round,
            "",
            "[]",
            "{",
            r#"{"type":["string","null"]}"#,
            r#"{"type":7}"#,
            r#"{"pattern":"("}"#,
            r##"{"$ref":"https://example.com"}"##,
            r#"{"type":"string","maxLength":"x"}"#,
            r#"{"anyOf":[true]}"#,
        ] {
            assert_eq!(schema_fault(unclear, "x"), None, "{unclear}");
        }
    }
}
