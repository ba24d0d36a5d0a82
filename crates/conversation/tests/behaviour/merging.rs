//! E110 to E119, E169, E281 and E282: stored and local messages as one transcript.

use assent_conversation::{Author, FailureKind, Input, Intent, MessageStatus, Millis, StepState};
use serde_json::{Value, json};

use crate::asking::PENDING;
use crate::world::{World, failed, request};

fn user(id: &str, content: &str) -> Value {
    json!({"id": id, "role": "user", "content": content, "timestamp": "2026-01-01T00:00:00"})
}

fn agent(id: &str, content: &str) -> Value {
    json!({"id": id, "role": "assistant", "handle": "@helper", "content": content})
}

fn exchange(world: &mut World, question: &str, answer: &str) {
    world.send(question);
    world.event("AGENT_RESPONSE_COMPLETE", answer);
    world.ends();
}

fn reload(world: &mut World, stored: Value) {
    world.intend(Intent::ReloadMessages);
    world.stored(stored);
}

#[test]
fn e110_equal_texts_stay_two_messages() {
    let mut world = World::in_thread(json!([]));
    exchange(&mut world, "yes", "Good.");
    exchange(&mut world, "yes", "Good.");
    let keys: Vec<_> = world.open().messages.iter().map(|m| m.key).collect();
    let stored = json!([
        user("1", "yes"),
        agent("2", "Good."),
        user("3", "yes"),
        agent("4", "Good.")
    ]);
    for _ in 0..2 {
        reload(&mut world, stored.clone());
        assert_eq!(
            world
                .open()
                .messages
                .iter()
                .map(|m| m.key)
                .collect::<Vec<_>>(),
            keys
        );
        let ids: Vec<_> = world
            .open()
            .messages
            .iter()
            .map(|m| m.id.clone().unwrap().0)
            .collect();
        assert_eq!(ids, ["1", "2", "3", "4"]);
    }
    world.send("yes");
    world.breaks(FailureKind::Unreachable);
    world.stored(stored);
    let unconfirmed = MessageStatus::Unconfirmed {
        checking: true,
        failure: None,
    };
    assert_eq!(
        world.status(4),
        &unconfirmed,
        "the old ones are not this one"
    );
}

#[test]
fn e111_unsent_messages_keep_their_place() {
    let mut world = World::in_thread(json!([]));
    exchange(&mut world, "one", "One!");
    world.send("refused");
    world.breaks(FailureKind::Rejected);
    exchange(&mut world, "two", "Two!");
    world.send("last");
    world.breaks(FailureKind::Rejected);
    reload(
        &mut world,
        json!([
            user("0", "from elsewhere"),
            user("1", "one"),
            agent("2", "One!"),
            user("3", "two"),
            agent("4", "Two!"),
            user("5", "elsewhere too"),
        ]),
    );
    let texts: Vec<_> = world.texts().into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        texts,
        [
            "from elsewhere",
            "one",
            "One!",
            "refused",
            "two",
            "Two!",
            "elsewhere too",
            "last"
        ]
    );
}

#[test]
fn e112_activity_and_requests_are_kept() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("NOTIFICATION_AGENT_THINKING_STARTED", "Hm");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    let before = world.message(1).clone();
    reload(
        &mut world,
        json!([user("1", "hi"), {
            "id": "2", "role": "assistant", "content": "Asking.",
            "toolExecutionHumanApprovalRequest": [
                {"toolExecutionId": "x1", "executionBatchId": "b1", "status": "PENDING_HUMAN_APPROVAL"},
            ],
        }]),
    );
    let merged = world.message(1);
    assert_eq!((merged.key, merged.text.as_str()), (before.key, "Asking."));
    assert_eq!(merged.activity, before.activity);
    assert_eq!(merged.activity.steps[0].state, StepState::Done);
    assert_eq!(merged.approvals, before.approvals);
    assert!(merged.approvals[0].tools[0].request.is_some());
}

#[test]
fn e112_a_request_is_there_once() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event_of("AGENT_RESPONSE_COMPLETE", "May I?", Some(("a", "")));
    world.event_of("AGENT_RESPONSE_CHUNK", "Let me ask.", Some(("b", "")));
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    reload(
        &mut world,
        json!([user("1", "hi"), {
            "id": "2", "role": "assistant", "content": "May I?",
            "toolExecutionHumanApprovalRequest": [
                {"toolExecutionId": "x1", "executionBatchId": "b1"},
            ],
        }]),
    );
    assert_eq!(world.open().pending_batches().len(), 1);
}

