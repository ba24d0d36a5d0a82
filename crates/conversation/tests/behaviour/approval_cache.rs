//! E123 to E133, E340: requests that outlive the page.

use assent_conversation::{
    Announcement, BatchPhase, CachedRequest, Command, FailureKind, Input, Intent, Millis, Obstacle,
    Provenance, Verdict, WithheldReason,
};
use serde_json::{Value, json};

use crate::asking::{
    DECIDING, PENDING, asked, asked_two, b1, batch, choices, decide, forgets, in_vault, keeps,
    kept, posted_results, stored_asking, stored_both, stored_half, submitted,
};
use crate::world::{World, request};

const MINUTE: i64 = 60_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// Returns both requests of `b1`, stored at the beginning.
fn both() -> Vec<CachedRequest> {
    vec![
        kept("t1", 1, request("b1", "x1", "mail")),
        kept("t1", 1, request("b1", "x2", "call")),
    ]
}

/// Returns a page with these stored requests, in thread `t1`, with these stored messages.
fn reloaded(requests: Vec<CachedRequest>, stored: Value) -> World {
    let mut world = World::new();
    world.give(Input::CachedRequests(requests));
    world.intend(Intent::OpenThread("t1".into()));
    world.stored(stored);
    world
}

#[test]
fn e123_a_request_is_kept_at_once_and_once() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([
        request("b1", "x1", "mail"),
        request("b2", "y1", "book")
    ]));
    assert_eq!(keeps(&world), ["x1", "y1"]);
    let one = &world.state.cached_requests[0];
    assert_eq!((one.thread.as_str(), one.batch.as_str()), ("t1", "b1"));
    assert_eq!(one.at.0, world.now);
    let sent: Value = serde_json::from_str(one.request.as_str()).unwrap();
    assert_eq!(sent, request("b1", "x1", "mail"));
    world.asks(json!([
        request("b1", "x1", "mail"),
        request("b1", "x2", "call")
    ]));
    assert_eq!(keeps(&world), ["x2"]);
    world.ends();
    world.intend(Intent::ReloadMessages);
    world.stored(stored_both(PENDING));
    assert_eq!((keeps(&world).len(), forgets(&world).len()), (0, 0));
    assert_eq!(in_vault(&world), ["x1", "y1", "x2"]);
}

#[test]
fn e124_what_is_asked_otherwise_is_kept_instead() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([request("b1", "x1", "mail")]));
    let mut other = request("b1", "x1", "mail");
    other["toolArguments"] = json!({ "to": "bob@example.org" });
    world.asks(json!([other.clone()]));
    assert_eq!(world.state.cached_requests, [kept("t1", world.now, other)]);
    assert_eq!(keeps(&world), ["x1"]);
    assert_eq!(forgets(&world).len(), 0);
}

