//! E20 to E31: the draft, and sending a message to the service.

use assent_conversation::{
    Change, Command, ComposerState, Failure, FailureKind, Input, Intent, MessageStatus, Millis,
    ThreadBinding, Verdict,
};
use assent_protocol::ContentItem;
use serde_json::json;

use crate::world::{World, failed, request, thread_of};

fn creation_fails(world: &mut World) {
    world.give(Input::ThreadCreated {
        conversation: world.key(),
        result: Err(Failure::of(FailureKind::Unreachable)),
    });
}

/// Returns a thread in which the message "one" was refused.
fn refused() -> World {
    let mut world = World::in_thread(json!([]));
    world.send("one");
    world.breaks(FailureKind::Rejected);
    world
}

#[test]
fn e20_a_first_message_makes_the_thread_then_is_posted_and_answered() {
    let mut world = World::new();
    world.listed(json!([{"id": "t0", "lastMessageTime": "1970-01-01T00:00:01Z"}]));
    world.send("  Hello ");
    let command = Command::CreateThread {
        conversation: world.key(),
        content: world.content(0),
    };
    assert_eq!(world.commands, [command]);
    assert!(world.changes.contains(&Change::Draft(world.key())));
    assert_eq!(world.status(0), &MessageStatus::Sending);
    assert_eq!(world.message(0).time, Some(Millis(world.now)));
    assert_eq!(world.open().draft, "");
    world.created(json!({"id": "t1"}));
    assert_eq!(world.open().thread, ThreadBinding::Bound("t1".into()));
    assert_eq!(world.state.threads.rows[0].id, "t1".into());
    let post = Command::Post {
        stream: world.stream(),
        thread: "t1".into(),
        content: vec![ContentItem::Text("Hello".to_owned())],
        is_proposal: false,
        key: None,
        summary: None,
    };
    let remember = Command::RememberThread(Some("t1".into()));
    assert_eq!(world.commands, [remember, post]);
    world.opened();
    world.event("MESSAGE_RECEIVED", "Hello");
    world.event("AGENT_RESPONSE_CHUNK", "Hi ");
    world.event("AGENT_RESPONSE_CHUNK", "there");
    assert_eq!(world.texts(), [("you", "Hello"), ("agent", "Hi there")]);
    world.event("AGENT_RESPONSE_COMPLETE", "Hi there.");
    world.ends();
    assert_eq!(world.texts(), [("you", "Hello"), ("agent", "Hi there.")]);
    assert_eq!(world.open().composer_state(), ComposerState::Ready);
}

#[test]
fn e21_a_blank_draft_is_not_sent() {
    let mut world = World::new();
    world.send(" \n ");
    assert_eq!((world.commands.len(), world.changes.len()), (0, 0));
    assert_eq!(world.open().draft, " \n ");
}

#[test]
fn e22_nothing_is_sent_while_something_is_under_way() {
    let check = |world: &mut World, composer: ComposerState| {
        assert_eq!(world.open().composer_state(), composer);
        let before = world.open().messages.len();
        world.send("more");
        assert_eq!(world.commands, []);
        assert_eq!(world.open().messages.len(), before);
        let is_queued = world.queued().contains(&"more");
        assert_eq!(is_queued, composer == ComposerState::Streaming);
        assert_eq!(world.open().draft.is_empty(), is_queued);
        world.intend(Intent::EditDraft(String::new()));
        if let Some(queued) = world.open().queued.first() {
            world.intend(Intent::RemoveQueued(queued.key));
        }
    };
    let mut world = World::new();
    world.send("hi");
    check(&mut world, ComposerState::Streaming);
    world.created(json!({"id": "t1"}));
    check(&mut world, ComposerState::Streaming);
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    check(&mut world, ComposerState::AwaitingApproval);
}

#[test]
fn e23_a_thread_that_could_not_be_made_fails_the_message() {
    let mut world = World::new();
    world.send("hi");
    creation_fails(&mut world);
    assert_eq!(world.status(0), &failed(FailureKind::Unreachable));
    assert_eq!(world.open().thread, ThreadBinding::None);
    assert_eq!(world.open().composer_state(), ComposerState::Ready);
    world.intend(Intent::RetryMessage(world.message(0).key));
    let command = Command::CreateThread {
        conversation: world.key(),
        content: world.content(0),
    };
    assert_eq!(world.commands, [command]);
    world.created(json!({"id": "t1"}));
    assert_eq!(world.posts(), 1);
}

