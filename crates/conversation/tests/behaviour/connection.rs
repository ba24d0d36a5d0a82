//! E220 to E227: the network comes and goes, and a stream stalls.

use assent_conversation::{
    Change, Command, Failure, FailureKind, Input, Intent, Interruption, LoadState, MessageStatus,
};
use serde_json::json;

use crate::world::{FIRST_LIST, World, failed};

const CHECKING: MessageStatus = MessageStatus::Unconfirmed {
    checking: true,
    failure: None,
};
const UNKNOWN: MessageStatus = MessageStatus::Unconfirmed {
    checking: false,
    failure: None,
};

/// Returns a thread whose only post broke before it was accepted, and whose loads failed.
fn unknown() -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Unreachable);
    world.not_stored(FailureKind::Unreachable);
    world
}

/// Returns a thread with a stalled stream.
fn quiet() -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_CHUNK", "Half");
    world.give(Input::StreamStalled(world.stream(), true));
    world
}

fn list_failed(world: &mut World, kind: FailureKind) {
    world.give(Input::Threads(Err(Failure::of(kind))));
}

fn lists(world: &World) -> bool {
    world.commands.contains(&FIRST_LIST)
}

fn network(world: &mut World, is_there: bool) {
    world.give(Input::Online(is_there));
}

#[test]
fn e220_an_unknown_outcome_can_be_posted_again_on_purpose() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Unreachable);
    let key = world.message(0).key;
    world.intend(Intent::ResendMessage(key));
    assert_eq!((world.posts(), world.status(0)), (0, &CHECKING));
    world.not_stored(FailureKind::Unreachable);
    world.intend(Intent::RetryMessage(key));
    assert_eq!((world.posts(), world.status(0)), (0, &UNKNOWN));
    world.now += 60_000;
    world.intend(Intent::ResendMessage(key));
    assert_eq!(world.posts(), 1);
    assert_eq!(world.status(0), &MessageStatus::Sending);
    assert_eq!(world.message(0).time.unwrap().0, world.now);
}

#[test]
fn e220_only_what_is_unknown_is_posted_again_so() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Rejected);
    world.intend(Intent::ResendMessage(world.message(0).key));
    assert_eq!(world.posts(), 0);
    assert_eq!(world.status(0), &failed(FailureKind::Rejected));
}

#[test]
fn e221_a_quiet_stream_is_said_until_something_comes() {
    let mut world = quiet();
    assert!(world.changes.contains(&Change::Composer(world.key())));
    assert!(world.open().stream().unwrap().is_stalled);
    assert_eq!(world.status(1), &MessageStatus::Streaming);
    world.give(Input::StreamStalled(world.stream(), false));
    assert!(!world.open().stream().unwrap().is_stalled);
    world.event("AGENT_RESPONSE_COMPLETE", "Half and the rest");
    assert_eq!(world.status(1), &MessageStatus::Complete);
}

#[test]
fn e222_to_check_a_quiet_stream_gives_it_up_and_reads() {
    let mut world = quiet();
    let stream = world.stream();
    world.intend(Intent::ReloadMessages);
    assert!(world.commands.contains(&Command::CancelStream(stream)));
    assert_eq!(world.load_delay(), Some(0));
    let lost = MessageStatus::Interrupted {
        by: Interruption::Lost,
        checking: true,
    };
    assert_eq!(world.status(1), &lost);
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "Half and the rest"},
    ]));
    assert_eq!(
        world.texts(),
        [("you", "hi"), ("agent", "Half and the rest")]
    );
}

#[test]
fn e222_to_check_a_stream_that_says_something_leaves_it_alone() {
    let mut world = quiet();
    world.give(Input::StreamStalled(world.stream(), false));
    world.intend(Intent::ReloadMessages);
    assert!(world.open().stream().is_some());
    assert_eq!(world.load_delay(), Some(0));
}

#[test]
fn e222_a_post_of_which_nothing_ever_came_is_checked() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.give(Input::StreamStalled(world.stream(), true));
    world.intend(Intent::ReloadMessages);
    assert_eq!(world.status(0), &CHECKING);
    assert_eq!(world.load_delay(), Some(0));
}

#[test]
fn e223_what_is_sent_without_a_network_has_not_left() {
    let mut world = World::in_thread(json!([]));
    network(&mut world, false);
    assert!(!world.state.is_online);
    assert!(world.changes.contains(&Change::Composer(world.key())));
    world.send("hi");
    world.breaks(FailureKind::Offline);
    assert_eq!(world.status(0), &failed(FailureKind::Offline));
    assert_eq!(world.load_delay(), None);
    network(&mut world, true);
    assert_eq!(world.posts(), 0, "nothing is posted by itself");
    world.intend(Intent::RetryMessage(world.message(0).key));
    assert_eq!(world.posts(), 1);
}

#[test]
fn e224_the_network_is_back_and_all_is_read_again() {
    let mut world = unknown();
    list_failed(&mut world, FailureKind::Unreachable);
    network(&mut world, true);
    assert!(world.commands.is_empty(), "it was there before");
    network(&mut world, false);
    network(&mut world, true);
    assert!(lists(&world));
    assert_eq!(world.load_delay(), Some(0));
    assert_eq!(world.status(0), &CHECKING);
}

#[test]
fn e224_a_notice_about_reading_is_tried_again() {
    let mut world = World::in_thread(json!([{"id": "m1", "role": "user", "content": "hi"}]));
    world.intend(Intent::ReloadMessages);
    world.not_stored(FailureKind::Service);
    assert!(world.state.notice.is_some());
    network(&mut world, false);
    network(&mut world, true);
    assert!(world.state.notice.is_none());
    assert_eq!(world.load_delay(), Some(0));
}

#[test]
fn e225_a_person_who_looks_again_reads_what_could_not_be_read() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.not_stored(FailureKind::Service);
    list_failed(&mut world, FailureKind::Service);
    world.give(Input::VisibilityChanged(false));
    world.give(Input::VisibilityChanged(true));
    assert!(lists(&world));
    assert_eq!(world.load_delay(), Some(0));
    assert_eq!(world.open().load, LoadState::Loading);

    let mut world = unknown();
    world.give(Input::VisibilityChanged(false));
    world.give(Input::VisibilityChanged(true));
    assert!(world.commands.is_empty());
    assert_eq!(world.status(0), &UNKNOWN);
}

#[test]
fn e226_what_time_does_not_change_is_not_read_again() {
    for kind in [
        FailureKind::Unauthorized,
        FailureKind::Forbidden,
        FailureKind::NotFound,
        FailureKind::Unreadable,
    ] {
        let mut world = World::new();
        world.intend(Intent::OpenThread("t1".into()));
        world.not_stored(kind);
        list_failed(&mut world, kind);
        network(&mut world, false);
        network(&mut world, true);
        assert!(world.commands.is_empty(), "{kind:?}");
    }
}

#[test]
fn e227_what_is_under_way_is_not_disturbed() {
    let mut world = quiet();
    network(&mut world, false);
    network(&mut world, true);
    assert!(world.commands.is_empty());
    assert!(world.open().stream().is_some());

    let mut world = unknown();
    world.send("two");
    network(&mut world, false);
    network(&mut world, true);
    assert!(world.commands.is_empty());

    let mut world = unknown();
    world.intend(Intent::OpenThread("t1".into()));
    let load = world.load();
    network(&mut world, false);
    network(&mut world, true);
    assert_eq!((world.load(), world.commands.len()), (load, 0));
}
