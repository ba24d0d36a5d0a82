//! The status table and the batch rules of the specification, through endpoint 6.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a failed expectation is a failed test"
)]

mod common;

use common::{Service, body, content, decided, messages_of, requests, service, text, types};
use serde_json::{Value, json};

/// A thread of the demo agent in which `words` asked for approval, and the requests of each event.
async fn asked(service: &Service, words: &str) -> (String, Vec<Vec<Value>>) {
    let thread = service.thread("demo").await;
    let events = service.say(&thread, words).await;
    (thread, requests(&events))
}

/// The statuses of all approvals of a thread, in the order of asking.
async fn statuses(service: &Service, thread: &str) -> Vec<String> {
    let messages = service.messages(thread).await;
    let approvals = messages
        .iter()
        .filter_map(|m| m.get("toolExecutionHumanApprovalRequest"));
    approvals
        .flat_map(|list| list.as_array().unwrap())
        .map(|approval| approval["status"].as_str().unwrap().to_owned())
        .collect()
}

fn post(items: &[Value]) -> Value {
    body(items)
}

#[tokio::test]
async fn awaiting_a_decision_becomes_pending_human_approval() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let events = service.say(&thread, "approve one").await;
    let types = types(&events);
    assert_eq!(types.last(), Some(&"TOOL_EXECUTION_APPROVAL_REQUEST"));
    assert!(types.contains(&"NOTIFICATION_TOOL_EXECUTION_APPROVAL_REQUIRED"));
    assert!(!types.contains(&"AGENT_RESPONSE_COMPLETE"));
    assert_eq!(content(&events, "TOOL_EXECUTION_APPROVAL_REQUEST"), "");

    let request = &requests(&events)[0][0];
    let fields: Vec<_> = request.as_object().unwrap().keys().cloned().collect();
    let mut expected = [
        "toolId",
        "toolName",
        "toolProvider",
        "toolCategory",
        "toolExecutionId",
        "toolExecutionBatchId",
        "toolMemoryId",
        "toolArguments",
        "approvalResult",
    ];
    expected.sort_unstable();
    assert_eq!(fields, expected);
    assert_eq!(request["approvalResult"], "PENDING_HUMAN_APPROVAL");
    assert_eq!(request["toolArguments"]["amount"], "49.90 EUR");

    let stored = &service.messages(&thread).await[1];
    assert!(
        stored["content"]
            .as_str()
            .unwrap()
            .contains("please have a look")
    );
    let approval = &stored["toolExecutionHumanApprovalRequest"][0];
    assert_eq!(approval["status"], "PENDING_HUMAN_APPROVAL");
    for (stored, streamed) in [
        ("toolId", "toolId"),
        ("name", "toolName"),
        ("provider", "toolProvider"),
        ("category", "toolCategory"),
        ("toolExecutionId", "toolExecutionId"),
        ("executionBatchId", "toolExecutionBatchId"),
        ("toolArguments", "toolArguments"),
    ] {
        assert_eq!(approval[stored], request[streamed], "{stored}");
    }
}

/// Answers "approve one" with a decision; returns the thread and the stream's types.
async fn one_decided(service: &Service, decision: &str) -> (String, Vec<String>) {
    let (thread, requests) = asked(service, "approve one").await;
    let events = service
        .stream(&thread, &post(&[decided(&requests[0], &[decision])]))
        .await;
    let types = types(&events).into_iter().map(str::to_owned).collect();
    (thread, types)
}

#[tokio::test]
async fn pending_becomes_approved_and_the_tool_runs() {
    let service = service().await;
    let (thread, types) = one_decided(&service, "APPROVED").await;
    assert_eq!(
        types[..6],
        [
            "CONNECTION_ESTABLISHED",
            "MESSAGE_RECEIVED",
            "TOOL_EXECUTION_APPROVAL_RESPONSE",
            "NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED",
            "NOTIFICATION_TOOL_EXECUTION_INITIATED",
            "NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS",
        ]
    );
    assert_eq!(types.last().unwrap(), "AGENT_RESPONSE_COMPLETE");
    assert_eq!(statuses(&service, &thread).await, ["APPROVED"]);
    let messages = service.messages(&thread).await;
    assert_eq!(
        messages.len(),
        3,
        "a decision without text is no user message"
    );
    assert!(
        messages[2]["content"]
            .as_str()
            .unwrap()
            .starts_with("Done: **49.90 EUR**")
    );
}

