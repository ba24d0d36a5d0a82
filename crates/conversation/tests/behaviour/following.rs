//! E311 to E317: answers that this page did not ask for, or does not read any more.

use assent_conversation::{
    Command, ComposerState, Failure, FailureKind, Input, Intent, Interruption, MessageStatus,
    Millis, PageEvent, PostStatus, StreamEnd, StreamId, UnsentMessage,
};
use serde_json::{Value, json};

use crate::asking::{PENDING, stored_both};
use crate::world::{World, request};

/// Returns the stored messages of a thread in which somebody asked.
fn asked() -> Value {
    json!([{"id": "m1", "role": "user", "content": "hi"}])
}

/// Returns the same with the whole answer.
fn answered() -> Value {
    json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "Hello there."},
    ])
}

/// Takes stored messages from the last load while an answer is being written.
fn stored_while_answering(world: &mut World, stored: Value, after: &str) {
    world.now = world.now.max(world.open().load_due.0);
    world.give(Input::MessagesWhileAnswering {
        conversation: world.key(),
        load: world.load(),
        stored: serde_json::from_value(stored).unwrap(),
        after: after.to_owned(),
    });
}

/// Returns a thread that was opened while its answer is being written.
fn following() -> World {
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    stored_while_answering(&mut world, asked(), "r1/0");
    world
}

fn follows(world: &World, after: &str) -> Option<StreamId> {
    world.commands.iter().find_map(|command| match command {
        Command::Follow {
            stream,
            after: event,
            ..
        } if event == after => Some(*stream),
        _ => None,
    })
}

fn loads(world: &World) -> usize {
    let loads = |it: &&Command| matches!(it, Command::LoadMessages { .. });
    world.commands.iter().filter(loads).count()
}

/// Returns how often the page was told of an answer, a request for approval or a failure.
fn reports(world: &World) -> usize {
    let is_report = |it: &&Command| {
        let Command::NotifyPage(event) = it else {
            return false;
        };
        matches!(
            event,
            PageEvent::AnswerComplete { .. }
                | PageEvent::ApprovalRequested { .. }
                | PageEvent::Failed(_)
        )
    };
    world.done.iter().filter(is_report).count()
}

/// Returns what is kept of a message that a closed page posted.
fn left_behind(status: PostStatus) -> UnsentMessage {
    UnsentMessage {
        thread: Some("t1".into()),
        text: "hi".to_owned(),
        files: Vec::new(),
        at: Millis(5),
        older: 0,
        key: None,
        status,
    }
}

#[test]
fn e311_an_answer_that_is_being_written_is_shown_like_an_own_one() {
    let mut world = following();
    assert_eq!(follows(&world, "r1/0"), Some(world.stream()));
    assert_eq!(world.open().composer_state(), ComposerState::Streaming);
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
    world.event("NOTIFICATION_TASK_STARTED", "Looking");
    world.event("AGENT_RESPONSE_CHUNK", "Hello");
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);
    assert_eq!(world.message(1).activity.steps.len(), 1);
    assert_eq!(*world.status(1), MessageStatus::Streaming);
    world.send("next");
    assert_eq!(world.queued(), ["next"]);
    world.event("AGENT_RESPONSE_COMPLETE", "Hello there.");
    world.ends();
    // The next one is sent, and what is stored is loaded when that has its answer.
    assert_eq!(world.texts()[2], ("you", "next"));
    assert_eq!(loads(&world), 0);
    world.event("AGENT_RESPONSE_COMPLETE", "Bye.");
    world.ends();
    assert_eq!(loads(&world), 1);
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "Hello there."},
        {"id": "m3", "role": "user", "content": "next"},
        {"id": "m4", "role": "assistant", "content": "Bye."},
    ]));
    assert_eq!(world.open().messages.len(), 4);
    assert_eq!(world.message(1).activity.steps.len(), 1);
}

#[test]
fn e311_it_asks_for_approval_and_can_be_stopped() {
    let mut world = following();
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    assert_eq!(
        world.open().composer_state(),
        ComposerState::AwaitingApproval
    );

    let mut world = following();
    world.give(Input::CancelOffered(true));
    world.event("AGENT_RESPONSE_CHUNK", "Hello");
    world.intend(Intent::Stop);
    assert_eq!(world.commands, [Command::CancelAnswer("t1".into())]);
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.ends();
    assert_eq!(*world.status(1), MessageStatus::Complete);
}

