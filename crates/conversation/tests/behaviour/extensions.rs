//! E283 to E285, and E294: stored requests of a service that tells them whole.

use assent_conversation::{
    BatchPhase, CachedRequest, Command, EditableArgument, Input, Intent, Millis, Obstacle, Verdict,
    argument_changes, edited_json,
};
use assent_protocol::{ApprovalStatus, ContentItem, RawApprovalRequest};
use serde_json::{Value, json};

use crate::asking::{
    DECIDING, PENDING, asked, b1, batch, choices, decide, keeps, kept, posted_results, stored_half,
};
use crate::world::{World, request};

/// Returns a request as a service with the extension stores it.
fn told(request: &Value) -> Value {
    let mut stored = stored_half(request, PENDING);
    for (name, value) in request.as_object().unwrap() {
        let is_renamed = ["toolName", "toolProvider", "toolCategory"].contains(&name.as_str());
        if !is_renamed && name != "toolExecutionBatchId" && name != "approvalResult" {
            stored[name] = value.clone();
        }
    }
    stored
}

fn storing(runs: &[Value]) -> Value {
    json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "May I?",
         "toolExecutionHumanApprovalRequest": runs},
    ])
}

/// Returns another device, on which these requests were kept.
fn elsewhere(kept: Vec<CachedRequest>, stored: Value) -> World {
    let mut world = World::new();
    world.give(Input::CachedRequests(kept));
    world.intend(Intent::OpenThread("t1".into()));
    world.stored(stored);
    world
}

/// Returns the first request that was posted, as JSON.
fn posted(world: &World) -> Value {
    let echoed = world.commands.iter().find_map(|command| match command {
        Command::Post { content, .. } => match content.first() {
            Some(ContentItem::ToolApprovalResult(results)) => results.first().cloned(),
            _ => None,
        },
        _ => None,
    });
    serde_json::from_str(echoed.unwrap().as_str()).unwrap()
}

/// Returns the requests that have to be kept still when the answer is posted.
fn looked_for(world: &World) -> Vec<RawApprovalRequest> {
    let summary = world.commands.iter().find_map(|command| match command {
        Command::Post { summary, .. } => summary.clone(),
        _ => None,
    });
    summary.unwrap().requests
}

#[test]
fn e283_a_request_that_is_told_whole_is_answered_anywhere() {
    let mut odd = request("b1", "x1", "mail");
    odd["toolArguments"] = json!({ "amount": 10.5, "to": "ann" });
    odd["reason"] = json!("It writes.");
    odd["definitionChanged"] = json!(true);
    odd["unheard"] = json!({ "of": [1, null] });
    let other = request("b1", "x2", "call");
    let stored = || storing(&[told(&odd), told(&other)]);
    let mut world = elsewhere(vec![], stored());
    assert_eq!(batch(&world).phase, DECIDING);
    assert_eq!(keeps(&world).len(), 0, "tabs would evict each other's");
    assert!(batch(&world).tools[0].can_be_approved());
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world).len(), 2);
    assert_eq!(looked_for(&world), []);
    odd["approvalResult"] = json!("APPROVED");
    assert_eq!(posted(&world), odd, "every field is echoed");

    for missing in ["toolMemoryId", "toolArguments"] {
        for null in [true, false] {
            let mut runs = [told(&odd), told(&other)];
            match null {
                true => runs[1][missing] = json!(null),
                false => drop(runs[1].as_object_mut().unwrap().remove(missing)),
            }
            let world = elsewhere(vec![], storing(&runs));
            assert_eq!(batch(&world).phase, BatchPhase::Unanswerable, "{missing}");
        }
    }
}

#[test]
fn e283_a_request_is_drawn_before_it_is_approved_there() {
    let mut long = request("b1", "x1", "mail");
    long["toolArguments"] = json!({ "text": "x".repeat(601) });
    let mut world = elsewhere(vec![], storing(&[told(&long)]));
    world.decide_all(b1(), Verdict::Approve);
    assert_eq!(choices(&world), [None]);
    assert_eq!(batch(&world).obstacle(), Some(Obstacle::Folded));
    // Nothing is folded, and it is more than a glance takes in.
    long["toolArguments"] = json!({ "to": "x".repeat(400), "text": "y".repeat(400) });
    let mut world = elsewhere(vec![], storing(&[told(&long)]));
    assert_eq!(batch(&world).obstacle(), Some(Obstacle::Unseen));
    world.intend(Intent::DecideAll(
        b1(),
        world.versions(&b1()),
        Verdict::Approve,
    ));
    assert_eq!(choices(&world), [None]);
    world.decide_all(b1(), Verdict::Approve);
    assert_eq!(choices(&world), [Some(Verdict::Approve)]);
}