#[tokio::test]
async fn pending_becomes_denied_and_the_tool_is_skipped() {
    let service = service().await;
    let (thread, types) = one_decided(&service, "DENIED").await;
    assert_eq!(types[3], "NOTIFICATION_TOOL_EXECUTION_APPROVAL_DENIED");
    assert!(
        !types
            .iter()
            .any(|name| name == "NOTIFICATION_TOOL_EXECUTION_INITIATED")
    );
    assert_eq!(types.last().unwrap(), "AGENT_RESPONSE_COMPLETE");
    assert_eq!(statuses(&service, &thread).await, ["DENIED"]);
}

#[tokio::test]
async fn pending_becomes_aborted_with_feedback_and_the_agent_is_told_why() {
    let service = service().await;
    let (thread, requests) = asked(&service, "approve one").await;
    let items = [
        decided(&requests[0], &["ABORTED_WITH_FEEDBACK"]),
        json!({ "type": "text", "text": "Half of it\nis enough" }),
        json!({ "type": "image", "imageId": "photo-1" }),
    ];
    let events = service.stream(&thread, &post(&items)).await;
    assert_eq!(
        types(&events)[3],
        "NOTIFICATION_TOOL_EXECUTION_APPROVAL_ABORTED"
    );
    assert_eq!(
        content(&events, "MESSAGE_RECEIVED"),
        "Half of it\nis enough"
    );
    let answer = content(&events, "AGENT_RESPONSE_COMPLETE");
    assert!(
        answer.contains("> Half of it is enough, image photo-1"),
        "{answer}"
    );
    assert_eq!(statuses(&service, &thread).await, ["ABORTED_WITH_FEEDBACK"]);
    let messages = service.messages(&thread).await;
    assert_eq!(messages[2]["role"], "user");
    assert_eq!(messages[2]["content"], "Half of it\nis enough");
}

#[tokio::test]
async fn aborted_is_read_as_aborted_with_feedback() {
    let service = service().await;
    let (thread, _) = one_decided(&service, "ABORTED").await;
    assert_eq!(statuses(&service, &thread).await, ["ABORTED_WITH_FEEDBACK"]);
}

#[tokio::test]
async fn no_decided_status_changes_again() {
    let service = service().await;
    for first in ["APPROVED", "DENIED", "ABORTED_WITH_FEEDBACK"] {
        let (thread, requests) = asked(&service, "approve one").await;
        service
            .stream(&thread, &post(&[decided(&requests[0], &[first])]))
            .await;
        for second in [
            "APPROVED",
            "DENIED",
            "ABORTED_WITH_FEEDBACK",
            "PENDING_HUMAN_APPROVAL",
        ] {
            let again = post(&[decided(&requests[0], &[second])]);
            service
                .post(&messages_of(&thread), &again)
                .await
                .failure(400);
            assert_eq!(
                statuses(&service, &thread).await,
                [first],
                "{first} then {second}"
            );
        }
    }
}

#[tokio::test]
async fn rule_1_a_batch_is_answered_as_a_whole() {
    let service = service().await;
    let (thread, requests) = asked(&service, "approve three").await;
    let part = post(&[decided(&requests[0][..2], &["APPROVED", "APPROVED"])]);
    let failure = service
        .post(&messages_of(&thread), &part)
        .await
        .failure(400);
    let issues = failure["details"]["issues"].as_array().unwrap();
    assert_eq!(issues.len(), 1);
    assert_eq!(
        issues[0]["toolExecutionId"],
        requests[0][2]["toolExecutionId"]
    );
    assert_eq!(
        statuses(&service, &thread).await,
        ["PENDING_HUMAN_APPROVAL"; 3]
    );
}

