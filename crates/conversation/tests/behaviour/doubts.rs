//! E135 to E143: the outcome of an answer, and who decided.

use assent_conversation::{
    Announcement, BatchPhase, DeliveryStatus, Failure, FailureKind, Input, Intent, Interruption,
    MessageStatus, UnconfirmedReason, Verdict, WithheldReason,
};
use assent_protocol::BatchId;
use serde_json::{Value, json};

use crate::asking::{
    DECIDING, PENDING, asked, asked_two, b1, batch, choices, decide, refused, stopped,
    stored_asking, stored_both, stored_stop, submitted, words,
};
use crate::world::{World, request};

const WAITING: MessageStatus = MessageStatus::Interrupted {
    by: Interruption::Lost,
    checking: true,
};

/// A change of a world.
type Way = fn(&mut World);

fn delivery(world: &World) -> Option<DeliveryStatus> {
    match &batch(world).phase {
        BatchPhase::Submitting { delivery, .. } => Some(*delivery),
        _ => None,
    }
}

fn overtaken(world: &World) -> usize {
    let said = world.said.iter();
    said.filter(|said| **said == Announcement::DecidedElsewhere)
        .count()
}

fn only_question() -> Value {
    json!([{"id": "m1", "role": "user", "content": "hi"}])
}

#[test]
fn e135_what_the_page_withholds_is_to_be_decided_again() {
    for (mut world, feedback) in [(submitted(), None), (stopped("no"), Some(words("no")))] {
        let kept = world.state.cached_requests.clone();
        world.opened();
        world.withheld(WithheldReason::ByPage);
        let again = refused(feedback, FailureKind::Withheld);
        assert_eq!(batch(&world).phase, again);
        assert_eq!(world.open().messages.len(), 2);
        assert_eq!((world.posts(), world.load_delay()), (0, None));
        assert_eq!(world.state.cached_requests, kept);
    }
    let mut world = submitted();
    world.withheld(WithheldReason::ByPage);
    assert_eq!(
        choices(&world),
        [Some(Verdict::Approve), Some(Verdict::Deny)]
    );
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);
}

#[test]
fn e135_what_was_accepted_was_not_withheld() {
    let mut world = submitted();
    world.event("NOTIFICATION_AGENT_THINKING_STARTED", "");
    world.withheld(WithheldReason::ByPage);
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
    assert_eq!(world.status(2), &WAITING);
}

#[test]
fn e136_what_another_tab_answers_is_read() {
    for (mut world, feedback) in [(submitted(), None), (stopped("no"), Some(words("no")))] {
        world.withheld(WithheldReason::ForOtherTab);
        assert_eq!(
            delivery(&world),
            Some(DeliveryStatus::Checking(UnconfirmedReason::OtherTab))
        );
        assert_eq!(world.open().messages.len(), 2, "nothing was said");
        assert_eq!((world.posts(), world.load_delay()), (0, Some(0)));
        for after in [1_000, 2_500, 5_000] {
            world.stored(stored_both(PENDING));
            assert_eq!(world.load_delay(), Some(after));
        }
        world.stored(stored_both(PENDING));
        let again = refused(feedback, FailureKind::OtherTab);
        assert_eq!(batch(&world).phase, again);
        assert_eq!(overtaken(&world), 0);
    }
}

#[test]
fn e137_a_doubt_stays_the_same_until_it_is_settled() {
    let breaks = |world: &mut World| world.breaks(FailureKind::Service);
    let withheld = |world: &mut World| world.withheld(WithheldReason::ForOtherTab);
    let cases: [(Way, UnconfirmedReason); 2] = [
        (breaks, UnconfirmedReason::Lost),
        (withheld, UnconfirmedReason::OtherTab),
    ];
    for (end, reason) in cases {
        let mut world = submitted();
        end(&mut world);
        assert_eq!(delivery(&world), Some(DeliveryStatus::Checking(reason)));
        world.not_stored(FailureKind::Unreachable);
        assert_eq!(delivery(&world), Some(DeliveryStatus::Unknown(reason)));
        world.intend(Intent::ReloadMessages);
        assert_eq!(delivery(&world), Some(DeliveryStatus::Checking(reason)));
        for _ in 0..4 {
            world.stored(only_question());
        }
        assert_eq!(delivery(&world), Some(DeliveryStatus::Unknown(reason)));
        world.intend(Intent::ReloadMessages);
        world.stored(stored_asking("APPROVED", "DENIED"));
        assert_eq!(batch(&world).phase, BatchPhase::Answered);
        assert_eq!(
            batch(&world).elsewhere,
            reason == UnconfirmedReason::OtherTab
        );
    }
}