#[test]
fn e24_stop_while_the_thread_is_made_posts_nothing() {
    let mut world = World::new();
    world.send("hi");
    world.intend(Intent::Stop);
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
    assert_eq!(world.open().composer_state(), ComposerState::Ready);
    world.created(json!({"id": "t1"}));
    assert_eq!(world.open().thread, ThreadBinding::Bound("t1".into()));
    assert_eq!(world.posts(), 0);
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
    world.intend(Intent::RetryMessage(world.message(0).key));
    assert_eq!(world.posts(), 1);
}

#[test]
fn e25_a_conversation_behind_goes_on() {
    let mut world = World::new();
    let behind = world.key();
    world.send("hi");
    world.intend(Intent::OpenThread("t2".into()));
    world.give(Input::ThreadCreated {
        conversation: behind,
        result: Ok(thread_of(json!({"id": "t1"}))),
    });
    assert_eq!(world.posts(), 1);
    assert_eq!(world.commands.len(), 1, "nothing is remembered");
    let stream = world
        .state
        .conversation(behind)
        .unwrap()
        .stream()
        .cloned()
        .unwrap();
    let event = crate::world::event("e1", "AGENT_RESPONSE_COMPLETE", "Hello", None);
    world.give(Input::StreamEvent(stream.id, Box::new(event)));
    assert_eq!(
        world.state.conversation(behind).unwrap().messages[1].text,
        "Hello"
    );
    assert_eq!(world.said, []);
}

#[test]
fn e26_a_message_that_fails_behind_becomes_a_draft() {
    let mut world = World::new();
    let behind = world.key();
    world.send("hi");
    world.intend(Intent::OpenThread("t2".into()));
    world.give(Input::ThreadCreated {
        conversation: behind,
        result: Err(Failure::of(FailureKind::Unreachable)),
    });
    world.intend(Intent::NewThread);
    assert_eq!(world.key(), behind);
    assert_eq!(
        (world.open().draft.as_str(), world.texts().len()),
        ("hi", 0)
    );
}

#[test]
fn e27_a_thread_that_cannot_be_used_was_not_made() {
    let mut world = World::new();
    world.send("hi");
    world.created(json!({"id": ""}));
    assert_eq!(world.status(0), &failed(FailureKind::Unreadable));

    let mut world = World::in_thread(json!([]));
    world.intend(Intent::NewThread);
    world.send("hi");
    world.created(json!({"id": "t1"}));
    assert_eq!(world.status(0), &failed(FailureKind::NotDelivered));
    assert_eq!(world.posts(), 0);
}

#[test]
fn e28_a_message_tried_again_goes_to_the_end() {
    let mut world = refused();
    world.send("two");
    world.event("AGENT_RESPONSE_COMPLETE", "Two!");
    world.ends();
    assert_eq!(
        world.texts(),
        [("you", "one"), ("you", "two"), ("agent", "Two!")]
    );
    let (one, two) = (world.message(0).key, world.message(1).key);
    world.intend(Intent::RetryMessage(two));
    assert_eq!(world.commands, [], "it was sent");
    world.now += 5_000;
    world.intend(Intent::RetryMessage(one));
    assert_eq!(world.posts(), 1);
    assert_eq!(world.message(2).key, one);
    assert_eq!(world.message(2).time, Some(Millis(world.now)));
    assert_eq!(world.status(2), &MessageStatus::Sending);
    world.intend(Intent::RetryMessage(one));
    assert_eq!(world.commands, [], "it is under way");
}

#[test]
fn e29_a_dismissed_message_goes_back_into_the_composer() {
    let mut world = refused();
    world.intend(Intent::EditDraft("typed".to_owned()));
    world.intend(Intent::DismissMessage(world.message(0).key));
    assert_eq!(world.open().draft, "one\n\ntyped");
    assert!(world.changes.contains(&Change::Draft(world.key())));
    assert_eq!(world.open().messages, []);

    world.intend(Intent::Send);
    world.event("ERROR", "broke");
    world.intend(Intent::DismissMessage(world.message(1).key));
    assert_eq!(world.open().messages.len(), 2, "its stream still runs");
    world.ends();
    world.intend(Intent::DismissMessage(world.message(0).key));
    assert_eq!(world.open().messages.len(), 2, "it was sent");
    world.intend(Intent::DismissMessage(world.message(1).key));
    assert_eq!(world.open().messages.len(), 1);
    assert_eq!(world.open().draft, "");
}

