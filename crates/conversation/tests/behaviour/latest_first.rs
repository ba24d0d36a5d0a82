//! E290 to E293: the latest part of a list, before all of it.

use assent_conversation::{
    Command, Failure, FailureKind, Input, Intent, LoadState, ReadingPosition, StreamEnd, Verdict,
};
use serde_json::{Value, json};

use crate::asking::{PENDING, b1, batch, stored_half};
use crate::world::{FIRST_LIST, LIST, World, request, thread_of};

fn rows(ids: &[u32]) -> Vec<assent_protocol::SessionThread> {
    let row = |id: &u32| {
        thread_of(json!({
            "id": format!("t{id}"),
            "threadName": format!("n{id}"),
            "lastMessageTime": format!("2026-01-0{id}T00:00:00Z"),
        }))
    };
    ids.iter().map(row).collect()
}

/// Takes the latest stored messages from the last load.
fn latest(world: &mut World, stored: Value) {
    world.give(Input::LatestMessages {
        conversation: world.key(),
        load: world.load(),
        stored: serde_json::from_value(stored).unwrap(),
    });
}

fn message(id: u32) -> Value {
    let role = if id % 2 == 1 { "user" } else { "assistant" };
    json!({"id": format!("m{id}"), "role": role, "content": format!("text {id}")})
}

fn messages(ids: std::ops::RangeInclusive<u32>) -> Value {
    ids.map(message).collect()
}

/// Returns whether the last load wants the latest messages first.
fn wants_latest(world: &World) -> bool {
    let mut loads = world.commands.iter().filter_map(|command| match command {
        Command::LoadMessages { latest_first, .. } => Some(*latest_first),
        _ => None,
    });
    loads.next().expect("a load")
}

/// Returns a thread of which the latest two messages are shown.
fn partly_loaded() -> World {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    assert!(wants_latest(&world));
    latest(&mut world, messages(3..=4));
    world
}

#[test]
fn e290_the_newest_threads_are_shown_before_all_are_listed() {
    let mut world = World::new();
    world.intend(Intent::Start { remembered: None });
    assert_eq!(world.commands, [FIRST_LIST]);
    world.give(Input::LatestThreads(rows(&[5, 4])));
    assert_eq!(world.row_names(), ["n5", "n4"]);
    assert_eq!(world.commands, [LIST], "all are requested");
    assert_eq!(world.state.threads.load, LoadState::Loading);
    world.give(Input::Threads(Ok(rows(&[5, 4, 3, 2]))));
    assert_eq!(world.row_names(), ["n5", "n4", "n3", "n2"]);
    assert_eq!(world.state.threads.load, LoadState::Ready);
    world.intend(Intent::RefreshThreads);
    assert_eq!(world.commands, [LIST], "they are shown already");
}

#[test]
fn e290_a_thread_that_is_not_among_the_newest_is_not_taken_as_deleted() {
    let mut world = World::new();
    world.intend(Intent::Start { remembered: None });
    world.give(Input::ThreadCreated {
        conversation: world.key(),
        result: Ok(thread_of(json!({"id": "t1", "threadName": "n1"}))),
    });
    world.give(Input::Threads(Ok(rows(&[3, 1]))));
    world.give(Input::LatestThreads(rows(&[5, 4])));
    assert_eq!(world.row_names(), ["n5", "n4", "n3", "n1"]);
    world.give(Input::Threads(Err(Failure::of(FailureKind::Unreachable))));
    assert_eq!(
        world.row_names(),
        ["n5", "n4", "n3", "n1"],
        "what is known stays"
    );
}

#[test]
fn e290_after_a_first_answer_the_newest_threads_suffice_where_all_are_known() {
    let mut world = World::new();
    world.intend(Intent::Start { remembered: None });
    world.give(Input::Threads(Ok(rows(&[3, 2]))));
    world.give(Input::LatestThreads(rows(&[5, 4])));
    assert_eq!(world.row_names(), ["n5", "n4", "n3", "n2"]);
    assert_eq!(world.commands, []);
    assert_eq!(world.state.threads.load, LoadState::Ready);
    world.give(Input::Threads(Err(Failure::of(FailureKind::Unreachable))));
    world.give(Input::LatestThreads(rows(&[5, 4])));
    assert_eq!(
        world.commands,
        [LIST],
        "it is not known whether these are all"
    );
}

#[test]
fn e291_the_latest_messages_are_shown_before_all_are_loaded() {
    let mut world = partly_loaded();
    assert_eq!(world.texts(), [("you", "text 3"), ("agent", "text 4")]);
    assert_eq!(world.open().load, LoadState::Loading);
    assert!(!wants_latest(&world), "all are requested");
    let shown: Vec<_> = world.open().messages.iter().map(|it| it.key).collect();
    world.stored(messages(1..=4));
    assert_eq!(world.open().load, LoadState::Ready);
    assert_eq!(world.texts().len(), 4);
    let keys: Vec<_> = world.open().messages.iter().map(|it| it.key).collect();
    assert_eq!(keys[2..], shown, "they are the same messages");
    world.intend(Intent::ReloadMessages);
    assert!(!wants_latest(&world));
}

