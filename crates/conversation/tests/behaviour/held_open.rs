//! E274 to E279: the waits for what comes late, and which of several streams is closed.

use assent_conversation::{
    BatchPhase, Command, ComposerState, FailureKind, Input, Intent, Interruption, MessageStatus,
    StreamEnd, StreamId, Verdict,
};
use serde_json::json;

use crate::asking::b1;
use crate::late_streams::{
    MINUTE, PAUSE, composer, follow, late, mirrored, reported, say, wait, waits_for,
};
use crate::world::{World, event, request};

#[test]
fn e274_one_wait_at_a_time_is_under_way_for_a_stream() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event_of("AGENT_RESPONSE_COMPLETE", "Hello", Some(("a", "Ada")));
    assert_eq!(waits_for(&world), Some(PAUSE));
    world.event_of("AGENT_RESPONSE_COMPLETE", "And I", Some(("b", "Bob")));
    assert_eq!(waits_for(&world), None);

    let (first, second) = (StreamId(u32::MAX), StreamId(u32::MAX - 1));
    let mut world = mirrored(first);
    follow(&mut world, second, "and now?");
    assert_eq!(world.stream(), second);
    assert_eq!(waits_for(&world), None);
}

#[test]
fn e274_the_threads_own_agent_is_one_of_those_that_spoke_or_is_not_named() {
    let (ada, bob) = (Some(("a", "Ada")), Some(("b", "Bob")));
    for speakers in [&[None][..], &[ada], &[ada, bob], &[bob, ada]] {
        let mut world = World::in_thread(json!([]));
        world.listed(json!([{ "id": "t1", "agentId": "a" }]));
        world.send("hi");
        for (at, speaker) in speakers.iter().enumerate() {
            world.event_of("AGENT_RESPONSE_COMPLETE", &format!("text {at}"), *speaker);
        }
        let stream = world.stream();
        wait(&mut world, stream, PAUSE);
        assert_eq!(composer(&world), ComposerState::Ready, "{speakers:?}");
    }
}

#[test]
fn e275_what_cannot_be_read_of_a_late_stream_may_be_more_of_its_answer() {
    let (mut world, first) = late();
    world.give(Input::StreamGarbled(first));
    assert_eq!(composer(&world), ComposerState::Streaming);
    assert_eq!(world.stream(), first);
}

#[test]
fn e275_the_end_of_a_late_stream_takes_no_answer_of_another_one_that_has_no_text_yet() {
    let (mut world, first) = late();
    world.send("and now?");
    world.event("MESSAGE_RECEIVED", "");
    let messages = world.open().messages.len();
    world.give(Input::StreamEnded(first, StreamEnd::Closed));
    assert_eq!(world.open().messages.len(), messages);
    assert_eq!(world.status(3), &MessageStatus::Streaming);
}

/// Returns a world with a late stream that goes on, and another one under way.
fn goes_on_beside_another() -> (World, StreamId, StreamId) {
    let (mut world, first) = late();
    world.send("and now?");
    say(&mut world, first, "l1", "AGENT_RESPONSE_CHUNK", "One more");
    let second = world.stream();
    assert_ne!(first, second);
    (world, first, second)
}

#[test]
fn e275_all_that_a_late_stream_brings_is_behind_its_answer_while_it_is_under_way_again() {
    let (mut world, first) = late();
    world.send("and now?");
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    world.ends();
    for (id, agent) in [("l1", ("b", "Bob")), ("l2", ("c", "Cem"))] {
        let said = event(id, "AGENT_RESPONSE_CHUNK", agent.1, Some(agent));
        world.give(Input::StreamEvent(first, Box::new(said)));
        assert_eq!(world.stream(), first);
    }
    assert_eq!(
        world.texts(),
        [
            ("you", "hi"),
            ("agent", "Hello"),
            ("agent", "Bob"),
            ("agent", "Cem"),
            ("you", "and now?"),
            ("agent", "Now")
        ]
    );
}

/// Returns a conversation in which the answer to a request is on its way beside a late stream.
fn answering_beside_late() -> (World, StreamId) {
    let (mut world, first) = late();
    world.send("and now?");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);
    (world, first)
}

fn phase(world: &World) -> &BatchPhase {
    let mut messages = world.open().messages.iter().rev();
    let batch = messages.find_map(|message| message.approvals.first());
    &batch.expect("a request").phase
}

#[test]
fn e275_what_a_late_stream_repeats_of_a_request_leaves_the_answer_on_its_way() {
    let (mut world, first) = answering_beside_late();
    world.asks_in(first, json!([request("b1", "x1", "mail")]));
    assert!(matches!(phase(&world), BatchPhase::Submitting { .. }));
    world.give(Input::StreamGarbled(first));
    world.give(Input::StreamEnded(first, StreamEnd::Closed));
    assert!(matches!(phase(&world), BatchPhase::Submitting { .. }));
    world.event("MESSAGE_RECEIVED", "");
    assert_eq!(phase(&world), &BatchPhase::Answered);
}

