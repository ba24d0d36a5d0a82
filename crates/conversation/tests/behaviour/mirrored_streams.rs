//! E250 to E259, E341: posts, decisions, stops and deletions of other tabs.

use assent_conversation::{
    Announcement, Command, ComposerState, FailureKind, Input, Intent, Interruption, MessageStatus,
    PageEvent, PageRequest, RequestId, StreamId, Verdict,
};
use assent_protocol::{ApprovalStatus, ContentItem, RawApprovalRequest};
use serde_json::{Value, json};

use crate::asking::{PENDING, asked_two, b1, batch, stopped, stored_both};
use crate::world::{World, request};

const THERE: StreamId = StreamId(u32::MAX);

fn text(text: &str) -> ContentItem {
    ContentItem::Text(text.to_owned())
}

fn follow(world: &mut World, content: Vec<ContentItem>) {
    world.give(Input::StreamFollowed(THERE, "t1".into(), content));
}

/// Returns a conversation in which another tab has just posted "hi".
fn following() -> World {
    let mut world = World::in_thread(json!([]));
    follow(&mut world, vec![text("hi")]);
    world
}

/// Returns the post of another tab that answers these requests.
fn decided(status: &ApprovalStatus, runs: &[&str]) -> ContentItem {
    let raw = |run: &&str| {
        let request: RawApprovalRequest =
            serde_json::from_value(request("b1", run, "mail")).unwrap();
        request.answered(status)
    };
    ContentItem::ToolApprovalResult(runs.iter().map(raw).collect())
}

fn stored(messages: &[(&str, &str)]) -> Value {
    let message = |(at, (role, text)): (usize, &(&str, &str))| json!({"id": format!("m{at}"), "role": role, "content": text});
    messages.iter().enumerate().map(message).collect()
}

fn page_events(world: &World) -> Vec<&PageEvent> {
    let page_events = world.done.iter().filter_map(|command| match command {
        Command::NotifyPage(PageEvent::ThreadChanged(_)) => None,
        Command::NotifyPage(event) => Some(event),
        _ => None,
    });
    page_events.collect()
}

fn interrupted(by: Interruption, checking: bool) -> MessageStatus {
    MessageStatus::Interrupted { by, checking }
}

#[test]
fn e250_what_another_tab_posts_is_shown_as_if_it_had_been_posted_here() {
    let mut world = following();
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
    assert_eq!(*world.status(0), MessageStatus::Sending);
    assert_eq!(world.open().composer_state(), ComposerState::Streaming);
    world.event("MESSAGE_RECEIVED", "");
    assert_eq!(*world.status(0), MessageStatus::Sent);
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    world.event("AGENT_RESPONSE_CHUNK", "lo");
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    world.event("AGENT_RESPONSE_COMPLETE", "Hello.");
    world.send("me too");
    assert_eq!(world.posts(), 0);
    world.ends();
    assert_eq!(world.open().composer_state(), ComposerState::Ready);
    assert_eq!(world.load_delay(), Some(0));
    world.stored(stored(&[("user", "hi"), ("assistant", "Hello.")]));
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello.")]);
    assert_eq!(world.load_delay(), None);
    assert!(
        !world
            .done
            .iter()
            .any(|it| matches!(it, Command::Post { .. }))
    );
    // The draft that was typed meanwhile is there, and can be sent.
    world.intend(Intent::Send);
    assert_eq!(world.posts(), 1);
}

#[test]
fn e251_what_is_not_here_is_not_followed() {
    let mut world = World::in_thread(json!([]));
    world.give(Input::StreamFollowed(THERE, "t2".into(), vec![text("hi")]));
    assert_eq!(
        (world.state.conversations.len(), world.texts().len()),
        (2, 0)
    );
    follow(&mut world, vec![]);
    assert_eq!(world.open().stream(), None);
    world.send("mine");
    let own = world.stream();
    follow(&mut world, vec![text("hi")]);
    assert_eq!(
        (world.stream(), world.texts()),
        (own, vec![("you", "mine")])
    );
    world.event("AGENT_RESPONSE_COMPLETE", "Yes.");
    world.ends();
    assert_eq!(world.load_delay(), Some(0));
}