#[test]
fn e284_what_the_device_kept_otherwise_is_not_approved_and_can_be_denied() {
    let asked = request("b1", "x1", "mail");
    for (field, value) in [
        ("toolArguments", json!({ "to": "bob" })),
        ("toolMemoryId", json!("another")),
        ("toolName", json!("read")),
        ("reason", json!("Trust me.")),
        ("definitionChanged", json!(true)),
        ("definition", json!({ "description": "Trust me." })),
        ("acceptedDefinition", json!({ "description": "Trust me." })),
    ] {
        let mut changed = asked.clone();
        changed[field] = value;
        let there = || {
            let stored = storing(&[told(&asked)]);
            elsewhere(vec![kept("t1", 1, changed.clone())], stored)
        };
        let mut world = there();
        assert_eq!(batch(&world).tools[0].name, "mail");
        assert_eq!(batch(&world).tools[0].reason, "");
        assert_eq!(batch(&world).tools[0].arguments[0].1, "ann@example.org");
        world.decide_all(b1(), Verdict::Approve);
        assert_eq!(choices(&world), [None], "{field}");
        assert_eq!(batch(&world).obstacle(), Some(Obstacle::Contradicted));
        decide(&mut world, "x1", Verdict::Deny);
        world.intend(Intent::SubmitDecisions(b1()));
        let mut echoed = asked.clone();
        echoed["approvalResult"] = json!("DENIED");
        assert_eq!(posted(&world), echoed, "{field}");
        assert_eq!(looked_for(&world), []);
        let mut world = there();
        world.intend(Intent::BeginFeedback(b1()));
        world.intend(Intent::EditFeedback(b1(), "No.".to_owned()));
        world.intend(Intent::SubmitFeedback(b1()));
        echoed["approvalResult"] = json!("ABORTED_WITH_FEEDBACK");
        assert_eq!(posted(&world), echoed, "{field}");
        assert_eq!(looked_for(&world), []);
    }
}

#[test]
fn e294_a_call_is_approved_with_its_tools_changed_definition_or_without() {
    let mut changed = request("b1", "x1", "mail");
    changed["definitionChanged"] = json!(true);
    changed["definition"] = json!({ "description": "Sends it to all." });
    changed["acceptedDefinition"] = json!({ "description": "Sends it." });
    for (verdict, accepts) in [
        (Verdict::Approve, json!(false)),
        (Verdict::ApproveDefinition, json!(true)),
        (Verdict::Deny, Value::Null),
    ] {
        let stored = elsewhere(vec![], storing(&[told(&changed)]));
        for mut world in [asked(json!([changed])), stored] {
            let tool = &batch(&world).tools[0];
            assert_eq!(tool.definition[0].1, "Sends it to all.");
            assert_eq!(tool.accepted_definition[0].1, "Sends it.");
            decide(&mut world, "x1", verdict);
            world.intend(Intent::SubmitDecisions(b1()));
            let mut echoed = changed.clone();
            echoed["approvalResult"] = json!(verdict.status().as_str());
            if accepts != Value::Null {
                echoed["acceptDefinition"] = accepts.clone();
            }
            assert_eq!(posted(&world), echoed);
        }
    }
    // A definition that is not told cannot be accepted, and one that is long has to be opened.
    let mut world = asked(json!([request("b1", "x1", "mail")]));
    decide(&mut world, "x1", Verdict::ApproveDefinition);
    assert_eq!(choices(&world), [None]);
    changed["definition"]["description"] = json!("Sends it. ".repeat(100));
    let mut world = asked(json!([changed]));
    decide(&mut world, "x1", Verdict::Approve);
    assert_eq!(choices(&world), [None]);
    let place = batch(&world).tools[0].arguments.len();
    let version = batch(&world).tools[0].version;
    world.intend(Intent::OpenArgument(b1(), version, place));
    world.intend(Intent::MarkSeen(b1(), vec![version]));
    decide(&mut world, "x1", Verdict::ApproveDefinition);
    assert_eq!(choices(&world), [Some(Verdict::ApproveDefinition)]);
}