#[test]
fn e125_an_accepted_answer_forgets_its_batch() {
    let mut world = asked(json!([
        request("b1", "x1", "mail"),
        request("b2", "y1", "book")
    ]));
    decide(&mut world, "x1", Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world.opened();
    world.event("CONNECTION_ESTABLISHED", "");
    assert_eq!(in_vault(&world), ["x1", "y1"], "nothing is accepted yet");
    world.event("MESSAGE_RECEIVED", "");
    assert_eq!(forgets(&world), ["x1"]);
    assert_eq!(in_vault(&world), ["y1"]);
}

#[test]
fn e125_what_the_service_has_no_question_about_is_forgotten() {
    let mut world = reloaded(both(), stored_asking("APPROVED", "DENIED"));
    assert_eq!((forgets(&world).len(), in_vault(&world).len()), (2, 0));

    world = World::new();
    world.now = 2 * MINUTE;
    world.give(Input::CachedRequests(both()));
    world.intend(Intent::OpenThread("t1".into()));
    let mut without = stored_both(PENDING);
    let runs = &mut without[1]["toolExecutionHumanApprovalRequest"];
    runs[0]["toolExecutionId"] = json!("x0");
    world.stored(without);
    assert_eq!(forgets(&world), ["x1"], "its batch is stored without it");

    for gone in [
        |world: &mut World| {
            world.intend(Intent::DeleteThread("t1".into()));
            world.give(Input::ThreadDeleted {
                thread: "t1".into(),
                result: Ok(()),
            });
        },
        |world: &mut World| {
            world.listed(json!([]));
            world.intend(Intent::OpenThread("t1".into()));
            world.not_stored(FailureKind::NotFound);
        },
    ] {
        let mut world = World::new();
        world.now = 2 * MINUTE;
        world.give(Input::CachedRequests(both()));
        let other = kept("t2", 1, request("b9", "z1", "mail"));
        world.give(Input::CachedRequests([both(), vec![other]].concat()));
        world.listed(json!([{"id": "t1"}, {"id": "t2"}]));
        assert_eq!(in_vault(&world).len(), 3);
        gone(&mut world);
        assert_eq!(forgets(&world), ["x1", "x2"]);
        assert_eq!(in_vault(&world), ["z1"]);
    }
}

#[test]
fn e125_after_30_days_nobody_waits() {
    let mut world = World::new();
    world.now = 30 * DAY + 1;
    world.give(Input::CachedRequests(both()));
    assert_eq!(in_vault(&world).len(), 2);
    world.now += 1;
    world.give(Input::CachedRequests(both()));
    assert_eq!(forgets(&world), ["x1", "x2"]);
    assert_eq!(in_vault(&world).len(), 0);
    let broken = kept("t1", i64::MIN, request("b1", "x1", "mail"));
    world.give(Input::CachedRequests(vec![broken]));
    assert_eq!(forgets(&world), ["x1"]);
}

#[test]
fn e126_a_reading_may_be_older_than_a_request() {
    let late: [fn(&mut World); 3] = [
        |world| world.stored(json!([])),
        |world| world.not_stored(FailureKind::NotFound),
        |world| world.listed(json!([])),
    ];
    for late in late {
        let mut world = World::new();
        world.now = MINUTE;
        world.give(Input::CachedRequests(both()));
        world.intend(Intent::OpenThread("t1".into()));
        late(&mut world);
        assert_eq!(forgets(&world).len(), 0);
        assert_eq!(in_vault(&world).len(), 2);
    }
}

#[test]
fn e127_what_is_to_be_decided_here_is_kept() {
    let mut world = asked_two();
    world.now += 2 * MINUTE;
    world.listed(json!([]));
    world.intend(Intent::ReloadMessages);
    world.stored(json!([{"id": "m1", "role": "user", "content": "hi"}]));
    assert_eq!(batch(&world).phase, DECIDING);
    assert_eq!(forgets(&world).len() + keeps(&world).len(), 0);
    assert_eq!(in_vault(&world), ["x1", "x2"]);
}

#[test]
fn e128_a_stored_batch_is_answered_with_what_was_kept() {
    let mut odd = request("b1", "x2", "call");
    odd["new"] = json!({ "field": 0.5 });
    let requests = vec![
        kept("t1", 1, request("b1", "x1", "mail")),
        kept("t1", 1, odd.clone()),
    ];
    let mut world = reloaded(requests, stored_both(PENDING));
    assert_eq!(batch(&world).phase, DECIDING);
    let to = ("to".to_owned(), "ann@example.org".to_owned());
    assert_eq!(batch(&world).tools[1].arguments, [to]);
    assert_eq!(batch(&world).tools[1].provider, "acme");
    assert_eq!(forgets(&world).len() + keeps(&world).len(), 0);
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world).len(), 2);
    let posted = batch(&world).tools[1].request.clone().unwrap();
    assert_eq!(serde_json::from_str::<Value>(posted.as_str()).unwrap(), odd);
}

#[test]
fn e128_a_batch_is_answered_as_a_whole_or_not_here() {
    let x1 = || kept("t1", 1, request("b1", "x1", "mail"));
    let x3 = kept("t1", 1, request("b1", "x3", "more"));
    for requests in [
        vec![x1()],
        vec![x1(), kept("t1", 1, request("b2", "x2", "call"))],
        vec![x1(), kept("t2", 1, request("b1", "x2", "call"))],
        [both(), vec![x3]].concat(),
        vec![],
    ] {
        let mut world = reloaded(requests, stored_both(PENDING));
        assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
        world.decide_all(b1(), Verdict::Deny);
        world.intend(Intent::SubmitDecisions(b1()));
        assert_eq!(world.posts(), 0);
    }
}

#[test]
fn e129_what_another_tab_keeps_or_forgets_is_read() {
    let mut world = reloaded(vec![], stored_both(PENDING));
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    world.give(Input::CachedRequests(both()));
    assert_eq!(world.load_delay(), Some(0));
    world.stored(stored_both(PENDING));
    assert_eq!(batch(&world).phase, DECIDING);
    world.give(Input::CachedRequests(both()));
    assert_eq!(world.load_delay(), None, "nothing is new");
    let other = kept("t9", 1, request("b9", "z1", "mail"));
    world.give(Input::CachedRequests([both(), vec![other]].concat()));
    assert_eq!(world.load_delay(), None, "that thread was not opened");
    world.give(Input::CachedRequests(vec![]));
    assert_eq!(world.load_delay(), Some(0));
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
    assert!(batch(&world).elsewhere);
}

