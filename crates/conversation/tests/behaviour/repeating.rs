//! E318 to E321: posts with keys, which are repeated.

use assent_conversation::{
    Command, Failure, FailureKind, Input, Intent, MessageStatus, Millis, StreamEnd, WithheldReason,
};
use serde_json::{Value, json};

use crate::asking::{b1, submitted};
use crate::restoring::reloaded;
use crate::world::{World, failed, request};

const UNCONFIRMED: MessageStatus = unconfirmed(true);

const fn unconfirmed(checking: bool) -> MessageStatus {
    MessageStatus::Unconfirmed {
        checking,
        failure: None,
    }
}

/// Returns the thread `t1` at a service that takes keys.
fn thread(stored: Value) -> World {
    let mut world = World::in_thread(stored);
    offer(&mut world);
    world
}

fn offer(world: &mut World) {
    world.give(Input::KeysOffered(Some("page".to_owned())));
}

/// Returns a thread whose only post broke before it was accepted, and the key of the post.
fn in_doubt() -> (World, String) {
    let mut world = thread(json!([]));
    world.send("hi");
    let key = key(&world).expect("a key");
    world.breaks(FailureKind::Unreachable);
    (world, key)
}

/// Returns the key of the last input's post.
fn key(world: &World) -> Option<String> {
    post(world).1
}

/// Returns whether the page is asked about the last input's post, and the key of that.
fn post(world: &World) -> (bool, Option<String>) {
    let mut posts = world.commands.iter().filter_map(|command| match command {
        Command::Post {
            key, is_proposal, ..
        } => Some((*is_proposal, key.clone())),
        _ => None,
    });
    posts.next().expect("a post")
}

#[test]
fn e318_a_post_has_a_key_of_its_own_where_the_service_takes_keys() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    assert_eq!(key(&world), None);
    world.breaks(FailureKind::TooMany);
    offer(&mut world);
    world.intend(Intent::RetryMessage(world.message(0).key));
    let first = key(&world).expect("a key");
    assert!(first.starts_with("page-"));
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.ends();
    world.send("hi");
    assert_ne!(key(&world), Some(first));
    world.breaks(FailureKind::TooMany);
    world.give(Input::KeysOffered(None));
    world.intend(Intent::RetryMessage(world.message(2).key));
    assert_eq!(key(&world), None);

    let mut world = thread(json!([]));
    world.send("hi");
    let message = key(&world);
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    world.decide_all(b1(), assent_conversation::Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    assert!(key(&world).is_some_and(|key| Some(key) != message));
}

#[test]
fn e318_the_key_stays_while_it_is_unknown_whether_the_post_arrived() {
    let (mut unknown, first) = in_doubt();
    unknown.not_stored(FailureKind::Unreachable);
    assert_eq!(unknown.status(0), &unconfirmed(false));
    unknown.intend(Intent::ResendMessage(unknown.message(0).key));
    assert_eq!(post(&unknown), (false, Some(first)), "the page was asked");

    // The page may change what is tried again: it is another post.
    let (mut missing, first) = in_doubt();
    missing.give(Input::KeysOffered(None));
    for _ in 0..4 {
        missing.stored(json!([]));
    }
    assert_eq!(missing.status(0), &failed(FailureKind::NotDelivered));
    offer(&mut missing);
    missing.intend(Intent::RetryMessage(missing.message(0).key));
    assert!(post(&missing).0 && post(&missing).1 != Some(first));

    // A service that takes no keys is sent none.
    let (mut plain, _) = in_doubt();
    plain.not_stored(FailureKind::Unreachable);
    plain.give(Input::KeysOffered(None));
    plain.intend(Intent::ResendMessage(plain.message(0).key));
    assert_eq!(post(&plain), (true, None));

    let mut refused = thread(json!([]));
    refused.send("hi");
    let first = key(&refused);
    refused.breaks(FailureKind::TooMany);
    refused.intend(Intent::RetryMessage(refused.message(0).key));
    assert!(post(&refused).0 && post(&refused).1 != first);
    let first = key(&refused);
    refused.withheld(WithheldReason::ByPage);
    refused.intend(Intent::RetryMessage(refused.message(0).key));
    assert!(post(&refused).0 && post(&refused).1 != first);
}

