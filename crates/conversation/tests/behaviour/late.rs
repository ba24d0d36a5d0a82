//! E140, E167, E168 and E280: answers that fail, are left for other ones, or arrive late.

use assent_conversation::{
    AnswerSummary, BatchPhase, DeliveryStatus, FailureKind, Intent, MessageStatus, PageEvent,
    Verdict,
};

use crate::asking::{
    PENDING, b1, batch, decide, in_vault, page_events, refused, stopped, stored_asking,
    stored_both, stored_stop, submitted,
};
use crate::world::World;

fn answer_events(world: &World) -> Vec<&AnswerSummary> {
    let page_events = page_events(world)
        .into_iter()
        .filter_map(|event| match event {
            PageEvent::ApprovalAnswered(summary) => Some(summary),
            _ => None,
        });
    page_events.collect()
}

fn answers(world: &World) -> usize {
    answer_events(world).len()
}

/// Breaks the connection, and takes four loads in which the service still waits.
fn given_up(mut world: World) -> World {
    world.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        world.stored(stored_both(PENDING));
    }
    assert!(batch(&world).is_deciding());
    world
}

#[test]
fn e167_an_error_first_says_nothing_about_the_answer() {
    let failed = || {
        let mut world = submitted();
        world.event("ERROR", "broke");
        assert!(matches!(
            batch(&world).phase,
            BatchPhase::Submitting {
                delivery: DeliveryStatus::Sent,
                ..
            }
        ));
        world.event("MESSAGE_RECEIVED", "");
        world
    };
    let ends: [fn(&mut World); 4] = [
        World::ends,
        |world| world.breaks(FailureKind::Unreachable),
        |world| world.breaks(FailureKind::Rejected),
        |world| world.intend(Intent::Stop),
    ];
    for end in ends {
        let mut world = failed();
        end(&mut world);
        assert!(batch(&world).phase != BatchPhase::Answered);
        assert_eq!(in_vault(&world), ["x1", "x2"]);
        assert_eq!((world.load_delay(), answers(&world)), (Some(0), 0));
        let shown = world.open().messages.last().unwrap();
        assert!(
            matches!(&shown.status, MessageStatus::Failed(it) if it.kind == FailureKind::Agent)
        );
        let mut arrived = world;
        arrived.stored(stored_asking("APPROVED", "DENIED"));
        assert_eq!(batch(&arrived).phase, BatchPhase::Answered);
        assert_eq!((answers(&arrived), in_vault(&arrived).len()), (1, 0));
    }
    let lost = given_up(failed());
    assert_eq!(batch(&lost).phase, refused(None, FailureKind::NotDelivered));
}

#[test]
fn e168_what_arrived_late_is_what_was_sent() {
    let mut world = given_up(stopped("Ask Ann"));
    world.intend(Intent::EditFeedback(b1(), "Ask Bob".to_owned()));
    world.intend(Intent::ReloadMessages);
    world.stored(stored_stop("Ask Ann"));
    assert!(!batch(&world).elsewhere);
    assert_eq!(answers(&world), 1);
    assert_eq!(
        answer_events(&world)[0].feedback.as_deref(),
        Some("Ask Ann")
    );
    assert_eq!(world.open().draft, "Ask Bob");

    let mut world = given_up(stopped("Ask Ann"));
    world.intend(Intent::CancelFeedback(b1()));
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::ReloadMessages);
    world.stored(stored_stop("Ask Ann"));
    assert_eq!(
        answer_events(&world)[0].feedback.as_deref(),
        Some("Ask Ann")
    );
    assert_eq!(world.open().draft, "", "these words have arrived");

    let mut world = given_up(submitted());
    decide(&mut world, "x1", Verdict::Deny);
    world.intend(Intent::ReloadMessages);
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert!(!batch(&world).elsewhere);
    assert_eq!(answers(&world), 1);

    let mut world = given_up(submitted());
    decide(&mut world, "x1", Verdict::Deny);
    world.intend(Intent::ReloadMessages);
    world.stored(stored_both("DENIED"));
    assert!(batch(&world).elsewhere, "nobody here sent that");
    assert_eq!(answers(&world), 0);
}

#[test]
fn e140_words_of_a_stop_that_was_refused_and_left_for_a_decision_go_before_the_draft() {
    for is_told in [true, false] {
        let mut world = stopped("Ask Ann");
        world.breaks(FailureKind::TooMany);
        world.intend(Intent::CancelFeedback(b1()));
        world.decide_all(b1(), Verdict::Deny);
        world.intend(Intent::SubmitDecisions(b1()));
        if is_told {
            world.event("MESSAGE_RECEIVED", "");
        } else {
            world.breaks(FailureKind::Unreachable);
            world.stored(stored_both("DENIED"));
        }
        assert_eq!(batch(&world).phase, BatchPhase::Answered);
        assert!(!batch(&world).elsewhere);
        assert_eq!(world.open().draft, "Ask Ann");
    }
}

#[test]
fn e168_the_first_answer_may_overtake_the_second() {
    let mut world = given_up(submitted());
    decide(&mut world, "x1", Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world.breaks(FailureKind::Rejected);
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert!(!batch(&world).elsewhere);
    let decisions = &answer_events(&world)[0].decisions;
    assert_eq!(decisions[0].status.as_str(), "APPROVED");
}

#[test]
fn e280_a_stop_without_the_words_of_this_page_is_somebody_elses() {
    let mut checking = stopped("Ask Ann");
    checking.breaks(FailureKind::Unreachable);
    for mut world in [checking, given_up(stopped("Ask Ann"))] {
        world.intend(Intent::ReloadMessages);
        world.stored(stored_stop("Ask Bob"));
        assert!(batch(&world).elsewhere);
        assert_eq!(answers(&world), 0);
        assert_eq!(world.open().draft, "Ask Ann");
    }
}