#[test]
fn e113_a_known_message_is_found_by_its_id() {
    let mut world = World::in_thread(json!([user("1", "hi"), agent("2", "Hello")]));
    let keys: Vec<_> = world.open().messages.iter().map(|m| m.key).collect();
    reload(
        &mut world,
        json!([agent("2", "Hello, edited"), user("1", "hi")]),
    );
    assert_eq!(world.texts(), [("agent", "Hello, edited"), ("you", "hi")]);
    assert_eq!(
        (world.message(0).key, world.message(1).key),
        (keys[1], keys[0])
    );
}

#[test]
fn e113_an_id_that_is_stored_twice_is_that_of_two_messages() {
    let stored = json!([user("1", "hi"), agent("2", "One"), agent("2", "Two")]);
    let mut world = World::in_thread(stored.clone());
    let keys: Vec<_> = world.open().messages.iter().map(|m| m.key).collect();
    reload(&mut world, stored);
    let again: Vec<_> = world.open().messages.iter().map(|m| m.key).collect();
    assert_eq!(again, keys);
}

#[test]
fn e114_blank_stored_messages_are_not_shown() {
    let world = World::in_thread(json!([
        user("1", " "), agent("2", ""), user("3", "hi"), {"id": "4"},
    ]));
    assert_eq!(world.texts(), [("you", "hi")]);
}

#[test]
fn e115_authors_keep_the_name_they_had() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event_of("AGENT_RESPONSE_COMPLETE", "Hello", Some(("a", "Ann")));
    world.ends();
    reload(
        &mut world,
        json!([user("1", "hi"), agent("2", "Hello"), agent("3", "More"), {
            "id": "4", "role": "system", "content": "Note",
        }]),
    );
    let authors: Vec<_> = world
        .open()
        .messages
        .iter()
        .map(|m| m.author.clone())
        .collect();
    let agent = |name: &str| Author::Agent(name.to_owned());
    assert_eq!(
        authors,
        [Author::You, agent("Ann"), agent("@helper"), agent("system")]
    );
}

#[test]
fn e116_what_was_given_up_and_is_stored_after_all_was_sent() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        world.stored(json!([]));
    }
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
    reload(&mut world, json!([user("1", "hi"), agent("2", "Hello")]));
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    assert_eq!(world.status(0), &MessageStatus::Sent);

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        world.stored(json!([]));
    }
    exchange(&mut world, "hi", "Hello");
    reload(&mut world, json!([user("1", "hi"), agent("2", "Hello")]));
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
    assert_eq!(
        world.status(1),
        &MessageStatus::Sent,
        "the sent one comes first"
    );
}

#[test]
fn e117_a_refused_message_is_no_stored_one() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Unauthorized);
    reload(&mut world, json!([user("1", "hi")]));
    assert_eq!(world.status(0), &MessageStatus::Sent);
    assert_eq!(world.status(1), &failed(FailureKind::Unauthorized));
}

#[test]
fn e117_a_rejected_message_that_is_stored_all_the_same_was_sent() {
    let known = [user("1", "hi"), agent("2", "Hello")];
    let mut world = World::in_thread(json!(known));
    world.send("hi");
    world.breaks(FailureKind::Rejected);
    assert_eq!(world.load_delay(), Some(0));
    world.stored(json!(known));
    assert_eq!(world.status(2), &failed(FailureKind::Rejected));
    reload(&mut world, json!([known[0], known[1], user("3", "hi")]));
    assert_eq!(world.status(2), &MessageStatus::Sent);
}

#[test]
fn e94_an_answer_of_which_a_piece_was_lost_is_the_only_one_that_is_stored() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_CHUNK", "One ");
    world.give(Input::StreamGarbled(world.stream()));
    world.event("AGENT_RESPONSE_CHUNK", "three");
    world.breaks(FailureKind::Unreachable);
    world.stored(json!([user("1", "hi"), agent("2", "One two three")]));
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "One two three")]);
    assert_eq!(world.status(1), &MessageStatus::Complete);
}

#[test]
fn e119_a_failed_answer_of_which_a_piece_was_lost_is_there_once() {
    let stored = "One two three\n\n*The answer failed: No.*";
    for lost in [1, 2] {
        let mut world = World::in_thread(json!([]));
        world.send("hi");
        world.event("MESSAGE_RECEIVED", "hi");
        for (place, piece) in ["One ", "two ", "three"].into_iter().enumerate() {
            match place + 1 == lost {
                true => world.give(Input::StreamGarbled(world.stream())),
                false => world.event("AGENT_RESPONSE_CHUNK", piece),
            }
        }
        world.event("ERROR", "No.");
        world.ends();
        reload(&mut world, json!([user("1", "hi"), agent("2", stored)]));
        assert_eq!(world.texts().len(), 2, "{:?}", world.texts());
    }
}

