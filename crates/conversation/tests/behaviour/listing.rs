//! E160 to E162: batches that may have more runs than arrived.

use assent_conversation::{BatchPhase, FailureKind, Input, Intent, UnanswerableReason, Verdict};
use serde_json::{Value, json};

use crate::asking::{
    DECIDING, PENDING, asked, asked_two, b1, batch, choices, decide, stored_asking, stored_both,
};
use crate::world::{World, request};

/// Returns a thread in which the agent asked for these, and the stream goes on.
fn asking(requests: Value) -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_CHUNK", "May I?");
    world.asks(requests);
    world
}

/// Returns a thread with the first run of `b1`, whose stream ended like this.
fn cut(end: fn(&mut World)) -> World {
    let mut world = asking(json!([request("b1", "x1", "mail")]));
    decide(&mut world, "x1", Verdict::Deny);
    end(&mut world);
    world
}

fn stored_one() -> Value {
    json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "May I?", "toolExecutionHumanApprovalRequest": [
            {"toolExecutionId": "x1", "executionBatchId": "b1", "status": PENDING},
        ]},
    ])
}

fn unread(checking: bool) -> Option<UnanswerableReason> {
    Some(UnanswerableReason::Unread { checking })
}

const CUTS: [fn(&mut World); 4] = [
    |world| world.breaks(FailureKind::Unreachable),
    |world| world.intend(Intent::Stop),
    |world| {
        world.give(Input::StreamGarbled(world.stream()));
        world.ends();
    },
    |world| {
        world.event("", "");
        world.ends();
    },
];

#[test]
fn e160_a_part_of_a_batch_does_not_leave() {
    for end in CUTS {
        let mut world = cut(end);
        assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
        assert_eq!(world.load_delay(), Some(0));
        world.intend(Intent::SubmitDecisions(b1()));
        world.intend(Intent::BeginFeedback(b1()));
        world.intend(Intent::SubmitFeedback(b1()));
        assert_eq!(world.posts(), 0);
        world.stored(stored_both(PENDING));
        assert_eq!(batch(&world).tools.len(), 2);
        assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
        assert_eq!(
            batch(&world).why_unanswerable(),
            Some(UnanswerableReason::NeverSeen)
        );
        assert_eq!(world.load_delay(), None);
    }
}

#[test]
fn e160_what_turns_out_to_be_whole_is_decided() {
    for end in CUTS {
        let mut world = cut(end);
        world.stored(stored_one());
        assert_eq!(batch(&world).phase, DECIDING);
        assert_eq!(choices(&world), [Some(Verdict::Deny)]);
        world.intend(Intent::SubmitDecisions(b1()));
        assert_eq!(world.posts(), 1);
    }
    let mut stopping = asking(json!([request("b1", "x1", "mail")]));
    stopping.intend(Intent::BeginFeedback(b1()));
    stopping.intend(Intent::EditFeedback(b1(), "no".to_owned()));
    stopping.breaks(FailureKind::Unreachable);
    stopping.stored(stored_one());
    stopping.intend(Intent::BeginFeedback(b1()));
    stopping.intend(Intent::SubmitFeedback(b1()));
    assert_eq!(stopping.posts(), 1);
}

#[test]
fn e160_what_the_stored_messages_lack_is_doubtful_still() {
    let mut world = asking(json!([request("b1", "x1", "mail")]));
    world.asks(json!([request("b1", "x2", "call")]));
    world.breaks(FailureKind::Unreachable);
    world.stored(stored_one());
    assert_eq!(batch(&world).why_unanswerable(), unread(true));
    world.stored(stored_both(PENDING));
    assert_eq!(batch(&world).phase, DECIDING);
}

#[test]
fn e160_an_end_in_order_leaves_nothing_in_doubt() {
    let world = asked_two();
    assert_eq!(batch(&world).phase, DECIDING);
    assert_eq!(world.load_delay(), None);
}

#[test]
fn e161_the_readings_are_bounded() {
    let mut world = cut(|world| world.breaks(FailureKind::Unreachable));
    for after in [Some(1000), Some(2500), Some(5000), None] {
        assert_eq!(batch(&world).why_unanswerable(), unread(true));
        world.stored(json!([{"id": "m1", "role": "user", "content": "hi"}]));
        assert_eq!(world.load_delay(), after);
    }
    assert_eq!(batch(&world).why_unanswerable(), unread(false));
    world.intend(Intent::ReloadMessages);
    assert_eq!(batch(&world).why_unanswerable(), unread(true));
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(batch(&world).why_unanswerable(), unread(false));
    world.intend(Intent::ReloadMessages);
    world.stored(stored_one());
    assert_eq!(batch(&world).phase, DECIDING);
}

#[test]
fn e162_there_are_three_reasons() {
    let never_seen = World::in_thread(stored_both(PENDING));
    let in_part = World::in_thread(stored_asking("APPROVED", PENDING));
    let more = asked(json!([request("b1", "x1", "mail"), 7]));
    let whole = asked_two();
    let reason = |world: &World| batch(world).why_unanswerable();
    assert_eq!(reason(&never_seen), Some(UnanswerableReason::NeverSeen));
    assert_eq!(reason(&in_part), Some(UnanswerableReason::DecidedInPart));
    assert_eq!(reason(&more), unread(true));
    assert_eq!(reason(&whole), None);
}
