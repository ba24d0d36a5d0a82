//! E155 to E159: approvals as announced to people, to the host page, and on marks.

use assent_conversation::{
    Announcement, AnswerSummary, Change, FailureKind, Input, Intent, PageEvent, StreamEnd, Verdict,
};
use assent_protocol::{ApprovalStatus, ThreadId};
use serde_json::json;

use crate::asking::{
    PENDING, asked, asked_two, b1, batch, decide, kept, page_events, stopped, stored_asking,
    stored_both, stored_stop, submitted,
};
use crate::world::{World, request};

/// Returns executions and statuses of a claim, in order.
fn decisions(summary: &AnswerSummary) -> Vec<(&str, &ApprovalStatus)> {
    let each = summary.decisions.iter();
    each.map(|it| (it.execution.as_str(), &it.status)).collect()
}

fn answered(world: &World) -> Vec<&AnswerSummary> {
    let page_events = page_events(world)
        .into_iter()
        .filter_map(|event| match event {
            PageEvent::ApprovalAnswered(summary) => Some(summary),
            _ => None,
        });
    page_events.collect()
}

/// Returns batch and executions of each request reported to the host page.
fn requested(world: &World) -> Vec<(&str, Vec<&str>)> {
    let page_events = page_events(world)
        .into_iter()
        .filter_map(|event| match event {
            PageEvent::ApprovalRequested { batch, tools, .. } => Some((
                batch.as_str(),
                tools.iter().map(|tool| tool.execution.as_str()).collect(),
            )),
            _ => None,
        });
    page_events.collect()
}

#[test]
fn e155_a_request_in_a_conversation_that_is_not_shown_is_said_with_its_name() {
    for (rows, name) in [
        (json!([{"id": "t1", "threadName": "Mail"}]), "Mail"),
        (json!([]), ""),
    ] {
        let mut world = World::in_thread(json!([]));
        world.listed(rows);
        world.send("hi");
        let stream = world.stream();
        world.intend(Intent::NewThread);
        world.asks_in(
            stream,
            json!([request("b1", "x1", "mail"), request("b2", "y1", "book")]),
        );
        let needed = Announcement::ApprovalNeeded {
            tools: vec!["mail".to_owned(), "book".to_owned()],
            elsewhere: Some(name.to_owned()),
        };
        assert_eq!(world.said.last(), Some(&needed));
        let count = world.said.len();
        world.give(Input::StreamEnded(stream, StreamEnd::Closed));
        assert_eq!(world.said.len(), count);
    }
}

#[test]
fn e156_the_page_is_told_of_each_batch_with_what_is_new_in_it() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([
        request("b1", "x1", "mail"),
        request("b2", "y1", "book"),
        request("b1", "x2", "call"),
    ]));
    assert_eq!(
        requested(&world),
        [("b1", vec!["x1", "x2"]), ("b2", vec!["y1"])]
    );
    world.asks(json!([
        request("b1", "x1", "mail"),
        request("b1", "x3", "pay")
    ]));
    assert_eq!(requested(&world)[2..], [("b1", vec!["x3"])]);
    world.asks(json!([request("b1", "x1", "mail")]));
    assert_eq!(requested(&world).len(), 3);
    let mut other = request("b1", "x1", "mail");
    other["toolArguments"] = json!({ "to": "bob@example.org" });
    world.asks(json!([other]));
    assert_eq!(
        requested(&world)[3..],
        [("b1", vec!["x1"])],
        "this is another question"
    );
    world.ends();
    world.intend(Intent::ReloadMessages);
    world.stored(stored_both(PENDING));
    assert_eq!(page_events(&world).len(), 4);
}

