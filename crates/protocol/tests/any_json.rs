//! Whatever JSON the service sends, reading it keeps the invariants.
#![allow(missing_docs, reason = "tests are named by what they show")]

use assent_protocol::invariants::check_text;
use proptest::prelude::*;

/// JSON text with the service's names among the keys and with spelling of its own: spaces, escapes, odd numbers.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("0.10".to_owned()),
        Just("-1E+2".to_owned()),
        Just("123456789012345678901234567890".to_owned()),
        Just(r#""""#.to_owned()),
        Just(r#""\u00fc\/ \ud83c\udf0d }{""#.to_owned()),
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
}