#[test]
fn e129_while_a_stream_runs_it_is_read_afterwards() {
    let mut world = asked(json!([
        request("b1", "x1", "mail"),
        request("b2", "y1", "book")
    ]));
    world.decide_all("b2".into(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions("b2".into()));
    world.event("MESSAGE_RECEIVED", "");
    world.give(Input::CachedRequests(vec![]));
    assert_eq!(world.load_delay(), None);
    world.event("AGENT_RESPONSE_COMPLETE", "Noted.");
    world.ends();
    assert_eq!(world.load_delay(), Some(0));

    let mut world = asked_two();
    world.intend(Intent::ReloadMessages);
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world.stored(stored_both(PENDING));
    world.event("AGENT_RESPONSE_COMPLETE", "Noted.");
    world.ends();
    assert_eq!(world.load_delay(), Some(0), "that one came at a bad time");
}

#[test]
fn e130_what_another_tab_heard_last_is_decided_anew() {
    let mut world = asked(json!([request("b1", "x1", "mail")]));
    decide(&mut world, "x1", Verdict::Approve);
    let mut other = request("b1", "x1", "mail");
    other["toolArguments"] = json!({ "to": "bob@example.org" });
    world.give(Input::CachedRequests(vec![kept(
        "t1",
        world.now + 1,
        other.clone(),
    )]));
    assert_eq!(world.load_delay(), Some(0));
    world.stored(storing([stored_half(&other, PENDING)]));
    assert_eq!(batch(&world).tools[0].arguments[0].1, "bob@example.org");
    assert_eq!(choices(&world), [None]);
    assert_eq!(keeps(&world).len(), 0);
}

#[test]
fn e130_what_was_sent_stays_what_it_was() {
    let mut world = submitted();
    world.breaks(FailureKind::Unreachable);
    let mut other = request("b1", "x1", "mail");
    other["toolArguments"] = json!({ "to": "bob@example.org" });
    let mut requests = world.state.cached_requests.clone();
    requests[0] = kept("t1", world.now + 1, other.clone());
    world.give(Input::CachedRequests(requests));
    let sent = batch(&world).clone();
    for _ in 0..3 {
        world.stored(stored_both(PENDING));
        assert_eq!(batch(&world), &sent);
    }
    world.stored(stored_both(PENDING));
    assert!(batch(&world).is_deciding());
    world.intend(Intent::ReloadMessages);
    let call = request("b1", "x2", "call");
    world.stored(storing([other, call].map(|it| stored_half(&it, PENDING))));
    assert_eq!(choices(&world), [None, Some(Verdict::Deny)]);
}

/// Returns stored messages in which the agent asks for these runs.
fn storing<const N: usize>(runs: [Value; N]) -> Value {
    json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "May I?",
         "toolExecutionHumanApprovalRequest": runs.to_vec()},
    ])
}

#[test]
fn e270_a_request_that_differs_from_the_stored_one_is_not_approved() {
    let asked = request("b1", "x1", "mail");
    let stored = || storing([stored_half(&asked, PENDING)]);
    let world = reloaded(vec![kept("t1", 1, asked.clone())], stored());
    assert!(batch(&world).tools[0].can_be_approved());
    let fields = asked.as_object().unwrap().keys();
    let more = json!({ "to": "ann@example.org", "copy": "bob@example.org" });
    let unseen = ["toolExecutionId", "toolExecutionBatchId"];
    let compared = [
        "toolId",
        "toolName",
        "toolProvider",
        "toolCategory",
        "toolArguments",
    ];
    for field in fields {
        let changes = [json!("other"), json!({ "to": "bob" }), more.clone()];
        for change in changes.map(Some).into_iter().chain([None]) {
            let mut changed = asked.clone();
            match change {
                Some(value) => changed[field] = value,
                None => drop(changed.as_object_mut().unwrap().remove(field)),
            }
            let raw = serde_json::from_value(changed.clone()).unwrap();
            let kept = CachedRequest::new("t1".into(), Millis(1), raw);
            let world = reloaded(kept.into_iter().collect(), stored());
            let tool = &batch(&world).tools[0];
            // What is shown is what the service stored, whatever the device says.
            assert_eq!(tool.name, "mail", "{changed}");
            assert_eq!(tool.arguments[0].1, "ann@example.org", "{changed}");
            let is_other = unseen.contains(&field.as_str()) || compared.contains(&field.as_str());
            assert_eq!(tool.can_be_approved(), !is_other, "{changed}");
        }
    }
    // What was decided is told by the service alone.
    let other = request("b1", "x1", "call");
    let decided = storing([stored_half(&asked, "APPROVED")]);
    let world = reloaded(vec![kept("t1", 1, other)], decided);
    let tool = &batch(&world).tools[0];
    assert_eq!(
        (tool.provenance, &tool.request),
        (Provenance::Service, &None)
    );
}