#[test]
fn e252_what_was_read_already_is_shown_once() {
    let mut world = World::in_thread(stored(&[("user", "hi")]));
    follow(&mut world, vec![text("hi")]);
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
    world.event("AGENT_RESPONSE_COMPLETE", "Hello.");
    world.ends();
    world.stored(stored(&[("user", "hi"), ("assistant", "Hello.")]));
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello.")]);

    // The same text once more, in the tab that posted before.
    follow(&mut world, vec![text("hi")]);
    let twice = [("you", "hi"), ("agent", "Hello."), ("you", "hi")];
    assert_eq!(world.texts()[..3], twice);

    // The thread was loaded when the agent had asked already, and the stream brings it again.
    let asked = stored_both(PENDING)[1].clone();
    let mut world = World::in_thread(json!([{"id": "m0", "role": "user", "content": "go"}, asked]));
    follow(&mut world, vec![text("go")]);
    world.asks_in(
        THERE,
        json!([request("b1", "x1", "mail"), request("b1", "x2", "call")]),
    );
    world.ends();
    assert_eq!(world.texts(), [("you", "go"), ("agent", "")]);
    assert_eq!(world.open().count_undecided(), 2);

    // The text of a stop comes after the request that it answers.
    let mut world = World::in_thread(json!([{"id": "m0", "role": "user", "content": "go"}, asked]));
    let runs = decided(&ApprovalStatus::Aborted, &["x1", "x2"]);
    follow(&mut world, vec![runs, text("go")]);
    let you = |world: &World| {
        world
            .texts()
            .iter()
            .filter(|(who, _)| *who == "you")
            .count()
    };
    assert_eq!(you(&world), 2);
}

#[test]
fn e252_a_turn_that_was_read_as_a_whole_is_shown_once_when_it_is_read_again() {
    let turn = [("user", "hi"), ("assistant", "Hello.")];
    let shown = [("you", "hi"), ("agent", "Hello.")];
    // Streamed to the end, with an error, and in part.
    for end in 0..3 {
        let mut world = World::in_thread(stored(&turn));
        follow(&mut world, vec![text("hi")]);
        match end {
            0 => world.event("AGENT_RESPONSE_COMPLETE", "Hello."),
            1 => world.event("ERROR", "No."),
            _ => world.event("AGENT_RESPONSE_CHUNK", "Hel"),
        }
        world.ends();
        world.stored(stored(&turn));
        assert_eq!(world.texts(), shown);
        assert_eq!(world.load_delay(), None, "nothing is open");
    }

    // The messages after a decision.
    let asked = stored_both("APPROVED")[1].clone();
    let done = json!({"id": "m3", "role": "assistant", "content": "Done."});
    let all = json!([{"id": "m0", "role": "user", "content": "go"}, asked, done]);
    let mut world = World::in_thread(all.clone());
    follow(
        &mut world,
        vec![decided(&ApprovalStatus::Approved, &["x1", "x2"])],
    );
    world.event("AGENT_RESPONSE_COMPLETE", "Done.");
    world.ends();
    world.stored(all);
    assert_eq!(world.texts().len(), 3);

    // Messages that are not stored stay where they were streamed.
    let mut world = World::in_thread(stored(&turn));
    follow(&mut world, vec![text("and you?")]);
    world.event("ERROR", "No.");
    world.ends();
    world.stored(stored(&[turn[0], turn[1], ("user", "and you?")]));
    assert_eq!(world.texts().len(), 4);
    assert!(matches!(world.status(3), MessageStatus::Failed(_)));
}

#[test]
fn e252_a_thread_that_is_being_read_leaves_the_turn_to_its_stream() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    follow(&mut world, vec![text("hi")]);
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    let past = [("user", "yes"), ("assistant", "No."), ("user", "hi")];
    world.stored(stored(&past));
    let all = [
        ("you", "yes"),
        ("agent", "No."),
        ("you", "hi"),
        ("agent", "Hel"),
    ];
    assert_eq!(world.texts(), all);
}

#[test]
fn e252_a_stored_request_that_the_stream_has_not_told_of_is_its_turn_too() {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    follow(&mut world, vec![text("go")]);
    world.event("AGENT_RESPONSE_CHUNK", "Fir");
    let asked = stored_both(PENDING)[1].clone();
    let all = json!([{"id": "m0", "role": "user", "content": "go"}, asked]);
    world.stored(all.clone());
    assert_eq!(world.texts(), [("you", "go"), ("agent", "Fir")]);
    world.breaks(FailureKind::Unreachable);
    world.stored(all);
    assert_eq!(world.texts().len(), 2);
    assert_eq!(*world.status(1), MessageStatus::Complete);
}