#[test]
fn e312_what_came_before_gives_way_to_the_same_that_comes_again() {
    // The connection broke for good, and part of the answer is stored.
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_COMPLETE", "First.");
    world.event("NOTIFICATION_TASK_STARTED", "");
    world.event_of("AGENT_RESPONSE_CHUNK", "Sec", Some(("b", "B")));
    world.breaks(FailureKind::Unreachable);
    assert_eq!(
        world.texts(),
        [("you", "hi"), ("agent", "First."), ("agent", "Sec")]
    );
    let stored = json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "First."},
    ]);
    stored_while_answering(&mut world, stored, "r1/3");
    assert!(follows(&world, "r1/3").is_some());
    assert_eq!(
        world.texts(),
        [("you", "hi"), ("agent", "First."), ("agent", "")]
    );
    world.event_of("AGENT_RESPONSE_CHUNK", "Second.", Some(("b", "B")));
    world.event_of("AGENT_RESPONSE_COMPLETE", "Second.", Some(("b", "B")));
    world.ends();
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "First."},
        {"id": "m3", "role": "assistant", "content": "Second."},
    ]));
    assert_eq!(
        world.texts(),
        [("you", "hi"), ("agent", "First."), ("agent", "Second.")]
    );
}

#[test]
fn e312_the_message_of_a_closed_page_is_not_waited_for_beside_it() {
    for status in [PostStatus::Posted, PostStatus::Accepted] {
        for is_first in [true, false] {
            let mut world = World::new();
            if is_first {
                world.give(Input::Unsent(vec![left_behind(status)]));
            }
            world.intend(Intent::OpenThread("t1".into()));
            stored_while_answering(&mut world, asked(), "r1/0");
            if !is_first {
                world.give(Input::Unsent(vec![left_behind(status)]));
            }
            assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
            assert_eq!(*world.status(1), MessageStatus::Streaming);
            world.event("AGENT_RESPONSE_COMPLETE", "Hello there.");
            world.ends();
            world.stored(answered());
            assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello there.")]);
            assert_eq!(reports(&world), usize::from(is_first));
        }
    }
}

#[test]
fn e313_what_ends_early_is_looked_up_and_not_followed_again_by_itself() {
    let lost = StreamEnd::Failed(Failure::of(FailureKind::NotFound));
    for end in [StreamEnd::Closed, lost] {
        let mut world = following();
        let said = world.said.len();
        world.give(Input::StreamEnded(world.stream(), end.clone()));
        assert_eq!(loads(&world), 1);
        if end == StreamEnd::Closed {
            // It had ended when it was asked for, and nobody has to know.
            assert_eq!(world.texts(), [("you", "hi")]);
            assert_eq!(world.said.len(), said);
        } else {
            let checked = MessageStatus::Interrupted {
                by: Interruption::Lost,
                checking: true,
            };
            assert_eq!(*world.status(1), checked);
        }
        // At the same place nothing is to be had.
        stored_while_answering(&mut world, asked(), "r1/0");
        assert_eq!(follows(&world, "r1/0"), None);
        assert!(world.open().stream().is_none());
        assert_eq!(loads(&world), usize::from(end != StreamEnd::Closed));
        if end == StreamEnd::Closed {
            world.give(Input::MessagesChanged("t1".into()));
        }
        stored_while_answering(&mut world, asked(), "r1/4");
        assert!(follows(&world, "r1/4").is_some());
        assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
    }
}

#[test]
fn e313_it_is_followed_again_once_the_user_or_the_network_is_back() {
    let again: [fn(&mut World); 3] = [
        |world| world.intend(Intent::ReloadMessages),
        |world| world.intend(Intent::OpenThread("t1".into())),
        |world| {
            world.give(Input::Online(false));
            world.give(Input::Online(true));
        },
    ];
    for again in again {
        let mut world = following();
        world.event("AGENT_RESPONSE_CHUNK", "Hel");
        world.breaks(FailureKind::Unreachable);
        while world.open().last_load.is_some() {
            world.now = world.now.max(world.open().load_due.0);
            world.not_stored(FailureKind::Unreachable);
        }
        let lost = MessageStatus::Interrupted {
            by: Interruption::Lost,
            checking: false,
        };
        assert_eq!(*world.status(1), lost);
        again(&mut world);
        stored_while_answering(&mut world, asked(), "r1/0");
        assert!(follows(&world, "r1/0").is_some());
        assert_eq!(world.texts(), [("you", "hi"), ("agent", "")]);
    }
}

