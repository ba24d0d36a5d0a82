//! Endpoints 1 to 4 of the specification.

use assent_protocol::SessionThread;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::common::{self, THREADS, USER, messages_of, request, service};

#[tokio::test]
async fn endpoint_1_starts_a_thread_with_every_field() {
    let service = service().await;
    let answer = service.post(THREADS, &json!({ "agentId": "demo" })).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    let thread: SessionThread = serde_json::from_str(&answer.text).unwrap();
    assert_eq!(thread.thread_name, "New conversation");
    assert_eq!(thread.agent_id.as_str(), "demo");
    assert_eq!(thread.agent_name, "Assent Demo");
    assert_eq!(thread.agent_handle, "@demo");
    assert_eq!(thread.root_agent_build_id, "demo-1");
    assert_eq!(thread.session_type, "LIVE");
    assert!(thread.last_message_time.0.ends_with('Z'));
    assert!(thread.last_message_time.epoch_millis().is_some());
    assert_eq!(
        thread.last_message_time.0.len(),
        "2026-01-31T12:00:00.000Z".len()
    );
}

#[tokio::test]
async fn endpoint_1_wants_a_known_agent() {
    let service = service().await;
    for body in [
        json!({}),
        json!({ "agentId": 7 }),
        json!({ "agentId": " " }),
        json!([]),
    ] {
        let failure = service.post(THREADS, &body).await.failure(400);
        assert!(
            failure["message"].as_str().unwrap().contains("agentId"),
            "{body}"
        );
    }
    service
        .post(THREADS, &json!({ "agentId": "nobody" }))
        .await
        .failure(404);
}

#[tokio::test]
async fn endpoint_2_lists_the_newest_conversation_first() {
    let service = service().await;
    let first = service.thread("demo").await;
    let second = service.thread("demo").await;
    service.thread("echo").await;
    assert_eq!(ids(&service, "demo").await, [second.clone(), first.clone()]);
    service.say(&first, "hello").await;
    assert_eq!(ids(&service, "demo").await, [first, second]);
}

#[tokio::test]
async fn endpoint_2_of_an_unknown_agent_is_404() {
    service()
        .await
        .get("/api/assistants/threads/nobody")
        .await
        .failure(404);
}

#[tokio::test]
async fn endpoint_3_renames_for_good() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let path = format!("{THREADS}/{thread}");
    let answer = service
        .put(&path, &json!({ "threadName": " My trip " }))
        .await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.json()["threadName"], "My trip");
    assert_eq!(answer.json()["id"], thread);
    service.say(&thread, "hello").await;
    assert_eq!(names(&service).await, ["My trip"]);
}

#[tokio::test]
async fn endpoint_3_wants_a_name_of_bounded_length() {
    let service = service().await;
    let path = format!("{THREADS}/{}", service.thread("demo").await);
    for body in [
        json!({}),
        json!({ "threadName": "" }),
        json!({ "threadName": null }),
    ] {
        service.put(&path, &body).await.failure(400);
    }
    let long = json!({ "threadName": "x".repeat(201) });
    service.put(&path, &long).await.failure(400);
    let fits = json!({ "threadName": "é".repeat(200) });
    assert_eq!(service.put(&path, &fits).await.status, StatusCode::OK);
}

#[tokio::test]
async fn endpoint_4_deletes_a_thread_with_its_messages() {
    let service = service().await;
    let thread = service.thread("demo").await;
    service.say(&thread, "approve three").await;
    let path = format!("{THREADS}/{thread}");
    let answer = service.delete(&path).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(answer.text, "");
    service.delete(&path).await.failure(404);
    service.get(&messages_of(&thread)).await.failure(404);
    assert!(ids(&service, "demo").await.is_empty());
}

#[tokio::test]
async fn a_thread_is_named_by_its_first_message() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let words = "Please tell me everything there is to know about the delivery of lamps";
    service.say(&thread, words).await;
    service.say(&thread, "hello").await;
    let expected = "Please tell me everything there is to know about the…";
    assert_eq!(names(&service).await, [expected]);
}

#[tokio::test]
async fn a_thread_exists_only_for_the_user_who_made_it() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let path = format!("{THREADS}/{thread}");
    let messages = messages_of(&thread);
    let name = json!({ "threadName": "mine now" });
    let text = common::text("hello");
    for (method, path, body) in [
        (Method::PUT, &path, Some(&name)),
        (Method::DELETE, &path, None),
        (Method::GET, &messages, None),
        (Method::POST, &messages, Some(&text)),
    ] {
        let foreign = request(method.clone(), path, "mallory", body);
        service.send(foreign).await.failure(404);
    }
    let list = request(Method::GET, &format!("{THREADS}/demo"), "mallory", None);
    assert_eq!(service.send(list).await.json(), json!([]));
    let own = request(Method::GET, &format!("{THREADS}/demo"), USER, None);
    assert_eq!(
        service.send(own).await.json()[0]["threadName"],
        "New conversation"
    );
}

async fn list(service: &common::Service, agent: &str) -> Vec<Value> {
    let answer = service.get(&format!("{THREADS}/{agent}")).await;
    assert_eq!(answer.status, StatusCode::OK);
    answer.json().as_array().unwrap().clone()
}

async fn ids(service: &common::Service, agent: &str) -> Vec<String> {
    let threads = list(service, agent).await;
    threads
        .iter()
        .map(|thread| thread["id"].as_str().unwrap().to_owned())
        .collect()
}

async fn names(service: &common::Service) -> Vec<String> {
    let threads = list(service, "demo").await;
    threads
        .iter()
        .map(|thread| thread["threadName"].as_str().unwrap().to_owned())
        .collect()
}
