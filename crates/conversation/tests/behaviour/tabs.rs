//! E163 to E166: the effect of other tabs, and of paged lists, on stored requests.

use assent_conversation::{Announcement, CachedRequest, Change, Input, Intent, Verdict};
use serde_json::json;

use crate::asking::{
    DECIDING, PENDING, asked, asked_two, b1, batch, choices, forgets, in_vault, keeps, kept,
    posted_results, stored_both,
};
use crate::world::{World, request};

const HOUR: i64 = 60 * 60 * 1000;

fn both() -> Vec<CachedRequest> {
    vec![
        kept("t1", 1, request("b1", "x1", "mail")),
        kept("t1", 1, request("b1", "x2", "call")),
    ]
}

#[test]
fn e163_what_is_not_shown_is_not_gone() {
    let mut world = World::new();
    world.now = HOUR;
    world.give(Input::CachedRequests(both()));
    world.listed(json!([]));
    assert_eq!(in_vault(&world), ["x1", "x2"], "the list lacks its thread");
    world.intend(Intent::OpenThread("t1".into()));
    for stored in [json!([]), json!([{"id": "m9", "content": "Later."}])] {
        world.stored(stored);
        assert_eq!(forgets(&world).len(), 0, "the reading lacks its message");
        world.intend(Intent::ReloadMessages);
    }
    world.stored(stored_both(PENDING));
    assert_eq!(world.open().count_undecided(), 2);
}

#[test]
fn e164_what_nobody_can_look_for_is_not_counted() {
    let mut world = World::new();
    world.give(Input::CachedRequests(both()));
    let waiting = |world: &World| world.state.count_undecided_in(&"t1".into());
    assert_eq!(waiting(&world), 2, "as long as nothing is listed");
    world.listed(json!([{"id": "t2"}]));
    assert_eq!(
        (waiting(&world), world.state.undecided_by_thread().len()),
        (0, 0)
    );
    assert!(world.changes.contains(&Change::Waiting));
    world.intend(Intent::RefreshThreads);
    assert_eq!(waiting(&world), 0, "nor while it is listed again");
    world.listed(json!([{"id": "t1"}]));
    assert_eq!(waiting(&world), 2);
}

#[test]
fn e165_a_reading_keeps_nothing_again() {
    let mut world = asked_two();
    for _ in 0..3 {
        world.give(Input::CachedRequests(vec![kept(
            "t9",
            1,
            request("b9", "z1", "mail"),
        )]));
        world.intend(Intent::ReloadMessages);
        world.stored(stored_both(PENDING));
        assert_eq!(batch(&world).phase, DECIDING);
        assert_eq!((keeps(&world).len(), in_vault(&world)), (0, vec!["z1"]));
    }
}

#[test]
fn e166_what_was_asked_otherwise_in_another_tab_is_not_answered_unseen() {
    for stops in [false, true] {
        let mut world = asked(json!([request("b1", "x1", "mail")]));
        let mut other = request("b1", "x1", "mail");
        other["toolArguments"] = json!({ "to": "bob@example.org" });
        if stops {
            world.intend(Intent::BeginFeedback(b1()));
        } else {
            world.decide_all(b1(), Verdict::Approve);
        }
        world.give(Input::CachedRequests(vec![kept("t1", world.now, other)]));
        let submit = |world: &mut World| {
            world.intend(if stops {
                Intent::SubmitFeedback(b1())
            } else {
                Intent::SubmitDecisions(b1())
            });
        };
        submit(&mut world);
        assert_eq!((world.posts(), world.load_delay()), (0, Some(0)));
        assert_eq!(batch(&world).tools[0].arguments[0].1, "bob@example.org");
        assert_eq!(choices(&world), [None]);
        let page_events = Announcement::ApprovalNeeded {
            tools: vec!["mail".to_owned()],
            elsewhere: None,
        };
        assert_eq!(world.said.last(), Some(&page_events));
        world.decide_all(b1(), Verdict::Deny);
        submit(&mut world);
        assert_eq!(posted_results(&world).len(), 1);
    }
}
