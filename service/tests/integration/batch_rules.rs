//! The batch rules of the specification, each by its number, through endpoint 6.

use assent_service::{rules::approval::read_answer, rules::content::read_post, store::ValidPost};
use serde_json::json;

use crate::common::{body, content, decided, key, messages_of, requests, service, text, types};

#[tokio::test]
async fn rule_1_a_batch_is_answered_as_a_whole() {
    let service = service().await;
    let (thread, requests) = service.asked("approve three").await;
    let part = body(&[decided(&requests[0][..2], &["APPROVED", "APPROVED"])]);
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
        service.statuses(&thread).await,
        ["PENDING_HUMAN_APPROVAL"; 3]
    );
}

#[tokio::test]
async fn rule_1_one_post_may_spread_a_batch_over_items() {
    let service = service().await;
    let (thread, requests) = service.asked("approve three").await;
    let items = [
        decided(&requests[0][..1], &["APPROVED"]),
        decided(&requests[0][1..], &["APPROVED", "APPROVED"]),
    ];
    service.stream(&thread, &body(&items)).await;
    assert_eq!(service.statuses(&thread).await, ["APPROVED"; 3]);
}

#[tokio::test]
async fn rule_2_approved_and_denied_may_be_mixed() {
    let service = service().await;
    let (thread, requests) = service.asked("approve three").await;
    let mixed = decided(&requests[0], &["APPROVED", "DENIED", "APPROVED"]);
    let events = service.stream(&thread, &body(&[mixed])).await;
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
        service.statuses(&thread).await,
        ["APPROVED", "DENIED", "APPROVED"]
    );
    assert!(
        content(&events, "AGENT_RESPONSE_COMPLETE").contains("- `send_email` – denied, skipped")
    );
}

#[tokio::test]
async fn rule_3_an_abort_is_for_the_whole_batch() {
    let service = service().await;
    let (thread, requests) = service.asked("approve three").await;
    let mixed = body(&[decided(
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
        service.statuses(&thread).await,
        ["PENDING_HUMAN_APPROVAL"; 3]
    );
    let all = body(&[decided(&requests[0], &["ABORTED_WITH_FEEDBACK"; 3])]);
    service.stream(&thread, &all).await;
    assert_eq!(
        service.statuses(&thread).await,
        ["ABORTED_WITH_FEEDBACK"; 3]
    );
}

#[tokio::test]
async fn rule_3_holds_for_each_batch_by_itself() {
    let service = service().await;
    let (thread, requests) = service.asked("two batches together").await;
    let decisions = ["ABORTED_WITH_FEEDBACK", "ABORTED_WITH_FEEDBACK", "APPROVED"];
    let events = service
        .stream(&thread, &body(&[decided(&requests[0], &decisions)]))
        .await;
    assert_eq!(service.statuses(&thread).await, decisions);
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
        let (thread, requests) = service.asked("approve twice").await;
        let items = [
            decided(&requests[0], &[decision]),
            files[0].clone(),
            files[1].clone(),
        ];
        let events = service.stream(&thread, &body(&items)).await;
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
    let (thread, first) = service.asked("approve twice").await;
    let events = service
        .stream(&thread, &body(&[decided(&first[0], &["APPROVED"])]))
        .await;
    let second = requests(&events);
    assert_eq!(second[0][0]["toolName"], "update_customer");
    assert_eq!(
        service.statuses(&thread).await,
        ["APPROVED", "PENDING_HUMAN_APPROVAL"]
    );
    let events = service
        .stream(&thread, &body(&[decided(&second[0], &["APPROVED"])]))
        .await;
    assert!(content(&events, "AGENT_RESPONSE_COMPLETE").contains("3 Harbour Road"));
    assert_eq!(service.statuses(&thread).await, ["APPROVED", "APPROVED"]);
}

#[tokio::test]
async fn two_batches_are_answered_in_two_posts_and_the_agent_waits_for_both() {
    let service = service().await;
    let (thread, requests) = service.asked("two batches").await;
    assert_eq!(requests.len(), 2, "one event for each batch");
    let memory = &requests[0][0]["toolMemoryId"];
    assert_eq!(*memory, requests[1][0]["toolMemoryId"]);
    let second = body(&[decided(&requests[1], &["DENIED"])]);
    let events = service.stream(&thread, &second).await;
    assert!(content(&events, "AGENT_RESPONSE_COMPLETE").starts_with("Noted. 2 more actions"));
    service
        .post(&messages_of(&thread), &text("hello"))
        .await
        .failure(400);
    let first = body(&[decided(&requests[0], &["APPROVED", "APPROVED"])]);
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
async fn what_is_said_with_each_of_two_batches_reaches_the_agent_at_the_end() {
    let service = service().await;
    let (thread, requests) = service.asked("two batches").await;
    let image = json!({ "type": "image", "imageId": "picture" });
    let because = json!({ "type": "text", "text": "because" });
    let stopped = decided(&requests[1], &["ABORTED_WITH_FEEDBACK"]);
    service
        .stream(&thread, &body(&[because, image.clone(), stopped]))
        .await;
    assert_eq!(service.messages(&thread).await[2]["content"], "because");

    let later = json!({ "type": "text", "text": "and this" });
    let approved = decided(&requests[0], &["APPROVED", "APPROVED"]);
    let post = read_post(&body(&[later, image, approved])).unwrap();
    let valid = ValidPost {
        thread: &key(&thread),
        handle: "@demo",
        content: &post.content,
        answer: &read_answer(&post.results).unwrap(),
        key: None,
        state: None,
        judge: &|_, _| None,
    };
    let accepted = crate::common::accept(service.state.store(), valid).await;
    let feedback = &accepted.answered[0].feedback;
    assert_eq!(feedback.text, "because\n\nand this");
    assert_eq!(feedback.images, ["picture"], "the one beside the abort");
    let messages = service.messages(&thread).await;
    let last = messages.last().unwrap();
    assert_eq!(last["role"], "user");
    assert_eq!(last["content"], "and this");
}
