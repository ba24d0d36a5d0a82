//! E167 to E169: answers that fail, or arrive late.

use assent_conversation::{BatchPhase, FailureKind, Fate, MessageStatus, PageEvent};

use crate::asking::{
    PENDING, batch, in_vault, refused, stored_asking, stored_both, submitted, told,
};
use crate::world::World;

fn answers(world: &World) -> usize {
    let told = told(world).into_iter();
    told.filter(|event| matches!(event, PageEvent::ApprovalAnswered(_)))
        .count()
}

#[test]
fn e167_an_error_first_says_nothing_about_the_answer() {
    let failed = || {
        let mut world = submitted();
        world.event("ERROR", "broke");
        assert!(matches!(
            batch(&world).phase,
            BatchPhase::Submitting {
                fate: Fate::Sent,
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
        |world| world.intend(assent_conversation::Intent::Stop),
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
    let mut lost = failed();
    lost.ends();
    for _ in 0..4 {
        lost.stored(stored_both(PENDING));
    }
    assert_eq!(batch(&lost).phase, refused(None, FailureKind::NotDelivered));
}
