//! E60 to E69: the ends of streams.

use assent_conversation::{
    Announcement, Command, ComposerState, Failure, FailureKind, Input, Intent, Interruption,
    MessageStatus, Millis, StreamEnd,
};
use assent_protocol::Timestamp;
use serde_json::json;

use crate::world::{FIRST_LIST, World, event, request};

const LOST: MessageStatus = MessageStatus::Interrupted {
    by: Interruption::Lost,
    checking: true,
};
const UNCONFIRMED: MessageStatus = MessageStatus::Unconfirmed {
    checking: true,
    failure: None,
};

/// Returns a thread whose first message was posted and whose stream is open.
fn posted() -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.opened();
    world
}

fn answered(end: fn(&mut World)) -> World {
    let mut world = World::new();
    world.listed(json!([
        {"id": "t0", "threadName": "Newest", "lastMessageTime": "2026-01-01T00:00:00Z"},
    ]));
    world.send("hi");
    world.created(
        json!({"id": "t1", "threadName": "Here", "lastMessageTime": "2025-01-01T00:00:00Z"}),
    );
    let mut whole = event("w", "AGENT_RESPONSE_COMPLETE", "Hello", None);
    whole.event_message.timestamp = Timestamp("2026-02-01T00:00:00Z".to_owned());
    world.raw_event(whole);
    end(&mut world);
    world
}

#[test]
fn e60_the_list_is_read_again_after_a_first_answer_that_failed() {
    let mut world = World::new();
    world.send("hi");
    world.created(json!({"id": "t1"}));
    world.event("ERROR", "The model could not be reached.");
    world.ends();
    assert_eq!(world.commands, [FIRST_LIST]);
}

#[test]
fn e60_a_whole_answer_moves_its_thread_up() {
    let mut world = answered(World::ends);
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(world.row_names(), ["Here", "Newest"]);
    let time = world.state.threads.rows[0].last_message;
    assert_eq!(time, Some(Millis(1_769_904_000_000)));
    assert_eq!(world.commands, [FIRST_LIST]);
    world.send("more");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.ends();
    assert_eq!(
        world.commands,
        [],
        "only the first answer can name a thread"
    );
}

#[test]
fn e61_a_break_after_the_whole_answer_changes_nothing() {
    let world = answered(|world| world.breaks(FailureKind::Unreachable));
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(world.load_delay(), None);
}

#[test]
fn e62_an_end_without_complete_is_an_interruption() {
    for end in [World::ends, |world: &mut World| {
        world.breaks(FailureKind::Unreachable);
    }] {
        let mut world = posted();
        world.event("AGENT_RESPONSE_CHUNK", "Hel");
        end(&mut world);
        assert_eq!(world.status(0), &MessageStatus::Sent);
        assert_eq!(world.status(1), &LOST);
        assert_eq!(world.load_delay(), Some(0));
        assert_eq!(world.said.last(), Some(&Announcement::Interrupted));
        assert_eq!(world.open().composer_state(), ComposerState::Ready);
    }
    let mut world = posted();
    world.event_of("AGENT_RESPONSE_COMPLETE", "Ann", Some(("a", "")));
    world.event_of("AGENT_RESPONSE_CHUNK", "Bo", Some(("b", "")));
    world.ends();
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(world.status(2), &LOST);
}

#[test]
fn e63_activity_alone_is_no_answer() {
    let mut world = posted();
    world.event("NOTIFICATION_AGENT_THINKING_STARTED", "");
    world.event("NOTIFICATION_AGENT_THINKING_COMPLETE", "");
    world.ends();
    assert_eq!(world.status(1), &LOST);
}

#[test]
fn e64_a_refused_post_fails_the_message() {
    let mut world = posted();
    let failure = Failure {
        status: Some(400),
        message: Some("An answer is being written.".to_owned()),
        ..Failure::of(FailureKind::Rejected)
    };
    let end = StreamEnd::Failed(failure.clone());
    world.give(Input::StreamEnded(world.stream(), end));
    assert_eq!(world.open().messages.len(), 1);
    assert_eq!(world.status(0), &MessageStatus::Failed(failure.clone()));
    assert_eq!(world.posts(), 0);
    assert_eq!(world.load_delay(), Some(0), "it may be stored: E117");
}

#[test]
fn e65_a_break_before_acceptance_leaves_the_outcome_open() {
    for kind in [
        FailureKind::Unreachable,
        FailureKind::Service,
        FailureKind::Unreadable,
    ] {
        let mut world = posted();
        world.event("CONNECTION_ESTABLISHED", "");
        world.breaks(kind);
        assert_eq!(world.texts(), [("you", "hi")]);
        assert_eq!(world.status(0), &UNCONFIRMED);
        assert_eq!((world.load_delay(), world.posts()), (Some(0), 0));
        assert_eq!(world.open().composer_state(), ComposerState::Ready);
    }
}

#[test]
fn e66_a_close_before_acceptance_leaves_the_outcome_open() {
    let mut world = posted();
    world.event("CONNECTION_ESTABLISHED", "");
    world.ends();
    assert_eq!(world.texts(), [("you", "hi")]);
    assert_eq!(world.status(0), &UNCONFIRMED);
    assert_eq!(world.load_delay(), Some(0));
}

#[test]
fn e67_stop_keeps_what_was_received() {
    let stopped = MessageStatus::Interrupted {
        by: Interruption::Stopped,
        checking: false,
    };
    for text in ["", "Hel"] {
        let mut world = posted();
        world.event("MESSAGE_RECEIVED", "hi");
        world.event("AGENT_RESPONSE_CHUNK", text);
        let stream = world.stream();
        world.intend(Intent::Stop);
        assert_eq!(world.commands, [Command::CancelStream(stream)]);
        assert_eq!(world.texts(), [("you", "hi"), ("agent", text)]);
        assert_eq!(world.status(1), &stopped);
        assert_eq!(world.open().composer_state(), ComposerState::Ready);
        world.intend(Intent::Stop);
        assert_eq!(world.commands, []);
    }
}

#[test]
fn e68_stop_before_acceptance_leaves_the_outcome_open() {
    let mut world = posted();
    let stream = world.stream();
    world.intend(Intent::Stop);
    assert_eq!(world.commands[0], Command::CancelStream(stream));
    assert_eq!(world.load_delay(), Some(0));
    assert_eq!(world.texts(), [("you", "hi")]);
    assert_eq!(world.status(0), &UNCONFIRMED);
}

#[test]
fn e69_asking_for_approval_ends_an_answer() {
    let mut world = posted();
    world.event("AGENT_RESPONSE_CHUNK", "May I?");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(world.load_delay(), None);
    let answered = Announcement::Answered {
        author: String::new(),
        text: "May I?".to_owned(),
        words: Vec::new(),
    };
    assert_eq!(world.said.last(), Some(&answered));
}
