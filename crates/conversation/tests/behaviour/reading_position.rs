//! E265 and E266: the reading position.

use assent_conversation::{Input, Intent, ReadingPosition};
use assent_protocol::ThreadId;
use serde_json::json;

use crate::world::World;

const UP: ReadingPosition = ReadingPosition {
    message: 3,
    below: -40,
};

fn kept(world: &World) -> Vec<(ThreadId, ReadingPosition)> {
    world.state.positions()
}

#[test]
fn e265_where_the_reader_went_is_kept_for_the_thread() {
    let mut world = World::in_thread(json!([{"id": "m0", "role": "user", "content": "hi"}]));
    world.intend(Intent::ReadAt(Some(UP)));
    assert_eq!(kept(&world), [("t1".into(), UP)]);
    world.intend(Intent::NewThread);
    world.intend(Intent::ReadAt(Some(UP)));
    assert_eq!(
        kept(&world).len(),
        1,
        "a new conversation has no name to keep it for"
    );
    world.intend(Intent::OpenThread("t1".into()));
    assert_eq!(world.open().position, Some(UP));
    world.intend(Intent::ReadAt(None));
    assert_eq!(kept(&world), []);
}

#[test]
fn e265_a_later_page_finds_it_until_the_thread_is_deleted() {
    let mut world = World::new();
    let two: Vec<(ThreadId, ReadingPosition)> = vec![("t1".into(), UP), ("t2".into(), UP)];
    world.give(Input::Positions(two.clone()));
    assert_eq!(kept(&world), two);
    world.intend(Intent::OpenThread("t1".into()));
    assert_eq!(world.open().position, Some(UP));
    assert_eq!(kept(&world).len(), 2);
    world.give(Input::ThreadGone("t2".into()));
    world.give(Input::ThreadGone("t1".into()));
    assert_eq!(kept(&world), []);

    world.intend(Intent::OpenThread("t3".into()));
    world.give(Input::Positions(vec![("t3".into(), UP)]));
    assert_eq!(world.open().position, Some(UP));
    world.give(Input::Positions(Vec::new()));
    assert_eq!(world.open().position, None, "nothing is kept any more");
}

#[test]
fn e266_nothing_is_counted_before_the_messages_are_there() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.intend(Intent::ReadAt(Some(UP)));
    assert_eq!(kept(&world), []);
}