#[test]
fn e319_what_is_not_stored_is_posted_again_with_its_key() {
    let (mut world, first) = in_doubt();
    assert_eq!(world.load_delay(), Some(0));
    world.stored(json!([]));
    assert_eq!(post(&world), (false, Some(first.clone())));
    assert_eq!(world.status(0), &MessageStatus::Sending);
    assert_eq!(world.load_delay(), None);
    // As often as it is in doubt.
    world.breaks(FailureKind::Unreachable);
    world.stored(json!([]));
    assert_eq!(key(&world), Some(first));
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.ends();
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    assert_eq!(world.load_delay(), None);
}

#[test]
fn e319_once_the_network_is_back_it_is_posted_again() {
    let (mut world, first) = in_doubt();
    world.give(Input::Online(false));
    world.not_stored(FailureKind::Unreachable);
    world.give(Input::Online(true));
    assert_eq!(world.load_delay(), Some(0));
    world.stored(json!([]));
    assert_eq!(key(&world), Some(first));
}

#[test]
fn e319_what_is_stored_is_not_posted_again() {
    let (mut world, _) = in_doubt();
    world.stored(json!([{"id": "m1", "role": "user", "content": "hi"}]));
    assert_eq!((world.status(0), world.posts()), (&MessageStatus::Sent, 0));
}

/// The stored messages alone tell, as without keys.
#[test]
fn e319_what_had_a_response_or_is_overtaken_or_old_is_looked_up() {
    let is_looked_up = |mut world: World, stored: Value| {
        world.stored(stored);
        assert_eq!(world.posts(), 0);
        assert!(world.load_delay().is_some());
    };
    let mut answered = thread(json!([]));
    answered.send("hi");
    let failure = Failure {
        status: Some(503),
        ..Failure::of(FailureKind::Service)
    };
    let end = StreamEnd::Failed(failure);
    answered.give(Input::StreamEnded(answered.stream(), end));
    is_looked_up(answered, json!([]));

    let (overtaken, _) = in_doubt();
    let other = json!([
        {"id": "m1", "role": "user", "content": "from elsewhere"},
        {"id": "m2", "role": "assistant", "content": "Over there"},
    ]);
    let mut both = overtaken;
    both.send("later");
    both.event("MESSAGE_RECEIVED", "later");
    both.event("AGENT_RESPONSE_COMPLETE", "Later.");
    both.ends();
    is_looked_up(both, other);

    let (mut old, _) = in_doubt();
    old.not_stored(FailureKind::Unreachable);
    old.now += 600_001;
    old.intend(Intent::ReloadMessages);
    is_looked_up(old, json!([]));

    let (mut plain, _) = in_doubt();
    plain.give(Input::KeysOffered(None));
    is_looked_up(plain, json!([]));
}

#[test]
fn e319_decisions_are_not_posted_again_by_the_core() {
    let mut world = submitted();
    offer(&mut world);
    world.breaks(FailureKind::Unreachable);
    world.stored(crate::asking::stored_both(crate::asking::PENDING));
    assert_eq!((world.posts(), world.load_delay()), (0, Some(1_000)));
}

#[test]
fn e320_what_the_user_stopped_is_not_posted_again() {
    let mut world = thread(json!([]));
    world.send("hi");
    world.intend(Intent::Stop);
    assert_eq!(world.status(0), &UNCONFIRMED);
    for after in [1_000, 2_500, 5_000] {
        world.stored(json!([]));
        assert_eq!((world.posts(), world.load_delay()), (0, Some(after)));
    }
}

#[test]
fn e321_the_next_page_posts_it_again_with_its_key() {
    let mut world = thread(json!([]));
    world.send("hi");
    let first = key(&world);
    assert_eq!(world.state.unsent_messages()[0].key, first);
    let mut after = reloaded(&world);
    offer(&mut after);
    assert_eq!(after.status(0), &UNCONFIRMED);
    assert_eq!(after.posts(), 0);
    after.stored(json!([]));
    assert_eq!(key(&after), first);
    assert_eq!(after.state.unsent_messages()[0].key, first);

    // Long after, nobody expects it.
    let mut late = reloaded(&world);
    offer(&mut late);
    late.now += Millis(3_600_000).0;
    late.stored(json!([]));
    assert_eq!(late.posts(), 0);
}
