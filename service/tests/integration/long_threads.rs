//! Threads without end: what is read and stored of them is bounded.

use std::sync::{Arc, Mutex};

use assent_service::{
    Settings,
    agents::{Agent, Answer, AnswerFuture, Ending, Turn},
    profile::Profile,
    settings::StoreLimits,
};
use axum::http::{Method, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::{join, sync::Semaphore};
use tower::ServiceExt as _;

use crate::common::{
    Service, THREADS, USER,
    agents::{Flood, profile},
    asker::Asker,
    body, content, decided,
    desk::Desk,
    messages_of,
    model::{Reply, calls, says},
    request, requests, service, service_with, settings, text, types, until,
};

const LENGTH: usize = 10_000;

/// Puts `count` messages of `LENGTH` characters into a thread.
async fn fill(service: &Service, thread: &str, count: i64) {
    let mut database = service.folder.connect().await;
    let long = "x".repeat(LENGTH);
    let fill = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO messages (user_id, thread_id, ordinal, id, role, content, timestamp)
         SELECT '{USER}', '{thread}', i, '{thread}' || i, 'user', i || ' {long}', '2026-01-01T00:00:00Z' FROM n",
    );
    database.execute(fill).await.unwrap();
    database.close().await;
}

#[tokio::test]
async fn a_long_thread_is_sent_in_parts() {
    let service = service().await;
    let thread = service.thread("demo").await;
    fill(&service, &thread, 1_000).await;
    let list = request(Method::GET, &messages_of(&thread), USER, None);
    let mut response = service.app.clone().oneshot(list).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()["content-type"], "application/json");
    let mut whole = Vec::new();
    while let Some(frame) = response.frame().await {
        let part = frame.unwrap().into_data().unwrap();
        assert!(part.len() < 300_000, "{} bytes at once", part.len());
        whole.extend_from_slice(&part);
    }
    let messages: Vec<Value> = serde_json::from_slice(&whole).unwrap();
    assert_eq!(messages.len(), 1_000);
    for (index, message) in messages.iter().enumerate() {
        let start = format!("{} x", index + 1);
        assert!(message["content"].as_str().unwrap().starts_with(&start));
    }
}

#[tokio::test]
async fn a_thread_that_is_deleted_while_it_is_read_has_no_end() {
    let service = service().await;
    let thread = service.thread("demo").await;
    fill(&service, &thread, 1_000).await;
    let list = request(Method::GET, &messages_of(&thread), USER, None);
    let mut response = service.app.clone().oneshot(list).await.unwrap();
    response.frame().await.unwrap().unwrap();
    service.delete(&format!("{THREADS}/{thread}")).await;
    let mut broken = false;
    while let Some(frame) = response.frame().await {
        broken = frame.is_err();
    }
    assert!(broken, "a client would take it for all messages");
}

/// Keeps what it is given.
struct Listener {
    profile: Profile,
    given: Mutex<Vec<String>>,
}

impl Agent for Listener {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, turn: Turn, _: &'a mut dyn Answer) -> AnswerFuture<'a> {
        let contents = turn.conversation.into_iter().map(|message| message.content);
        *self.given.lock().unwrap() = contents.collect();
        Box::pin(async { Ok(Ending::Done) })
    }
}

#[tokio::test]
async fn an_agent_is_given_the_latest_of_a_long_thread() {
    let listener = Arc::new(Listener {
        profile: profile("listener"),
        given: Mutex::default(),
    });
    let service = service_with(settings(), vec![listener.clone()]).await;
    let thread = service.thread("listener").await;
    fill(&service, &thread, 1_000).await;
    service.say(&thread, "hello").await;
    let given = listener.given.lock().unwrap().clone();
    // 1 MiB of 10 kB each.
    assert_eq!(given.len(), 105);
    assert!(given[0].starts_with("897 x"), "{}", &given[0][..8]);
    assert_eq!(given[104], "hello");
}

async fn bounded(bytes: u64, agent: Arc<dyn Agent>) -> Service {
    let limits = StoreLimits {
        thread_bytes: bytes,
        ..StoreLimits::default()
    };
    let settings = Settings {
        limits,
        ..settings()
    };
    service_with(settings, vec![agent]).await
}

#[tokio::test]
async fn a_thread_takes_no_more_text_than_it_may_hold() {
    let service = bounded(1_000, Flood::new(100, 100)).await;
    let thread = service.thread("flood").await;
    let path = messages_of(&thread);
    let long = text(&"x".repeat(1_001));
    let failure = service.post(&path, &long).await.failure(400);
    let message = failure["message"].as_str().unwrap();
    assert!(message.contains("it can hold 1000 bytes"), "{message}");

    let events = service.say(&thread, "go").await;
    let reason = content(&events, "ERROR");
    assert!(reason.starts_with("This conversation is full"), "{reason}");
    let stored = service.messages(&thread).await;
    let answer = stored[1]["content"].as_str().unwrap();
    assert_eq!(
        answer,
        format!("{}\n\n*The answer failed: {reason}*", "x".repeat(900))
    );

    let failure = service.post(&path, &text("more")).await.failure(400);
    assert_eq!(failure["message"], reason);
    let place = format!("{THREADS}/{thread}");
    let renamed = service.put(&place, &json!({ "threadName": "full" })).await;
    assert_eq!(renamed.status, StatusCode::OK);
    assert_eq!(service.delete(&place).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn in_a_full_thread_a_question_can_still_be_answered() {
    let service = bounded(600, Asker::new(1)).await;
    let thread = service.thread("asker").await;
    let asked = requests(&service.say(&thread, &"x".repeat(150)).await);
    let decision = decided(&asked[0], &["DENIED"]);
    let words = json!({ "type": "text", "text": "x".repeat(600) });
    let path = messages_of(&thread);
    let refused = service.post(&path, &body(&[words, decision.clone()])).await;
    refused.failure(400);
    assert_eq!(service.statuses(&thread).await, ["PENDING_HUMAN_APPROVAL"]);
    service.stream(&thread, &body(&[decision])).await;
    assert_eq!(service.statuses(&thread).await, ["DENIED"]);
}

#[tokio::test]
async fn what_is_asked_counts_as_text_too() {
    let service = bounded(600, Asker::new(20)).await;
    let thread = service.thread("asker").await;
    let events = service.say(&thread, "go").await;
    assert!(content(&events, "ERROR").starts_with("This conversation is full"));
    assert!(service.statuses(&thread).await.is_empty());
}

#[tokio::test]
async fn a_transcript_is_decoded_once_in_an_answer_however_often_its_model_is_asked() {
    let open = Arc::new(Semaphore::new(0));
    let list = || calls("", &[("notes__list", json!({}))]);
    let held = Reply::Held(Arc::clone(&open), Box::new(list()));
    let desk = Desk::new(vec![says("Hello."), held, list(), says("Done.")]).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "hello").await;
    // From the first request on, nobody could decode what is stored.
    let spoil = async {
        until(async || desk.model.requests().len() == 2).await;
        let mut database = desk.service.folder.connect().await;
        let spoiled = database.execute("UPDATE transcript_items SET body = '{'");
        spoiled.await.unwrap();
        database.close().await;
        open.add_permits(1);
    };
    let (events, ()) = join!(desk.service.say(&thread, "look twice"), spoil);
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "Done.");
    assert_eq!(desk.model.requests().len(), 4);
    // The next answer decodes it, and fails.
    let events = desk.service.say(&thread, "again").await;
    assert_eq!(types(&events).last(), Some(&"ERROR"));
}