#[test]
fn e253_stop_is_stop_in_all_tabs() {
    for here in [true, false] {
        let mut world = following();
        world.event("AGENT_RESPONSE_CHUNK", "Hel");
        if here {
            world.intend(Intent::Stop);
        } else {
            world.give(Input::StreamStopped(THERE));
        }
        assert_eq!(world.commands, [Command::CancelStream(THERE)]);
        assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hel")]);
        assert_eq!(*world.status(1), interrupted(Interruption::Stopped, false));
    }
    // And in the tab that posted, whatever it shows now.
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    let (own, key) = (world.stream(), world.key());
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    world.intend(Intent::NewThread);
    world.give(Input::StreamStopped(own));
    assert_eq!(world.commands, [Command::CancelStream(own)]);
    let messages = &world.state.conversation(key).unwrap().messages;
    assert_eq!(
        messages[1].status,
        interrupted(Interruption::Stopped, false)
    );
    world.give(Input::StreamStopped(own));
    assert_eq!(world.commands, []);
}

#[test]
fn e254_what_breaks_is_read_for() {
    let mut world = following();
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    world.breaks(FailureKind::Unreachable);
    assert_eq!(*world.status(1), interrupted(Interruption::Lost, true));
    assert_eq!(world.load_delay(), Some(0));
    world.stored(stored(&[("user", "hi")]));
    assert_eq!(world.load_delay(), Some(1000));
    world.stored(stored(&[("user", "hi"), ("assistant", "Hello.")]));
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello.")]);
    assert_eq!(*world.status(1), MessageStatus::Complete);
}

#[test]
fn e255_a_post_of_which_nothing_came_is_not_shown() {
    for stops in [false, true] {
        let mut world = following();
        if stops {
            world.intend(Intent::Stop);
        } else {
            world.breaks(FailureKind::Unreachable);
        }
        assert_eq!((world.texts(), world.load_delay()), (vec![], Some(0)));
        world.stored(stored(&[("user", "hi")]));
        assert_eq!(world.texts(), [("you", "hi")]);
    }
    let mut world = asked_two();
    let runs = decided(&ApprovalStatus::Aborted, &["x1", "x2"]);
    follow(&mut world, vec![runs, text("no")]);
    world.ends();
    assert!(!world.texts().contains(&("you", "no")));
    assert_eq!(world.open().count_undecided(), 2);
}

#[test]
fn e256_decisions_of_another_tab_count_when_they_are_accepted() {
    let mut world = asked_two();
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::EditFeedback(b1(), "wait".to_owned()));
    follow(
        &mut world,
        vec![decided(&ApprovalStatus::Denied, &["x1", "x2"])],
    );
    assert!(batch(&world).is_pending());
    world.intend(Intent::SubmitFeedback(b1()));
    assert_eq!(world.posts(), 0);
    world.event("MESSAGE_RECEIVED", "");
    assert!(!batch(&world).is_pending() && batch(&world).elsewhere);
    assert!(
        batch(&world)
            .tools
            .iter()
            .all(|it| it.status == ApprovalStatus::Denied)
    );
    assert_eq!(world.open().draft, "wait");
    world.event("AGENT_RESPONSE_COMPLETE", "Nothing was done.");
    world.ends();
    world.stored(stored_both("DENIED"));
    let said = world.said.iter();
    let said = said.filter(|it| **it == Announcement::DecidedElsewhere);
    assert_eq!(said.count(), 1);
    assert_eq!(world.open().composer_state(), ComposerState::Ready);
}

#[test]
fn e256_what_another_tab_stopped_was_not_stopped_with_the_words_of_this_one() {
    let mut world = stopped("wait");
    world.breaks(FailureKind::Unreachable);
    for _ in 0..4 {
        world.stored(stored_both(PENDING));
    }
    assert!(batch(&world).is_deciding());
    follow(
        &mut world,
        vec![
            decided(&ApprovalStatus::Aborted, &["x1", "x2"]),
            text("not like this"),
        ],
    );
    world.event("MESSAGE_RECEIVED", "");
    assert!(!batch(&world).is_pending() && batch(&world).elsewhere);
    assert_eq!(world.open().draft, "wait");
}