#[test]
fn e118_the_stored_time_counts() {
    let mut world = World::in_thread(json!([]));
    exchange(&mut world, "hi", "Hello");
    let device = world.message(1).time;
    reload(&mut world, json!([user("1", "hi"), agent("2", "Hello")]));
    assert_eq!(world.message(0).time, Some(Millis(1_767_225_600_000)));
    assert_eq!(world.message(1).time, device, "the service says none");
}

#[test]
fn e119_a_failed_answer_stays_as_it_was_shown() {
    for text in ["So far", ""] {
        let mut world = World::in_thread(json!([]));
        world.send("hi");
        world.event("AGENT_RESPONSE_CHUNK", text);
        world.event("ERROR", "It broke.");
        world.ends();
        let before = world.message(1).clone();
        let stored = agent("2", &format!("{text}\n\nIt broke."));
        reload(&mut world, json!([user("1", "hi"), stored]));
        assert_eq!(world.open().messages.len(), 2);
        let after = world.message(1);
        assert_eq!((&after.text, &after.status), (&before.text, &before.status));
        assert_eq!(after.id, Some("2".into()));
    }
}

#[test]
fn e169_a_turn_that_runs_is_there_once() {
    let asks = json!([{"toolExecutionId": "x1", "executionBatchId": "b1", "status": PENDING}]);
    let past = [
        json!({"id": "m1", "role": "user", "content": "more"}),
        json!({"id": "m2", "role": "assistant", "content": "Sure."}),
    ];
    let turn = [
        json!({"id": "m3", "role": "user", "content": "more"}),
        json!({"id": "m4", "role": "assistant", "content": "I look."}),
        json!({"id": "m5", "role": "assistant", "toolExecutionHumanApprovalRequest": asks}),
    ];
    let later = json!({"id": "m6", "role": "assistant", "content": "Well?"});
    for (stored, rest) in [
        ([&past[..], &turn[..]].concat(), 0),
        ([&past[..], &turn[..], &[later]].concat(), 1),
        (past.to_vec(), 0),
    ] {
        let mut world = World::new();
        world.intend(Intent::OpenThread("t1".into()));
        world.send("more");
        world.event("AGENT_RESPONSE_CHUNK", "I look.");
        world.asks(json!([request("b1", "x1", "mail")]));
        world.stored(json!(stored));
        let messages = &world.open().messages;
        assert_eq!(messages.len(), 4 + rest, "{:?}", world.texts());
        let cards = messages.iter().flat_map(|it| &it.approvals);
        assert_eq!(cards.count(), 1);
        assert_eq!(world.texts()[..2], [("you", "more"), ("agent", "Sure.")]);
        world.ends();
        assert_eq!(world.open().count_undecided(), 1);
    }
}

#[test]
fn e281_a_turn_that_was_stored_before_its_stream_ended_is_there_once() {
    let stored = json!([user("1", "hello"), agent("2", "Good morning.")]);
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.send("hello");
    world.event("AGENT_RESPONSE_CHUNK", "Good");
    world.stored(stored.clone());
    world.event("AGENT_RESPONSE_COMPLETE", "Good morning.");
    world.ends();
    world.stored(stored);
    assert_eq!(
        world.texts(),
        [("you", "hello"), ("agent", "Good morning.")]
    );
}

#[test]
fn e282_what_is_surely_sent_is_found_before_what_may_have_arrived() {
    let mut world = World::in_thread(json!([]));
    world.send("yes");
    world.breaks(FailureKind::Unreachable);
    world.stored(json!([]));
    exchange(&mut world, "no", "No.");
    // The first post was late.
    let late = json!([user("1", "no"), agent("2", "No."), user("3", "yes")]);
    reload(&mut world, late);
    let texts = [("you", "no"), ("agent", "No."), ("you", "yes")];
    assert_eq!(world.texts()[..3], texts);
    assert_eq!(world.texts().iter().filter(|it| it.0 == "you").count(), 2);

    let mut world = World::in_thread(json!([]));
    world.send("yes");
    world.breaks(FailureKind::Unreachable);
    world.stored(json!([]));
    exchange(&mut world, "yes", "Good.");
    reload(&mut world, json!([user("1", "yes"), agent("2", "Good.")]));
    let sent = |it: &&assent_conversation::Message| it.status == MessageStatus::Sent;
    assert_eq!(world.open().messages.iter().filter(sent).count(), 1);
}
