//! E40 to E59: events become text, activity and failures.

use assent_conversation::{
    ActivityStep, Announcement, Author, Change, Failure, FailureKind, Input, Interruption,
    MessageStatus, Millis, StepState,
};
use assent_protocol::{SseEvent, Timestamp, Words};
use serde_json::json;

use crate::world::{World, event};

const A: Option<(&str, &str)> = Some(("a", "Ann"));
const B: Option<(&str, &str)> = Some(("b", "Bob"));

/// Returns a thread whose first message was posted and whose stream is open.
fn posted() -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.opened();
    world
}

fn in_collaboration(id: &str, content: &str, collaboration: Option<&str>) -> SseEvent {
    let mut event = event(id, "AGENT_RESPONSE_CHUNK", content, A);
    event.event_message.collaboration_id = collaboration.map(str::to_owned);
    event
}

/// Returns type, state and content of each step of the answer.
fn steps(world: &World) -> Vec<(&str, StepState, &str)> {
    let steps = world.message(1).activity.steps.iter();
    steps
        .map(|step| (step.event_type.name(), step.state, step.content.as_str()))
        .collect()
}

#[test]
fn e40_anything_but_connection_established_is_acceptance() {
    let mut world = posted();
    world.event("CONNECTION_ESTABLISHED", "");
    assert_eq!(world.status(0), &MessageStatus::Sending);
    let mut received = event("r", "MESSAGE_RECEIVED", "hi", None);
    received.event_message.timestamp = Timestamp("2026-01-01T00:00:00".to_owned());
    world.raw_event(received);
    assert_eq!(world.status(0), &MessageStatus::Sent);
    assert_eq!(world.message(0).time, Some(Millis(1_767_225_600_000)));

    for other in [
        "AGENT_RESPONSE_CHUNK",
        "NOTIFICATION_AGENT_THINKING_STARTED",
        "NEW",
    ] {
        let mut world = posted();
        world.event(other, "x");
        assert_eq!(world.status(0), &MessageStatus::Sent, "{other}");
    }
}

#[test]
fn e41_the_same_event_twice_changes_nothing() {
    let mut world = posted();
    let chunk = |id| event(id, "AGENT_RESPONSE_CHUNK", "ha", None);
    world.raw_event(chunk("e1"));
    let before = world.state.clone();
    world.raw_event(chunk("e1"));
    assert_eq!(world.state, before);
    assert_eq!(world.changes, []);
    world.raw_event(chunk(""));
    world.raw_event(chunk(""));
    assert_eq!(world.message(1).text, "hahaha");
}

#[test]
fn e42_events_of_other_streams_are_ignored() {
    let mut world = posted();
    let stream = world.stream();
    world.intend(assent_conversation::Intent::Stop);
    let before = world.state.clone();
    for stream in [stream, assent_conversation::StreamId(9_999)] {
        let late = Box::new(event("x", "AGENT_RESPONSE_CHUNK", "late", None));
        world.give(Input::StreamOpened(stream));
        world.give(Input::StreamEvent(stream, late));
        world.give(Input::StreamGarbled(stream));
        let end = assent_conversation::StreamEnd::Closed;
        world.give(Input::StreamEnded(stream, end));
    }
    assert_eq!(world.state, before);
}

#[test]
fn e43_after_error_nothing_counts() {
    let mut world = posted();
    world.event("AGENT_RESPONSE_CHUNK", "so far");
    world.event("ERROR", "broke");
    let before = world.state.open_conversation().unwrap().messages.clone();
    world.event("AGENT_RESPONSE_CHUNK", " and on");
    world.event("AGENT_RESPONSE_COMPLETE", "whole");
    world.event("ERROR", "again");
    world.give(Input::StreamGarbled(world.stream()));
    assert_eq!(world.open().messages, before);
}

#[test]
fn e44_the_answer_is_there_as_soon_as_the_stream_is() {
    let mut world = posted();
    assert_eq!(world.said, [Announcement::Answering]);
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
    assert_eq!(world.status(1), &MessageStatus::Streaming);
    world.opened();
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_CHUNK", "Hello");
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    assert_eq!(world.said, [Announcement::Answering]);

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_CHUNK", "Hello");
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    assert_eq!(world.said, [Announcement::Answering]);
}

