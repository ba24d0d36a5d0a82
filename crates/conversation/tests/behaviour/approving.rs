//! E70 to E89: approvals.

use assent_conversation::{
    Announcement, BatchPhase, ComposerState, DeliveryStatus, Failure, FailureKind, Input, Intent,
    Message, MessageStatus, StreamEnd, Verdict,
};
use assent_protocol::ApprovalStatus;
use serde_json::json;

use crate::asking::{
    DECIDING, PENDING, asked, asked_two, b1, batch, choices, decide, forgets, posted_results,
    statuses, stopped, stored_asking, stored_both, submitted, words,
};
use crate::world::{World, request};

fn is_submitting(world: &World, expected: bool) -> bool {
    matches!(batch(world).phase, BatchPhase::Submitting { delivery, .. } if matches!(delivery, DeliveryStatus::Checking(_)) == expected)
}

#[test]
fn e70_requests_are_grouped_by_batch() {
    let world = asked(json!([
        request("b1", "x1", "mail"),
        request("b2", "y1", "book"),
        request("b1", "x2", "call"),
    ]));
    let shape = |message: &Message| -> Vec<(String, Vec<String>)> {
        let each = message.approvals.iter();
        each.map(|b| {
            (
                b.id.0.clone(),
                b.tools.iter().map(|t| t.name.clone()).collect(),
            )
        })
        .collect()
    };
    let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        shape(world.message(1)),
        [
            ("b1".to_owned(), names(&["mail", "call"])),
            ("b2".to_owned(), names(&["book"])),
        ]
    );
    let tool = &batch(&world).tools[0];
    assert_eq!(
        tool.arguments,
        [("to".to_owned(), "ann@example.org".to_owned())]
    );
    assert_eq!(
        (tool.provider.as_str(), tool.category.as_str()),
        ("acme", "mail")
    );
    assert_eq!(tool.status, ApprovalStatus::Pending);
    assert_eq!(batch(&world).phase, DECIDING);
    assert_eq!(
        world.open().composer_state(),
        ComposerState::AwaitingApproval
    );
    let needed = Announcement::ApprovalNeeded {
        tools: names(&["mail", "book", "call"]),
        elsewhere: None,
    };
    assert_eq!(world.said.iter().filter(|said| **said == needed).count(), 1);
}

#[test]
fn e70_requests_go_to_the_message_written_last() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event_of("AGENT_RESPONSE_COMPLETE", "Ann", Some(("a", "")));
    world.event_of("AGENT_RESPONSE_CHUNK", "Bob", Some(("b", "")));
    world.event("NOTIFICATION_TOOL_EXECUTION_APPROVAL_REQUIRED", "");
    world.asks(json!([request("b1", "x1", "mail")]));
    let counts: Vec<_> = world
        .open()
        .messages
        .iter()
        .map(|m| m.approvals.len())
        .collect();
    assert_eq!(counts, [0, 0, 1]);
}

#[test]
fn e71_the_same_run_again_is_the_same_run() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([request("b1", "x1", "mail")]));
    decide(&mut world, "x1", Verdict::Approve);
    world.asks(json!([
        request("b1", "x1", "mail"),
        request("b1", "x2", "call")
    ]));
    let names: Vec<_> = batch(&world)
        .tools
        .iter()
        .map(|t| t.name.as_str())
        .collect();
    assert_eq!(names, ["mail", "call"]);
    assert_eq!(choices(&world), [Some(Verdict::Approve), None]);
    assert_eq!(world.message(1).approvals.len(), 1);
    let tools = vec!["call".to_owned()];
    let needed = Announcement::ApprovalNeeded {
        tools,
        elsewhere: None,
    };
    assert_eq!(world.said.last(), Some(&needed));
}

#[test]
fn e72_unreadable_requests_are_a_remark() {
    let mut world = asked(json!([{"toolName": "no ids"}, request("b1", "x1", "mail"), 7]));
    assert_eq!(batch(&world).tools.len(), 1);
    assert_eq!(world.message(1).activity.steps.len(), 1);
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    assert_eq!(world.load_delay(), Some(0));
    world.stored(stored_both(PENDING));
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    assert_eq!(batch(&world).tools.len(), 2);

    for nothing in [json!([]), json!(null), json!([{"toolName": "no ids"}])] {
        let world = asked(nothing);
        assert_eq!(world.message(1).approvals, []);
        assert!(matches!(world.status(1), MessageStatus::Interrupted { .. }));
    }
}

