//! E210 to E212: the host page's suggestions to begin a conversation with.

use assent_conversation::{
    Change, Command, ComposerState, Failure, FailureKind, Input, Intent, MessageStatus,
    ThreadBinding, UploadId,
};
use serde_json::json;

use crate::world::{World, failed};

fn suggest(world: &mut World, text: &str) {
    world.intend(Intent::SendSuggestion(text.to_owned()));
}

/// Checks that nothing is sent.
fn refuses(world: &mut World) {
    let before = world.state.clone();
    suggest(world, "Where is my order?");
    assert_eq!((world.commands.len(), world.changes.len()), (0, 0));
    assert_eq!(world.state, before);
}

#[test]
fn e210_a_suggestion_is_sent_as_the_first_message_and_the_draft_stays() {
    let mut world = World::new();
    world.intend(Intent::EditDraft("I would like".to_owned()));
    world.intend(Intent::AttachFile {
        batch: None,
        upload: UploadId(1),
        name: "1.pdf".to_owned(),
        size: 7,
    });
    suggest(&mut world, " Where is my order? ");
    assert_eq!(world.texts(), [("you", "Where is my order?")]);
    assert_eq!(world.status(0), &MessageStatus::Sending);
    assert!(world.message(0).files.is_empty());
    let create = Command::CreateThread {
        conversation: world.key(),
        content: world.content(0),
    };
    assert_eq!(world.commands, [create]);
    assert!(!world.changes.contains(&Change::Draft(world.key())));
    world.created(json!({"id": "t1"}));
    assert_eq!(world.posts(), 1);
    world.event("MESSAGE_RECEIVED", "Where is my order?");
    world.event("AGENT_RESPONSE_COMPLETE", "On its way.");
    world.ends();
    assert_eq!(world.open().composer_state(), ComposerState::Ready);
    assert_eq!(world.open().draft, "I would like");
    assert_eq!(world.open().files.len(), 1);
}

#[test]
fn e211_a_suggestion_is_sent_once_and_only_where_there_is_no_message() {
    let mut world = World::new();
    suggest(&mut world, "Where is my order?");
    refuses(&mut world);
    world.created(json!({"id": "t1"}));
    refuses(&mut world);
    world.breaks(FailureKind::Unreachable);
    refuses(&mut world);

    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    refuses(&mut world);
    world.stored(json!([{"id": "m1", "role": "user", "content": "hi"}]));
    refuses(&mut world);

    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.not_stored(FailureKind::Service);
    refuses(&mut world);

    let mut world = World::new();
    suggest(&mut world, " \n ");
    assert_eq!((world.commands.len(), world.changes.len()), (0, 0));
}

#[test]
fn e212_a_suggestion_that_was_not_sent_is_a_message_like_any_other() {
    let mut world = World::new();
    world.intend(Intent::EditDraft("I would like".to_owned()));
    suggest(&mut world, "Where is my order?");
    world.give(Input::ThreadCreated {
        conversation: world.key(),
        result: Err(Failure::of(FailureKind::Unreachable)),
    });
    assert_eq!(world.status(0), &failed(FailureKind::Unreachable));
    let key = world.message(0).key;
    world.intend(Intent::RetryMessage(key));
    assert_eq!(world.commands.len(), 1);
    world.intend(Intent::Stop);
    world.intend(Intent::DismissMessage(key));
    assert_eq!(world.open().draft, "Where is my order?\n\nI would like");
    assert_eq!(world.open().thread, ThreadBinding::None);
    assert!(world.open().is_known_empty());
    suggest(&mut world, "Where is my order?");
    assert_eq!(world.texts(), [("you", "Where is my order?")]);

    let mut world = World::in_thread(json!([]));
    suggest(&mut world, "hi");
    assert_eq!(world.posts(), 1, "a thread without messages takes one, too");
    world.intend(Intent::NewThread);
    suggest(&mut world, "hi");
    assert_eq!(world.texts(), [("you", "hi")], "and a new conversation");
}