#[test]
fn e45_complete_replaces_the_chunks() {
    let mut world = posted();
    world.event_of("AGENT_RESPONSE_CHUNK", "Hel", A);
    let message = world.message(1).key;
    world.event_of("AGENT_RESPONSE_CHUNK", "o", A);
    assert_eq!(world.changes, [Change::Message(world.key(), message)]);
    world.event_of("AGENT_RESPONSE_COMPLETE", "Hello.", A);
    assert_eq!(world.texts()[1], ("agent", "Hello."));
    assert_eq!(world.message(1).author, Author::Agent("Ann".to_owned()));
    assert_eq!(world.status(1), &MessageStatus::Complete);
    let answered = Announcement::Answered {
        author: "Ann".to_owned(),
        text: "Hello.".to_owned(),
        words: Vec::new(),
    };
    assert_eq!(world.said, [Announcement::Answering, answered]);
}

#[test]
fn e46_every_speaker_has_a_message() {
    let mut world = posted();
    world.event_of("AGENT_RESPONSE_CHUNK", "Ann ", A);
    world.event_of("AGENT_RESPONSE_CHUNK", "Bob ", B);
    world.event_of("AGENT_RESPONSE_CHUNK", "says", A);
    world.raw_event(in_collaboration("c1", "together", Some("c")));
    world.event_of("AGENT_RESPONSE_COMPLETE", "Bob says", B);
    assert_eq!(
        world.texts()[1..],
        [
            ("agent", "Ann says"),
            ("agent", "Bob says"),
            ("agent", "together")
        ]
    );
    assert_eq!(world.status(1), &MessageStatus::Streaming);
    assert_eq!(world.status(2), &MessageStatus::Complete);
    assert_eq!(world.message(2).author, Author::Agent("Bob".to_owned()));
}

#[test]
fn e47_a_complete_without_agent_goes_to_the_only_open_message() {
    let mut world = posted();
    world.event_of("AGENT_RESPONSE_CHUNK", "Hel", A);
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    assert_eq!(world.texts()[1..], [("agent", "Hello")]);
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    assert_eq!(world.texts()[1..], [("agent", "Hello")]);

    let mut world = posted();
    world.event_of("AGENT_RESPONSE_CHUNK", "Hel", A);
    world.event_of("AGENT_RESPONSE_COMPLETE", "I am Bob", B);
    assert_eq!(
        world.texts()[1..],
        [("agent", "Hel"), ("agent", "I am Bob")]
    );

    let mut world = posted();
    world.event_of("AGENT_RESPONSE_CHUNK", "Ann", A);
    world.event_of("AGENT_RESPONSE_CHUNK", "Bob", B);
    world.event("AGENT_RESPONSE_COMPLETE", "Who?");
    assert_eq!(
        world.texts()[1..],
        [("agent", "Ann"), ("agent", "Bob"), ("agent", "Who?")]
    );
}

#[test]
fn e48_empty_contents_lose_nothing() {
    let mut world = posted();
    world.event_of("AGENT_RESPONSE_CHUNK", "Hello", A);
    world.event_of("AGENT_RESPONSE_CHUNK", "", B);
    world.event_of("AGENT_RESPONSE_COMPLETE", "", A);
    assert_eq!(world.texts()[1..], [("agent", "Hello")]);
    assert_eq!(world.status(1), &MessageStatus::Complete);
}

#[test]
fn e49_a_chunk_after_complete_begins_a_message() {
    let mut world = posted();
    world.event_of("AGENT_RESPONSE_COMPLETE", "One", A);
    world.event_of("AGENT_RESPONSE_CHUNK", "Tw", A);
    assert_eq!(world.texts()[1..], [("agent", "One"), ("agent", "Tw")]);
    world.event_of("AGENT_RESPONSE_COMPLETE", "Two", A);
    world.event_of("AGENT_RESPONSE_COMPLETE", "Three", A);
    assert_eq!(
        world.texts()[1..],
        [("agent", "One"), ("agent", "Two"), ("agent", "Three")]
    );
}

#[test]
fn e50_a_repeated_complete_changes_nothing() {
    let mut world = posted();
    world.event_of("AGENT_RESPONSE_COMPLETE", "Hello", A);
    let (messages, said) = (world.open().messages.clone(), world.said.clone());
    world.event_of("AGENT_RESPONSE_COMPLETE", "Hello", A);
    world.event_of("AGENT_RESPONSE_COMPLETE", "", A);
    assert_eq!((&world.open().messages, &world.said), (&messages, &said));
}

