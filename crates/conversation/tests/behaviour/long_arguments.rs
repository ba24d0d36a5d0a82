//! E120 to E122, E272 and E273: a decision is on what was drawn, and nothing is approved that was
//! not on the screen.

use assent_conversation::{Intent, Obstacle, RequestVersion, ToolRun, Verdict};
use serde_json::{Value, json};

use crate::asking::{asked, b1, batch, choices, decide, posted_results, submitted};
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
    let version = world.version(&b1(), "x1");
    world.intend(Intent::OpenArgument(b1(), version, place));
}

fn first(world: &World) -> &ToolRun {
    &batch(world).tools[0]
}

#[test]
fn e120_what_is_long_is_opened_before_it_is_approved() {
    let mut world = asked_long();
    assert!(!first(&world).is_folded(0));
    assert!(first(&world).is_folded(1));
    assert_eq!(batch(&world).obstacle(), Some(Obstacle::Folded));
    decide(&mut world, "x1", Verdict::Approve);
    world.decide_all(b1(), Verdict::Approve);
    assert_eq!(choices(&world), [None, Some(Verdict::Approve)]);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 0);
    open(&mut world, 0);
    open(&mut world, 7);
    assert!(first(&world).is_folded(1), "others do not count");
    open(&mut world, 1);
    assert!(!first(&world).is_folded(1));
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world)[0].1, "APPROVED");

    let mut world = asked_long();
    world.decide_all(b1(), Verdict::Deny);
    assert_eq!(choices(&world), [Some(Verdict::Deny); 2]);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world)[0].1, "DENIED");

    let texts = json!({ "body": "x".repeat(601), "copy": "y".repeat(601) });
    let mut world = asked(json!([with(texts)]));
    for place in 0..2 {
        decide(&mut world, "x1", Verdict::Approve);
        assert_eq!(choices(&world), [None], "each is opened by itself");
        open(&mut world, place);
    }
    decide(&mut world, "x1", Verdict::Approve);
    assert_eq!(choices(&world), [Some(Verdict::Approve)]);
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
    world.decide_all(b1(), Verdict::Approve);
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

#[test]
fn e272_a_decision_on_a_request_that_another_one_replaced_is_dropped() {
    let old = with(json!({ "amount": "1" }));
    let new = with(json!({ "amount": "1000000" }));
    let second = request("b1", "x2", "call");
    let drawn = |decide: &dyn Fn(Vec<RequestVersion>) -> Intent| {
        let mut world = World::in_thread(json!([]));
        world.send("hi");
        world.asks(json!([old, second]));
        world.intend(Intent::MarkSeen(b1(), world.versions(&b1())));
        let versions = world.versions(&b1());
        world.asks(json!([new]));
        world.ends();
        assert_ne!(world.versions(&b1())[0], versions[0]);
        assert_eq!(world.versions(&b1())[1], versions[1], "the same request");
        world.intend(decide(versions));
        world
    };
    for verdict in [Verdict::Approve, Verdict::Deny] {
        let world = drawn(&|drawn| Intent::Decide(b1(), drawn[0], verdict));
        assert_eq!(choices(&world), [None, None]);
        let world = drawn(&|drawn| Intent::DecideAll(b1(), drawn, verdict));
        assert_eq!(choices(&world), [None, Some(verdict)]);
        assert_eq!(first(&world).arguments[0].1, "1000000");
    }
    let mut world = drawn(&|drawn| Intent::MarkSeen(b1(), drawn));
    assert!(!first(&world).is_seen, "another one was on the screen");
    let versions = world.versions(&b1());
    world.intend(Intent::DecideAll(b1(), versions, Verdict::Approve));
    assert_eq!(choices(&world), [None, Some(Verdict::Approve)]);
}

#[test]
fn e272_what_was_opened_is_the_version_that_was_drawn() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([with(json!({ "body": "x".repeat(601) }))]));
    let drawn = world.version(&b1(), "x1");
    world.asks(json!([with(json!({ "body": "y".repeat(601) }))]));
    world.intend(Intent::OpenArgument(b1(), drawn, 0));
    assert!(first(&world).is_folded(0));
}

#[test]
fn e272_a_batch_that_is_asked_for_again_is_another_version() {
    let mut world = submitted();
    let answered = world.versions(&b1());
    world.event("MESSAGE_RECEIVED", "");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    let batches = || world.open().messages.iter().flat_map(|it| &it.approvals);
    assert_eq!(batches().count(), 2);
    assert!(!answered.contains(&world.version(&b1(), "x1")));
}

#[test]
fn e273_many_short_arguments_are_on_the_screen_before_their_tool_is_approved() {
    let many = |count: usize| {
        let pairs = (0..count).map(|at| (format!("field {at}"), json!("1")));
        with(Value::Object(pairs.collect()))
    };
    let approve = |world: &mut World| {
        let version = world.version(&b1(), "x1");
        world.intend(Intent::Decide(b1(), version, Verdict::Approve));
        choices(world)[0]
    };
    for (request, is_long) in [
        (many(12), false),
        (many(13), true),
        (many(500), true),
        (
            with(json!({ "a": "x".repeat(300), "b": "x".repeat(300) })),
            true,
        ),
    ] {
        let mut world = asked(json!([request]));
        assert_eq!(approve(&mut world).is_none(), is_long);
        let obstacle = is_long.then_some(Obstacle::Unseen);
        assert_eq!(first(&world).obstacle(), obstacle);
        world.intend(Intent::MarkSeen(b1(), world.versions(&b1())));
        assert_eq!(approve(&mut world), Some(Verdict::Approve));
    }
}

#[test]
fn e273_all_are_approved_at_once_only_after_each_was_on_the_screen() {
    let card = |tools: usize, arguments: &Value| {
        let requests = (1..=tools).map(|at| {
            let mut request = request("b1", &format!("x{at}"), "mail");
            request["toolArguments"] = arguments.clone();
            request
        });
        asked(requests.collect())
    };
    let all = |world: &mut World, verdict| {
        let versions = world.versions(&b1());
        world.intend(Intent::DecideAll(b1(), versions, verdict));
    };
    let approved = |world: &World| choices(world).iter().flatten().count();

    for arguments in [json!({ "to": "ann" }), json!({})] {
        let mut world = card(3, &arguments);
        let versions = world.versions(&b1());
        all(&mut world, Verdict::Approve);
        assert_eq!(approved(&world), 0, "however short they are");
        world.intend(Intent::MarkSeen(b1(), versions[..2].to_vec()));
        assert_eq!(batch(&world).obstacle(), Some(Obstacle::Unseen));
        all(&mut world, Verdict::Approve);
        assert_eq!(approved(&world), 2);
        all(&mut world, Verdict::Deny);
        assert_eq!(choices(&world), [Some(Verdict::Deny); 3], "without reading");
        world.intend(Intent::MarkSeen(b1(), vec![versions[2]]));
        assert_eq!(batch(&world).obstacle(), None);
        all(&mut world, Verdict::Approve);
        assert_eq!(choices(&world), [Some(Verdict::Approve); 3]);
    }
}