#[test]
fn e138_an_answer_that_came_too_late_has_the_thread_read() {
    for (kind, read) in [
        (FailureKind::Rejected, true),
        (FailureKind::NotFound, true),
        (FailureKind::Unauthorized, false),
        (FailureKind::Forbidden, false),
        (FailureKind::TooMany, false),
    ] {
        let mut world = submitted();
        world.breaks(kind);
        assert_eq!(batch(&world).phase, refused(None, kind));
        assert_eq!(world.load_delay(), read.then_some(0), "{kind:?}");
        if read {
            world.stored(stored_both(PENDING));
            assert_eq!(batch(&world).phase, refused(None, kind), "still to decide");
            assert_eq!(world.load_delay(), None, "once");
        }
    }
    let mut world = stopped("no");
    world.breaks(FailureKind::Rejected);
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(batch(&world).phase, BatchPhase::Answered);
    assert!(batch(&world).elsewhere);
    assert_eq!(overtaken(&world), 1);
}

#[test]
fn e139_somebody_else_decided() {
    let reloads = |world: &mut World| world.intend(Intent::ReloadMessages);
    let breaks = |world: &mut World| world.breaks(FailureKind::Unreachable);
    let refuses = |world: &mut World| world.breaks(FailureKind::Rejected);
    let withholds = |world: &mut World| world.withheld(WithheldReason::ForOtherTab);
    let ways: [(World, Way); 5] = [
        (asked_two(), reloads),
        (stopped("no"), breaks),
        (submitted(), refuses),
        (submitted(), withholds),
        (stopped("no"), withholds),
    ];
    for (mut world, way) in ways {
        way(&mut world);
        world.stored(stored_asking("APPROVED", "DENIED"));
        assert_eq!(batch(&world).phase, BatchPhase::Answered);
        assert!(batch(&world).elsewhere);
        assert_eq!(overtaken(&world), 1);
        world.intend(Intent::ReloadMessages);
        world.stored(stored_asking("APPROVED", "DENIED"));
        assert_eq!(overtaken(&world), 1, "it is said once");
    }
}

#[test]
fn e139_what_was_decided_here_is_not_somebody_elses() {
    let mut accepted = submitted();
    accepted.event("MESSAGE_RECEIVED", "");
    accepted.ends();
    let mut lost = submitted();
    lost.breaks(FailureKind::Unreachable);
    let mut late = submitted();
    late.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        late.stored(stored_both(PENDING));
    }
    let not_delivered = refused(None, FailureKind::NotDelivered);
    assert_eq!(batch(&late).phase, not_delivered);
    late.intend(Intent::ReloadMessages);
    for mut world in [accepted, lost, late] {
        world.stored(stored_asking("APPROVED", "DENIED"));
        assert_eq!(batch(&world).phase, BatchPhase::Answered);
        assert!(!batch(&world).elsewhere);
        assert_eq!(overtaken(&world), 0);
    }
    let world = World::in_thread(stored_asking("APPROVED", "DENIED"));
    assert!(!batch(&world).elsewhere);

    let mut late = stopped("no");
    late.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        late.stored(stored_both(PENDING));
    }
    late.intend(Intent::ReloadMessages);
    late.stored(stored_stop("no"));
    assert!(!batch(&late).elsewhere);
    assert_eq!(late.open().draft, "", "the words have arrived");
}

#[test]
fn e139_late_decisions_that_differ_are_somebody_elses() {
    let mut world = submitted();
    world.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        world.stored(stored_both(PENDING));
    }
    world.intend(Intent::ReloadMessages);
    world.stored(stored_both("APPROVED"));
    assert!(batch(&world).elsewhere);
}

