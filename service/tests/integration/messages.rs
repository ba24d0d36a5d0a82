//! Endpoints 5 and 6 of the specification without approvals: the stream, and what is stored of it.

use std::{collections::BTreeSet, time::Duration};

use axum::http::{Method, StatusCode};
use serde_json::json;
use tower::ServiceExt as _;

use crate::common::{
    self, THREADS,
    agents::{Faulty, Gate},
    body, content, messages_of, service, service_with, settings, text, types, until,
};

#[tokio::test]
async fn endpoint_6_streams_events_in_the_order_of_the_specification() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let events = service.say(&thread, "hello").await;
    let types = types(&events);
    assert_eq!(types[..2], ["CONNECTION_ESTABLISHED", "MESSAGE_RECEIVED"]);
    assert_eq!(types[2], "NOTIFICATION_REQUEST_ORCHESTRATION_SIMPLE");
    assert!(
        types[3..types.len() - 1]
            .iter()
            .all(|name| *name == "AGENT_RESPONSE_CHUNK")
    );
    assert_eq!(types.last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    assert_eq!(content(&events, "CONNECTION_ESTABLISHED"), "");
    assert_eq!(content(&events, "MESSAGE_RECEIVED"), "hello");
    let chunks: String = events
        .iter()
        .filter(|event| event.event_type.name() == "AGENT_RESPONSE_CHUNK")
        .map(|event| event.event_message.content.as_str())
        .collect();
    assert_eq!(chunks, content(&events, "AGENT_RESPONSE_COMPLETE"));
}

#[tokio::test]
async fn events_of_one_stream_share_thread_and_request_and_have_ids_of_their_own() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let first = service.say(&thread, "markdown").await;
    let second = service.say(&thread, "hello").await;
    assert!(first.iter().all(|event| event.thread_id.as_str() == thread));
    assert!(
        first
            .iter()
            .all(|event| event.request_id == first[0].request_id)
    );
    assert_ne!(first[0].request_id, second[0].request_id);
    let ids: BTreeSet<_> = first
        .iter()
        .chain(&second)
        .map(|event| event.event_id.as_str())
        .collect();
    assert_eq!(ids.len(), first.len() + second.len());
    let times = first
        .iter()
        .map(|event| event.event_message.timestamp.epoch_millis().unwrap());
    assert!(times.is_sorted());
}

#[tokio::test]
async fn endpoint_5_lists_messages_in_order_with_role_handle_and_time() {
    let service = service().await;
    let thread = service.thread("demo").await;
    assert!(service.messages(&thread).await.is_empty());
    let events = service.say(&thread, "hello").await;
    service.say(&thread, "markdown").await;
    let messages = service.messages(&thread).await;
    let roles: Vec<_> = messages
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    assert_eq!(messages[0]["content"], "hello");
    assert!(messages[0].get("handle").is_none());
    assert_eq!(messages[1]["handle"], "@demo");
    assert_eq!(
        messages[1]["content"],
        content(&events, "AGENT_RESPONSE_COMPLETE")
    );
    assert!(
        messages[1]
            .get("toolExecutionHumanApprovalRequest")
            .is_none()
    );
    assert!(
        messages
            .iter()
            .all(|m| m["timestamp"].as_str().unwrap().ends_with('Z'))
    );
}

#[tokio::test]
async fn files_reach_the_agent_in_both_spellings() {
    let service = service().await;
    let thread = service.thread("echo").await;
    let items = [
        json!({ "type": "text", "text": "see these" }),
        json!({ "type": "document", "fileId": "contract" }),
        json!({ "type": "image", "imageId": "photo" }),
        json!({ "type": "image_url", "url": "https://host.example/a.png" }),
    ];
    let events = service.stream(&thread, &body(&items)).await;
    assert_eq!(
        content(&events, "AGENT_RESPONSE_COMPLETE"),
        "see these\n\nDocument: `contract`\n\nImage: `photo`\n\nImage: `https://host.example/a.png`"
    );
    assert_eq!(content(&events, "MESSAGE_RECEIVED"), "see these");
    assert_eq!(service.messages(&thread).await[0]["content"], "see these");
    service.stream(&thread, &body(&items[1..3])).await;
    assert_eq!(
        service.messages(&thread).await[2]["content"],
        "[document contract]\n[image photo]"
    );
}