#[test]
fn e73_stopping_a_batch_excludes_deciding_it() {
    let mut world = asked_two();
    decide(&mut world, "x1", Verdict::Deny);
    world.intend(Intent::EditFeedback(b1(), "not in this mode".to_owned()));
    world.intend(Intent::SubmitFeedback(b1()));
    assert_eq!((&batch(&world).phase, world.posts()), (&DECIDING, 0));
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::EditFeedback(b1(), "no".to_owned()));
    decide(&mut world, "x2", Verdict::Approve);
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 0);
    world.intend(Intent::CancelFeedback(b1()));
    assert_eq!(batch(&world).phase, DECIDING);
    assert_eq!(choices(&world), [Some(Verdict::Deny), None]);
}

/// Answers the run x1 as it is drawn now.
fn answer(world: &mut World, verdict: Verdict) {
    let version = world.version(&b1(), "x1");
    world.intend(Intent::Answer(b1(), version, verdict));
}

#[test]
fn e74_the_decision_on_the_only_tool_is_posted_at_once() {
    for (verdict, status) in [(Verdict::Approve, "APPROVED"), (Verdict::Deny, "DENIED")] {
        let mut world = asked(json!([request("b1", "x1", "mail")]));
        answer(&mut world, verdict);
        assert_eq!(
            posted_results(&world),
            [("x1".to_owned(), status.to_owned())]
        );
        assert!(is_submitting(&world, false));
    }
}

#[test]
fn e74_a_decision_that_would_post_more_or_less_than_its_tool_posts_nothing() {
    let mut world = asked_two();
    decide(&mut world, "x2", Verdict::Deny);
    answer(&mut world, Verdict::Deny);
    assert_eq!((world.posts(), &batch(&world).phase), (0, &DECIDING));
    assert_eq!(choices(&world)[0], None, "there are two");

    let long = json!({ "text": "x".repeat(601) });
    let mut world = asked(json!([with_arguments(long)]));
    decide(&mut world, "x1", Verdict::Deny);
    answer(&mut world, Verdict::Approve);
    assert_eq!(world.posts(), 0, "neither what is not read nor the choice");

    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([request("b1", "x1", "mail")]));
    let drawn = world.version(&b1(), "x1");
    world.asks(json!([with_arguments(json!({ "to": "eve@example.org" }))]));
    world.ends();
    world.intend(Intent::Answer(b1(), drawn, Verdict::Approve));
    assert_eq!(world.posts(), 0, "another request is there");
}

/// Returns the request for the run x1 with other arguments.
fn with_arguments(arguments: serde_json::Value) -> serde_json::Value {
    let mut asked = request("b1", "x1", "mail");
    asked["toolArguments"] = arguments;
    asked
}

