//! The end of an answer after an interruption: it ends once, at any time and from any cause.

use std::time::Duration;

use assent_protocol::EventType;
use assent_service::{
    Error,
    sentence::INTERRUPTED,
    store::{AcceptedPost, LoggedEvent, OwnedRun, Segment},
};
use axum::http::Method;
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use crate::common::{
    Service, USER, accept_text, asker::Asker, body, chunk, content, decided, events, key,
    messages_of, recover, request, requests, service, service_with, settings, text, types,
};

const ASKED: &str = "TOOL_EXECUTION_APPROVAL_REQUEST";

#[tokio::test]
async fn an_answer_that_is_stored_to_its_end_is_not_interrupted_again() {
    let service = service_with(settings(), vec![Asker::new(20)]).await;
    let thread = service.thread("asker").await;
    let post = request(Method::POST, &messages_of(&thread), USER, Some(&text("go")));
    let response = service.app.clone().oneshot(post).await.unwrap();
    let mut stream = response.into_body();
    // Whoever reads the question finds it stored.
    let mut read = Vec::new();
    while types(&read).last() != Some(&ASKED) {
        let frame = stream.frame().await.unwrap().unwrap();
        read.extend(events(&frame.into_data().unwrap()));
    }
    service.state.runs().finish(Duration::ZERO).await;
    while let Some(frame) = stream.frame().await {
        read.extend(events(&frame.unwrap().into_data().unwrap()));
    }
    assert_eq!(
        types(&read)[..2],
        ["CONNECTION_ESTABLISHED", "MESSAGE_RECEIVED"]
    );
    assert_eq!(types(&read)[2], "AGENT_RESPONSE_CHUNK");
    assert_eq!(types(&read)[3..], [ASKED; 20]);
    let messages = service.messages(&thread).await;
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert_eq!(messages[1]["content"], "May I?");
    assert_eq!(
        service.statuses(&thread).await,
        ["PENDING_HUMAN_APPROVAL"; 20]
    );
}

async fn accepted(service: &Service, thread: &str) -> AcceptedPost {
    accept_text(service.state.store(), thread, "hello").await
}

fn segment(run: &OwnedRun, handle: &str, last: bool) -> Segment {
    Segment {
        asked_in: String::new(),
        run: run.clone(),
        number: 0,
        handle: handle.to_owned(),
        next: "@demo".to_owned(),
        text: "said".to_owned(),
        words: Vec::new(),
        question: None,
        events: Vec::new(),
        first_event: 1,
        last,
    }
}

#[tokio::test]
async fn an_answer_that_ended_cannot_touch_the_next_one() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let first = accepted(&service, &thread).await.run;
    let end = segment(&first, "@demo", true);
    store.store_segment(&end).await.unwrap();
    let second = accepted(&service, &thread).await;
    // The same part again is there already; one more is none of this answer.
    store.store_segment(&end).await.unwrap();
    let next = Segment { number: 1, ..end };
    let late = store.store_segment(&next).await;
    assert!(matches!(late, Err(Error::NotFound(_))), "{late:?}");
    let pieces = [
        chunk(&first, 1, None, "old"),
        chunk(&second.run, 1, None, "new"),
    ];
    let logged = store.append_events(&pieces).await.unwrap();
    assert_eq!(logged, std::slice::from_ref(&second.run.id));
    assert_eq!(service.messages(&thread).await.len(), 3);
    service
        .post(&messages_of(&thread), &text("hello"))
        .await
        .failure(400);
}

#[tokio::test]
async fn after_a_colleague_a_crash_finds_the_threads_agent_speaking() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let request = accepted(&service, &thread).await.run;
    let piece = |number, text| [chunk(&request, number, Some("@colleague"), text)];
    store.append_events(&piece(1, "sa")).await.unwrap();
    store.append_events(&piece(2, "id")).await.unwrap();
    let mut said = segment(&request, "@colleague", false);
    said.first_event = 3;
    store.store_segment(&said).await.unwrap();
    let (ended, _) = recover(store, &|_| false).await;
    assert_eq!(ended, 1);
    let messages = service.messages(&thread).await;
    assert_eq!(messages[1]["handle"], "@colleague");
    assert_eq!(messages[1]["content"], "said");
    assert_eq!(messages[2]["handle"], "@demo");
    assert_eq!(messages[2]["content"], INTERRUPTED);
}

/// Its commit had happened, although it failed, and then the answer had to end.
#[tokio::test]
async fn a_part_that_is_stored_already_is_not_stored_with_the_end() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let request = accepted(&service, &thread).await.run;
    let event = |event_type| LoggedEvent::new(event_type, String::new());
    let part = Segment {
        events: vec![event(EventType::AgentResponseComplete)],
        ..segment(&request, "@demo", false)
    };
    assert_eq!(store.store_segment(&part).await.unwrap(), 1);
    assert_eq!(store.store_segment(&part).await.unwrap(), 1);
    let end = Segment {
        events: vec![event(EventType::Error)],
        last: true,
        ..part
    };
    assert_eq!(
        store.store_segment(&end).await.unwrap(),
        2,
        "after the other"
    );
    assert_eq!(service.messages(&thread).await.len(), 2);
    assert!(service.takes_a_post(&thread).await);
}

#[tokio::test]
async fn events_of_a_deleted_thread_are_not_kept() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let request = accepted(&service, &thread).await.run;
    let before = [chunk(&request, 1, None, "before")];
    assert_eq!(store.append_events(&before).await.unwrap().len(), 1);
    store.delete_thread(&key(&thread)).await.unwrap();
    let after = [chunk(&request, 2, None, "after")];
    assert!(store.append_events(&after).await.unwrap().is_empty());
    let left = store.entries_after(USER, &request.id, 0).await.unwrap();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn of_two_questions_answered_at_once_the_second_goes_on_though_the_first_fails() {
    let service = service_with(settings(), vec![Asker::new(2)]).await;
    let thread = service.thread("asker").await;
    let first = requests(&service.say(&thread, "go").await);
    let one = body(&[decided(&first[0], &["APPROVED"])]);
    let second = requests(&service.stream(&thread, &one).await);
    let both = body(&[
        decided(&first[1], &["APPROVED"]),
        decided(&second[0], &["APPROVED"]),
    ]);
    let events = service.stream(&thread, &both).await;
    let failed = "*The answer failed: It did not work.*";
    assert!(content(&events, "AGENT_RESPONSE_COMPLETE").ends_with(failed));
    let last = events.last().unwrap();
    assert_eq!(types(&events).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    assert_eq!(last.event_message.content, "The second one is done.");
}