#[test]
fn e291_a_message_that_is_sent_meanwhile_is_behind_them() {
    let mut world = partly_loaded();
    world.send("more");
    world.stored(messages(1..=4));
    let texts = world.texts();
    assert_eq!(texts.len(), 5);
    assert_eq!(texts[4], ("you", "more"));
    world.event("MESSAGE_RECEIVED", "more");
    world.event("AGENT_RESPONSE_COMPLETE", "Yes.");
    world.ends();
    let mut stored = messages(1..=4).as_array().unwrap().clone();
    stored.push(json!({"id": "m5", "role": "user", "content": "more"}));
    stored.push(json!({"id": "m6", "role": "assistant", "content": "Yes."}));
    world.stored(stored.into());
    assert_eq!(world.texts().len(), 6);
}

#[test]
fn e291_what_waits_among_them_can_be_decided_at_once() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    let mut told = stored_half(&request("b1", "x1", "mail"), PENDING);
    told["toolMemoryId"] = "mem".into();
    told["toolArguments"] = json!({ "to": "ann@example.org" });
    let asks = json!({"id": "m4", "role": "assistant", "content": "May I?",
        "toolExecutionHumanApprovalRequest": [told]});
    latest(&mut world, json!([message(3), asks]));
    let version = batch(&world).tools[0].version;
    world.intend(Intent::Decide(b1(), version, Verdict::Deny));
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);
    world.stored(json!([message(1), message(2), message(3), asks]));
    assert_eq!(world.texts().len(), 4);
    assert!(
        world.open().stream().is_some(),
        "the decision is on its way"
    );
    world.opened();
    world.give(Input::StreamEnded(world.stream(), StreamEnd::Closed));
}

#[test]
fn e292_messages_that_are_here_already_are_loaded_with_all_others() {
    let mut world = World::in_thread(messages(1..=2));
    world.intend(Intent::ReloadMessages);
    assert!(!wants_latest(&world));
    latest(&mut world, messages(3..=4));
    assert_eq!(world.texts().len(), 2, "nobody wanted them");
    assert!(!wants_latest(&world));
    world.stored(messages(1..=4));
    assert_eq!(world.texts().len(), 4);
}

#[test]
fn e292_without_ids_all_are_waited_for() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    latest(&mut world, json!([{"role": "user", "content": "again"}]));
    assert_eq!(world.texts(), []);
    assert!(!wants_latest(&world), "and not asked for again");
    let again = json!({"role": "user", "content": "again"});
    world.stored(json!([again, again]));
    assert_eq!(world.texts().len(), 2);
}

#[test]
fn e292_those_of_an_outdated_load_are_not_shown() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    let (conversation, outdated) = (world.key(), world.load());
    world.intend(Intent::ReloadMessages);
    let stored = serde_json::from_value(messages(3..=4)).unwrap();
    world.give(Input::LatestMessages {
        conversation,
        load: outdated,
        stored,
    });
    assert_eq!(world.texts(), []);
    assert_eq!(world.commands, []);
}

#[test]
fn e293_a_conversation_that_is_read_further_up_is_loaded_as_a_whole() {
    let mut world = World::new();
    let position = ReadingPosition {
        message: 1,
        below: -5,
    };
    world.give(Input::Positions(vec![("t1".into(), position)]));
    world.intend(Intent::OpenThread("t1".into()));
    assert!(!wants_latest(&world));
    world.stored(messages(1..=4));
    assert_eq!(world.open().position, Some(position));
}

#[test]
fn e293_until_all_are_there_no_position_is_reported() {
    let mut world = partly_loaded();
    let position = ReadingPosition {
        message: 0,
        below: -5,
    };
    world.intend(Intent::ReadAt(Some(position)));
    assert_eq!(world.open().position, None);
    world.stored(messages(1..=4));
    world.intend(Intent::ReadAt(Some(position)));
    assert_eq!(world.open().position, Some(position));
}

#[test]
fn e292_a_failure_of_the_rest_leaves_them_and_can_be_tried_again() {
    let mut world = partly_loaded();
    world.not_stored(FailureKind::Unreachable);
    assert!(matches!(world.open().load, LoadState::Failed(_)));
    assert_eq!(world.texts().len(), 2);
    world.intend(Intent::ReloadMessages);
    assert_eq!(world.open().load, LoadState::Loading);
    world.stored(messages(1..=4));
    assert_eq!(world.texts().len(), 4);
}
