//! E120 to E122: arguments that are too long to be read at a glance.

use assent_conversation::{Intent, ToolRun, Verdict};
use serde_json::{Value, json};

use crate::asking::{asked, b1, batch, choices, decide, posted_results};
use crate::world::{World, request};

/// Returns a request with these arguments.
fn with(arguments: Value) -> Value {
    let mut long = request("b1", "x1", "mail");
    long["toolArguments"] = arguments;
    long
}

/// Returns one long argument beside a short one, and a second tool.
fn asked_long() -> World {
    let long = with(json!({ "address": "ann@example.org", "body": "x".repeat(601) }));
    asked(json!([long, request("b1", "x2", "call")]))
}

fn open(world: &mut World, place: usize) {
    world.intend(Intent::OpenArgument(b1(), "x1".into(), place));
}

fn first(world: &World) -> &ToolRun {
    &batch(world).tools[0]
}

#[test]
fn e120_what_is_long_is_opened_before_it_is_approved() {
    let mut world = asked_long();
    assert!(!first(&world).is_folded(0));
    assert!(first(&world).is_folded(1));
    assert!(!batch(&world).can_be_approved());
    decide(&mut world, "x1", Verdict::Approve);
    world.intend(Intent::DecideAll(b1(), Verdict::Approve));
    assert_eq!(choices(&world), [None, Some(Verdict::Approve)]);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 0);
    open(&mut world, 0);
    open(&mut world, 7);
    assert!(first(&world).is_folded(1), "others do not count");
    open(&mut world, 1);
    assert!(!first(&world).is_folded(1));
    world.intend(Intent::DecideAll(b1(), Verdict::Approve));
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world)[0].1, "APPROVED");

    let mut world = asked_long();
    world.intend(Intent::DecideAll(b1(), Verdict::Deny));
    assert_eq!(choices(&world), [Some(Verdict::Deny); 2]);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world)[0].1, "DENIED");
}

#[test]
fn e120_long_is_more_than_600_characters_or_12_lines() {
    let folded = |arguments: Value| {
        let world = asked(json!([with(arguments)]));
        first(&world).is_folded(0)
    };
    assert!(!folded(json!({ "body": "é".repeat(600) })));
    assert!(folded(json!({ "body": "é".repeat(601) })));
    assert!(!folded(json!({ "body": "x\n".repeat(12) })));
    assert!(folded(json!({ "body": "x\n".repeat(13) })));
    assert!(
        folded(json!({ "n".repeat(601): "v" })),
        "names are read too"
    );
}

#[test]
fn e121_what_was_opened_once_stays_open() {
    let mut world = asked_long();
    open(&mut world, 1);
    world.intend(Intent::DecideAll(b1(), Verdict::Approve));
    let before = batch(&world).clone();
    open(&mut world, 1);
    assert_eq!(batch(&world), &before);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world)[0].1, "APPROVED");
}

#[test]
fn e122_what_is_asked_otherwise_is_read_anew() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([with(json!({ "body": "x".repeat(601) }))]));
    open(&mut world, 0);
    decide(&mut world, "x1", Verdict::Approve);
    world.asks(json!([with(json!({ "body": "y".repeat(601) }))]));
    world.ends();
    assert!(first(&world).is_folded(0));
    decide(&mut world, "x1", Verdict::Approve);
    assert_eq!(choices(&world), [None]);
}
