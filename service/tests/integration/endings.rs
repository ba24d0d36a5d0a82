//! The end of an answer after an interruption: it ends once, at any time and from any cause.

use std::time::Duration;

use assent_service::{
    Error, Settings,
    rules::content::UserContent,
    sentence::{INTERRUPTED, Sentence},
    store::{AcceptedPost, Segment, ValidPost},
};
use axum::http::Method;
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use crate::common::{
    Service, USER, asker::Asker, body, content, decided, draft, events, key, messages_of, request,
    requests, service, service_with, settings, text, types,
};

const ASKED: &str = "TOOL_EXECUTION_APPROVAL_REQUEST";

#[tokio::test]
async fn an_answer_that_is_stored_to_its_end_is_not_interrupted_again() {
    let settings = Settings {
        max_queued_events: 4,
        ..settings()
    };
    let service = service_with(settings, vec![Asker::new(20)]).await;
    let thread = service.thread("asker").await;
    let post = request(Method::POST, &messages_of(&thread), USER, Some(&text("go")));
    let response = service.app.clone().oneshot(post).await.unwrap();
    let mut stream = response.into_body();
    let mut read = Vec::new();
    // The question is sent once it is stored. The rest of it is more than the queue of a client
    // that reads no further.
    while types(&read).last() != Some(&ASKED) {
        let frame = stream.frame().await.unwrap().unwrap();
        read.extend(events(&frame.into_data().unwrap()));
    }
    service.state.runs().finish(Duration::ZERO).await;
    // The client reads its queue, then sees that something is missing: no ERROR, no clean end.
    let broken = loop {
        match stream.frame().await {
            Some(Ok(frame)) => read.extend(events(&frame.into_data().unwrap())),
            Some(Err(_)) => break true,
            None => break false,
        }
    };
    assert!(broken);
    assert_eq!(
        types(&read)[..2],
        ["CONNECTION_ESTABLISHED", "MESSAGE_RECEIVED"]
    );
    assert_eq!(types(&read).last(), Some(&ASKED));
    assert!(requests(&read).len() < 20, "nothing is missing: {read:?}");
    let messages = service.messages(&thread).await;
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert_eq!(messages[1]["content"], "May I?");
    assert_eq!(
        service.statuses(&thread).await,
        ["PENDING_HUMAN_APPROVAL"; 20]
    );
}

async fn accepted(service: &Service, thread: &str) -> AcceptedPost {
    let content = UserContent {
        text: "hello".to_owned(),
        ..UserContent::default()
    };
    let post = ValidPost {
        thread: &key(thread),
        handle: "@demo",
        content: &content,
        answer: &[],
    };
    service.state.store().accept(post).await.unwrap()
}

fn segment(thread: &str, request_id: &str, handle: &str, last: bool) -> Segment {
    Segment {
        asked_in: String::new(),
        thread: key(thread),
        request_id: request_id.to_owned(),
        number: 0,
        handle: handle.to_owned(),
        next: "@demo".to_owned(),
        text: "said".to_owned(),
        words: Vec::new(),
        question: None,
        last,
    }
}

#[tokio::test]
async fn an_answer_that_ended_cannot_touch_the_next_one() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let first = accepted(&service, &thread).await.request_id;
    let end = segment(&thread, &first, "@demo", true);
    store.store_segment(&end).await.unwrap();
    let second = accepted(&service, &thread).await;
    let again = store.store_segment(&end).await;
    assert!(matches!(again, Err(Error::NotFound(_))), "{again:?}");
    let old = store
        .write_draft_pieces(&draft(&thread, &first, 0, "@demo", "old"))
        .await;
    assert_eq!(old.unwrap(), 0);
    let new = store
        .write_draft_pieces(&draft(&thread, &second.request_id, 0, "@demo", "new"))
        .await;
    assert_eq!(new.unwrap(), 1);
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
    let request = accepted(&service, &thread).await.request_id;
    let said = segment(&thread, &request, "@colleague", false);
    let draft = |text| draft(&thread, &request, 0, "@colleague", text);
    assert_eq!(store.write_draft_pieces(&draft("sa")).await.unwrap(), 1);
    store.store_segment(&said).await.unwrap();
    let late = store.write_draft_pieces(&draft("id")).await;
    assert_eq!(late.unwrap(), 0, "it is part of what is stored");
    let recovered = store
        .recover(&Sentence::Interrupted, &|_| false)
        .await
        .unwrap();
    assert_eq!(recovered.ended, 1);
    let messages = service.messages(&thread).await;
    assert_eq!(messages[1]["handle"], "@colleague");
    assert_eq!(messages[1]["content"], "said");
    assert_eq!(messages[2]["handle"], "@demo");
    assert_eq!(messages[2]["content"], INTERRUPTED);
}

#[tokio::test]
async fn a_draft_of_a_deleted_thread_is_not_kept() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let request = accepted(&service, &thread).await.request_id;
    store.delete_thread(&key(&thread)).await.unwrap();
    let kept = store
        .write_draft_pieces(&draft(&thread, &request, 0, "@demo", "so far"))
        .await;
    assert_eq!(kept.unwrap(), 0);
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
