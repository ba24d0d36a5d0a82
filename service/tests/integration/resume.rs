//! The extension `resume`: an answer is read on after any of its events, by any number of readers.

use std::sync::Arc;

use assent_protocol::SseEvent;
use assent_service::{
    agents::{Agent, Answer, AnswerFuture, Ending, Turn},
    profile::Profile,
    store::Store,
};
use axum::http::{Method, StatusCode};
use tokio::sync::Semaphore;

use crate::common::{
    self, Service, USER,
    agents::{Flood, Gate, profile},
    content,
    live::{End, Live, Reader},
    messages_of, request, service, service_with, settings, text, types, until,
};

/// Asks for what follows an event; without one, for the answer that is being written.
async fn resume(live: &Live, thread: &str, after: &str) -> Reader {
    let path = format!("{}/stream?after={after}", messages_of(thread));
    live.send(request(Method::GET, &path, USER, None)).await
}

fn ids(events: &[SseEvent]) -> Vec<&str> {
    events.iter().map(|it| it.event_id.as_str()).collect()
}

/// Asserts that each event has the id `<requestId>/<number>`, and that the numbers rise by one from
/// `first` on.
fn assert_numbered(events: &[SseEvent], first: usize) {
    for (number, event) in (first..).zip(events) {
        let id = format!("{}/{number}", event.request_id);
        assert_eq!(event.event_id.as_str(), id);
    }
}

#[tokio::test]
async fn ids_of_frames_are_those_of_events_and_rise_by_one() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("hello")).await;
    let (events, _) = reader.rest().await;
    assert_numbered(&events, 1);
    let raw = String::from_utf8(reader.raw.clone()).unwrap();
    let of_frames: Vec<_> = raw
        .lines()
        .filter_map(|it| it.strip_prefix("id: "))
        .collect();
    assert_eq!(of_frames, ids(&events));
    live.stop().await;
}

#[tokio::test]
async fn who_comes_back_gets_what_follows_and_then_what_is_said_live() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut first = live.post(&messages_of(&thread), USER, &text("go")).await;
    let chunk = first.read_to("AGENT_RESPONSE_CHUNK").await;
    let run = chunk.request_id.clone();
    assert_eq!(chunk.event_id.as_str(), format!("{run}/3"));
    first.leave();

    let mut again = resume(&live, &thread, &format!("{run}/2")).await;
    assert_eq!(again.status, 200);
    assert_eq!(again.next().await.unwrap(), chunk, "the very same event");
    let mut whole = resume(&live, &thread, "").await;
    let whole_begin = whole.read_to("AGENT_RESPONSE_CHUNK").await;
    assert_eq!(whole_begin, chunk);
    gate.open.add_permits(1);
    for reader in [&mut again, &mut whole] {
        let (rest, end) = reader.rest().await;
        assert_eq!(
            types(&rest),
            ["AGENT_RESPONSE_CHUNK", "AGENT_RESPONSE_COMPLETE"]
        );
        assert_numbered(&rest, 4);
        assert_eq!(end, End::Clean);
    }
    live.stop().await;
}

#[tokio::test]
async fn after_its_end_an_answer_is_read_on_and_then_there_is_nothing() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("hello")).await;
    let (all, _) = reader.rest().await;
    for from in 0..all.len() {
        let after = format!("{}/{from}", all[0].request_id);
        let mut again = resume(&live, &thread, &after).await;
        let (rest, end) = again.rest().await;
        assert_eq!((&rest[..], end), (&all[from..], End::Clean));
    }
    let last = all.last().unwrap().event_id.as_str();
    assert_eq!(resume(&live, &thread, last).await.status, 204);
    assert_eq!(resume(&live, &thread, "").await.status, 204);

    // The same by the header that browsers send.
    let path = format!("{}/stream", messages_of(&thread));
    let mut by_header = request(Method::GET, &path, USER, None);
    let value = all[1].event_id.as_str().parse().unwrap();
    by_header.headers_mut().insert("last-event-id", value);
    let (rest, _) = live.send(by_header).await.rest().await;
    assert_eq!(rest, all[2..]);
    live.stop().await;
}

#[tokio::test]
async fn an_answer_that_ended_is_not_read_on_in_the_next_one() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    gate.open.add_permits(1);
    let first = service.say(&thread, "one").await;
    let live = service.listen().await;
    let mut posted = live.post(&messages_of(&thread), USER, &text("two")).await;
    posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let last = first.last().unwrap().event_id.as_str();
    assert_eq!(resume(&live, &thread, last).await.status, 204);
    let mut now = resume(&live, &thread, "").await;
    gate.open.add_permits(1);
    let (events, _) = now.rest().await;
    assert_ne!(events[0].request_id, first[0].request_id);
    assert_numbered(&events, 1);
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "first second");
    live.stop().await;
}