#[tokio::test]
async fn a_body_that_says_nothing_is_refused_and_leaves_no_trace() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let path = messages_of(&thread);
    for bad in [
        json!({}),
        json!({ "content": [] }),
        text("  "),
        body(&[json!({ "type": "video", "videoId": "v" })]),
        body(&[
            json!({ "type": "text", "text": "fine" }),
            json!({ "type": "image" }),
        ]),
    ] {
        service.post(&path, &bad).await.failure(400);
    }
    assert!(service.messages(&thread).await.is_empty());
}

#[tokio::test]
async fn an_answer_that_fails_ends_with_an_error_event_and_is_stored_as_that() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let events = service.say(&thread, "fail").await;
    assert_eq!(types(&events).last(), Some(&"ERROR"));
    assert!(!types(&events).contains(&"AGENT_RESPONSE_COMPLETE"));
    let reason = content(&events, "ERROR");
    assert!(reason.contains("overloaded"));
    let stored = service.messages(&thread).await[1]["content"].clone();
    let stored = stored.as_str().unwrap();
    assert!(
        stored.starts_with("I begin with the first half"),
        "{stored}"
    );
    assert!(
        stored.ends_with(&format!("*The answer failed: {reason}*")),
        "{stored}"
    );
    let events = service.say(&thread, "fail at once").await;
    assert_eq!(
        types(&events),
        ["CONNECTION_ESTABLISHED", "MESSAGE_RECEIVED", "ERROR"]
    );
    let events = service.say(&thread, "hello").await;
    assert_eq!(types(&events).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
}

#[tokio::test]
async fn an_agent_that_panics_fails_its_answer_only() {
    let service = service_with(settings(), vec![Faulty::new()]).await;
    let thread = service.thread("faulty").await;
    let events = service.say(&thread, "go").await;
    assert!(content(&events, "ERROR").contains("internal problem"));
    let stored = service.messages(&thread).await[1]["content"].clone();
    assert!(
        stored
            .as_str()
            .unwrap()
            .starts_with("So far\n\n*The answer failed")
    );
    let events = service.say(&thread, "again").await;
    assert_eq!(types(&events).last(), Some(&"ERROR"));
}

#[tokio::test]
async fn each_agent_of_a_collaboration_completes_and_is_stored_by_itself() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let events = service.say(&thread, "collaborate").await;
    let complete: Vec<_> = events
        .iter()
        .filter(|event| event.event_type.name() == "AGENT_RESPONSE_COMPLETE")
        .map(|event| &event.event_message)
        .collect();
    let agents: Vec<_> = complete
        .iter()
        .map(|m| m.agent.as_ref().map(|a| a.handle.as_str()))
        .collect();
    assert_eq!(agents, [Some("@researcher"), Some("@reviewer"), None]);
    assert!(complete[0].collaboration_id.is_some());
    assert_eq!(complete[0].collaboration_id, complete[1].collaboration_id);
    assert_eq!(complete[2].collaboration_id, None);
    let messages = service.messages(&thread).await;
    let handles: Vec<_> = messages[1..]
        .iter()
        .map(|m| m["handle"].as_str().unwrap())
        .collect();
    assert_eq!(handles, ["@researcher", "@reviewer", "@demo"]);
    for (message, complete) in messages[1..].iter().zip(&complete) {
        assert_eq!(message["content"], complete.content);
    }
    let types = types(&events);
    let said = types
        .iter()
        .position(|name| *name == "AGENT_RESPONSE_COMPLETE");
    let told = types
        .iter()
        .position(|name| name.ends_with("_ASSISTANT_RESPONSE_COMPLETED"));
    assert!(said < told, "{types:?}");
    let told = events
        .iter()
        .filter(|e| e.event_type.name().starts_with("NOTIFICATION_"));
    assert!(told.clone().count() > 5);
    assert!(told.into_iter().all(|e| e.event_message.agent.is_none()));
}