#[tokio::test]
async fn rule_1_one_post_may_spread_a_batch_over_items() {
    let service = service().await;
    let (thread, requests) = asked(&service, "approve three").await;
    let items = [
        decided(&requests[0][..1], &["APPROVED"]),
        decided(&requests[0][1..], &["APPROVED", "APPROVED"]),
    ];
    service.stream(&thread, &post(&items)).await;
    assert_eq!(statuses(&service, &thread).await, ["APPROVED"; 3]);
}

#[tokio::test]
async fn rule_2_approved_and_denied_may_be_mixed() {
    let service = service().await;
    let (thread, requests) = asked(&service, "approve three").await;
    let mixed = decided(&requests[0], &["APPROVED", "DENIED", "APPROVED"]);
    let events = service.stream(&thread, &post(&[mixed])).await;
    assert_eq!(
        types(&events)[3..6],
        [
            "NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED",
            "NOTIFICATION_TOOL_EXECUTION_APPROVAL_DENIED",
            "NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED",
        ]
    );
    let started = events
        .iter()
        .filter(|e| e.event_type.name() == "NOTIFICATION_TOOL_EXECUTION_INITIATED");
    let started: Vec<_> = started.map(|e| e.event_message.content.as_str()).collect();
    assert_eq!(started, ["Starting refund_payment", "Starting delete_file"]);
    assert_eq!(
        statuses(&service, &thread).await,
        ["APPROVED", "DENIED", "APPROVED"]
    );
    assert!(
        content(&events, "AGENT_RESPONSE_COMPLETE").contains("- `send_email` – denied, skipped")
    );
}

#[tokio::test]
async fn rule_3_an_abort_is_for_the_whole_batch() {
    let service = service().await;
    let (thread, requests) = asked(&service, "approve three").await;
    let mixed = post(&[decided(
        &requests[0],
        &["ABORTED_WITH_FEEDBACK", "APPROVED", "DENIED"],
    )]);
    let failure = service
        .post(&messages_of(&thread), &mixed)
        .await
        .failure(400);
    assert_eq!(failure["batchId"], requests[0][0]["toolExecutionBatchId"]);
    assert_eq!(
        failure["conflictingStates"],
        json!(["ABORTED_WITH_FEEDBACK", "APPROVED", "DENIED"])
    );
    let states: Vec<_> = failure["invalidStates"].as_array().unwrap().clone();
    let expected = [(0, "ABORTED_WITH_FEEDBACK"), (1, "APPROVED"), (2, "DENIED")];
    for (state, (index, name)) in states.iter().zip(expected) {
        let id = &requests[0][index]["toolExecutionId"];
        assert_eq!(*state, json!({ "toolExecutionId": id, "state": name }));
    }
    assert_eq!(
        statuses(&service, &thread).await,
        ["PENDING_HUMAN_APPROVAL"; 3]
    );
    let all = post(&[decided(&requests[0], &["ABORTED_WITH_FEEDBACK"; 3])]);
    service.stream(&thread, &all).await;
    assert_eq!(
        statuses(&service, &thread).await,
        ["ABORTED_WITH_FEEDBACK"; 3]
    );
}

