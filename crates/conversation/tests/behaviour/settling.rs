//! E90 to E100: loading stored messages, and settling open outcomes.

use assent_conversation::{
    Announcement, BatchPhase, Failure, FailureKind, Input, Intent, Interruption, LoadState,
    MessageStatus, NoticeSubject, StreamEnd, Verdict,
};
use serde_json::{Value, json};

use crate::asking::{PENDING, batch, stored_both, submitted};
use crate::world::{World, failed, request};

const UNCONFIRMED: MessageStatus = MessageStatus::Unconfirmed {
    checking: true,
    failure: None,
};
const LOST: MessageStatus = lost(true);

const fn lost(checking: bool) -> MessageStatus {
    MessageStatus::Interrupted {
        by: Interruption::Lost,
        checking,
    }
}

/// Returns a thread whose only post broke before it was accepted.
fn unconfirmed() -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Unreachable);
    world
}

/// Returns a thread whose answer broke after this text.
fn interrupted(text: &str) -> World {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_CHUNK", text);
    world.breaks(FailureKind::Unreachable);
    world
}

fn question() -> Value {
    json!([{"id": "m1", "role": "user", "content": "hi"}])
}

fn answered(text: &str) -> Value {
    json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": text},
    ])
}

#[test]
fn e90_an_open_outcome_is_read_for_four_times() {
    let mut world = unconfirmed();
    assert_eq!(world.load_delay(), Some(0));
    for after in [1_000, 2_500, 5_000] {
        world.stored(json!([]));
        assert_eq!(world.load_delay(), Some(after));
        assert_eq!(world.status(0), &UNCONFIRMED);
    }
    world.stored(json!([]));
    assert_eq!(world.load_delay(), None);
}

/// Loads that others cause neither end the look-up early nor start it over.
#[test]
fn e90_a_load_for_another_reason_changes_nothing_in_when_the_last_one_starts() {
    let mut world = unconfirmed();
    let broke = world.now;
    world.stored(json!([]));
    for _ in 0..6 {
        world.now += 100;
        world.intend(Intent::OpenThread("t2".into()));
        world.stored(json!([]));
        world.intend(Intent::OpenThread("t1".into()));
        assert_eq!(world.load_delay(), Some(0));
        world.stored(json!([]));
        assert_eq!(world.status(0), &UNCONFIRMED);
    }
    let due = world.now + world.load_delay().expect("it goes on");
    assert_eq!(due, broke + 1_000);
    for after in [2_500, 5_000] {
        world.stored(json!([]));
        assert_eq!(world.load_delay(), Some(after));
    }
    world.stored(json!([]));
    assert_eq!(world.now, broke + 8_500);
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
}

#[test]
fn e90_a_slow_load_is_not_the_last_one_if_it_started_before() {
    let mut world = unconfirmed();
    world.stored(json!([]));
    world.now += 20_000;
    world.stored(json!([]));
    assert_eq!(world.load_delay(), Some(0));
    assert_eq!(world.status(0), &UNCONFIRMED);
    world.stored(json!([]));
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
}

#[test]
fn e90_if_the_clock_is_set_back_the_look_up_begins_anew() {
    let mut world = unconfirmed();
    world.stored(json!([]));
    world.now -= 3_600_000;
    world.answer(Ok(Vec::new()));
    for after in [0, 1_000, 2_500, 5_000] {
        assert_eq!(world.load_delay(), Some(after));
        world.stored(json!([]));
    }
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
}

#[test]
fn e91_a_stored_message_was_sent() {
    let mut world = unconfirmed();
    world.stored(answered("Hello"));
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    assert_eq!(world.status(0), &MessageStatus::Sent);
    assert_eq!(world.load_delay(), None);

    let mut world = unconfirmed();
    world.stored(question());
    assert_eq!(world.status(0), &MessageStatus::Sent);
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
    assert_eq!(world.status(1), &LOST);
    assert_eq!(world.load_delay(), Some(1_000));
    world.stored(answered("Hello"));
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    assert_eq!(world.status(1), &MessageStatus::Complete);
}

#[test]
fn e92_what_the_last_reading_does_not_show_was_not_delivered() {
    let mut world = unconfirmed();
    for _ in 0..4 {
        world.stored(json!([]));
    }
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
    world.intend(Intent::RetryMessage(world.message(0).key));
    assert_eq!(world.posts(), 1);
}

#[test]
fn e93_nothing_is_known_where_nothing_can_be_read() {
    let mut world = unconfirmed();
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(
        world.status(0),
        &MessageStatus::Unconfirmed {
            checking: false,
            failure: None
        }
    );
    assert_eq!((world.commands.len(), &world.state.notice), (0, &None));
    assert_eq!(world.open().load, LoadState::Ready);

    let mut world = interrupted("Hel");
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(world.status(1), &lost(false));
}