#[test]
fn e74_a_batch_is_posted_once_and_whole() {
    let mut world = asked_two();
    decide(&mut world, "x1", Verdict::Approve);
    decide(&mut world, "x9", Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!((world.posts(), &batch(&world).phase), (0, &DECIDING));
    decide(&mut world, "x2", Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    let pair = |execution: &str, status: &str| (execution.to_owned(), status.to_owned());
    assert_eq!(
        posted_results(&world),
        [pair("x1", "APPROVED"), pair("x2", "DENIED")]
    );
    assert!(is_submitting(&world, false));
    world.intend(Intent::SubmitDecisions(b1()));
    decide(&mut world, "x2", Verdict::Approve);
    assert_eq!(world.commands, []);
    assert_eq!(choices(&world)[1], Some(Verdict::Deny));

    let mut world = asked_two();
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(
        posted_results(&world),
        [pair("x1", "DENIED"), pair("x2", "DENIED")]
    );
}

#[test]
fn e74_an_answer_that_must_not_be_sent_cannot_be_made() {
    let decided = || {
        let mut world = asked_two();
        world.decide_all(b1(), Verdict::Approve);
        batch(&world).clone()
    };
    assert!(decided().answer_with_verdicts().is_some());
    let mut undecided = decided();
    undecided.tools[1].choice = None;
    let mut unseen = decided();
    unseen.tools[1].request = None;
    let mut unread = decided();
    unread.tools[1].arguments[0].1 = "x".repeat(601);
    let mut empty = decided();
    empty.tools.clear();
    for batch in [&undecided, &unseen, &unread, &empty] {
        assert_eq!(batch.answer_with_verdicts(), None);
    }
    assert!(
        ![&undecided, &unseen, &unread]
            .iter()
            .any(|it| it.is_decided())
    );
    assert!(undecided.answer_with_stop(&words("no")).is_some());
    assert!(unread.answer_with_stop(&words("no")).is_some());
    assert_eq!(unseen.answer_with_stop(&words("no")), None);
    assert_eq!(empty.answer_with_stop(&words("no")), None);
}

#[test]
fn e75_a_batch_can_be_stopped_with_and_without_words() {
    let world = stopped(" Do not. ");
    let all = |world: &World| {
        let results = posted_results(world);
        results
            .iter()
            .all(|(_, status)| status == "ABORTED_WITH_FEEDBACK")
            && results.len() == 2
    };
    assert!(all(&world));
    assert_eq!(world.texts()[2], ("you", "Do not."));
    assert_eq!(world.status(2), &MessageStatus::Sending);
    let world = stopped("  ");
    assert!(all(&world));
    assert_eq!(world.open().messages.len(), 2);
}

#[test]
fn e76_an_accepted_answer_decides_every_tool() {
    let mut world = submitted();
    world.opened();
    world.event("CONNECTION_ESTABLISHED", "");
    assert_eq!(statuses(&world), ["PENDING_HUMAN_APPROVAL"; 2]);
    world.event("NOTIFICATION_TOOL_EXECUTION_APPROVAL_ACCEPTED", "");
    assert_eq!(statuses(&world), ["APPROVED", "DENIED"]);
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
    world.event("AGENT_RESPONSE_COMPLETE", "Done.");
    world.ends();
    assert_eq!(
        world.texts()[1..],
        [("agent", "May I?"), ("agent", "Done.")]
    );
    assert_eq!(world.open().composer_state(), ComposerState::Ready);

    let mut world = stopped("no");
    world.event("MESSAGE_RECEIVED", "no");
    assert_eq!(statuses(&world), ["ABORTED_WITH_FEEDBACK"; 2]);
    assert_eq!(world.status(2), &MessageStatus::Sent);
}

#[test]
fn e77_a_refused_answer_is_to_be_decided_again() {
    let failure = Failure {
        status: Some(400),
        issues: vec![assent_protocol::Issue {
            tool_execution_id: "x1".into(),
            error: "unknown".to_owned(),
        }],
        ..Failure::of(FailureKind::Rejected)
    };
    let refuse = |world: &mut World| {
        let end = StreamEnd::Failed(failure.clone());
        world.give(Input::StreamEnded(world.stream(), end));
    };
    let deciding = |feedback: Option<&str>| BatchPhase::Deciding {
        feedback: feedback.map(words),
        failure: Some(failure.clone()),
    };
    let mut world = submitted();
    refuse(&mut world);
    assert_eq!(batch(&world).phase, deciding(None));
    assert_eq!(
        choices(&world),
        [Some(Verdict::Approve), Some(Verdict::Deny)]
    );
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);

    for (words, kept) in [("no", "no"), (" ", "")] {
        let mut world = stopped(words);
        refuse(&mut world);
        assert_eq!(batch(&world).phase, deciding(Some(kept)));
        assert_eq!(world.open().messages.len(), 2);
    }
}

#[test]
fn e78_an_open_answer_is_settled_by_the_stored_statuses() {
    let breaks = |world: &mut World| world.breaks(FailureKind::Unreachable);
    for end in [World::ends, breaks, |world: &mut World| {
        world.intend(Intent::Stop);
    }] {
        let mut world = stopped("no");
        end(&mut world);
        assert!(is_submitting(&world, true));
        assert_eq!((world.load_delay(), world.posts()), (Some(0), 0));
        world.stored(stored_asking(
            "ABORTED_WITH_FEEDBACK",
            "ABORTED_WITH_FEEDBACK",
        ));
        assert_eq!(batch(&world).phase, BatchPhase::Answered);
        assert_eq!(statuses(&world), ["ABORTED_WITH_FEEDBACK"; 2]);
        let waits = MessageStatus::Interrupted {
            by: assent_conversation::Interruption::Lost,
            checking: true,
        };
        assert_eq!(world.status(2), &waits, "the agent goes on with it");
    }
}

#[test]
fn e79_an_answer_that_did_not_arrive_can_be_given_again() {
    let pending = "PENDING_HUMAN_APPROVAL";
    for (mut world, feedback) in [(submitted(), None), (stopped("no"), Some(words("no")))] {
        world.breaks(FailureKind::Unreachable);
        for _ in 0..3 {
            world.stored(stored_asking(pending, pending));
            assert!(is_submitting(&world, true));
        }
        world.stored(stored_asking(pending, pending));
        let failure = Some(Failure::of(FailureKind::NotDelivered));
        let again = BatchPhase::Deciding { feedback, failure };
        assert_eq!(batch(&world).phase, again);
    }
}

#[test]
fn e80_an_answer_nobody_knows_about_is_never_posted_again() {
    let mut world = submitted();
    world.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        world.stored(json!([{"id": "m1", "role": "user", "content": "hi"}]));
    }
    assert!(is_submitting(&world, false));
    world.intend(Intent::SubmitDecisions(b1()));
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::BeginFeedback(b1()));
    assert_eq!(world.posts(), 0);
    assert!(is_submitting(&world, false));
    world.intend(Intent::ReloadMessages);
    assert!(is_submitting(&world, true));
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
}