#[test]
fn e51_events_of_one_group_are_one_step() {
    let mut world = posted();
    world.event("NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "Looking");
    let began = world.message(1).activity.steps[0].began;
    world.now += 500;
    world.event("NOTIFICATION_AGENT_THINKING_STARTED", "");
    world.event("NOTIFICATION_KNOWLEDGE_RETRIEVAL_IN_PROGRESS", "Reading");
    world.event_of(
        "NOTIFICATION_KNOWLEDGE_RETRIEVAL_IN_PROGRESS",
        "Bob reads",
        B,
    );
    assert_eq!(
        steps(&world),
        [
            (
                "NOTIFICATION_KNOWLEDGE_RETRIEVAL_IN_PROGRESS",
                StepState::Running,
                "Reading"
            ),
            (
                "NOTIFICATION_AGENT_THINKING_STARTED",
                StepState::Running,
                ""
            ),
            (
                "NOTIFICATION_KNOWLEDGE_RETRIEVAL_IN_PROGRESS",
                StepState::Running,
                "Bob reads"
            ),
        ]
    );
    world.now += 500;
    world.event("NOTIFICATION_KNOWLEDGE_RETRIEVAL_COMPLETED", "Found it");
    let step = &world.message(1).activity.steps[0];
    assert_eq!(
        (step.state, step.content.as_str()),
        (StepState::Done, "Found it")
    );
    assert_eq!((step.began, step.ended), (began, Some(Millis(world.now))));
    let current = world.message(1).activity.current_step(|_| true).unwrap();
    assert_eq!(current.agent.as_deref(), Some("Bob"));
}

#[test]
fn e52_an_end_without_a_beginning_is_a_step() {
    let mut world = posted();
    world.event("NOTIFICATION_AGENT_THINKING_COMPLETE", "");
    world.event(
        "NOTIFICATION_CONTEXT_MEMORIES_RETRIEVAL_FAILED",
        "no memory",
    );
    assert_eq!(
        steps(&world),
        [
            ("NOTIFICATION_AGENT_THINKING_COMPLETE", StepState::Done, ""),
            (
                "NOTIFICATION_CONTEXT_MEMORIES_RETRIEVAL_FAILED",
                StepState::Failed,
                "no memory"
            ),
        ]
    );
}

#[test]
fn e53_what_neither_begins_nor_ends_is_a_remark() {
    let mut world = posted();
    world.event("NOTIFICATION_REQUEST_ORCHESTRATION_SIMPLE", "");
    world.event("NOTIFICATION_OF_A_NEW_KIND", "who knows");
    world.event("SOMETHING_ELSE", "");
    assert_eq!(
        steps(&world),
        [
            (
                "NOTIFICATION_REQUEST_ORCHESTRATION_SIMPLE",
                StepState::Done,
                ""
            ),
            ("NOTIFICATION_OF_A_NEW_KIND", StepState::Done, "who knows"),
            ("SOMETHING_ELSE", StepState::Done, ""),
        ]
    );
    let groups: Vec<_> = world
        .message(1)
        .activity
        .steps
        .iter()
        .map(ActivityStep::group)
        .collect();
    assert!(groups[0].is_some() && groups[1].is_none() && groups[2].is_none());
}

#[test]
fn a_step_keeps_the_row_that_was_looked_up_for_its_event() {
    let mut world = posted();
    let event = event("", "NOTIFICATION_AGENT_THINKING_STARTED", "", None);
    let row = event.event_type.info().unwrap();
    world.raw_event(event);
    let step = &world.message(1).activity.steps[0];
    assert!(std::ptr::eq(step.event_type.info().unwrap(), row));
}

#[test]
fn e54_a_garbled_frame_is_a_remark_and_no_acceptance() {
    let mut world = posted();
    world.give(Input::StreamGarbled(world.stream()));
    world.give(Input::StreamGarbled(world.stream()));
    world.event("", "");
    assert_eq!(steps(&world), [("", StepState::Done, "")]);
    assert_eq!(world.status(0), &MessageStatus::Sending);
    world.event_of("AGENT_RESPONSE_COMPLETE", "Hello", A);
    world.ends();
    assert_eq!(world.status(1), &MessageStatus::Complete);
}

#[test]
fn e55_running_steps_end_with_the_stream() {
    let check = |end: fn(&mut World), expected: StepState| {
        let mut world = posted();
        world.event("NOTIFICATION_TOOL_EXECUTION_IN_PROGRESS", "");
        world.now += 700;
        end(&mut world);
        let step = &world.message(1).activity.steps[0];
        assert_eq!(
            (step.state, step.ended),
            (expected, Some(Millis(world.now)))
        );
    };
    let whole = |world: &mut World| {
        world.event("AGENT_RESPONSE_COMPLETE", "Done");
        world.ends();
    };
    let error = |world: &mut World| {
        world.event("ERROR", "");
        world.ends();
    };
    check(whole, StepState::Done);
    check(
        |world| world.intend(assent_conversation::Intent::Stop),
        StepState::Done,
    );
    check(World::ends, StepState::Failed);
    check(error, StepState::Failed);
}

#[test]
fn e56_error_fails_the_open_message() {
    let check = |content: &str, expected: Option<&str>| {
        let mut world = posted();
        world.event("AGENT_RESPONSE_CHUNK", "so far");
        world.event("ERROR", content);
        let failure = Failure {
            message: expected.map(str::to_owned),
            ..Failure::of(FailureKind::Agent)
        };
        assert_eq!(world.status(1), &MessageStatus::Failed(failure.clone()));
        assert_eq!(world.message(1).text, "so far");
        world.ends();
        assert_eq!(world.open().messages.len(), 2);
        assert_eq!(world.commands, []);
    };
    check("  It broke. ", Some("It broke."));
    check("", None);
}

#[test]
fn e57_error_leaves_what_is_whole() {
    let mut world = posted();
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.event("ERROR", "broke");
    world.ends();
    assert_eq!(world.texts()[1..], [("agent", "Hello"), ("agent", "")]);
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert!(matches!(world.status(2), MessageStatus::Failed(_)));

    let mut world = posted();
    world.asks(json!([crate::world::request("b1", "x1", "mail")]));
    world.event("ERROR", "broke");
    world.ends();
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert!(matches!(world.status(2), MessageStatus::Failed(_)));
    assert_eq!(world.open().pending_batches().len(), 1);
}

#[test]
fn e58_error_leaves_other_speakers_short() {
    let mut world = posted();
    world.event_of("AGENT_RESPONSE_CHUNK", "Ann", A);
    world.event_of("AGENT_RESPONSE_CHUNK", "Bob", B);
    world.event("ERROR", "broke");
    world.ends();
    let short = MessageStatus::Interrupted {
        by: Interruption::Lost,
        checking: false,
    };
    assert_eq!(world.status(1), &short);
    assert!(matches!(world.status(2), MessageStatus::Failed(_)));
    assert_eq!(world.load_delay(), None);
}

#[test]
fn e59_an_error_is_acceptance() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("ERROR", "broke");
    assert_eq!(world.status(0), &MessageStatus::Sent);
    assert!(matches!(world.status(1), MessageStatus::Failed(_)));
}

