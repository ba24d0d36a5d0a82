//! The invariants hold for any JSON that the service sends.
#![allow(missing_docs, reason = "tests are named by what they show")]

use assent_protocol::{Json, invariants::check_text};
use proptest::prelude::*;
use serde_json::Value;

/// Generates JSON text with the service's names among the keys and unusual spelling: spaces,
/// escapes, odd numbers.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("0.10".to_owned()),
        Just("-1E+2".to_owned()),
        Just("123456789012345678901234567890".to_owned()),
        Just(r#""""#.to_owned()),
        Just(r#""\u00fc\/ \ud83c\udf0d }{""#.to_owned()),
        // Around the length from which a string is searched instead of scanned byte by byte.
        "[a🌍ü\\\\\"{},:]{20,40}".prop_map(|text| Value::from(text).to_string()),
        Just(r#""PENDING_HUMAN_APPROVAL""#.to_owned()),
        Just(r#""2026-01-02T03:04:05""#.to_owned()),
        Just(r#""tool_approval_result""#.to_owned()),
    ];
    leaf.prop_recursive(5, 64, 8, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..4)
            .prop_map(|items| format!("[{}]", items.join(" , ")));
        let member = (key(), inner).prop_map(|(key, value)| format!("\"{key}\"\t:{value}"));
        let object = prop::collection::vec(member, 0..8)
            .prop_map(|members| format!("{{ {} }}", members.join(",\n")));
        prop_oneof![1 => list, 3 => object]
    })
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "type",
        "eventId",
        "eventMessage",
        "agent",
        "content",
        "collaborationId",
        "toolExecutionApprovalRequest",
        "toolExecutionHumanApprovalRequest",
        "timestamp",
        "id",
        "name",
        "role",
        "threadName",
        "message",
        "details",
        "issues",
        "batchId",
        "invalidStates",
        "conflictingStates",
        "approvalResult",
        "approval\\u0052esult",
        "toolExecutionId",
        "executionBatchId",
        "toolExecutionBatchId",
        "toolArguments",
        "toolApprovalResult",
        "",
    ])
}

/// Returns true if both have the same content.
fn is_same(json: Json<'_>, value: &Value) -> bool {
    match value {
        Value::Object(members) => json.object().is_some_and(|object| {
            members
                .iter()
                .all(|(name, value)| object.get(name).is_some_and(|json| is_same(json, value)))
                && object
                    .members()
                    .iter()
                    .all(|(name, _)| members.contains_key(name.as_ref()))
        }),
        Value::Array(items) => json.items().is_some_and(|read| {
            read.len() == items.len()
                && read
                    .iter()
                    .zip(items)
                    .all(|(json, item)| is_same(*json, item))
        }),
        Value::String(text) => json.string().as_ref() == Some(text),
        other => serde_json::from_str::<Value>(json.as_str()).is_ok_and(|json| json == *other),
    }
}

/// Writes every character as an escape, as a surrogate pair if it needs more than four digits.
fn escaped(text: &str) -> String {
    let units = text.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
    format!("\"{}\"", units.collect::<String>())
}

#[test]
fn half_a_surrogate_pair_is_one_replacement_character() {
    for (json, text) in [
        (r#""\ud83c""#, "\u{FFFD}"),
        (r#""\udf0d!""#, "\u{FFFD}!"),
        (
            r#""\ud83c\n\ud83c\ud83c\udf0d""#,
            "\u{FFFD}\n\u{FFFD}\u{1F30D}",
        ),
    ] {
        assert_eq!(
            Json::new(json).and_then(Json::string).as_deref(),
            Some(text),
            "{json}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_keeps_the_invariants(text in json()) {
        prop_assert_eq!(check_text(&text), Ok(()));
        prop_assert_eq!(check_text(&format!("[{text}]")), Ok(()));
        let event = format!(r#"{{"eventMessage":{{"toolExecutionApprovalRequest":[{text}]}}}}"#);
        prop_assert_eq!(check_text(&event), Ok(()));
    }

    #[test]
    fn any_text_keeps_the_invariants(text in "\\PC{0,60}") {
        prop_assert_eq!(check_text(&text), Ok(()));
    }

    #[test]
    fn any_json_is_read_as_it_is_everywhere(text in json()) {
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        prop_assert!(Json::new(&text).is_some_and(|json| is_same(json, &value)));
    }

    #[test]
    fn any_string_is_read_however_it_is_escaped(text in any::<String>()) {
        for json in [Value::from(text.as_str()).to_string(), escaped(&text)] {
            prop_assert_eq!(Json::new(&json).and_then(Json::string), Some(text.clone()));
        }
    }
}
