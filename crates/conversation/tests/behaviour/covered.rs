//! E330 to E332: what is chosen together with what is allowed beforehand.

use assent_conversation::{Input, Intent, Verdict};
use serde_json::{Value, json};

use crate::asking::{asked, b1, batch, choices, decide, posted_results};
use crate::world::{World, request};

const ALLOWED: Option<Verdict> = Some(Verdict::ApproveBeforehand);
const COVERED: Option<Verdict> = Some(Verdict::ApproveCovered);

/// Returns a call of one tool that can be allowed beforehand.
fn read(execution: &str, arguments: Value) -> Value {
    let mut asks = request("b1", execution, "read");
    asks["toolId"] = json!("files/read");
    asks["toolArguments"] = arguments;
    asks["grantScopes"] = json!(["thread"]);
    asks
}

fn see_all(world: &mut World) {
    let versions = batch(world).tools.iter().map(|run| run.version).collect();
    world.intend(Intent::MarkSeen(b1(), versions));
}

/// Allows calls like the one at this index, with these conditions.
fn allow(world: &mut World, index: usize, when: &Value) {
    let version = batch(world).tools[index].version;
    let grant = json!({ "scope": "thread", "when": when }).to_string();
    world.intend(Intent::AllowBeforehand(b1(), version, grant));
    world.intend(Intent::Decide(b1(), version, Verdict::ApproveBeforehand));
}

/// Returns a world that asks for this call and another one, in which the first was allowed.
fn allowed_beside(other: Value, when: &Value) -> World {
    let first = read("x1", json!({ "path": "a", "lines": 3 }));
    let mut world = asked(json!([first, other]));
    see_all(&mut world);
    allow(&mut world, 0, when);
    world
}