#[test]
fn e323_the_end_of_waiting_is_told_and_is_no_decision_of_this_page() {
    let mut asks = request("b1", "x1", "mail");
    asks["expiresAt"] = json!("2026-01-31T12:00:00.000Z");
    let end = Some(Millis(1_769_860_800_000));
    let mut world = asked(json!([asks]));
    assert_eq!(batch(&world).tools[0].expires_at, end);
    let kept = elsewhere(vec![], storing(&[told(&asks)]));
    assert_eq!(batch(&kept).tools[0].expires_at, end);
    let mut ended = told(&asks);
    ended["status"] = json!("DENIED");
    ended["decidedBy"] = json!("timeout");
    world.intend(Intent::ReloadMessages);
    world.stored(storing(&[ended]));
    let tool = &batch(&world).tools[0];
    assert_eq!(
        (&tool.status, tool.is_expired),
        (&ApprovalStatus::Denied, true)
    );
    assert!(!batch(&world).is_pending());
    let mut denied = told(&asks);
    denied["status"] = json!("DENIED");
    let denied = elsewhere(vec![], storing(&[denied]));
    assert!(!batch(&denied).tools[0].is_expired);
}

#[test]
fn e324_what_the_user_changed_goes_with_an_approval_where_the_request_lets_it() {
    let mut asks = request("b1", "x1", "mail");
    asks["toolArguments"] = json!({ "to": "ann", "body": "Hello", "cc/bcc": "" });
    asks["editable"] = json!(["/body", "/cc~1bcc", "/missing", "/to/0"]);
    asks["editableSchemas"] = json!({ "/body": "{\"type\":\"string\"}" });
    let edit = |world: &mut World, edits: &[(&str, &str)], is_valid: bool| {
        let run = &batch(world).tools[0];
        let edits = edits
            .iter()
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        let edited = edited_json(&run.arguments, &edits.collect::<Vec<_>>());
        world.intend(Intent::EditArguments(b1(), run.version, edited, is_valid));
    };
    let changes = |world: &World| argument_changes(&batch(world).tools[0]);
    let change = |now: &str| {
        let [name, before, now] = ["body", "Hello", now].map(str::to_owned);
        vec![(name, before, now)]
    };
    let edited = json!({ "to": "ann", "body": "Hi \"Ann\"", "cc/bcc": "" });
    for (verdict, edited) in [(Verdict::Approve, Some(edited)), (Verdict::Deny, None)] {
        let stored = elsewhere(vec![], storing(&[told(&asks)]));
        for mut world in [asked(json!([asks])), stored] {
            let editable = EditableArgument::of(&batch(&world).tools[0]);
            let names: Vec<_> = editable.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(names, ["body", "cc/bcc"]);
            assert_eq!(editable[0].schema, "{\"type\":\"string\"}");
            assert_eq!(editable[0].proposed, "Hello");
            assert_eq!(changes(&world), []);
            edit(&mut world, &[("body", "Hi \"Ann\""), ("cc/bcc", "")], true);
            assert_eq!(changes(&world), change("Hi \"Ann\""));
            decide(&mut world, "x1", verdict);
            world.intend(Intent::SubmitDecisions(b1()));
            let mut echoed = asks.clone();
            echoed["approvalResult"] = json!(verdict.status().as_str());
            if let Some(edited) = edited.clone() {
                echoed["editedArguments"] = edited;
            }
            assert_eq!(posted(&world), echoed);
        }
    }
    // What the tool does not take keeps the call from being approved until it is corrected.
    let mut world = asked(json!([asks]));
    edit(&mut world, &[("body", "x")], false);
    let obstacle = |world: &World| batch(world).tools[0].obstacle();
    assert_eq!(obstacle(&world), Some(Obstacle::InvalidEdit));
    decide(&mut world, "x1", Verdict::Approve);
    assert_eq!(batch(&world).tools[0].choice, None);
    edit(&mut world, &[("body", "Hello")], true);
    assert_eq!(obstacle(&world), None);
    assert_eq!(batch(&world).tools[0].edited, None);
    // What was approved is told by the service, whatever this page has.
    edit(&mut world, &[("body", "Hi")], true);
    let mut decided = told(&asks);
    decided["status"] = json!("APPROVED");
    decided["editedArguments"] = json!({ "to": "ann", "body": "Hey", "cc/bcc": "" });
    world.intend(Intent::ReloadMessages);
    world.stored(storing(std::slice::from_ref(&decided)));
    assert_eq!(changes(&world), change("Hey"));
    let elsewhere = elsewhere(vec![], storing(&[decided]));
    assert_eq!(changes(&elsewhere), change("Hey"));
}

