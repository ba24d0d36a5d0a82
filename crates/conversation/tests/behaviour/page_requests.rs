//! E206 to E208: the host page's events, except approvals.

use assent_conversation::{
    Change, Command, ContentItem, Failure, FailureKind, Input, Intent, PageEvent, Verdict,
};
use serde_json::json;

use crate::asking::{asked_two, b1};
use crate::world::{World, request};

/// Returns the host page's events since the last call.
fn news(world: &mut World) -> Vec<PageEvent> {
    let page_events = std::mem::take(&mut world.done).into_iter();
    let page_events = page_events.filter_map(|command| match command {
        Command::NotifyPage(event) => Some(event),
        _ => None,
    });
    page_events.collect()
}

fn failures(world: &mut World) -> Vec<FailureKind> {
    let news = news(world).into_iter().filter_map(|event| match event {
        PageEvent::Failed(failure) => Some(failure.kind),
        _ => None,
    });
    news.collect()
}

fn thread(id: &str) -> PageEvent {
    PageEvent::ThreadChanged(Some(id.into()))
}

fn sent(text: &str) -> PageEvent {
    PageEvent::MessageSent {
        thread: "t1".into(),
        content: vec![ContentItem::Text(text.to_owned())],
    }
}

fn complete(text: &str) -> PageEvent {
    PageEvent::AnswerComplete {
        thread: "t1".into(),
        text: text.to_owned(),
    }
}

#[test]
fn e206_the_page_is_told_where_the_person_is_what_was_sent_and_what_was_answered() {
    let mut world = World::new();
    world.intend(Intent::NewThread);
    assert_eq!(news(&mut world), [], "there was none before");
    world.send("hi");
    world.created(json!({"id": "t1"}));
    assert_eq!(news(&mut world), [thread("t1")], "it was made");
    world.opened();
    assert_eq!(news(&mut world), []);
    for _ in 0..2 {
        world.event("MESSAGE_RECEIVED", "");
    }
    assert_eq!(news(&mut world), [sent("hi")]);
    world.event_of("AGENT_RESPONSE_COMPLETE", "One", Some(("a", "Ann")));
    world.event_of("AGENT_RESPONSE_COMPLETE", "Two", Some(("b", "Bob")));
    assert_eq!(news(&mut world), []);
    world.ends();
    assert_eq!(news(&mut world), [complete("One\n\nTwo")]);
    world.intend(Intent::OpenThread("t2".into()));
    assert_eq!(news(&mut world), [thread("t2")]);
    world.intend(Intent::NewThread);
    assert_eq!(news(&mut world), [PageEvent::ThreadChanged(None)]);

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Unreachable);
    news(&mut world);
    world.stored(json!([{"id": "m1", "role": "user", "content": "hi"}]));
    assert_eq!(news(&mut world), [sent("hi")], "it had arrived");
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "Hello"},
    ]));
    assert_eq!(news(&mut world), [complete("Hello")]);

    let mut world = asked_two();
    let asked = news(&mut world);
    assert!(
        !asked
            .iter()
            .any(|it| matches!(it, PageEvent::AnswerComplete { .. }))
    );
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world.event("MESSAGE_RECEIVED", "");
    world.event("AGENT_RESPONSE_COMPLETE", "Done");
    world.ends();
    assert_eq!(news(&mut world).last(), Some(&complete("Done")));
}

#[test]
fn e207_the_page_is_told_of_each_failure_that_is_shown_once() {
    let mut world = World::new();
    world.give(Input::Threads(Err(Failure::of(FailureKind::Service))));
    assert_eq!(failures(&mut world), [FailureKind::Service]);
    world.intend(Intent::OpenThread("t1".into()));
    world.not_stored(FailureKind::Forbidden);
    assert_eq!(failures(&mut world), [FailureKind::Forbidden]);

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::TooMany);
    assert_eq!(failures(&mut world), [FailureKind::TooMany]);
    world.intend(Intent::RetryMessage(world.message(0).key));
    world.breaks(FailureKind::Unreachable);
    assert_eq!(failures(&mut world), [], "it may have arrived");
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(failures(&mut world), [FailureKind::Unconfirmed]);
    world.intend(Intent::ReloadMessages);
    for _ in 0..4 {
        world.stored(json!([]));
    }
    assert_eq!(failures(&mut world), [FailureKind::NotDelivered]);

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_CHUNK", "He");
    world.ends();
    assert_eq!(failures(&mut world), []);
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(failures(&mut world), [FailureKind::Interrupted]);

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("ERROR", "No model");
    world.ends();
    assert_eq!(failures(&mut world), [FailureKind::Agent]);

    let mut world = asked_two();
    failures(&mut world);
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world.breaks(FailureKind::TooMany);
    assert_eq!(failures(&mut world), [FailureKind::TooMany]);
}

#[test]
fn e208_answers_that_nobody_could_see_are_counted_until_somebody_can() {
    let mut world = World::in_thread(json!([]));
    let answer = |world: &mut World| {
        world.send("hi");
        world.event("AGENT_RESPONSE_COMPLETE", "Hello");
        world.ends();
    };
    let unread = |world: &mut World| -> Vec<u32> {
        let news = news(world).into_iter().filter_map(|event| match event {
            PageEvent::Unread(count) => Some(count),
            _ => None,
        });
        news.collect()
    };
    answer(&mut world);
    assert!(unread(&mut world).is_empty());
    world.give(Input::VisibilityChanged(false));
    answer(&mut world);
    answer(&mut world);
    assert_eq!(unread(&mut world), [1, 2]);
    assert_eq!(world.state.unread, 2);
    world.send("hi");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    assert!(unread(&mut world).is_empty(), "that is no answer");
    world.give(Input::VisibilityChanged(true));
    world.give(Input::VisibilityChanged(true));
    assert_eq!(unread(&mut world), [0]);
    assert_eq!(world.state.unread, 0);
}

#[test]
fn e303_the_first_unread_answer_is_marked() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.give(Input::VisibilityChanged(false));
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.ends();
    let first = world.message(1).key;
    assert_eq!(world.open().first_unread, Some(first));
    assert!(world.changes.contains(&Change::Message(world.key(), first)));
    world.give(Input::VisibilityChanged(true));
    assert_eq!(world.open().first_unread, Some(first), "it is seen now");
    world.give(Input::VisibilityChanged(false));
    assert_eq!(world.open().first_unread, None);
    assert!(world.changes.contains(&Change::Message(world.key(), first)));

    world.send("and?");
    world.event("AGENT_RESPONSE_COMPLETE", "That");
    world.ends();
    assert_eq!(world.open().first_unread, Some(world.message(3).key));
    world.give(Input::VisibilityChanged(true));
    world.send("thanks");
    assert_eq!(world.open().first_unread, None);
}