#[test]
fn e81_an_answer_is_not_posted_again_when_nothing_can_be_read() {
    let mut world = submitted();
    world.breaks(FailureKind::Unreachable);
    world.not_stored(FailureKind::Unreachable);
    assert!(is_submitting(&world, false));
    assert_eq!((world.posts(), world.load_delay()), (0, None));
}

#[test]
fn e82_a_stored_batch_cannot_be_answered_here() {
    let mut world = World::in_thread(stored_asking("PENDING_HUMAN_APPROVAL", "APPROVED"));
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::SubmitDecisions(b1()));
    world.intend(Intent::SubmitFeedback(b1()));
    assert_eq!(
        (batch(&world).phase.clone(), world.posts()),
        (BatchPhase::Unanswerable, 0)
    );
    let world = World::in_thread(stored_asking("NEVER_SEEN_BEFORE", "APPROVED"));
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
    assert_eq!(statuses(&world), ["NEVER_SEEN_BEFORE", "APPROVED"]);
}

#[test]
fn e83_a_batch_is_answerable_once_all_its_requests_are_here() {
    let mut world = asked(json!([request("b1", "x1", "mail")]));
    world.intend(Intent::ReloadMessages);
    world.stored(stored_asking(
        "PENDING_HUMAN_APPROVAL",
        "PENDING_HUMAN_APPROVAL",
    ));
    assert_eq!(batch(&world).tools.len(), 2);
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);

    let mut world = asked(json!([request("b1", "x1", "mail")]));
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        world.stored(stored_asking(
            "PENDING_HUMAN_APPROVAL",
            "PENDING_HUMAN_APPROVAL",
        ));
    }
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);

    let mut world = asked(json!([request("b2", "y1", "book")]));
    world.intend(Intent::ReloadMessages);
    let mut stored = stored_asking("PENDING_HUMAN_APPROVAL", "PENDING_HUMAN_APPROVAL");
    stored[0]["content"] = json!("earlier");
    stored[1]["content"] = json!("Earlier?");
    let question = json!({"id": "m3", "role": "user", "content": "hi"});
    stored.as_array_mut().unwrap().push(question);
    world.stored(stored);
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    world.decide_all("b2".into(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions("b2".into()));
    world.asks(json!([request("b1", "x1", "mail")]));
    assert_eq!(batch(&world).phase, BatchPhase::Unanswerable);
    world.asks(json!([request("b1", "x2", "call")]));
    assert_eq!(batch(&world).phase, DECIDING);
}