#[test]
fn e275_other_arguments_are_decided_anew_and_the_answer_on_its_way_is_looked_up() {
    for other in ["x1", "x2"] {
        let (mut world, first) = answering_beside_late();
        let post = world.stream();
        let mut asked = request("b1", other, "mail");
        asked["toolArguments"] = json!({ "to": "bob@example.org" });
        world.asks_in(first, json!([asked]));
        assert!(world.commands.contains(&Command::CloseStream(post)));
        assert!(matches!(phase(&world), BatchPhase::Deciding { .. }));
        assert_eq!(world.stream(), first, "it is the one under way");
        assert_eq!(world.load_delay(), Some(0));
        world.give(Input::StreamEnded(first, StreamEnd::Closed));
        world.decide_all(b1(), Verdict::Deny);
        world.intend(Intent::SubmitDecisions(b1()));
        assert_eq!(world.posts(), 1);
    }
}

#[test]
fn e275_a_post_that_was_accepted_stays_open_whatever_a_late_stream_asks() {
    let (mut world, first) = answering_beside_late();
    let post = world.stream();
    world.event("MESSAGE_RECEIVED", "");
    let mut asked = request("b1", "x1", "mail");
    asked["toolArguments"] = json!({ "to": "bob@example.org" });
    world.asks_in(first, json!([asked]));
    assert!(!world.commands.contains(&Command::CloseStream(post)));
    assert_eq!(world.stream(), post);
}

#[test]
fn e275_a_late_answer_that_breaks_is_looked_up_once_the_other_stream_has_ended() {
    let (mut world, first, _) = goes_on_beside_another();
    world.give(Input::StreamEnded(first, StreamEnd::Closed));
    let lost = MessageStatus::Interrupted {
        by: Interruption::Lost,
        checking: true,
    };
    assert_eq!(world.status(2), &lost);
    assert_eq!(world.load_delay(), None);
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    world.ends();
    assert_eq!(world.load_delay(), Some(0));
}

#[test]
fn e276_a_late_stream_that_goes_on_in_silence_is_closed_too() {
    let (mut world, first, second) = goes_on_beside_another();
    wait(&mut world, first, MINUTE);
    assert!(world.commands.contains(&Command::CloseStream(first)));
    assert_eq!(world.stream(), second);
}

#[test]
fn e276_a_stream_that_is_closed_here_lost_nothing() {
    let (mut world, first) = late();
    world.send("and now?");
    world.asks_in(first, json!([request("b1", "x1", "mail")]));
    wait(&mut world, first, MINUTE);
    assert!(world.commands.contains(&Command::CloseStream(first)));
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    world.ends();
    assert_eq!(composer(&world), ComposerState::AwaitingApproval);
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);
}

#[test]
fn e276_the_oldest_is_not_closed_while_its_agent_goes_on() {
    let (mut world, first) = late();
    world.send("two");
    let second = world.stream();
    world.event("AGENT_RESPONSE_COMPLETE", "two");
    wait(&mut world, second, PAUSE);
    world.send("three");
    let third = world.stream();
    say(&mut world, first, "l1", "AGENT_RESPONSE_CHUNK", "One more");
    world.event("AGENT_RESPONSE_COMPLETE", "three");
    wait(&mut world, third, PAUSE);
    assert!(world.commands.contains(&Command::CloseStream(second)));
    assert_eq!(world.stream(), first, "it is the one under way again");
}

#[test]
fn e277_nothing_that_was_reported_is_reported_again_with_what_came_late() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event_of("AGENT_RESPONSE_COMPLETE", "I am Ada", Some(("a", "Ada")));
    world.event_of("AGENT_RESPONSE_COMPLETE", "I am Bob", Some(("b", "Bob")));
    let stream = world.stream();
    wait(&mut world, stream, PAUSE);
    let first = reported(&world).len();
    let more = event(
        "l1",
        "AGENT_RESPONSE_COMPLETE",
        "And Ada",
        Some(("a", "Ada")),
    );
    world.give(Input::StreamEvent(stream, Box::new(more)));
    wait(&mut world, stream, PAUSE);
    world.give(Input::StreamEnded(stream, StreamEnd::Closed));
    assert_eq!(reported(&world)[first..], ["And Ada"]);
}

#[test]
fn e277_an_answer_that_breaks_or_fails_is_not_reported_as_complete() {
    let ends: [fn(&mut World); 2] = [
        |world| world.event("AGENT_RESPONSE_CHUNK", "Hel"),
        |world| {
            world.event("AGENT_RESPONSE_COMPLETE", "Hello");
            world.event("ERROR", "out of order");
        },
    ];
    for end in ends {
        let mut world = World::in_thread(json!([]));
        world.send("hi");
        end(&mut world);
        world.ends();
        assert_eq!(reported(&world), [""; 0]);
    }
}

#[test]
fn e278_a_mirrored_stream_that_failed_is_not_left_for_another_one() {
    let (first, second) = (StreamId(u32::MAX), StreamId(u32::MAX - 1));
    let mut world = World::in_thread(json!([]));
    follow(&mut world, first, "hi");
    world.event("ERROR", "out of order");
    follow(&mut world, second, "and now?");
    assert_eq!(world.stream(), first);
    world.breaks(FailureKind::Unreachable);
    assert_eq!(world.load_delay(), Some(0), "the stored messages have both");
}

#[test]
fn e279_a_late_stream_that_fails_keeps_nobody_from_the_next_message() {
    let (mut world, first, _) = goes_on_beside_another();
    say(&mut world, first, "l2", "ERROR", "out of order");
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    world.ends();
    assert_eq!(composer(&world), ComposerState::Ready);
    world.send("and then?");
    assert_eq!(world.posts(), 1);
}