#[test]
fn e322_calls_are_allowed_beforehand_with_an_approval_and_with_nothing_else() {
    let mut asks = request("b1", "x1", "mail");
    asks["grantScopes"] = json!(["thread", "agent"]);
    asks["grantMaxSeconds"] = json!(28800);
    let grant = json!({ "scope": "thread", "when": { "/to": "same" } });
    let allow = |world: &mut World| {
        let version = batch(world).tools[0].version;
        world.intend(Intent::AllowBeforehand(b1(), version, grant.to_string()));
    };
    for (verdict, is_sent) in [
        (Verdict::ApproveBeforehand, true),
        (Verdict::Approve, false),
        (Verdict::Deny, false),
    ] {
        let stored = elsewhere(vec![], storing(&[told(&asks)]));
        for mut world in [asked(json!([asks])), stored] {
            let offer = batch(&world).tools[0].grant_offer.as_deref().unwrap();
            assert_eq!(offer.scopes, ["thread", "agent"]);
            assert_eq!(offer.max_seconds, Some(28800));
            allow(&mut world);
            decide(&mut world, "x1", verdict);
            world.intend(Intent::SubmitDecisions(b1()));
            let mut echoed = asks.clone();
            echoed["approvalResult"] = json!(verdict.status().as_str());
            if is_sent {
                echoed["grant"] = grant.clone();
            }
            assert_eq!(posted(&world), echoed);
        }
    }
    // Not before it is said what, and not where the request does not let it be.
    let mut world = asked(json!([asks]));
    decide(&mut world, "x1", Verdict::ApproveBeforehand);
    assert_eq!(choices(&world), [None]);
    let mut world = asked(json!([request("b1", "x1", "mail")]));
    allow(&mut world);
    decide(&mut world, "x1", Verdict::ApproveBeforehand);
    assert_eq!(choices(&world), [None]);
}

#[test]
fn e285_the_same_request_in_both_forms_is_one() {
    let mut one = request("b1", "x1", "mail");
    one["reason"] = json!("It writes.");
    one["definitionChanged"] = json!(true);
    // Streamed here, then kept nowhere.
    let mut world = asked(json!([one]));
    assert_eq!(batch(&world).tools[0].reason, "It writes.");
    decide(&mut world, "x1", Verdict::Approve);
    world.state.cached_requests.clear();
    world.intend(Intent::ReloadMessages);
    world.stored(storing(&[told(&one)]));
    assert_eq!(choices(&world), [Some(Verdict::Approve)]);
    // What says something else is another one, in whatever form it came.
    let mut other = one.clone();
    other["toolArguments"] = json!({ "to": "bob@example.org" });
    let mut more = other.clone();
    more["unheard"] = json!(1);
    for changed in [other, more] {
        world.intend(Intent::ReloadMessages);
        world.stored(storing(&[told(&changed)]));
        assert_eq!(choices(&world), [None]);
        decide(&mut world, "x1", Verdict::Approve);
    }
    // Stored, then heard of from another tab.
    let mut world = elsewhere(vec![], storing(&[told(&one)]));
    decide(&mut world, "x1", Verdict::Approve);
    world.give(Input::CachedRequests(vec![kept("t1", 1, one.clone())]));
    world.stored(storing(&[told(&one)]));
    assert_eq!(choices(&world), [Some(Verdict::Approve)]);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);
    // What else is told about it is the service's, although only the rest is compared.
    let mut bare = stored_half(&one, PENDING);
    bare["reason"] = json!("It deletes.");
    let world = elsewhere(vec![kept("t1", 1, one)], storing(&[bare]));
    let tool = &batch(&world).tools[0];
    assert_eq!(
        (tool.reason.as_str(), tool.definition_changed),
        ("It deletes.", false)
    );
    assert!(tool.can_be_approved());
}