#[test]
fn e84_an_older_reading_takes_no_answer_back() {
    let mut world = submitted();
    world.event("MESSAGE_RECEIVED", "");
    world.event("AGENT_RESPONSE_COMPLETE", "Done");
    world.ends();
    world.intend(Intent::ReloadMessages);
    world.stored(stored_asking(
        "PENDING_HUMAN_APPROVAL",
        "PENDING_HUMAN_APPROVAL",
    ));
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
    assert_eq!(statuses(&world), ["APPROVED", "DENIED"]);
}

#[test]
fn e85_a_batch_asked_for_again_is_a_new_one() {
    let mut world = submitted();
    world.event("MESSAGE_RECEIVED", "");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
    assert_eq!(world.message(2).approvals[0].phase, DECIDING);
    decide(&mut world, "x1", Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world).len(), 1);
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
}

#[test]
fn e85_both_are_stored() {
    let mut world = submitted();
    world.event("AGENT_RESPONSE_CHUNK", "Once more?");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    world.intend(Intent::ReloadMessages);
    let mut stored = stored_asking("APPROVED", "DENIED");
    let again = json!({
        "id": "m3", "role": "assistant", "content": "Once more?",
        "toolExecutionHumanApprovalRequest": [{"toolExecutionId": "x1", "executionBatchId": "b1"}],
    });
    stored.as_array_mut().unwrap().push(again);
    world.stored(stored);
    assert_eq!(
        world.texts()[1..],
        [("agent", "May I?"), ("agent", "Once more?")]
    );
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
    assert_eq!(world.message(2).approvals[0].phase, DECIDING);
    assert_eq!(forgets(&world).len(), 0);
}

#[test]
fn e86_each_batch_is_answered_in_its_own_post() {
    let mut world = asked(json!([
        request("b1", "x1", "mail"),
        request("b2", "y1", "book")
    ]));
    world.decide_all(b1(), Verdict::Approve);
    world.decide_all("b2".into(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(posted_results(&world).len(), 1);
    world.intend(Intent::SubmitDecisions("b2".into()));
    assert_eq!(world.commands, [], "a stream runs");
    world.event("AGENT_RESPONSE_COMPLETE", "One done");
    world.ends();
    assert_eq!(
        world.open().composer_state(),
        ComposerState::AwaitingApproval
    );
    world.intend(Intent::SubmitDecisions("b2".into()));
    assert_eq!(posted_results(&world)[0].0, "y1");
}

#[test]
fn e87_what_is_awaited_elsewhere_keeps_the_draft_and_says_so() {
    let mut world = World::in_thread(stored_asking("PENDING_HUMAN_APPROVAL", "APPROVED"));
    assert_eq!(
        world.open().composer_state(),
        ComposerState::AwaitingElsewhere
    );
    world.intend(Intent::EditDraft("and then?".to_owned()));
    world.intend(Intent::Send);
    assert_eq!(
        (world.posts(), world.open().draft.as_str()),
        (0, "and then?")
    );
}

#[test]
fn e88_what_is_asked_otherwise_is_decided_anew() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([request("b1", "x1", "mail")]));
    decide(&mut world, "x1", Verdict::Approve);
    let mut other = request("b1", "x1", "mail");
    other["toolArguments"] = json!({ "amount": "1000000" });
    world.asks(json!([other]));
    assert_eq!(choices(&world), [None]);
    let arguments = &batch(&world).tools[0].arguments;
    assert_eq!(arguments, &[("amount".to_owned(), "1000000".to_owned())]);
    let needed = |said: &&Announcement| matches!(said, Announcement::ApprovalNeeded { .. });
    assert_eq!(world.said.iter().filter(needed).count(), 2);
}

#[test]
fn e89_feedback_is_kept_while_deciding() {
    let mut world = asked_two();
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::EditFeedback(b1(), "Ask Ann".to_owned()));
    world.intend(Intent::CancelFeedback(b1()));
    world.intend(Intent::BeginFeedback(b1()));
    let BatchPhase::Deciding { feedback, .. } = &batch(&world).phase else {
        panic!("{:?}", batch(&world).phase)
    };
    assert_eq!(feedback.as_ref(), Some(&words("Ask Ann")));
}