#[tokio::test]
async fn a_list_of_messages_says_where_to_read_on() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let path = messages_of(&thread);
    assert!(
        service
            .get(&path)
            .await
            .headers
            .get("assent-answer")
            .is_none()
    );
    let mut posted = live.post(&path, USER, &text("go")).await;
    let chunk = posted.read_to("AGENT_RESPONSE_CHUNK").await;
    for path in [path.clone(), format!("{path}?limit=10")] {
        let list = service.get(&path).await;
        let after = list.headers["assent-answer"].to_str().unwrap();
        assert_eq!(
            after,
            format!("{}/0", chunk.request_id),
            "nothing is stored"
        );
    }
    gate.open.add_permits(1);
    posted.rest().await;
    assert!(
        service
            .get(&path)
            .await
            .headers
            .get("assent-answer")
            .is_none()
    );
    live.stop().await;
}

/// Lets a colleague speak, and then speaks itself until it is let go on.
struct TwoParts {
    profile: Profile,
    colleague: Profile,
    open: Semaphore,
}

impl Agent for TwoParts {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    fn answer<'a>(&'a self, _: Turn, answer: &'a mut dyn Answer) -> AnswerFuture<'a> {
        Box::pin(async move {
            answer.say(Some(&self.colleague), "one").await?;
            answer.end_colleague().await?;
            answer.say(None, "two").await?;
            self.open.acquire().await.unwrap().forget();
            Ok(Ending::Done)
        })
    }
}

/// Its text is among the messages, and not in the events that the list points to.
#[tokio::test]
async fn after_a_part_that_is_stored_the_rest_is_read_on() {
    let agent = Arc::new(TwoParts {
        profile: profile("parts"),
        colleague: profile("helper"),
        open: Semaphore::new(0),
    });
    let service = service_with(settings(), vec![agent.clone()]).await;
    let thread = service.thread("parts").await;
    let live = service.listen().await;
    let mut posted = live.post(&messages_of(&thread), USER, &text("go")).await;
    let told = posted.read_to("AGENT_RESPONSE_COMPLETE").await;
    let next = posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let list = service.get(&messages_of(&thread)).await;
    let messages = list.json();
    assert_eq!(messages[1]["content"], "one");
    assert_eq!(messages.as_array().unwrap().len(), 2);
    let after = list.headers["assent-answer"].to_str().unwrap();
    assert_eq!(after, told.event_id.as_str());
    let mut again = resume(&live, &thread, after).await;
    assert_eq!(again.next().await.unwrap(), next);
    agent.open.add_permits(1);
    let (rest, _) = again.rest().await;
    assert_eq!(content(&rest, "AGENT_RESPONSE_COMPLETE"), "two");
    live.stop().await;
}

#[tokio::test]
async fn what_the_log_does_not_have_is_gone() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let other = service.thread("demo").await;
    let all = service.say(&thread, "hello").await;
    let run = all[0].request_id.clone();
    let path = |thread: &str, after: &str| format!("{}/stream?after={after}", messages_of(thread));
    for (thread, after, status) in [
        (&thread, "never/1".to_owned(), 410),
        (&other, format!("{run}/1"), 410),
        (&thread, format!("{run}/x"), 410),
        (&thread, format!("{run}/-1"), 410),
        (&thread, run.clone(), 410),
        (&"never".to_owned(), format!("{run}/1"), 404),
    ] {
        let answer = service.get(&path(thread, &after)).await;
        answer.failure(status);
    }
    let stranger = request(Method::GET, &path(&thread, ""), "bob", None);
    service.send(stranger).await.failure(404);

    // Some time after its end.
    let store = service.state.store();
    while !store.trim_log("9999", "").await.unwrap() {}
    service
        .get(&path(&thread, &format!("{run}/1")))
        .await
        .failure(410);
    let left = store.entries_after(USER, &run, 0).await.unwrap();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(service.messages(&thread).await.len(), 2);
}

#[tokio::test]
async fn the_log_of_an_answer_that_is_being_written_is_not_trimmed() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut posted = live.post(&messages_of(&thread), USER, &text("go")).await;
    posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let store = service.state.store();
    assert!(store.trim_log("9999", "").await.unwrap());
    gate.open.add_permits(1);
    let (rest, _) = posted.rest().await;
    assert_eq!(types(&rest).len(), 2);
    let mut again = resume(&live, &thread, &format!("{}/0", rest[0].request_id)).await;
    assert_numbered(&again.rest().await.0, 1);
    live.stop().await;
}

/// A break of the scenario's agent, as of a proxy.
#[tokio::test]
async fn a_connection_that_was_cut_is_taken_up_again() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("cut")).await;
    let (before, end) = reader.rest().await;
    assert_eq!(end, End::Broken);
    let last = before.last().unwrap().event_id.as_str();
    let (after, end) = resume(&live, &thread, last).await.rest().await;
    assert_eq!(end, End::Clean);
    let all = [before, after].concat();
    assert_numbered(&all, 1);
    let chunks = all
        .iter()
        .filter(|it| it.event_type.name() == "AGENT_RESPONSE_CHUNK");
    let said: String = chunks.map(|it| it.event_message.content.as_str()).collect();
    assert_eq!(said, content(&all, "AGENT_RESPONSE_COMPLETE"));
    live.stop().await;
}

