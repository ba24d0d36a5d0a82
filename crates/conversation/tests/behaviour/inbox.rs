//! E350 to E355: what waits in all threads, as the service tells it (extension `inbox`).

use assent_conversation::{Change, Command, Input, Intent, ThreadId, Verdict};
use serde_json::json;

use crate::asking::b1;
use crate::world::{World, request};

fn load() -> [Command; 1] {
    [Command::LoadInbox]
}

fn told(world: &mut World, waiting: &[(&str, usize)]) {
    let waiting = waiting
        .iter()
        .map(|(thread, count)| ((*thread).into(), *count));
    world.give(Input::Inbox(Some(waiting.collect())));
}

fn waiting(world: &World) -> Vec<(String, usize)> {
    let threads = world.state.undecided_by_thread().into_iter();
    threads.map(|(ThreadId(id), count)| (id, count)).collect()
}

fn is(all: &[(&str, usize)]) -> Vec<(String, usize)> {
    let all = all.iter();
    all.map(|(thread, count)| ((*thread).to_owned(), *count))
        .collect()
}

/// Returns a world in thread `t1`, in which nothing waits, whose service offers the extension.
fn offered() -> World {
    let mut world = World::in_thread(json!([]));
    world.give(Input::InboxOffered(true));
    assert_eq!(world.commands, load());
    world
}

#[test]
fn e350_a_service_without_the_extension_is_not_asked() {
    let mut world = World::in_thread(json!([]));
    world.give(Input::InboxOffered(false));
    world.intend(Intent::RefreshThreads);
    world.give(Input::VisibilityChanged(false));
    world.give(Input::VisibilityChanged(true));
    assert!(!world.done.contains(&Command::LoadInbox));
}

#[test]
fn e351_what_waits_is_asked_with_the_list_and_when_the_page_is_seen_again() {
    let mut world = offered();
    told(&mut world, &[("t3", 2), ("t2", 1)]);
    assert_eq!(world.changes, [Change::Waiting]);
    assert_eq!(waiting(&world), is(&[("t3", 2), ("t2", 1)]));
    world.intend(Intent::RefreshThreads);
    assert_eq!(world.commands[1..], load());
    told(&mut world, &[("t2", 1)]);
    assert_eq!(waiting(&world), is(&[("t2", 1)]));
    world.give(Input::VisibilityChanged(false));
    assert_eq!(world.commands, []);
    world.give(Input::VisibilityChanged(true));
    assert_eq!(world.commands, load());
    // A failure changes nothing.
    world.give(Input::Inbox(None));
    assert_eq!(waiting(&world), is(&[("t2", 1)]));
    // The service does not offer it any more.
    world.give(Input::InboxOffered(false));
    assert_eq!(waiting(&world), []);
}

#[test]
fn e352_a_request_that_is_made_meanwhile_is_sent_after_the_result() {
    let mut world = offered();
    world.give(Input::VisibilityChanged(false));
    world.give(Input::VisibilityChanged(true));
    world.intend(Intent::RefreshThreads);
    assert!(!world.commands.contains(&Command::LoadInbox));
    told(&mut world, &[]);
    assert_eq!(world.commands, load());
    told(&mut world, &[]);
    assert_eq!(world.commands, []);
}

#[test]
fn e353_what_begins_or_ends_to_wait_here_counts_at_once_and_is_asked_for() {
    let mut world = offered();
    told(&mut world, &[("t2", 1)]);
    world.send("do it");
    world.opened();
    world.done.clear();
    world.asks(json!([request("b1", "x1", "mail")]));
    assert_eq!(waiting(&world), is(&[("t1", 1), ("t2", 1)]));
    assert_eq!(asks(&world), 1);
    told(&mut world, &[("t1", 1), ("t2", 1)]);
    assert_eq!(world.commands, []);
    world.ends();
    world.decide_all(b1(), Verdict::Approve);
    world.done.clear();
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(waiting(&world), is(&[("t2", 1)]));
    assert_eq!(asks(&world), 1);
    // A result from before the decision changes nothing, and is no reason to ask again.
    told(&mut world, &[("t1", 1), ("t2", 1)]);
    assert_eq!(waiting(&world), is(&[("t2", 1)]));
    assert_eq!(world.commands, []);
}

fn asks(world: &World) -> usize {
    let asks = world.done.iter().filter(|it| **it == Command::LoadInbox);
    asks.count()
}

#[test]
fn e354_of_a_conversation_that_is_not_shown_the_service_knows_better() {
    let mut world = offered();
    told(&mut world, &[]);
    world.intend(Intent::OpenThread("t2".into()));
    world.stored(json!([]));
    // Another device asked in the thread that was shown before, where this page has seen nothing.
    told(&mut world, &[("t1", 1), ("t2", 1)]);
    assert_eq!(waiting(&world), is(&[("t1", 1)]));
}

#[test]
fn e355_nothing_waits_in_a_thread_that_is_gone() {
    let mut world = offered();
    told(&mut world, &[("t3", 1), ("t2", 1)]);
    world.give(Input::ThreadGone("t3".into()));
    assert_eq!(waiting(&world), is(&[("t2", 1)]));
}