#[test]
fn e140_words_that_can_stop_nothing_any_more_go_in_front_of_the_draft() {
    let typed = |world: &mut World| world.intend(Intent::EditDraft("draft".to_owned()));
    let mut typing = asked_two();
    typing.intend(Intent::BeginFeedback(b1()));
    typing.intend(Intent::EditFeedback(b1(), "Ask Ann".to_owned()));
    let mut back = asked_two();
    back.intend(Intent::BeginFeedback(b1()));
    back.intend(Intent::EditFeedback(b1(), "Ask Ann".to_owned()));
    back.intend(Intent::CancelFeedback(b1()));
    for mut world in [typing, back] {
        typed(&mut world);
        world.intend(Intent::ReloadMessages);
        world.stored(stored_asking("APPROVED", "DENIED"));
        assert_eq!(world.open().draft, "Ask Ann\n\ndraft");
    }
    let mut unanswerable = asked_two();
    unanswerable.intend(Intent::BeginFeedback(b1()));
    unanswerable.intend(Intent::EditFeedback(b1(), "Ask Ann".to_owned()));
    unanswerable.intend(Intent::ReloadMessages);
    unanswerable.stored(stored_asking("APPROVED", PENDING));
    assert_eq!(batch(&unanswerable).phase, BatchPhase::Unanswerable);
    unanswerable.intend(Intent::ReloadMessages);
    unanswerable.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(unanswerable.open().draft, "Ask Ann");
    let mut sent = stopped("Ask Ann");
    sent.withheld(WithheldReason::ForOtherTab);
    sent.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(sent.open().draft, "Ask Ann");
}

#[test]
fn e141_the_answer_of_an_agent_that_goes_on_is_read() {
    let mut world = asked_two();
    world.intend(Intent::OpenThread("t1".into()));
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert_eq!(world.status(2), &WAITING);
    assert_eq!(world.load_delay(), Some(1_000));
    for after in [2_500, 5_000] {
        world.stored(stored_asking("APPROVED", "DENIED"));
        assert_eq!(world.load_delay(), Some(after));
    }
    let mut stored = stored_asking("APPROVED", "DENIED");
    let answer = json!({"id": "m3", "role": "assistant", "content": "Done."});
    stored.as_array_mut().unwrap().push(answer);
    world.stored(stored);
    assert_eq!(world.texts()[2], ("agent", "Done."));
    assert_eq!(world.status(2), &MessageStatus::Complete);
    assert_eq!(world.load_delay(), None);

    let mut stored = stored_asking("APPROVED", "DENIED");
    let later = json!({"id": "m3", "role": "user", "content": "And then?"});
    stored.as_array_mut().unwrap().push(later);
    let mut world = asked_two();
    world.intend(Intent::ReloadMessages);
    world.stored(stored);
    assert_eq!(world.open().messages.len(), 3, "it is over");
}

#[test]
fn e142_a_batch_in_doubt_that_is_asked_for_again_is_to_be_decided() {
    let two = [request("b1", "x1", "mail"), request("b2", "y1", "book")];
    let mut world = asked(json!(two));
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::EditFeedback(b1(), "no".to_owned()));
    world.intend(Intent::SubmitFeedback(b1()));
    world.breaks(FailureKind::Unreachable);
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(
        delivery(&world),
        Some(DeliveryStatus::Unknown(UnconfirmedReason::Lost))
    );
    let b2: BatchId = "b2".into();
    world.decide_all(b2.clone(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b2));
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    assert_eq!(batch(&world).phase, DECIDING);
    assert_eq!(batch(&world).draft, words("no"));
    decide(&mut world, "x1", Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);
}

#[test]
fn e143_a_refusal_is_shown_until_the_next_attempt() {
    let failure = Failure {
        message: Some("One is missing.".to_owned()),
        ..Failure::of(FailureKind::TooMany)
    };
    let mut world = submitted();
    let end = assent_conversation::StreamEnd::Failed(failure.clone());
    world.give(Input::StreamEnded(world.stream(), end));
    let shown = |feedback: Option<&str>| BatchPhase::Deciding {
        feedback: feedback.map(words),
        failure: Some(failure.clone()),
    };
    assert_eq!(batch(&world).phase, shown(None));
    decide(&mut world, "x1", Verdict::Deny);
    world.intend(Intent::BeginFeedback(b1()));
    assert_eq!(batch(&world).phase, shown(Some("")));
    world.intend(Intent::EditFeedback(b1(), "no".to_owned()));
    world.intend(Intent::CancelFeedback(b1()));
    assert_eq!(batch(&world).phase, shown(None));
    world.intend(Intent::SubmitDecisions(b1()));
    world.withheld(WithheldReason::ByPage);
    assert_eq!(batch(&world).phase, refused(None, FailureKind::Withheld));
}
