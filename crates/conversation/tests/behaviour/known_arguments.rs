//! E310: what a person approved at the last call with exactly the same value was read, and need not
//! be opened once more.

use assent_conversation::{Intent, Obstacle, ToolRun, Verdict};
use serde_json::{Value, json};

use crate::asking::{asked, b1, stored_half};
use crate::world::{World, request};

/// Returns a request of the same tool with these arguments.
fn with(batch: &str, execution: &str, arguments: Value) -> Value {
    let mut call = request(batch, execution, "mail");
    call["toolArguments"] = arguments;
    call
}

fn long(letter: &str) -> Value {
    json!({ "to": "ann", "body": letter.repeat(601) })
}

/// Returns a conversation in which a first call was decided so and a second one is asked for.
fn asked_again(verdict: Verdict, first: Value, second: Value) -> World {
    let mut world = asked(json!([with("b1", "x1", first)]));
    let version = world.version(&b1(), "x1");
    for place in 0..3 {
        world.intend(Intent::OpenArgument(b1(), version, place));
    }
    world.intend(Intent::MarkSeen(b1(), vec![version]));
    world.decide(b1(), "x1", verdict);
    world.intend(Intent::SubmitDecisions(b1()));
    world.event("MESSAGE_RECEIVED", "");
    world.event("AGENT_RESPONSE_CHUNK", "And again?");
    world.asks(json!([second]));
    world.ends();
    world
}

fn second(world: &World) -> &ToolRun {
    world.runs(&"b2".into())[0]
}

#[test]
fn e310_what_was_approved_with_the_same_value_need_not_be_opened() {
    let again = with("b2", "x2", long("x"));
    let mut world = asked_again(Verdict::Approve, long("x"), again);
    assert_eq!(second(&world).known, [0, 1]);
    assert!(!second(&world).is_folded(0) && second(&world).is_opened(0));
    assert_eq!(second(&world).obstacle(), Some(Obstacle::Unseen));
    let versions = world.versions(&"b2".into());
    world.intend(Intent::MarkSeen("b2".into(), versions));
    world.decide("b2".into(), "x2", Verdict::Approve);
    assert_eq!(second(&world).choice, Some(Verdict::Approve));
}

#[test]
fn e310_another_value_is_opened_however_like_it_is() {
    let mut arguments = long("x");
    arguments["body"] = json!(["x".repeat(601), "\u{200b}".to_owned()].concat());
    let world = asked_again(Verdict::Approve, long("x"), with("b2", "x2", arguments));
    assert_eq!(second(&world).known, [1]);
    assert_eq!(second(&world).obstacle(), Some(Obstacle::Folded));
    let renamed = json!({ "text": "x".repeat(601) });
    let world = asked_again(Verdict::Approve, long("x"), with("b2", "x2", renamed));
    assert_eq!(second(&world).obstacle(), Some(Obstacle::Folded));
}

#[test]
fn e310_what_was_denied_was_perhaps_not_read() {
    let again = with("b2", "x2", long("x"));
    let world = asked_again(Verdict::Deny, long("x"), again);
    assert!(second(&world).known.is_empty());
    assert_eq!(second(&world).obstacle(), Some(Obstacle::Folded));
}

#[test]
fn e310_of_a_tool_that_was_changed_everything_is_read_anew() {
    let mut again = with("b2", "x2", long("x"));
    again["definitionChanged"] = json!(true);
    let world = asked_again(Verdict::Approve, long("x"), again);
    assert_eq!(second(&world).obstacle(), Some(Obstacle::Folded));
    let mut other = with("b2", "x2", long("x"));
    other["toolId"] = json!("another");
    let world = asked_again(Verdict::Approve, long("x"), other);
    assert_eq!(second(&world).obstacle(), Some(Obstacle::Folded));
}

#[test]
fn e310_it_is_so_after_a_reload_too() {
    let call = |execution: &str, batch: &str, status: &str| {
        let mut stored = stored_half(&with(batch, execution, long("x")), status);
        stored["toolMemoryId"] = json!("memory");
        stored
    };
    let message = |id: &str, call: Value| {
        json!({"id": id, "role": "assistant", "content": "May I?",
            "toolExecutionHumanApprovalRequest": [call]})
    };
    let world = World::in_thread(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        message("m2", call("x1", "b1", "APPROVED")),
        message("m3", call("x2", "b2", "PENDING_HUMAN_APPROVAL")),
    ]));
    assert_eq!(second(&world).known, [0, 1]);
}