#[test]
fn e314_one_stream_at_a_time_in_the_conversation_that_is_shown() {
    // It is shown no more when its messages come.
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    let (conversation, load) = (world.key(), world.load());
    world.intend(Intent::NewThread);
    world.give(Input::MessagesWhileAnswering {
        conversation,
        load,
        stored: Vec::new(),
        after: "r1/0".to_owned(),
    });
    assert_eq!(world.commands, []);

    // The stream of a post is this answer.
    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.send("hi");
    let own = world.stream();
    stored_while_answering(&mut world, asked(), "r1/0");
    assert_eq!(world.stream(), own);

    // One that stays open behind its answer does not keep anybody from the next one.
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello there.");
    let late = world.stream();
    world.now += 1000;
    world.give(Input::Waited(late));
    assert_eq!(world.open().late_streams().count(), 1);
    world.give(Input::MessagesChanged("t1".into()));
    let mut stored = answered();
    let next = json!({"id": "m3", "role": "user", "content": "and?"});
    stored.as_array_mut().unwrap().push(next);
    stored_while_answering(&mut world, stored, "r2/0");
    assert!(world.commands.contains(&Command::CloseStream(late)));
    assert!(follows(&world, "r2/0").is_some());
    let texts: Vec<&str> = world.texts().iter().map(|it| it.1).collect();
    assert_eq!(texts, ["hi", "Hello there.", "and?", ""]);
}

#[test]
fn e315_what_the_user_stopped_is_not_followed_again() {
    let mut world = following();
    world.event("AGENT_RESPONSE_CHUNK", "Hello");
    let stream = world.stream();
    world.intend(Intent::Stop);
    assert_eq!(world.commands, [Command::CancelStream(stream)]);
    let stopped = MessageStatus::Interrupted {
        by: Interruption::Stopped,
        checking: false,
    };
    assert_eq!(*world.status(1), stopped);
}

#[test]
fn e316_a_thread_in_which_another_page_wrote_is_loaded_if_it_is_shown() {
    let mut world = World::in_thread(answered());
    world.give(Input::MessagesChanged("t2".into()));
    assert_eq!(loads(&world), 0);
    world.give(Input::MessagesChanged("t1".into()));
    assert_eq!(loads(&world), 1);
    world.stored(answered());
    // While an answer is being written, its end is waited for.
    world.send("and?");
    world.event("AGENT_RESPONSE_CHUNK", "Yes");
    world.give(Input::MessagesChanged("t1".into()));
    assert_eq!(loads(&world), 0);
    world.event("AGENT_RESPONSE_COMPLETE", "Yes");
    world.ends();
    assert_eq!(loads(&world), 1);
}

#[test]
fn e317_a_page_is_told_of_what_was_waited_for_on_its_device() {
    let failing: [fn(&mut World); 3] = [
        |world| world.event("AGENT_RESPONSE_COMPLETE", "Hello there."),
        |world| world.event("ERROR", "Broken."),
        |world| world.asks(json!([request("b1", "x1", "mail")])),
    ];
    for come in failing {
        let mut world = following();
        come(&mut world);
        world.ends();
        assert_eq!(reports(&world), 0, "the page that posted is told");

        // It was decided on another page.
        let mut world = World::in_thread(stored_both(PENDING));
        world.give(Input::MessagesChanged("t1".into()));
        let decided = stored_both("APPROVED");
        stored_while_answering(&mut world, decided, "r1/0");
        come(&mut world);
        world.ends();
        assert_eq!(reports(&world), 0, "the page that decided is told");

        let mut world = World::in_thread(json!([]));
        world.send("hi");
        world.event("AGENT_RESPONSE_CHUNK", "Hel");
        world.breaks(FailureKind::Unreachable);
        stored_while_answering(&mut world, asked(), "r1/0");
        come(&mut world);
        world.ends();
        assert_eq!(reports(&world), 1);
    }
}
