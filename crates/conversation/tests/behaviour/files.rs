//! E150 to E154: files that go with a stop.

use assent_conversation::{
    AttachmentState, BatchPhase, Command, FailureKind, Feedback, FileRef, Input, Intent, UploadId,
    Verdict,
};
use assent_protocol::ContentItem;
use serde_json::json;

use crate::asking::{asked_two, b1, batch, decide, stored_asking};
use crate::world::World;

/// Returns a batch that is being stopped, with this text.
fn stopping(words: &str) -> World {
    let mut world = asked_two();
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::EditFeedback(b1(), words.to_owned()));
    world
}

fn attach(world: &mut World, upload: u32) {
    world.intend(Intent::AttachFile {
        batch: Some(b1()),
        upload: UploadId(upload),
        name: format!("{upload}.png"),
        size: 7,
    });
}

fn uploaded(world: &mut World, upload: u32, file: FileRef) {
    world.give(Input::Uploaded(UploadId(upload), Ok(file)));
}

fn fails(world: &mut World, upload: u32) {
    world.give(Input::Uploaded(
        UploadId(upload),
        Err("too large".to_owned()),
    ));
}

fn feedback(world: &World) -> Option<&Feedback> {
    match &batch(world).phase {
        BatchPhase::Deciding { feedback, .. } => feedback.as_ref(),
        _ => None,
    }
}

fn states(world: &World) -> Vec<AttachmentState> {
    let files = &feedback(world).unwrap().files;
    files.iter().map(|file| file.state.clone()).collect()
}

fn posted(world: &World) -> Option<&[ContentItem]> {
    world.commands.iter().find_map(|command| match command {
        Command::Post { content, .. } => Some(content.as_slice()),
        _ => None,
    })
}

const UPLOAD: Command = Command::Upload(UploadId(1));
const CANCEL: Command = Command::CancelUpload(UploadId(1));

#[test]
fn e150_a_file_is_uploaded_at_once_and_again_if_that_fails() {
    let mut world = stopping("");
    attach(&mut world, 1);
    assert_eq!(world.commands, [UPLOAD]);
    let file = &feedback(&world).unwrap().files[0];
    assert_eq!((file.name.as_str(), file.size), ("1.png", 7));
    world.give(Input::UploadProgress(UploadId(1), 40));
    assert_eq!(states(&world), [AttachmentState::Uploading(40)]);
    world.give(Input::UploadProgress(UploadId(1), 255));
    assert_eq!(states(&world), [AttachmentState::Uploading(100)]);
    world.intend(Intent::RetryFile(Some(b1()), UploadId(1)));
    assert_eq!(world.commands, [], "it is on its way");
    fails(&mut world, 1);
    let failed = AttachmentState::Failed("too large".to_owned());
    assert_eq!(states(&world), [failed]);
    world.give(Input::UploadProgress(UploadId(1), 50));
    uploaded(&mut world, 1, FileRef::Image("late".to_owned()));
    assert!(matches!(states(&world)[0], AttachmentState::Failed(_)));
    world.intend(Intent::RetryFile(Some(b1()), UploadId(1)));
    assert_eq!(world.commands, [UPLOAD]);
    assert_eq!(states(&world), [AttachmentState::Uploading(0)]);
    uploaded(&mut world, 1, FileRef::Image("img".to_owned()));
    let there = AttachmentState::Uploaded(FileRef::Image("img".to_owned()));
    assert_eq!(states(&world), [there]);
    world.intend(Intent::RetryFile(Some(b1()), UploadId(1)));
    assert_eq!(world.commands, []);
}

