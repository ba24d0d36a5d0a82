//! Approval validation errors: both shapes of the specification, and every fault that causes them.

use serde_json::{Value, json};

use crate::common::{Service, body, decided, messages_of, requests, service};

struct Asked {
    service: Service,
    thread: String,
    batch: Vec<Value>,
}

async fn asked(words: &str) -> Asked {
    let service = service().await;
    let thread = service.thread("demo").await;
    let events = service.say(&thread, words).await;
    Asked {
        service,
        thread,
        batch: requests(&events).remove(0),
    }
}

impl Asked {
    /// Returns the body of the refusal of these results.
    async fn refused(&self, results: Vec<Value>) -> Value {
        let item = json!({ "type": "tool_approval_result", "toolApprovalResult": results });
        let path = messages_of(&self.thread);
        let failure = self.service.post(&path, &body(&[item])).await.failure(400);
        let messages = self.service.messages(&self.thread).await;
        let kept = &messages[1]["toolExecutionHumanApprovalRequest"];
        let pending = |a: &Value| a["status"] == "PENDING_HUMAN_APPROVAL";
        assert!(
            kept.as_array().unwrap().iter().all(pending),
            "nothing is decided"
        );
        assert_eq!(messages.len(), 2, "nothing is stored");
        failure
    }

    /// Returns the results with everything approved.
    fn results(&self) -> Vec<Value> {
        let decisions = vec!["APPROVED"; self.batch.len()];
        let item = decided(&self.batch, &decisions);
        item["toolApprovalResult"].as_array().unwrap().clone()
    }
}

/// Checks for exactly the first shape, and `message`; returns the issues.
fn issues(failure: &Value) -> &Vec<Value> {
    let keys: Vec<_> = failure.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["details", "error", "message"]);
    let details: Vec<_> = failure["details"].as_object().unwrap().keys().collect();
    assert_eq!(details, ["batchId", "issues"]);
    let issues = failure["details"]["issues"].as_array().unwrap();
    for issue in issues {
        let keys: Vec<_> = issue.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["error", "toolExecutionId"]);
        assert!(issue["error"].is_string() && issue["toolExecutionId"].is_string());
    }
    issues
}

#[tokio::test]
async fn first_shape_a_required_field_is_missing() {
    let asked = asked("approve three").await;
    for field in [
        "toolId",
        "toolName",
        "toolProvider",
        "toolCategory",
        "toolExecutionId",
        "toolExecutionBatchId",
        "toolMemoryId",
        "approvalResult",
    ] {
        let mut results = asked.results();
        results[1].as_object_mut().unwrap().remove(field);
        let failure = asked.refused(results).await;
        let issue = &issues(&failure)[0];
        assert!(
            issue["error"].as_str().unwrap().contains(field),
            "{failure}"
        );
        if field != "toolExecutionBatchId" {
            assert_eq!(
                failure["details"]["batchId"],
                asked.batch[0]["toolExecutionBatchId"]
            );
        }
        if field != "toolExecutionId" {
            assert_eq!(issue["toolExecutionId"], asked.batch[1]["toolExecutionId"]);
        }
    }
}

#[tokio::test]
async fn first_shape_a_value_is_not_allowed() {
    let asked = asked("approve three").await;
    for value in [
        json!("PENDING_HUMAN_APPROVAL"),
        json!("yes"),
        json!(true),
        json!(null),
    ] {
        let mut results = asked.results();
        results[0]["approvalResult"] = value;
        let failure = asked.refused(results).await;
        assert_eq!(issues(&failure).len(), 1);
        assert_eq!(
            issues(&failure)[0]["toolExecutionId"],
            asked.batch[0]["toolExecutionId"]
        );
    }
}

#[tokio::test]
async fn second_shape_an_abort_is_mixed_with_other_statuses() {
    let asked = asked("approve three").await;
    let mut results = asked.results();
    results[2]["approvalResult"] = json!("ABORTED_WITH_FEEDBACK");
    let failure = asked.refused(results).await;
    let keys: Vec<_> = failure.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "batchId",
            "conflictingStates",
            "error",
            "invalidStates",
            "message"
        ]
    );
    assert_eq!(
        failure["conflictingStates"],
        json!(["APPROVED", "ABORTED_WITH_FEEDBACK"])
    );
    assert_eq!(failure["invalidStates"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn an_echo_that_differs_from_the_request_is_refused() {
    let asked = asked("approve one").await;
    for (field, value) in [
        ("toolId", json!("payments.refund_all")),
        ("toolName", json!("other")),
        ("toolProvider", json!("other")),
        ("toolCategory", json!("other")),
        ("toolMemoryId", json!("other")),
        (
            "toolArguments",
            json!({ "order": "4711", "amount": "4990.00 EUR" }),
        ),
    ] {
        let mut results = asked.results();
        results[0][field] = value;
        let failure = asked.refused(results).await;
        assert!(
            issues(&failure)[0]["error"]
                .as_str()
                .unwrap()
                .contains(field),
            "{failure}"
        );
    }
}

#[tokio::test]
async fn arguments_may_be_left_out_of_the_echo_and_unknown_fields_added() {
    let asked = asked("approve one").await;
    let mut results = asked.results();
    results[0].as_object_mut().unwrap().remove("toolArguments");
    results[0]["note"] = json!("from the client");
    let item = json!({ "type": "tool_approval_result", "toolApprovalResult": results });
    asked.service.stream(&asked.thread, &body(&[item])).await;
}

#[tokio::test]
async fn what_was_never_asked_cannot_be_answered() {
    let asked = asked("approve three").await;
    let mut foreign_batch = asked.results();
    for result in &mut foreign_batch {
        result["toolExecutionBatchId"] = json!("other");
    }
    let failure = asked.refused(foreign_batch).await;
    assert_eq!(failure["details"]["batchId"], "other");
    assert_eq!(issues(&failure).len(), 3);

    let mut foreign_tool = asked.results();
    foreign_tool[0]["toolExecutionId"] = json!("other");
    let failure = asked.refused(foreign_tool).await;
    assert_eq!(issues(&failure).len(), 2, "one is unknown, one is missing");
}

#[tokio::test]
async fn a_tool_is_decided_once_in_a_post() {
    let asked = asked("approve one").await;
    let mut results = asked.results();
    let mut other = results[0].clone();
    other["approvalResult"] = json!("DENIED");
    results.push(other);
    let failure = asked.refused(results).await;
    assert!(
        issues(&failure)[0]["error"]
            .as_str()
            .unwrap()
            .contains("More than one")
    );
}

#[tokio::test]
async fn approvals_of_another_thread_cannot_be_answered_here() {
    let asked = asked("approve one").await;
    let other = asked.service.thread("demo").await;
    let item = decided(&asked.batch, &["APPROVED"]);
    let failure = asked
        .service
        .post(&messages_of(&other), &body(&[item]))
        .await
        .failure(400);
    assert_eq!(issues(&failure).len(), 1);
}

#[tokio::test]
async fn an_answer_without_results_is_refused() {
    let asked = asked("approve one").await;
    let path = messages_of(&asked.thread);
    for item in [
        json!({ "type": "tool_approval_result" }),
        json!({ "type": "tool_approval_result", "toolApprovalResult": [] }),
        json!({ "type": "tool_approval_result", "toolApprovalResult": {} }),
    ] {
        asked.service.post(&path, &body(&[item])).await.failure(400);
    }
    asked.refused(vec![json!("APPROVED")]).await;
}