#[tokio::test]
async fn rule_3_holds_for_each_batch_by_itself() {
    let service = service().await;
    let (thread, requests) = asked(&service, "two batches together").await;
    let decisions = ["ABORTED_WITH_FEEDBACK", "ABORTED_WITH_FEEDBACK", "APPROVED"];
    let events = service
        .stream(&thread, &post(&[decided(&requests[0], &decisions)]))
        .await;
    assert_eq!(statuses(&service, &thread).await, decisions);
    assert_eq!(types(&events).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
}

#[tokio::test]
async fn rule_4_files_count_only_beside_aborts() {
    let service = service().await;
    let files = [
        json!({ "type": "document", "fileId": "doc-1" }),
        json!({ "type": "image", "imageId": "img-1" }),
    ];
    for (decision, counts) in [("ABORTED_WITH_FEEDBACK", true), ("DENIED", false)] {
        let (thread, requests) = asked(&service, "approve twice").await;
        let items = [
            decided(&requests[0], &[decision]),
            files[0].clone(),
            files[1].clone(),
        ];
        let events = service.stream(&thread, &post(&items)).await;
        let answer = content(&events, "AGENT_RESPONSE_COMPLETE");
        assert_eq!(
            answer.contains("image img-1, document doc-1"),
            counts,
            "{answer}"
        );
        assert_eq!(
            service.messages(&thread).await.len(),
            3,
            "files alone are no message"
        );
    }
}

#[tokio::test]
async fn rule_5_the_agent_goes_on_in_the_stream_of_the_answer() {
    let service = service().await;
    let (thread, first) = asked(&service, "approve twice").await;
    let events = service
        .stream(&thread, &post(&[decided(&first[0], &["APPROVED"])]))
        .await;
    let second = requests(&events);
    assert_eq!(second[0][0]["toolName"], "update_customer");
    assert_eq!(
        statuses(&service, &thread).await,
        ["APPROVED", "PENDING_HUMAN_APPROVAL"]
    );
    let events = service
        .stream(&thread, &post(&[decided(&second[0], &["APPROVED"])]))
        .await;
    assert!(content(&events, "AGENT_RESPONSE_COMPLETE").contains("3 Harbour Road"));
    assert_eq!(statuses(&service, &thread).await, ["APPROVED", "APPROVED"]);
}

#[tokio::test]
async fn two_batches_are_answered_in_two_posts_and_the_agent_waits_for_both() {
    let service = service().await;
    let (thread, requests) = asked(&service, "two batches").await;
    assert_eq!(requests.len(), 2, "one event for each batch");
    let memory = &requests[0][0]["toolMemoryId"];
    assert_eq!(*memory, requests[1][0]["toolMemoryId"]);
    let second = post(&[decided(&requests[1], &["DENIED"])]);
    let events = service.stream(&thread, &second).await;
    assert!(content(&events, "AGENT_RESPONSE_COMPLETE").starts_with("Noted. 2 more actions"));
    service
        .post(&messages_of(&thread), &text("hello"))
        .await
        .failure(400);
    let first = post(&[decided(&requests[0], &["APPROVED", "APPROVED"])]);
    let events = service.stream(&thread, &first).await;
    let answer = content(&events, "AGENT_RESPONSE_COMPLETE");
    assert!(
        answer.contains("`send_newsletter` – denied, skipped"),
        "{answer}"
    );
    assert!(
        answer.contains("`order_stock` – approved, done"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_message_while_approvals_are_pending_is_refused() {
    let service = service().await;
    let (thread, requests) = asked(&service, "approve one").await;
    let failure = service
        .post(&messages_of(&thread), &text("hello"))
        .await
        .failure(400);
    assert!(
        failure["message"]
            .as_str()
            .unwrap()
            .contains("waits for your decision")
    );
    service
        .stream(&thread, &post(&[decided(&requests[0], &["DENIED"])]))
        .await;
    service.say(&thread, "hello").await;
}

#[tokio::test]
async fn the_guides_spelling_of_results_is_understood() {
    let service = service().await;
    let (thread, requests) = asked(&service, "approve one").await;
    let mut item = decided(&requests[0], &["APPROVED"]);
    let results = item
        .as_object_mut()
        .unwrap()
        .remove("toolApprovalResult")
        .unwrap();
    item["tool_approval_results"] = results;
    service.stream(&thread, &post(&[item])).await;
    assert_eq!(statuses(&service, &thread).await, ["APPROVED"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_simultaneous_answers_one_is_accepted_and_one_refused() {
    let service = service().await;
    for _ in 0..10 {
        let (thread, requests) = asked(&service, "approve three").await;
        let path = messages_of(&thread);
        let answer = |decision| {
            let (service, path) = (service.clone(), path.clone());
            let body = post(&[decided(&requests[0], &[decision; 3])]);
            tokio::spawn(async move { service.post(&path, &body).await.status.as_u16() })
        };
        let (one, two) = (answer("APPROVED"), answer("DENIED"));
        let (one, two) = (one.await.unwrap(), two.await.unwrap());
        let expected = match (one, two) {
            (200, 400) => "APPROVED",
            (400, 200) => "DENIED",
            other => panic!("{other:?}"),
        };
        assert_eq!(statuses(&service, &thread).await, [expected; 3]);
        assert_eq!(service.settled(&thread).await.len(), 3);
    }
}