/// Returns a service in the middle of an answer, as a crash leaves it, and the id of the run.
async fn cut_off(agents: Vec<Arc<dyn Agent>>) -> (Service, String, String) {
    let service = service_with(settings(), agents).await;
    let thread = service.thread("gate").await;
    let post = request(Method::POST, &messages_of(&thread), USER, Some(&text("go")));
    let app = service.app.clone();
    let reading = tokio::spawn(tower::ServiceExt::oneshot(app, post));
    let response = reading.await.unwrap().unwrap();
    until(async || service.has_logged(&thread, 3).await).await;
    let store = service.state.store();
    let run = store.running(&common::key(&thread)).await.unwrap();
    let run = run.unwrap().id;
    drop(response);
    (service, thread, run)
}

#[tokio::test]
async fn an_answer_that_a_crash_cut_off_is_read_on_to_its_end_after_the_restart() {
    let (service, thread, run) = cut_off(vec![Gate::new()]).await;
    let folder = service.folder.clone();
    // Without a word: nothing is stored any more.
    service.state.store().close().await;
    drop(service);
    let service = common::service_in(folder, settings(), Vec::new()).await;
    let live = service.listen().await;
    let mut again = resume(&live, &thread, &format!("{run}/2")).await;
    let (rest, end) = again.rest().await;
    assert_eq!(types(&rest), ["AGENT_RESPONSE_CHUNK", "ERROR"]);
    assert_eq!(rest[0].event_message.content, "first");
    assert_numbered(&rest, 3);
    assert_eq!(end, End::Clean);
    let stored = &service.messages(&thread).await[1]["content"];
    assert!(
        stored.as_str().unwrap().starts_with("first\n\n*"),
        "{stored}"
    );
    live.stop().await;
}

#[tokio::test]
async fn a_run_that_begins_again_tells_readers_that_their_events_do_not_go_on() {
    let (service, thread, run) = cut_off(vec![Gate::new()]).await;
    let folder = service.folder.clone();
    service.state.store().close().await;
    drop(service);
    let store = Store::open(&folder.storage()).await.unwrap();
    let (_, resumed) = common::recover(&store, &|_| true).await;
    let resumed = &resumed[0].accepted;
    assert_eq!((&resumed.run.id, resumed.first_event), (&run, 5));
    let found = store.run(&common::key(&thread), &run).await.unwrap();
    let found = found.unwrap();
    assert_eq!((found.first_event, found.stored_event), (5, 4));
    assert!(store.entries_after(USER, &run, 0).await.unwrap().is_empty());
    let service = common::service_over(store, folder, settings(), Vec::new());
    let path = |number| format!("{}/stream?after={run}/{number}", messages_of(&thread));
    for number in [0, 3] {
        service.get(&path(number)).await.failure(410);
    }
}

#[tokio::test]
async fn many_readers_of_one_answer_get_the_same() {
    let service = service_with(settings(), vec![Flood::new(500, 100)]).await;
    let thread = service.thread("flood").await;
    let live = service.listen().await;
    let mut posted = live.post(&messages_of(&thread), USER, &text("go")).await;
    let begin = posted.read_to("MESSAGE_RECEIVED").await;
    let after = format!("{}/2", begin.request_id);
    let mut readers = Vec::new();
    for _ in 0..20 {
        readers.push(resume(&live, &thread, &after).await);
    }
    let (whole, _) = posted.rest().await;
    let said = content(&whole, "AGENT_RESPONSE_COMPLETE");
    for mut reader in readers {
        let (events, end) = reader.rest().await;
        assert_eq!(end, End::Clean);
        let chunks = events
            .iter()
            .filter(|it| it.event_type.name() == "AGENT_RESPONSE_CHUNK");
        let pieces: String = chunks.map(|it| it.event_message.content.as_str()).collect();
        assert_eq!(pieces, said);
        assert_eq!(ids(&events).last(), ids(&whole).last());
    }
    live.stop().await;
}

#[tokio::test]
async fn readers_of_a_deleted_thread_are_told_and_then_there_is_no_such_thread() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut posted = live.post(&messages_of(&thread), USER, &text("go")).await;
    let chunk = posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let mut other = resume(&live, &thread, chunk.event_id.as_str()).await;
    let path = format!("{}/{thread}", common::THREADS);
    assert_eq!(service.delete(&path).await.status, StatusCode::NO_CONTENT);
    for reader in [&mut posted, &mut other] {
        let (rest, end) = reader.rest().await;
        assert_eq!((types(&rest), end), (vec!["ERROR"], End::Clean));
    }
    let gone = resume(&live, &thread, chunk.event_id.as_str()).await;
    assert_eq!(gone.status, 404);
    live.stop().await;
}