#[test]
fn e330_ten_equal_reads_with_one_grant_are_one_decision() {
    let reads: Vec<Value> = (0..10)
        .map(|n| read(&format!("x{n}"), json!({ "path": "a", "lines": n })))
        .collect();
    let mut world = asked(json!(reads));
    see_all(&mut world);
    decide(&mut world, "x7", Verdict::Deny);
    allow(&mut world, 3, &json!({ "/path": "same" }));
    let mut expected = vec![COVERED; 10];
    expected[3] = ALLOWED;
    expected[7] = Some(Verdict::Deny);
    assert_eq!(choices(&world), expected);
    assert_eq!(world.posts(), 0, "nothing is sent by that");
    decide(&mut world, "x5", Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    let approved = |results: Vec<(String, String)>| {
        let results = results
            .into_iter()
            .filter(|(_, status)| status == "APPROVED");
        results.map(|(execution, _)| execution).collect::<Vec<_>>()
    };
    assert_eq!(
        approved(posted_results(&world)),
        ["x0", "x1", "x2", "x3", "x4", "x6", "x8", "x9"]
    );
}

#[test]
fn e330_what_is_not_covered_stays_undecided() {
    let fixed = json!({ "/path": "same", "/lines": "same" });
    let same = json!({ "path": "a", "lines": 3 });
    let changed = |field: &str, value: Value| {
        let mut asks = read("x2", same.clone());
        asks[field] = value;
        asks
    };
    for other in [
        read("x2", json!({ "path": "b", "lines": 3 })),
        read("x2", json!({ "path": "a", "lines": "3" })),
        read("x2", json!({ "path": "a" })),
        read("x2", json!({ "path": "a", "lines": 3, "from": 1 })),
        changed("toolId", json!("files/write")),
        changed("grantScopes", json!([])),
        changed("grantScopes", json!(["agent"])),
        changed("definitionChanged", json!(true)),
        changed("definition", json!({ "description": "Reads all." })),
    ] {
        let world = allowed_beside(other.clone(), &fixed);
        assert_eq!(choices(&world), [ALLOWED, None], "{other}");
    }
    let world = allowed_beside(read("x2", same.clone()), &fixed);
    assert_eq!(choices(&world), [ALLOWED, COVERED]);
    let world = allowed_beside(read("x2", json!({ "path": "b", "lines": 9 })), &json!({}));
    assert_eq!(choices(&world), [ALLOWED, COVERED], "any value is allowed");
    // A plain approval allows nothing.
    let mut world = asked(json!([read("x1", same.clone()), read("x2", same)]));
    see_all(&mut world);
    decide(&mut world, "x1", Verdict::Approve);
    assert_eq!(choices(&world), [Some(Verdict::Approve), None]);
}

#[test]
fn e330_an_argument_is_found_whatever_its_name_is() {
    let call = |execution, value| read(execution, json!({ "a/b~c~1": value }));
    let when = json!({ "/a~1b~0c~01": "same" });
    for (value, choice) in [("1", COVERED), ("2", None)] {
        let mut world = asked(json!([call("x1", "1"), call("x2", value)]));
        see_all(&mut world);
        allow(&mut world, 0, &when);
        assert_eq!(choices(&world), [ALLOWED, choice]);
    }
}

#[test]
fn e331_what_was_not_seen_or_cannot_be_read_yet_stays_undecided() {
    let short = || read("x1", json!({ "path": "a" }));
    let mut world = asked(json!([short(), read("x2", json!({ "path": "a" }))]));
    allow(&mut world, 0, &json!({ "/path": "same" }));
    assert_eq!(
        choices(&world),
        [ALLOWED, None],
        "nothing was on the screen"
    );
    see_all(&mut world);
    assert_eq!(choices(&world), [ALLOWED, None]);
    // A text that is too long is folded, and is not read before it was opened.
    let long = read("x2", json!({ "path": "a".repeat(1000) }));
    let mut world = asked(json!([short(), long]));
    see_all(&mut world);
    allow(&mut world, 0, &json!({}));
    assert_eq!(choices(&world), [ALLOWED, None]);
    let version = batch(&world).tools[1].version;
    world.intend(Intent::OpenArgument(b1(), version, 0));
    assert_eq!(choices(&world), [ALLOWED, None]);
    // Who allows it once more has read it.
    allow(&mut world, 0, &json!({}));
    assert_eq!(choices(&world), [ALLOWED, COVERED]);
}

#[test]
fn e331_in_doubt_nothing_is_chosen() {
    let same = json!({ "path": "a", "lines": 3 });
    for when in [
        json!({ "/path": "b" }),
        json!({ "/path": { "matches": "*" } }),
        json!({ "/path/0": "same" }),
        json!({ "path": "same" }),
        json!({ "/other": "same" }),
        json!("same"),
    ] {
        let world = allowed_beside(read("x2", same.clone()), &when);
        assert_eq!(choices(&world), [ALLOWED, None], "{when}");
    }
    // A name that comes twice, which no value of this library holds.
    let call = |execution| {
        let call = read(execution, json!("ARGUMENTS")).to_string();
        call.replace("\"ARGUMENTS\"", r#"{"path":"a","path":"a"}"#)
    };
    let requests = [call("x1"), call("x2")].join(",");
    let event = format!(
        r#"{{"type":"TOOL_EXECUTION_APPROVAL_REQUEST","eventMessage":{{"content":"","toolExecutionApprovalRequest":[{requests}]}}}}"#
    );
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_CHUNK", "May I?");
    let event = serde_json::from_str(&event).unwrap();
    world.give(Input::StreamEvent(world.stream(), Box::new(event)));
    world.ends();
    see_all(&mut world);
    allow(&mut world, 0, &json!({}));
    assert_eq!(choices(&world), [ALLOWED, None]);
}

#[test]
fn e332_what_is_not_covered_any_more_is_undecided_again() {
    let same = || read("x2", json!({ "path": "a", "lines": 3 }));
    let fixed = json!({ "/path": "same" });
    for verdict in [Verdict::Deny, Verdict::Approve] {
        let mut world = allowed_beside(same(), &fixed);
        decide(&mut world, "x1", verdict);
        assert_eq!(choices(&world), [Some(verdict), None]);
    }
    let mut world = allowed_beside(read("x2", json!({ "path": "a", "lines": 4 })), &fixed);
    assert_eq!(choices(&world), [ALLOWED, COVERED]);
    allow(&mut world, 0, &json!({ "/path": "same", "/lines": "same" }));
    assert_eq!(choices(&world), [ALLOWED, None]);
    // The same run is asked about with another value.
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_CHUNK", "May I?");
    world.asks(json!([
        read("x1", json!({ "path": "a" })),
        read("x2", json!({ "path": "a" }))
    ]));
    see_all(&mut world);
    allow(&mut world, 0, &fixed);
    assert_eq!(choices(&world), [ALLOWED, COVERED]);
    world.asks(json!([read("x1", json!({ "path": "b" }))]));
    assert_eq!(choices(&world), [None, None]);
    // What the user approved stays.
    let mut world = allowed_beside(same(), &fixed);
    decide(&mut world, "x2", Verdict::Approve);
    decide(&mut world, "x1", Verdict::Deny);
    assert_eq!(
        choices(&world),
        [Some(Verdict::Deny), Some(Verdict::Approve)]
    );
}