#[test]
fn e94_an_interrupted_answer_is_filled_in() {
    for (received, stored) in [("Hel", "Hello!"), ("", "Hello!"), ("Hello!", "Hello!")] {
        let mut world = interrupted(received);
        world.stored(answered(stored));
        assert_eq!(world.texts(), [("you", "hi"), ("agent", stored)]);
        assert_eq!(world.status(1), &MessageStatus::Complete);
        let answered = Announcement::Answered {
            author: String::new(),
            text: stored.to_owned(),
            words: Vec::new(),
        };
        assert_eq!(world.said.last(), Some(&answered));
        assert_eq!(world.load_delay(), None);
    }
}

#[test]
fn e95_an_answer_that_is_not_stored_stays_short() {
    let mut world = interrupted("Hel");
    for _ in 0..4 {
        assert_eq!(world.status(1), &LOST);
        world.stored(question());
    }
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hel")]);
    assert_eq!(world.status(1), &lost(false));
    assert_eq!(world.load_delay(), None);

    let mut world = interrupted("");
    let mut stored = question();
    let later = [
        json!({"id": "m2", "role": "user", "content": "from elsewhere"}),
        json!({"id": "m3", "role": "assistant", "content": "Over there"}),
    ];
    stored.as_array_mut().unwrap().extend(later);
    world.stored(stored);
    assert_eq!(world.status(1), &LOST);
    assert_eq!(
        world.texts(),
        [
            ("you", "hi"),
            ("agent", ""),
            ("you", "from elsewhere"),
            ("agent", "Over there")
        ]
    );
}

#[test]
fn e96_the_person_can_have_it_checked_again() {
    let mut world = interrupted("Hel");
    world.not_stored(FailureKind::Unreachable);
    world.intend(Intent::ReloadMessages);
    assert_eq!(world.status(1), &LOST);
    assert_eq!(world.load_delay(), Some(0));
    world.stored(question());
    assert_eq!(world.load_delay(), Some(1_000));

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    world.intend(Intent::Stop);
    world.intend(Intent::ReloadMessages);
    world.stored(answered("Hello"));
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    assert_eq!(world.status(1), &MessageStatus::Complete);
}

#[test]
fn e96_who_asks_again_and_again_learns_what_became_of_it() {
    let mut world = submitted();
    world.breaks(FailureKind::Unreachable);
    let broke = world.now;
    for _ in 0..100 {
        world.stored(stored_both(PENDING));
        if world.load_delay().is_none() {
            break;
        }
        world.now = broke + (world.now - broke + 100).min(8_500);
        world.intend(Intent::ReloadMessages);
        assert_eq!(world.load_delay(), Some(0));
    }
    assert!(matches!(batch(&world).phase, BatchPhase::Deciding { .. }));
    assert_eq!(world.now, broke + 8_500);
}

#[test]
fn e97_an_older_reading_is_ignored() {
    let mut world = World::in_thread(json!([]));
    world.intend(Intent::ReloadMessages);
    let old = world.load();
    world.intend(Intent::ReloadMessages);
    let before = world.state.clone();
    let stored: Vec<assent_protocol::StoredMessage> = serde_json::from_value(question()).unwrap();
    for (conversation, load) in [
        (world.key(), old),
        (assent_conversation::ConversationKey(9_999), world.load()),
    ] {
        world.give(Input::Messages {
            conversation,
            load,
            result: Ok(stored.clone()),
        });
        assert_eq!(world.state, before);
    }
    world.stored(question());
    let again = world.state.clone();
    world.give(Input::Messages {
        conversation: world.key(),
        load: old,
        result: Ok(Vec::new()),
    });
    assert_eq!(world.state, again);
}

#[test]
fn e97_a_slow_reading_of_one_thread_never_lands_in_another() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("slow".into()));
    let (slow, load) = (world.key(), world.load());
    world.intend(Intent::OpenThread("fast".into()));
    world.stored(answered("Of the fast one"));
    let of_the_slow = serde_json::from_value(answered("Of the slow one")).unwrap();
    world.give(Input::Messages {
        conversation: slow,
        load,
        result: Ok(of_the_slow),
    });
    assert_eq!(world.texts()[1], ("agent", "Of the fast one"));
    world.intend(Intent::OpenThread("slow".into()));
    assert_eq!(world.texts()[1], ("agent", "Of the slow one"));
}

#[test]
fn e98_a_reading_does_not_touch_a_running_stream() {
    let mut world = interrupted("Hel");
    let load = world.load();
    world.send("again");
    world.opened();
    let before = world.open().messages.clone();
    assert_eq!(world.load(), load);
    world.stored(answered("Hello"));
    assert_eq!(world.open().messages, before);
    world.event("AGENT_RESPONSE_COMPLETE", "Second");
    world.ends();
    assert_eq!(world.load_delay(), Some(0));
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "Hello"},
        {"id": "m3", "role": "user", "content": "again"},
        {"id": "m4", "role": "assistant", "content": "Second"},
    ]));
    assert_eq!(
        world.texts(),
        [
            ("you", "hi"),
            ("agent", "Hello"),
            ("you", "again"),
            ("agent", "Second")
        ]
    );
}

