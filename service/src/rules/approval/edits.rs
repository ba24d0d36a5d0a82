//! Arguments that a person changed before approving (extension `edited-arguments`): only those that
//! the request lets be changed, and only to values that the tool's schema allows.

use assent_protocol::ApprovalRequest;
use serde_json::{Map, Value};

use super::Verdict;
use crate::rules::{
    arguments::{Arguments, shown, value_of_shown},
    policy::MAX_ARGUMENT_BYTES,
};

/// Returns the arguments with which an approved call runs, as one compact JSON object, if `edited`,
/// all arguments as the person sent them, differ from those of the request; `None` if they are the
/// same.
///
/// # Errors
///
/// The faults, sentences.
pub(super) fn edited_arguments(
    edited: &Map<String, Value>,
    request: &ApprovalRequest,
    verdict: Verdict,
) -> Result<Option<String>, Vec<String>> {
    if verdict != Verdict::Approved {
        return Err(vec!["editedArguments goes with APPROVED alone.".to_owned()]);
    }
    let proposed = &request.tool_arguments;
    let mut faults = Vec::new();
    for name in edited.keys() {
        if !proposed.iter().any(|(known, _)| known == name) {
            faults.push(format!(
                "editedArguments has {name:?}, which is no argument of this request."
            ));
        }
    }
    let mut effective = Arguments::default();
    let mut is_changed = false;
    for (name, text) in proposed {
        let before = value_of_shown(text);
        let Some(sent) = edited.get(name) else {
            faults.push(format!(
                "editedArguments lacks {name:?}; send all arguments."
            ));
            continue;
        };
        let value = sent_value(sent, text, &before);
        if value != before {
            is_changed = true;
            faults.extend(fault_of(name, &value, request));
        }
        effective.insert(name.clone(), value);
    }
    let effective = effective.to_string();
    if effective.len() > MAX_ARGUMENT_BYTES {
        faults.push(format!(
            "The changed arguments are longer than {MAX_ARGUMENT_BYTES} bytes."
        ));
    }
    if faults.is_empty() {
        return Ok(is_changed.then_some(effective));
    }
    Err(faults)
}

/// Returns the value that was sent for an argument. A text is what a person sees and writes: the
/// same text is the same value, and another one is read as the value before was shown.
fn sent_value(sent: &Value, shown_before: &str, before: &Value) -> Value {
    match sent {
        Value::String(text) if text == shown_before => before.clone(),
        Value::String(text) => match (value_of_shown(text), before) {
            (Value::String(text), _) => Value::String(text),
            (_, Value::String(_)) => Value::String(text.clone()),
            (value, _) => value,
        },
        value => value.clone(),
    }
}

/// Returns what is wrong with a changed value, a sentence.
fn fault_of(name: &str, value: &Value, request: &ApprovalRequest) -> Option<String> {
    let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
    if !request.editable.contains(&pointer) {
        return Some(format!("The policy lets nobody change {name:?}."));
    }
    let schema = request.editable_schemas.iter();
    let (_, schema) = schema.clone().find(|(it, _)| *it == pointer)?;
    let schema: Value = serde_json::from_str(schema).ok()?;
    // A schema that cannot be read forbids nothing: the tool's server checks all the same.
    let validator = jsonschema::validator_for(&schema).ok()?;
    let fault = validator.validate(value).err()?;
    let fault = fault.masked_with(shown(value));
    Some(format!("{name:?} is not what the tool takes: {fault}."))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request() -> ApprovalRequest {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        ApprovalRequest {
            tool_arguments: vec![
                pair("to", "ann"),
                pair("body", "Hello"),
                pair("count", "3"),
                pair("word", "\"false\""),
                pair("a/b", "x"),
            ],
            editable: ["/body", "/count", "/word", "/a~1b"]
                .map(str::to_owned)
                .to_vec(),
            editable_schemas: vec![
                pair("/body", r#"{"type":"string","maxLength":10}"#),
                pair("/count", r#"{"type":"integer","minimum":1}"#),
            ],
            ..ApprovalRequest::default()
        }
    }

    fn edited(changes: &Value) -> Result<Option<String>, Vec<String>> {
        let mut all =
            json!({ "to": "ann", "body": "Hello", "count": "3", "word": "\"false\"", "a/b": "x" });
        for (name, value) in changes.as_object().unwrap() {
            all[name] = value.clone();
        }
        edited_arguments(all.as_object().unwrap(), &request(), Verdict::Approved)
    }

    #[test]
    fn what_is_sent_unchanged_is_no_edit_however_it_is_written() {
        assert_eq!(edited(&json!({})), Ok(None));
        assert_eq!(edited(&json!({ "count": 3, "word": "false" })), Ok(None));
    }

    #[test]
    fn a_changed_value_keeps_the_type_of_the_one_before() {
        let with = |to: &str, body: &str, count: &str, word: &str| {
            let text =
                format!(r#"{{"to":{to},"body":{body},"count":{count},"word":{word},"a/b":"x"}}"#);
            Ok(Some(text))
        };
        assert_eq!(
            edited(&json!({ "body": "12" })),
            with("\"ann\"", "\"12\"", "3", "\"false\"")
        );
        assert_eq!(
            edited(&json!({ "count": "12" })),
            with("\"ann\"", "\"Hello\"", "12", "\"false\"")
        );
        assert_eq!(
            edited(&json!({ "word": "\"true\"" })),
            with("\"ann\"", "\"Hello\"", "3", "\"true\"")
        );
        assert_eq!(
            edited(&json!({ "word": "true" })),
            with("\"ann\"", "\"Hello\"", "3", "\"true\"")
        );
        let slash = edited(&json!({ "a/b": "y" })).unwrap().unwrap();
        assert!(slash.ends_with(r#""a/b":"y"}"#), "{slash}");
    }

    #[test]
    fn what_may_not_be_changed_is_refused_with_a_sentence() {
        for (changes, part) in [
            (json!({ "to": "bob" }), "lets nobody change \"to\""),
            (json!({ "cc": "bob" }), "no argument of this request"),
            (
                json!({ "body": "longer than ten" }),
                "\"body\" is not what the tool takes",
            ),
            (json!({ "body": 7 }), "\"body\" is not what the tool takes"),
            (
                json!({ "count": "0" }),
                "\"count\" is not what the tool takes",
            ),
            (
                json!({ "count": "many" }),
                "\"count\" is not what the tool takes",
            ),
            (json!({ "word": "x".repeat(70_000) }), "longer than 65536"),
        ] {
            let faults = edited(&changes).unwrap_err();
            assert!(
                faults.iter().any(|it| it.contains(part)),
                "{changes}: {faults:?}"
            );
        }
        let some = json!({ "body": "Hi" });
        let faults =
            edited_arguments(some.as_object().unwrap(), &request(), Verdict::Approved).unwrap_err();
        assert_eq!(faults.len(), 4, "all that lack: {faults:?}");
        let all = json!({});
        for verdict in [Verdict::Denied, Verdict::Aborted, Verdict::Expired] {
            assert!(edited_arguments(all.as_object().unwrap(), &request(), verdict).is_err());
        }
    }
}