#[test]
fn e324_what_is_changed_here_is_not_what_another_tab_approved() {
    let mut world = asked_two();
    let run = &batch(&world).tools[0];
    let edited = json!({ "to": "ann" }).to_string();
    let intent = Intent::EditArguments(b1(), run.version, Some(edited), true);
    world.intend(intent);
    let approved = decided(&ApprovalStatus::Approved, &["x1", "x2"]);
    follow(&mut world, vec![approved]);
    world.event("MESSAGE_RECEIVED", "");
    let run = &batch(&world).tools[0];
    assert_eq!(run.status, ApprovalStatus::Approved);
    assert_eq!(run.edited, None);
}

#[test]
fn e256_a_part_of_the_decisions_can_be_answered_nowhere() {
    let mut world = asked_two();
    follow(
        &mut world,
        vec![decided(&ApprovalStatus::Approved, &["x1"])],
    );
    world.event("MESSAGE_RECEIVED", "");
    assert!(batch(&world).is_pending() && !batch(&world).is_deciding());
}

#[test]
fn e257_the_page_is_told_nothing_of_it() {
    let mut world = following();
    world.event("MESSAGE_RECEIVED", "");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 0);
    world.ends();
    assert_eq!(page_events(&world).len(), 0);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);

    let mut world = following();
    world.event("AGENT_RESPONSE_COMPLETE", "Hello.");
    world.ends();
    follow(&mut world, vec![text("again")]);
    world.event("ERROR", "no");
    world.ends();
    assert_eq!(page_events(&world).len(), 0);
}

#[test]
fn e258_a_thread_that_was_deleted_in_another_tab_is_gone() {
    let mut world = World::in_thread(json!([]));
    world.listed(json!([{"id": "t1"}, {"id": "t2"}]));
    follow(&mut world, vec![text("hi")]);
    world.intend(Intent::EditDraft("typed".to_owned()));
    world.give(Input::ThreadGone("t1".into()));
    assert!(world.commands.contains(&Command::CancelStream(THERE)));
    assert_eq!(world.state.threads.rows.len(), 1);
    assert_eq!(
        (world.open().thread_id(), world.open().draft.as_str()),
        (None, "typed")
    );
    assert!(
        !world
            .commands
            .iter()
            .any(|it| matches!(it, Command::DeleteThread { .. }))
    );

    // The host page's request is settled.
    let mut world = World::new();
    world.listed(json!([{"id": "t1"}]));
    let id = RequestId(1);
    world.give(Input::Request(id, PageRequest::DeleteThread("t1".into())));
    world.give(Input::ThreadGone("t1".into()));
    assert!(world.commands.contains(&Command::Resolve(id, Ok(()))));

    // The draft may have moved to the new conversation before.
    let mut world = World::new();
    world.intend(Intent::EditDraft("typed".to_owned()));
    world.intend(Intent::OpenThread("t1".into()));
    world.intend(Intent::EditDraft("typed".to_owned()));
    world.give(Input::ThreadGone("t1".into()));
    assert_eq!(world.open().draft, "typed");
}

#[test]
fn e259_what_waits_is_a_draft_again() {
    let mut world = asked_two();
    world.send("and then?");
    assert!(world.open().is_asking);
    follow(
        &mut world,
        vec![decided(&ApprovalStatus::Denied, &["x1", "x2"])],
    );
    assert_eq!(
        (world.open().is_asking, world.open().draft.as_str()),
        (false, "and then?")
    );

    let mut world = asked_two();
    world.send("and then?");
    world.intend(Intent::SendAfterwards);
    follow(
        &mut world,
        vec![decided(&ApprovalStatus::Denied, &["x1", "x2"])],
    );
    assert_eq!(world.open().draft, "");
    world.event("AGENT_RESPONSE_COMPLETE", "Nothing was done.");
    world.ends();
    assert_eq!(
        (world.posts(), world.open().draft.as_str()),
        (0, "and then?")
    );
}

#[test]
fn e341_a_request_in_a_stream_of_another_tab_is_announced() {
    let mut world = following();
    world.event("MESSAGE_RECEIVED", "");
    world.asks(json!([request("b1", "x1", "mail")]));
    let needed = Announcement::ApprovalNeeded {
        tools: vec!["mail".to_owned()],
        elsewhere: None,
    };
    assert_eq!(world.said.iter().filter(|said| **said == needed).count(), 1);
    assert_eq!(world.state.undecided_by_thread(), [("t1".into(), 1)]);
}
