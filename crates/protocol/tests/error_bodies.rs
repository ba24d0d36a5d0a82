//! Bodies of failed responses (specification, Errors).
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "tests may fail loudly"
)]

use assent_protocol::{ErrorBody, InvalidState, Issue};
use serde_json::{Value, json};

/// Reads a sample and writes it back unchanged.
fn read(text: &str) -> ErrorBody {
    let body: ErrorBody = serde_json::from_str(text).unwrap();
    let sample: Value = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_value(&body).unwrap(), sample);
    body
}

#[test]
fn a_message_is_the_sentence_for_people() {
    let body = read(include_str!("../test_data/error_message.json"));
    assert_eq!(body.text(), Some("The thread does not exist."));
}

#[test]
fn a_result_that_lacks_a_field_is_named_with_its_run() {
    let body = read(include_str!("../test_data/error_issues.json"));
    assert_eq!(body.text(), Some("Invalid approval results"));
    let details = body.details.unwrap();
    assert_eq!(details.batch_id, "batch-1".into());
    let issue = |run: &str, error: &str| Issue {
        tool_execution_id: run.into(),
        error: error.to_owned(),
    };
    assert_eq!(
        details.issues,
        [
            issue("execution-1", "toolMemoryId is missing"),
            issue("execution-2", "approvalResult is not allowed"),
        ]
    );
}

#[test]
fn a_mix_of_statuses_is_described_in_two_ways() {
    let body = read(include_str!("../test_data/error_conflicting_states.json"));
    assert_eq!(body.batch_id, Some("batch-1".into()));
    assert_eq!(
        body.conflicting_states,
        ["APPROVED", "ABORTED_WITH_FEEDBACK"]
    );

    let odd: ErrorBody =
        serde_json::from_value(json!({"conflictingStates": ["A", 1, null]})).unwrap();
    assert_eq!(odd.conflicting_states, ["A", "1"]);

    let body = read(include_str!("../test_data/error_invalid_states.json"));
    assert_eq!(body.batch_id, Some("batch-1".into()));
    let state = |run: &str, state: &str| InvalidState {
        tool_execution_id: run.into(),
        state: state.to_owned(),
    };
    assert_eq!(
        body.invalid_states,
        [
            state("execution-1", "APPROVED"),
            state("execution-2", "ABORTED_WITH_FEEDBACK")
        ]
    );
}

#[test]
fn any_object_is_an_error_body_and_nothing_else_is() {
    for object in [
        json!({}),
        json!({"message": null, "error": "  ", "details": [], "batchId": null}),
        json!({"details": {"batchId": 7, "issues": [1, null, {"error": 2}]}, "invalidStates": "x"}),
        json!({"conflictingStates": {"a": 1}, "timestamp": 1, "path": "/api"}),
    ] {
        let body: ErrorBody = serde_json::from_value(object.clone()).unwrap();
        assert_eq!(body.text(), None, "{object}");
    }
    for other in ["[]", r#"["a"]"#, "7", "null", "<html>", ""] {
        assert!(serde_json::from_str::<ErrorBody>(other).is_err(), "{other}");
    }
}

#[test]
fn the_message_comes_before_the_error() {
    let body: ErrorBody =
        serde_json::from_value(json!({"message": " Wait a minute. ", "error": "Too Many"}))
            .unwrap();
    assert_eq!(body.text(), Some("Wait a minute."));
    let body: ErrorBody =
        serde_json::from_value(json!({"message": "", "error": "Too Many"})).unwrap();
    assert_eq!(body.text(), Some("Too Many"));
}