#[tokio::test]
async fn a_second_post_while_an_answer_is_written_is_refused_clearly() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let first = {
        let (service, thread) = (service.clone(), thread.clone());
        tokio::spawn(async move { service.say(&thread, "one").await })
    };
    until(async || service.messages(&thread).await.len() == 1).await;
    let refused = service
        .post(&messages_of(&thread), &text("two"))
        .await
        .failure(400);
    assert!(
        refused["message"]
            .as_str()
            .unwrap()
            .contains("still being written")
    );
    gate.open.add_permits(2);
    let events = first.await.unwrap();
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "first second");
    service.say(&thread, "two").await;
    let said: Vec<_> = service
        .messages(&thread)
        .await
        .iter()
        .map(|m| m["content"].clone())
        .collect();
    assert_eq!(said, ["one", "first second", "two", "first second"]);
}

#[tokio::test]
async fn deleting_a_thread_ends_the_answer_being_written_in_it() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let answering = {
        let (service, thread) = (service.clone(), thread.clone());
        tokio::spawn(async move { service.say(&thread, "one").await })
    };
    until(async || service.messages(&thread).await.len() == 1).await;
    assert_eq!(
        service.delete(&format!("{THREADS}/{thread}")).await.status,
        204
    );
    let events = tokio::time::timeout(Duration::from_secs(10), answering)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(types(&events).last(), Some(&"ERROR"));
    assert_eq!(content(&events, "ERROR"), "The conversation was deleted.");
    service.get(&messages_of(&thread)).await.failure(404);
}

#[tokio::test]
async fn what_matches_no_scenario_is_answered_with_what_to_type() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let events = service.say(&thread, "Why is\nthe sky blue?").await;
    let answer = content(&events, "AGENT_RESPONSE_COMPLETE");
    assert!(
        answer.starts_with("> Why is\n> the sky blue?\n"),
        "{answer}"
    );
    assert!(answer.contains("demo agent"));
    assert!(answer.contains("- `approve one` –"));
    let help = service.say(&thread, "help").await;
    let list = content(&help, "AGENT_RESPONSE_COMPLETE");
    for phrase in [
        "markdown",
        "rich answer",
        "long answer",
        "approve three",
        "two batches",
        "cut",
        "slow",
    ] {
        assert!(list.contains(&format!("- `{phrase}` –")), "{phrase}");
    }
}

#[tokio::test]
async fn the_long_answer_is_long() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let events = service.say(&thread, "long answer").await;
    let length = content(&events, "AGENT_RESPONSE_COMPLETE").chars().count();
    assert!((18_000..26_000).contains(&length), "{length}");
}

#[tokio::test]
async fn of_two_simultaneous_posts_one_is_answered_and_one_refused() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let post = || {
        let path = messages_of(&thread);
        let request = common::request(Method::POST, &path, common::USER, Some(&text("go")));
        service.app.clone().oneshot(request)
    };
    let (one, two) = tokio::join!(post(), post());
    let mut statuses = [one.unwrap().status(), two.unwrap().status()];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::BAD_REQUEST]);
    gate.open.add_permits(1);
    assert_eq!(service.settled(&thread).await.len(), 2);
}

#[tokio::test]
async fn a_thread_whose_agent_is_gone_can_be_read_but_not_posted_to() {
    let service = service_with(settings(), vec![Gate::new()]).await;
    let thread = service.thread("gate").await;
    service.state.store().close().await;
    let service = common::service_in(service.folder.clone(), settings(), Vec::new()).await;
    let path = messages_of(&thread);
    service.post(&path, &text("hello")).await.failure(404);
    assert!(service.messages(&thread).await.is_empty());
}