#[test]
fn e99_the_past_comes_in_front_of_what_is_being_sent() {
    let past = answered("Hello");
    let mut with_this_turn = past.clone();
    with_this_turn
        .as_array_mut()
        .unwrap()
        .push(json!({"id": "m3", "role": "user", "content": "more"}));
    for stored in [past, with_this_turn] {
        let mut world = World::new();
        world.intend(Intent::OpenThread("t1".into()));
        world.send("more");
        world.opened();
        world.event("AGENT_RESPONSE_CHUNK", "Yes");
        world.stored(stored);
        assert_eq!(
            world.texts(),
            [
                ("you", "hi"),
                ("agent", "Hello"),
                ("you", "more"),
                ("agent", "Yes")
            ]
        );
        assert_eq!(world.status(3), &MessageStatus::Streaming);
        world.event("AGENT_RESPONSE_COMPLETE", "Yes.");
        assert_eq!(world.texts()[3], ("agent", "Yes."));
    }
}

#[test]
fn e99_a_reading_leaves_a_batch_to_the_stream_that_answers_it() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.send("hi");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    world.decide_all("b1".into(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions("b1".into()));
    world.opened();
    let submitting = world.message(1).approvals.clone();
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "May I?", "toolExecutionHumanApprovalRequest": [
            {"toolExecutionId": "x1", "executionBatchId": "b1", "status": "DENIED"},
        ]},
        {"id": "m3", "role": "user", "content": "from elsewhere"},
    ]));
    assert_eq!(
        world.texts(),
        [
            ("you", "hi"),
            ("agent", "May I?"),
            ("you", "from elsewhere"),
            ("agent", "")
        ]
    );
    assert_eq!(world.message(1).approvals, submitting);
    world.event("MESSAGE_RECEIVED", "");
    assert_eq!(world.message(1).approvals[0].phase, BatchPhase::Answered);
}

#[test]
fn e100_a_failed_reading_is_shown_where_it_belongs() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.not_stored(FailureKind::Service);
    let failure = Failure::of(FailureKind::Service);
    assert_eq!(world.open().load, LoadState::Failed(failure.clone()));
    assert_eq!(world.state.notice, None);
    world.intend(Intent::ReloadMessages);
    assert_eq!(world.open().load, LoadState::Loading);
    world.stored(answered("Hello"));
    assert_eq!(world.open().load, LoadState::Ready);

    world.intend(Intent::ReloadMessages);
    world.not_stored(FailureKind::Service);
    assert_eq!(world.open().load, LoadState::Ready);
    let notice = world.state.notice.clone().unwrap();
    assert_eq!(
        (notice.subject, notice.failure),
        (NoticeSubject::Reload, failure)
    );
    world.intend(Intent::RetryNotice);
    assert_eq!(world.load_delay(), Some(0));
    world.not_stored(FailureKind::Service);
    world.intend(Intent::NewThread);
    assert_eq!(world.state.notice, None, "it was about the other one");
}

/// Returns the response of a service that failed, with its own message.
fn response() -> Failure {
    Failure {
        status: Some(500),
        message: Some("The disk is full.".to_owned()),
        ..Failure::of(FailureKind::Service)
    }
}

#[test]
fn e271_a_response_is_quoted_while_the_outcome_is_looked_up_and_afterwards() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    let end = StreamEnd::Failed(response());
    world.give(Input::StreamEnded(world.stream(), end));
    let quoted = MessageStatus::Unconfirmed {
        checking: true,
        failure: Some(response()),
    };
    for after in [0, 2_000] {
        assert_eq!(world.status(0), &quoted);
        assert_eq!(world.load_delay(), Some(after));
        world.stored(json!([]));
    }
    assert_eq!(world.load_delay(), None);
    let lost = Failure {
        kind: FailureKind::NotDelivered,
        ..response()
    };
    assert_eq!(world.status(0), &MessageStatus::Failed(lost));
}

#[test]
fn e271_a_response_to_one_post_says_nothing_about_another() {
    let mut world = unconfirmed();
    world.stored(json!([]));
    world.send("and this");
    let end = StreamEnd::Failed(response());
    world.give(Input::StreamEnded(world.stream(), end));
    for after in [0, 1_000, 2_500, 5_000] {
        assert_eq!(world.load_delay(), Some(after));
        assert_eq!(world.status(0), &UNCONFIRMED);
        world.stored(json!([]));
    }
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
}

#[test]
fn e271_a_response_to_a_decision_is_kept_with_it() {
    let mut world = submitted();
    let end = StreamEnd::Failed(response());
    world.give(Input::StreamEnded(world.stream(), end));
    assert_eq!(batch(&world).response_to_post(), Some(&response()));
    for after in [0, 2_000] {
        assert_eq!(world.load_delay(), Some(after));
        world.stored(stored_both(PENDING));
    }
    let BatchPhase::Deciding { failure, .. } = &batch(&world).phase else {
        panic!("it can be decided again");
    };
    let message = failure.as_ref().and_then(|it| it.message.as_deref());
    assert_eq!(message, Some("The disk is full."));
}