#[test]
fn e151_feedback_is_sent_with_all_its_files_or_not_yet() {
    let mut world = stopping(" look ");
    for upload in [1, 2, 3] {
        attach(&mut world, upload);
    }
    uploaded(&mut world, 2, FileRef::Document("doc".to_owned()));
    uploaded(&mut world, 1, FileRef::Image("img".to_owned()));
    world.intend(Intent::SubmitFeedback(b1()));
    assert_eq!(world.posts(), 0, "one is on its way");
    fails(&mut world, 3);
    world.intend(Intent::SubmitFeedback(b1()));
    assert_eq!(world.posts(), 0, "one has failed");
    world.intend(Intent::RemoveFile(Some(b1()), UploadId(3)));
    assert_eq!(world.commands, [Command::CancelUpload(UploadId(3))]);
    world.intend(Intent::RemoveFile(Some(b1()), UploadId(3)));
    assert_eq!(world.commands, []);
    world.intend(Intent::SubmitFeedback(b1()));
    let rest = [
        ContentItem::Text("look".to_owned()),
        ContentItem::Image("img".to_owned()),
        ContentItem::Document("doc".to_owned()),
    ];
    assert_eq!(
        posted(&world).unwrap()[1..],
        rest,
        "in the order of choosing"
    );

    let mut world = stopping("");
    attach(&mut world, 1);
    uploaded(&mut world, 1, FileRef::Image("img".to_owned()));
    world.intend(Intent::SubmitFeedback(b1()));
    let image = [ContentItem::Image("img".to_owned())];
    assert_eq!(posted(&world).unwrap()[1..], image);
    assert_eq!(world.open().messages.len(), 2, "files alone are no message");
}

#[test]
fn e152_files_go_back_and_forth_with_the_words() {
    let mut world = stopping("look");
    attach(&mut world, 1);
    world.intend(Intent::CancelFeedback(b1()));
    world.give(Input::UploadProgress(UploadId(1), 30));
    uploaded(&mut world, 1, FileRef::Image("img".to_owned()));
    world.intend(Intent::BeginFeedback(b1()));
    let there = AttachmentState::Uploaded(FileRef::Image("img".to_owned()));
    assert_eq!(states(&world), std::slice::from_ref(&there));
    for refused in [FailureKind::TooMany, FailureKind::Rejected] {
        world.intend(Intent::SubmitFeedback(b1()));
        assert_eq!(posted(&world).unwrap().len(), 3);
        world.breaks(refused);
        assert_eq!(states(&world), std::slice::from_ref(&there));
        assert_eq!(feedback(&world).unwrap().text, "look");
    }
}

#[test]
fn e153_a_file_that_nobody_takes_is_not_uploaded() {
    let mut world = asked_two();
    attach(&mut world, 1);
    assert_eq!(world.commands, [CANCEL], "the batch is not being stopped");
    let mut world = stopping("no");
    world.intend(Intent::SubmitFeedback(b1()));
    attach(&mut world, 1);
    assert_eq!(world.commands, [CANCEL], "it is stopped already");
    let mut world = stopping("no");
    attach(&mut world, 1);
    attach(&mut world, 1);
    assert_eq!(world.commands, [], "it is there");
    assert_eq!(states(&world).len(), 1);
    let before = world.state.clone();
    world.give(Input::UploadProgress(UploadId(9), 1));
    fails(&mut world, 9);
    assert_eq!(world.state, before);
}

#[test]
fn e154_what_is_not_sent_any_more_is_not_uploaded() {
    let mut world = stopping("look");
    attach(&mut world, 1);
    world.intend(Intent::CancelFeedback(b1()));
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    assert!(!world.commands.contains(&CANCEL), "it may be refused");
    world.event("MESSAGE_RECEIVED", "");
    assert!(world.commands.contains(&CANCEL));
    assert_eq!(batch(&world).draft, Feedback::default());

    let mut world = stopping("look");
    attach(&mut world, 1);
    world.intend(Intent::ReloadMessages);
    world.stored(stored_asking("APPROVED", "DENIED"));
    assert!(world.commands.contains(&CANCEL));

    let mut world = stopping("look");
    attach(&mut world, 1);
    world.listed(json!([{"id": "t1"}]));
    world.intend(Intent::DeleteThread("t1".into()));
    world.give(Input::ThreadDeleted {
        thread: "t1".into(),
        result: Ok(()),
    });
    assert!(world.commands.contains(&CANCEL));

    let mut world = stopping("look");
    attach(&mut world, 1);
    world.intend(Intent::CancelFeedback(b1()));
    decide(&mut world, "x1", Verdict::Deny);
    assert!(!world.done.contains(&CANCEL));
}