#[test]
fn e29_a_failed_answer_that_asks_for_something_stays() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_CHUNK", "May");
    world.event("ERROR", "broke");
    world.ends();
    world.intend(Intent::ReloadMessages);
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "May I?", "toolExecutionHumanApprovalRequest": [
            {"toolExecutionId": "x1", "executionBatchId": "b1"},
        ]},
    ]));
    assert!(matches!(world.status(1), MessageStatus::Failed(_)));
    world.intend(Intent::DismissMessage(world.message(1).key));
    assert_eq!(world.message(1).approvals.len(), 1);
}

#[test]
fn e30_an_unknown_outcome_can_be_dismissed_once_unchecked() {
    let mut world = World::in_thread(json!([]));
    world.send("one");
    world.breaks(FailureKind::Unreachable);
    let key = world.message(0).key;
    world.intend(Intent::DismissMessage(key));
    assert_eq!(world.open().messages.len(), 1);
    world.not_stored(FailureKind::Unreachable);
    world.intend(Intent::RetryMessage(key));
    assert_eq!(world.posts(), 0, "it may have arrived");
    world.intend(Intent::DismissMessage(key));
    assert_eq!(
        (world.open().draft.as_str(), world.texts().len()),
        ("one", 0)
    );
}

#[test]
fn e31_a_second_thread_is_only_a_row() {
    let mut world = World::new();
    world.send("hi");
    world.created(json!({"id": "t1", "threadName": "First"}));
    world.created(json!({"id": "t2", "threadName": "Second"}));
    assert_eq!(world.open().thread, ThreadBinding::Bound("t1".into()));
    assert_eq!(world.row_names(), ["Second", "First"]);
    assert_eq!(world.posts(), 0);
}

#[test]
fn e289_the_question_of_a_failed_answer_is_asked_once_more() {
    let fails = |world: &mut World| {
        world.opened();
        world.event("ERROR", "No model");
    };
    let retry = |world: &mut World, at: usize| {
        world.commands.clear();
        world.intend(Intent::RetryMessage(world.message(at).key));
        world.posts()
    };
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    fails(&mut world);
    assert_eq!(retry(&mut world, 1), 0, "the stream has not ended");
    world.ends();
    let (question, content) = (world.message(0).key, world.content(0));
    assert_eq!(
        world.open().unanswered_message(world.message(1).key),
        Some(world.message(0))
    );
    assert_eq!(retry(&mut world, 1), 1);
    assert_eq!(world.texts(), [("you", "hi"), ("you", "hi")]);
    assert_eq!(world.content(1), content);
    assert_ne!(world.message(1).key, question);
    assert_eq!(world.open().draft, "");

    // It fails again, and something else is asked: then it is not the last one.
    fails(&mut world);
    world.ends();
    let failed = world.message(2).key;
    world.send("bye");
    assert_eq!(world.open().unanswered_message(failed), None);
    world.event("AGENT_RESPONSE_COMPLETE", "Bye");
    world.ends();
    assert_eq!(retry(&mut world, 2), 0);
    assert_eq!(world.open().messages.len(), 5);

    // One that failed after a decision: the question would be asked from its beginning.
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    world.decide_all("b1".into(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions("b1".into()));
    fails(&mut world);
    world.ends();
    let last = world.open().messages.len() - 1;
    assert_eq!(
        world.status(last),
        &MessageStatus::Failed(Failure {
            message: Some("No model".to_owned()),
            ..Failure::of(FailureKind::Agent)
        })
    );
    assert_eq!(retry(&mut world, last), 0);
}

#[test]
fn e302_the_question_of_a_stopped_answer_is_asked_once_more() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    let answer = world.message(1).key;
    assert_eq!(
        world.open().unanswered_message(answer),
        None,
        "it is being written"
    );
    world.intend(Intent::Stop);
    world.intend(Intent::RetryMessage(answer));
    assert_eq!(world.posts(), 1);
    assert_eq!(
        world.texts(),
        [("you", "hi"), ("agent", "Hel"), ("you", "hi")]
    );

    let mut lost = World::in_thread(json!([]));
    lost.send("hi");
    lost.event("AGENT_RESPONSE_CHUNK", "Hel");
    lost.breaks(FailureKind::Unreachable);
    let answer = lost.message(1).key;
    assert_eq!(
        lost.open().unanswered_message(answer),
        None,
        "the rest is looked for"
    );
}