#[test]
fn e157_the_page_is_told_of_an_answer_once_the_service_has_it() {
    let mut world = submitted();
    world.opened();
    assert_eq!(answered(&world).len(), 0);
    for _ in 0..2 {
        world.event("MESSAGE_RECEIVED", "");
    }
    world.ends();
    world.intend(Intent::ReloadMessages);
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(answered(&world).len(), 1);
    let summary = answered(&world)[0];
    assert_eq!(
        (&summary.thread, &summary.batch),
        (&ThreadId::from("t1"), &b1())
    );
    let each = [
        ("x1", &ApprovalStatus::Approved),
        ("x2", &ApprovalStatus::Denied),
    ];
    assert_eq!(decisions(summary), each);
    assert_eq!(summary.feedback, None);

    let mut world = stopped("no");
    world.breaks(FailureKind::Unreachable);
    assert_eq!(answered(&world).len(), 0);
    world.stored(stored_stop("no"));
    assert_eq!(answered(&world).len(), 1, "it had arrived");
    let summary = answered(&world)[0];
    let each = [
        ("x1", &ApprovalStatus::Aborted),
        ("x2", &ApprovalStatus::Aborted),
    ];
    assert_eq!(decisions(summary), each);
    assert_eq!(summary.feedback.as_deref(), Some("no"));

    let mut late = submitted();
    late.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        late.stored(stored_both(PENDING));
    }
    late.intend(Intent::ReloadMessages);
    late.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(answered(&late).len(), 1, "it arrived late");

    let mut world = stopped("no");
    world.breaks(FailureKind::Unreachable);
    world.stored(stored_both("APPROVED"));
    assert_eq!(answered(&world).len(), 0, "that was somebody else's");
}

#[test]
fn e158_the_last_call_of_a_tool_is_the_one_before_its_batch() {
    let mut world = asked(json!([
        request("b1", "x1", "mail"),
        request("b1", "x2", "mail")
    ]));
    let run = |world: &World, message: usize, tool: usize| {
        world.message(message).approvals[0].tools[tool].clone()
    };
    let last = |world: &World, batch: &str, run: &assent_conversation::ToolRun| {
        let call = world.open().last_call(&batch.into(), run);
        call.map(|call| call.execution.0.clone())
    };
    assert_eq!(last(&world, "b1", &run(&world, 1, 1)), None, "of one batch");
    decide(&mut world, "x1", Verdict::Approve);
    decide(&mut world, "x2", Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    let mut nameless = request("b2", "y2", "mail");
    nameless["toolId"] = json!("");
    world.asks(json!([
        request("b2", "y1", "call"),
        nameless,
        request("b2", "y3", "mail")
    ]));
    world.ends();
    assert_eq!(last(&world, "b2", &run(&world, 2, 0)), None);
    assert_eq!(
        last(&world, "b2", &run(&world, 2, 1)).as_deref(),
        Some("x2"),
        "by its name"
    );
    assert_eq!(
        last(&world, "b2", &run(&world, 2, 2)).as_deref(),
        Some("x2")
    );
    world.decide_all("b2".into(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions("b2".into()));
    world.asks(json!([request("b1", "x1", "mail")]));
    assert_eq!(
        last(&world, "b1", &run(&world, 3, 0)).as_deref(),
        Some("y3")
    );
}

#[test]
fn e159_what_waits_is_counted_by_thread() {
    let two = vec![
        kept("t2", 1, request("b8", "z1", "mail")),
        kept("t2", 1, request("b8", "z2", "mail")),
    ];
    let waiting = |world: &World| -> Vec<(String, usize)> {
        let waiting = world.state.undecided_by_thread().into_iter();
        waiting.map(|(thread, count)| (thread.0, count)).collect()
    };
    let pair = |thread: &str, count| (thread.to_owned(), count);
    let mut world = asked_two();
    let own = world.state.cached_requests.clone();
    world.give(Input::CachedRequests([own, two].concat()));
    assert!(world.changes.contains(&Change::Waiting));
    assert_eq!(waiting(&world), [pair("t1", 2), pair("t2", 2)]);
    assert_eq!(
        world.state.count_undecided_in(&"t2".into()),
        2,
        "that it was never opened"
    );
    world.intend(Intent::OpenThread("t2".into()));
    assert_eq!(
        world.state.count_undecided_in(&"t2".into()),
        2,
        "while it is read"
    );
    world.stored(json!([]));
    assert_eq!(waiting(&world), [pair("t1", 2)], "there is nothing in it");
    world.intend(Intent::OpenThread("t1".into()));
    world.decide_all(b1(), Verdict::Deny);
    assert_eq!(waiting(&world), [pair("t1", 2)]);
    world.intend(Intent::SubmitDecisions(b1()));
    assert!(world.changes.contains(&Change::Waiting));
    assert_eq!(waiting(&world), [], "it is on its way");
    world.breaks(FailureKind::TooMany);
    assert_eq!(waiting(&world), [pair("t1", 2)]);
    let unanswerable = World::in_thread(stored_both(PENDING));
    assert_eq!(waiting(&unanswerable), [], "not here");
    assert_eq!(batch(&world).tools.len(), 2);
}
