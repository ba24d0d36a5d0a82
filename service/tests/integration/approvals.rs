//! The status table of the specification, each transition by name, through endpoint 6.

use serde_json::json;

use crate::common::{Service, body, content, decided, messages_of, requests, service, text, types};

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
    let (thread, requests) = service.asked("approve one").await;
    let events = service
        .stream(&thread, &body(&[decided(&requests[0], &[decision])]))
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
    assert_eq!(service.statuses(&thread).await, ["APPROVED"]);
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
    assert_eq!(service.statuses(&thread).await, ["DENIED"]);
}

#[tokio::test]
async fn pending_becomes_aborted_with_feedback_and_the_agent_is_told_why() {
    let service = service().await;
    let (thread, requests) = service.asked("approve one").await;
    let items = [
        decided(&requests[0], &["ABORTED_WITH_FEEDBACK"]),
        json!({ "type": "text", "text": "Half of it\nis enough" }),
        json!({ "type": "image", "imageId": "photo-1" }),
    ];
    let events = service.stream(&thread, &body(&items)).await;
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
    assert_eq!(service.statuses(&thread).await, ["ABORTED_WITH_FEEDBACK"]);
    let messages = service.messages(&thread).await;
    assert_eq!(messages[2]["role"], "user");
    assert_eq!(messages[2]["content"], "Half of it\nis enough");
}

#[tokio::test]
async fn aborted_is_read_as_aborted_with_feedback() {
    let service = service().await;
    let (thread, _) = one_decided(&service, "ABORTED").await;
    assert_eq!(service.statuses(&thread).await, ["ABORTED_WITH_FEEDBACK"]);
}

#[tokio::test]
async fn no_decided_status_changes_again() {
    let service = service().await;
    for first in ["APPROVED", "DENIED", "ABORTED_WITH_FEEDBACK"] {
        let (thread, requests) = service.asked("approve one").await;
        service
            .stream(&thread, &body(&[decided(&requests[0], &[first])]))
            .await;
        for second in [
            "APPROVED",
            "DENIED",
            "ABORTED_WITH_FEEDBACK",
            "PENDING_HUMAN_APPROVAL",
        ] {
            let again = body(&[decided(&requests[0], &[second])]);
            let failure = service
                .post(&messages_of(&thread), &again)
                .await
                .failure(400);
            let issue = &failure["details"]["issues"][0];
            assert_eq!(issue["toolExecutionId"], requests[0][0]["toolExecutionId"]);
            assert_eq!(
                service.statuses(&thread).await,
                [first],
                "{first} then {second}"
            );
        }
    }
}

#[tokio::test]
async fn a_message_while_approvals_are_pending_is_refused() {
    let service = service().await;
    let (thread, requests) = service.asked("approve one").await;
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
        .stream(&thread, &body(&[decided(&requests[0], &["DENIED"])]))
        .await;
    service.say(&thread, "hello").await;
}

#[tokio::test]
async fn the_guides_spelling_of_results_is_understood() {
    let service = service().await;
    let (thread, requests) = service.asked("approve one").await;
    let mut item = decided(&requests[0], &["APPROVED"]);
    let results = item
        .as_object_mut()
        .unwrap()
        .remove("toolApprovalResult")
        .unwrap();
    item["tool_approval_results"] = results;
    service.stream(&thread, &body(&[item])).await;
    assert_eq!(service.statuses(&thread).await, ["APPROVED"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_simultaneous_answers_one_is_accepted_and_one_refused() {
    let service = service().await;
    for _ in 0..10 {
        let (thread, requests) = service.asked("approve three").await;
        let path = messages_of(&thread);
        let answer = |decision| {
            let (service, path) = (service.clone(), path.clone());
            let body = body(&[decided(&requests[0], &[decision; 3])]);
            tokio::spawn(async move { service.post(&path, &body).await.status.as_u16() })
        };
        let (one, two) = (answer("APPROVED"), answer("DENIED"));
        let (one, two) = (one.await.unwrap(), two.await.unwrap());
        let expected = match (one, two) {
            (200, 400) => "APPROVED",
            (400, 200) => "DENIED",
            other => panic!("{other:?}"),
        };
        assert_eq!(service.statuses(&thread).await, [expected; 3]);
        assert_eq!(service.settled(&thread).await.len(), 3);
    }
}