/// Returns an event with a sentence of the service in its content.
fn with_sentence(id: &str, event_type: &str, content: &str) -> SseEvent {
    let mut event = event(id, event_type, content, None);
    event.event_message.words = vec![stopped()];
    event
}

fn stopped() -> Words {
    Words {
        key: "service.stopped".to_owned(),
        text: "*Stopped.*".to_owned(),
        ..Words::default()
    }
}

#[test]
fn e295_sentences_of_the_service_come_with_the_text_that_they_are_in() {
    let mut world = posted();
    world.event("AGENT_RESPONSE_CHUNK", "Once\n\n");
    assert_eq!(world.message(1).words, []);
    world.raw_event(with_sentence("c", "AGENT_RESPONSE_CHUNK", "*Stopped.*"));
    assert_eq!(world.message(1).words, [stopped()]);
    let whole = "Once\n\n*Stopped.*";
    world.raw_event(with_sentence("d", "AGENT_RESPONSE_COMPLETE", whole));
    assert_eq!(world.message(1).words, [stopped()]);
    let told = world.said.last();
    assert!(
        matches!(told, Some(Announcement::Answered { words, .. }) if *words == [stopped()]),
        "{told:?}"
    );
    let stored = json!({ "id": "m1", "content": whole, "words": [stopped()] });
    let world = World::in_thread(json!([stored]));
    assert_eq!(world.message(0).words, [stopped()]);
}
