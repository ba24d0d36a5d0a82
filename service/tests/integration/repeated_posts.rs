//! The extension `idempotency-key`: a post that is repeated with its key is accepted once.

use std::sync::Arc;

use assent_protocol::SseEvent;
use axum::http::{Method, Request, StatusCode};
use futures_util::future::join_all;
use serde_json::Value;

use crate::common::{
    Answer, Service, USER, agents::Gate, body, content, decided, events, messages_of, request,
    requests, service, service_in, service_with, settings, text, types,
};

fn keyed(thread: &str, key: &str, body: &Value) -> Request<axum::body::Body> {
    let mut request = request(Method::POST, &messages_of(thread), USER, Some(body));
    let key = key.parse().unwrap();
    request.headers_mut().insert("idempotency-key", key);
    request
}

async fn post(service: &Service, thread: &str, key: &str, body: &Value) -> Answer {
    service.send(keyed(thread, key, body)).await
}

async fn stream(service: &Service, thread: &str, key: &str, body: &Value) -> Vec<SseEvent> {
    let answer = post(service, thread, key, body).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    events(answer.text.as_bytes())
}

#[tokio::test]
async fn a_post_that_is_repeated_is_stored_once_and_answered_with_the_same_stream() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let first = stream(&service, &thread, "k1", &text("hello")).await;
    // As the standard writes it, and as most write it.
    for key in ["k1", "\"k1\""] {
        let again = stream(&service, &thread, key, &text("hello")).await;
        assert_eq!(again, first);
    }
    assert_eq!(service.messages(&thread).await.len(), 2);
    let other = stream(&service, &thread, "k2", &text("hello")).await;
    assert_ne!(other[0].request_id, first[0].request_id);
    assert_eq!(service.messages(&thread).await.len(), 4);
}

#[tokio::test]
async fn of_posts_at_once_with_one_key_one_is_accepted_and_all_are_answered() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    gate.open.add_permits(1);
    let go = text("go");
    let posts = (0..10).map(|_| stream(&service, &thread, "k", &go));
    let all = join_all(posts).await;
    for events in &all {
        assert_eq!(content(events, "AGENT_RESPONSE_COMPLETE"), "first second");
        assert_eq!(events[0].event_id, all[0][0].event_id);
    }
    assert_eq!(service.messages(&thread).await.len(), 2);
}

#[tokio::test]
async fn while_its_answer_is_written_a_repeated_post_is_no_second_one() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut first = live.send(keyed(&thread, "k", &text("go"))).await;
    first.read_to("AGENT_RESPONSE_CHUNK").await;
    // Of a client that never got it.
    first.leave();
    let mut again = live.send(keyed(&thread, "k", &text("go"))).await;
    assert_eq!(again.status, 200);
    again.read_to("AGENT_RESPONSE_CHUNK").await;
    let other = live.send(keyed(&thread, "other", &text("go"))).await;
    assert_eq!(other.status, 400, "an answer is being written");
    gate.open.add_permits(1);
    let (rest, _) = again.rest().await;
    assert_eq!(content(&rest, "AGENT_RESPONSE_COMPLETE"), "first second");
    live.stop().await;
}

#[tokio::test]
async fn decisions_that_are_repeated_are_made_once() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let asked = requests(&service.say(&thread, "approve one").await).remove(0);
    let approved = body(&[decided(&asked, &["APPROVED"])]);
    let first = stream(&service, &thread, "d", &approved).await;
    assert!(types(&first).contains(&"AGENT_RESPONSE_COMPLETE"));
    assert_eq!(stream(&service, &thread, "d", &approved).await, first);
    // Without its key it is a decision about what is decided.
    let plain = service.post(&messages_of(&thread), &approved).await;
    assert_eq!(plain.status, StatusCode::BAD_REQUEST);
    assert_eq!(service.statuses(&thread).await, ["APPROVED"]);
}

#[tokio::test]
async fn a_key_belongs_to_one_message_of_one_thread() {
    let service = service().await;
    let thread = service.thread("demo").await;
    stream(&service, &thread, "k", &text("hello")).await;
    let other = post(&service, &thread, "k", &text("something else")).await;
    other.failure(422);
    assert_eq!(service.messages(&thread).await.len(), 2);
    let elsewhere = service.thread("demo").await;
    stream(&service, &elsewhere, "k", &text("something else")).await;
    assert_eq!(service.messages(&elsewhere).await.len(), 2);
}

#[tokio::test]
async fn a_post_that_is_refused_can_be_sent_again_with_its_key() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let asked = requests(&service.say(&thread, "approve one").await).remove(0);
    let refused = post(&service, &thread, "k", &text("hello")).await;
    refused.failure(400);
    service
        .stream(&thread, &body(&[decided(&asked, &["DENIED"])]))
        .await;
    stream(&service, &thread, "k", &text("hello")).await;
}

#[tokio::test]
async fn after_a_restart_a_repeated_post_is_known_and_some_time_later_its_answer_is_stored() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let first = stream(&service, &thread, "k", &text("hello")).await;
    let folder = Arc::clone(&service.folder);
    service.state.store().close().await;
    drop(service);
    let service = service_in(folder, settings(), Vec::new()).await;
    assert_eq!(stream(&service, &thread, "k", &text("hello")).await, first);
    let store = service.state.store();
    while !store.trim_log("9999", "").await.unwrap() {}
    let late = post(&service, &thread, "k", &text("hello")).await;
    late.failure(410);
    assert_eq!(service.messages(&thread).await.len(), 2);
    // A day later nobody knows it any more.
    while !store.trim_log("9999", "9999").await.unwrap() {}
    stream(&service, &thread, "k", &text("hello")).await;
    assert_eq!(service.messages(&thread).await.len(), 4);
}

#[tokio::test]
async fn what_is_no_key_is_refused() {
    let service = service().await;
    let thread = service.thread("demo").await;
    for key in ["", "\"\"", "k\u{e9}", &"k".repeat(256)] {
        let refused = post(&service, &thread, key, &text("hello")).await;
        refused.failure(400);
    }
    assert!(service.messages(&thread).await.is_empty());
    let longest = "k".repeat(255);
    stream(&service, &thread, &longest, &text("hello")).await;
    let stranger = service.thread("demo").await;
    let mut of_bob = keyed(&stranger, &longest, &text("hello"));
    let bob = "bob".parse().unwrap();
    of_bob.headers_mut().insert("x-service-user-id", bob);
    service.send(of_bob).await.failure(404);
}
