//! E267 and E268: an answer that is checked while its turn goes on, and a message that is loaded
//! while it is posted.

use assent_conversation::{Command, FailureKind, Intent, MessageStatus, Verdict};
use serde_json::{Value, json};

use crate::asking::{PENDING, asked};
use crate::late_streams::{PAUSE, wait};
use crate::world::{World, failed, request};

const APPROVED: &str = "APPROVED";

/// Returns two pending batches, of which the first one is answered; the stream broke before any
/// text.
fn first_answer_lost() -> World {
    let mut world = asked(json!([
        request("b1", "x1", "mail"),
        request("b2", "y1", "call")
    ]));
    approve(&mut world, "b1", "x1");
    world.event("MESSAGE_RECEIVED", "");
    world.breaks(FailureKind::Unreachable);
    assert_eq!(
        world.texts(),
        [("you", "hi"), ("agent", "May I?"), ("agent", "")]
    );
    world
}

fn approve(world: &mut World, batch: &str, run: &str) {
    world.decide(batch.into(), run, Verdict::Approve);
    world.intend(Intent::SubmitDecisions(batch.into()));
}

/// Returns the stored messages of it: both requests, and this answer.
fn stored(second: &str, answers: &[&str]) -> Value {
    let run = |batch, run, status| json!({"toolExecutionId": run, "executionBatchId": batch, "name": run, "status": status});
    let runs = [run("b1", "x1", APPROVED), run("b2", "y1", second)];
    let asking = json!({"id": "m1", "role": "assistant", "content": "May I?", "toolExecutionHumanApprovalRequest": runs});
    let mut messages = vec![json!({"id": "m0", "role": "user", "content": "hi"}), asking];
    let answer = |(at, text): (usize, &&str)| json!({"id": format!("a{at}"), "role": "assistant", "content": text});
    messages.extend(answers.iter().enumerate().map(answer));
    messages.into()
}

#[test]
fn e267_what_the_next_stream_of_a_turn_told_is_not_looked_for() {
    let mut world = first_answer_lost();
    approve(&mut world, "b2", "y1");
    world.event("AGENT_RESPONSE_CHUNK", "Both are done.");
    world.event("AGENT_RESPONSE_COMPLETE", "Both are done.");
    world.ends();
    world.stored(stored(APPROVED, &["Both are done."]));
    let both = [
        ("you", "hi"),
        ("agent", "May I?"),
        ("agent", "Both are done."),
    ];
    assert_eq!(world.texts(), both);
    assert_eq!(world.status(2), &MessageStatus::Complete);
    assert_eq!(world.load_delay(), None);
}

#[test]
fn e267_what_is_stored_beside_it_is_found() {
    let mut world = first_answer_lost();
    approve(&mut world, "b2", "y1");
    world.event("AGENT_RESPONSE_COMPLETE", "Both are done.");
    world.ends();
    world.stored(stored(APPROVED, &["One is done.", "Both are done."]));
    let both = [("agent", "One is done."), ("agent", "Both are done.")];
    assert_eq!(world.texts()[2..], both);
}

/// Returns a conversation that is posted to before it is loaded, and then loaded: somebody else's
/// turn went on behind the post.
fn read_while_posting(time: &str) -> World {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.send("hi");
    world.stored(with_late_answer(time));
    world
}

fn with_late_answer(time: &str) -> Value {
    json!([
        {"id": "m0", "role": "user", "content": "Go", "timestamp": "1970-01-01T00:00:01Z"},
        {"id": "m1", "role": "user", "content": "hi", "timestamp": time},
        {"id": "m2", "role": "assistant", "content": "Gone.", "timestamp": time}
    ])
}

#[test]
fn e268_what_was_read_while_it_was_posted_is_not_offered_again() {
    let mut world = read_while_posting("1970-01-01T00:16:39Z");
    world.breaks(FailureKind::Unreachable);
    world.stored(with_late_answer("1970-01-01T00:16:39Z"));
    let own = [("you", "Go"), ("you", "hi"), ("agent", "Gone.")];
    assert_eq!(world.texts(), own);
    assert_eq!(world.status(1), &MessageStatus::Sent);
}

#[test]
fn e276_a_late_stream_whose_question_was_replaced_is_closed() {
    let mut world = read_while_posting("1970-01-01T00:16:39Z");
    let stream = world.stream();
    world.event("AGENT_RESPONSE_COMPLETE", "Gone.");
    wait(&mut world, stream, PAUSE);
    assert_eq!(world.open().late_streams().count(), 1);
    world.stored(with_late_answer("1970-01-01T00:16:39Z"));
    let own = [("you", "Go"), ("you", "hi"), ("agent", "Gone.")];
    assert_eq!(world.texts(), own);
    assert!(world.commands.contains(&Command::CloseStream(stream)));
    assert_eq!(world.open().late_streams().count(), 0);
}

#[test]
fn e268_the_same_words_of_an_earlier_time_are_other_ones() {
    let mut world = read_while_posting("1970-01-01T00:10:00Z");
    world.breaks(FailureKind::Unreachable);
    for _ in 0..9 {
        if world.open().last_load.is_some() {
            world.stored(with_late_answer("1970-01-01T00:10:00Z"));
        }
    }
    assert_eq!(world.texts()[3..], [("you", "hi")]);
    assert_eq!(world.status(3), &failed(FailureKind::NotDelivered));
}

#[test]
fn e267_without_another_answer_it_is_looked_for_on() {
    let mut world = first_answer_lost();
    world.stored(stored(PENDING, &[]));
    assert_eq!(world.texts()[2..], [("agent", "")]);
    assert!(world.load_delay().is_some());
}