#[test]
fn e270_arguments_that_the_service_does_not_tell_are_not_approved() {
    let asked = request("b1", "x1", "mail");
    for missing in [Some(json!(null)), None] {
        let mut half = stored_half(&asked, PENDING);
        match missing {
            Some(null) => half["toolArguments"] = null,
            None => drop(half.as_object_mut().unwrap().remove("toolArguments")),
        }
        let mut without = asked.clone();
        without.as_object_mut().unwrap().remove("toolArguments");
        for asked in [asked.clone(), without] {
            let mut world = reloaded(vec![kept("t1", 1, asked)], storing([half.clone()]));
            assert_eq!(batch(&world).obstacle(), Some(Obstacle::Contradicted));
            world.decide_all(b1(), Verdict::Approve);
            world.intend(Intent::SubmitDecisions(b1()));
            assert_eq!(world.posts(), 0);
            world.decide_all(b1(), Verdict::Deny);
            world.intend(Intent::SubmitDecisions(b1()));
            assert_eq!(world.posts(), 1);
        }
    }
}

#[test]
fn e270_what_this_page_heard_stays_when_the_device_says_otherwise() {
    let asked_for = request("b1", "x1", "mail");
    let mut world = asked(json!([asked_for]));
    let mut changed = asked_for.clone();
    changed["toolArguments"] = json!({ "to": "bob@example.org" });
    world.give(Input::CachedRequests(vec![kept(
        "t1",
        world.now + 1,
        changed,
    )]));
    world.stored(storing([stored_half(&asked_for, PENDING)]));
    assert_eq!(batch(&world).tools[0].arguments[0].1, "ann@example.org");
    // At the latest when it is answered, the two are compared.
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 0);
    assert_eq!(batch(&world).obstacle(), Some(Obstacle::Unconfirmed));
    world.stored(storing([stored_half(&asked_for, PENDING)]));
    assert_eq!(batch(&world).obstacle(), Some(Obstacle::Contradicted));
    assert_eq!(batch(&world).tools[0].arguments[0].1, "ann@example.org");
}

#[test]
fn e131_a_batch_that_is_decided_in_part_is_not_answered_here() {
    let mut world = asked_two();
    decide(&mut world, "x1", Verdict::Approve);
    world.intend(Intent::ReloadMessages);
    world.stored(stored_asking("APPROVED", PENDING));
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    assert_eq!(forgets(&world).len() + keeps(&world).len(), 0);

    let world = reloaded(both(), stored_asking("APPROVED", PENDING));
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    assert_eq!(forgets(&world).len() + keeps(&world).len(), 0);

    let mut world = submitted();
    world.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        world.stored(stored_asking("APPROVED", PENDING));
    }
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    world.intend(Intent::ReloadMessages);
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
}

#[test]
fn e132_what_was_forgotten_too_early_is_kept_again() {
    let mut world = submitted();
    world.withheld(WithheldReason::ForOtherTab);
    world.now += 5;
    for _ in 0..4 {
        assert_eq!(keeps(&world).len(), 0);
        world.stored(stored_both(PENDING));
    }
    assert_eq!(keeps(&world), ["x1", "x2"]);
    assert!(
        world
            .state
            .cached_requests
            .iter()
            .all(|it| it.at.0 == world.now)
    );
    let rewritten = |command: &&Command| matches!(command, Command::KeepRequests(_));
    assert_eq!(world.commands.iter().filter(rewritten).count(), 1);
}

#[test]
fn e133_a_request_that_waits_for_the_rest_of_its_batch_is_kept() {
    let mut world = asked(json!([request("b2", "y1", "book")]));
    world.intend(Intent::ReloadMessages);
    let mut stored = stored_both(PENDING);
    stored[0]["content"] = json!("earlier");
    stored[1]["content"] = json!("Earlier?");
    world.stored(stored);
    let last = world.open().messages.len() - 1;
    assert_eq!(world.message(last).approvals[0].id, "b2".into());
    world.decide_all("b2".into(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions("b2".into()));
    world.asks(json!([request("b1", "x1", "mail")]));
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    assert_eq!(keeps(&world), ["x1"]);
}

#[test]
fn e340_what_was_asked_for_before_is_counted_and_not_announced() {
    let needed = |said: &Announcement| matches!(said, Announcement::ApprovalNeeded { .. });
    let mut whole = stored_both(PENDING);
    for run in whole[1]["toolExecutionHumanApprovalRequest"]
        .as_array_mut()
        .unwrap()
    {
        run["toolMemoryId"] = json!("memory");
    }
    let loaded = reloaded(Vec::new(), whole);
    let kept_before = reloaded(both(), stored_both(PENDING));
    let mut of_another_tab = World::in_thread(json!([]));
    of_another_tab.give(Input::CachedRequests(both()));
    of_another_tab.stored(stored_both(PENDING));
    for world in [loaded, kept_before, of_another_tab] {
        assert_eq!(world.state.undecided_by_thread(), [("t1".into(), 2)]);
        assert!(!world.said.iter().any(needed), "{:?}", world.said);
    }
}
