//! E180 to E187: files that go with a message.

use assent_conversation::{
    Announcement, AttachmentState, Command, FailureKind, FileRef, Input, Intent, MessageStatus,
    StreamId, UploadId, Verdict,
};
use assent_protocol::ContentItem;
use serde_json::{Value, json};

use crate::asking::{asked_two, b1};
use crate::world::{World, failed};

const UPLOAD: Command = Command::Upload(UploadId(1));
const CANCEL: Command = Command::CancelUpload(UploadId(1));

fn attach(world: &mut World, upload: u32) {
    world.intend(Intent::AttachFile {
        batch: None,
        upload: UploadId(upload),
        name: format!("{upload}.pdf"),
        size: 7,
    });
}

/// Ends the upload well: 1 is a document `f1`, and so on.
fn uploaded(world: &mut World, upload: u32) {
    let file = FileRef::Document(format!("f{upload}"));
    world.give(Input::Uploaded(UploadId(upload), Ok(file)));
}

fn attached(world: &mut World, upload: u32) {
    attach(world, upload);
    uploaded(world, upload);
}

fn names(world: &World) -> Vec<&str> {
    let files = world.open().files.iter();
    files.map(|file| file.name.as_str()).collect()
}

fn document(id: &str) -> ContentItem {
    ContentItem::Document(id.to_owned())
}

fn text(text: &str) -> ContentItem {
    ContentItem::Text(text.to_owned())
}

/// Returns the content of the last post.
fn posted(world: &World) -> &[ContentItem] {
    let mut commands = world.done.iter().rev();
    let post = commands.find_map(|command| match command {
        Command::Post { content, .. } => Some(content.as_slice()),
        _ => None,
    });
    post.unwrap()
}

fn stored(id: &str, role: &str, content: &str) -> Value {
    json!({"id": id, "role": role, "content": content, "timestamp": "2026-01-01T00:00:00Z"})
}

/// Returns a thread in which a message of one file and no text was answered.
fn answered_file() -> World {
    let mut world = World::in_thread(json!([]));
    attached(&mut world, 1);
    world.intend(Intent::Send);
    world.event("MESSAGE_RECEIVED", "");
    world.event("AGENT_RESPONSE_COMPLETE", "A plan.");
    world.ends();
    world
}

#[test]
fn e180_a_file_of_the_draft_is_uploaded_at_once_and_again_if_that_fails() {
    let mut world = World::new();
    attach(&mut world, 1);
    assert_eq!(world.commands, [UPLOAD]);
    assert_eq!(world.said, [Announcement::Uploading("1.pdf".to_owned())]);
    attach(&mut world, 1);
    assert_eq!((world.commands.len(), names(&world).len()), (0, 1), "once");
    world.give(Input::UploadProgress(UploadId(1), 40));
    assert_eq!(world.open().files[0].state, AttachmentState::Uploading(40));
    world.give(Input::Uploaded(UploadId(1), Err("too large".to_owned())));
    let failed = AttachmentState::Failed("too large".to_owned());
    assert_eq!(world.open().files[0].state, failed);
    world.intend(Intent::RetryFile(None, UploadId(1)));
    assert_eq!(world.commands, [UPLOAD]);
    uploaded(&mut world, 1);
    let said = world.said.last();
    assert_eq!(said, Some(&Announcement::Uploaded("1.pdf".to_owned())));
    world.intend(Intent::RemoveFile(None, UploadId(1)));
    assert_eq!(
        (world.commands.as_slice(), names(&world).len()),
        (&[CANCEL][..], 0)
    );
}

#[test]
fn e181_a_message_is_sent_when_all_its_files_are_there_words_first() {
    let mut world = World::in_thread(json!([]));
    attach(&mut world, 1);
    attach(&mut world, 2);
    uploaded(&mut world, 2);
    world.send(" look ");
    assert_eq!(world.posts(), 0, "one is on its way");
    world.give(Input::Uploaded(UploadId(1), Err(String::new())));
    world.intend(Intent::Send);
    assert_eq!(world.posts(), 0, "one has failed");
    world.intend(Intent::RetryFile(None, UploadId(1)));
    uploaded(&mut world, 1);
    assert_eq!(world.posts(), 0, "nothing is sent by itself");
    world.intend(Intent::Send);
    let expected = [text("look"), document("f1"), document("f2")];
    assert_eq!(posted(&world), expected);
    assert_eq!((world.open().has_draft(), names(&world).len()), (false, 0));
    assert_eq!(world.message(0).files.len(), 2);
}

#[test]
fn e181_files_need_no_words() {
    let mut world = World::new();
    world.intend(Intent::Send);
    assert_eq!(world.commands, []);
    attached(&mut world, 1);
    world.intend(Intent::Send);
    world.created(json!({"id": "t1"}));
    assert_eq!(posted(&world), [document("f1")]);
}

#[test]
fn e182_files_stay_in_the_draft_of_their_conversation() {
    let mut world = World::in_thread(json!([]));
    attach(&mut world, 1);
    world.intend(Intent::EditDraft("half a".to_owned()));
    world.intend(Intent::OpenThread("t2".into()));
    assert_eq!(names(&world).len(), 0);
    let said = world.said.len();
    uploaded(&mut world, 1);
    assert_eq!(world.said.len(), said, "what happens behind is not said");
    world.intend(Intent::OpenThread("t1".into()));
    assert_eq!(
        (names(&world), world.open().draft.as_str()),
        (vec!["1.pdf"], "half a")
    );
    world.stored(json!([]));
    world.intend(Intent::Send);
    assert_eq!(posted(&world), [text("half a"), document("f1")]);
}

#[test]
fn e183_a_message_that_was_not_sent_keeps_its_files() {
    let mut world = World::in_thread(json!([]));
    attached(&mut world, 1);
    world.send("look");
    world.breaks(FailureKind::Rejected);
    let message = world.message(0).key;
    world.intend(Intent::RetryMessage(message));
    assert_eq!(posted(&world), [text("look"), document("f1")]);
    world.breaks(FailureKind::Rejected);
    attached(&mut world, 2);
    world.intend(Intent::DismissMessage(message));
    assert_eq!(
        (names(&world), world.open().draft.as_str()),
        (vec!["1.pdf", "2.pdf"], "look")
    );
}

#[test]
fn e183_where_no_thread_was_made_the_files_are_in_the_next_new_conversation() {
    let mut world = World::new();
    attached(&mut world, 1);
    world.intend(Intent::Send);
    let conversation = world.key();
    world.give(Input::ThreadCreated {
        conversation,
        result: Err(assent_conversation::Failure::of(FailureKind::Service)),
    });
    assert_eq!(*world.status(0), failed(FailureKind::Service));
    world.intend(Intent::OpenThread("t1".into()));
    world.intend(Intent::NewThread);
    assert_eq!((names(&world), world.texts().len()), (vec!["1.pdf"], 0));
}

#[test]
fn e184_while_a_batch_is_to_be_decided_files_are_asked_about_like_words() {
    let mut world = asked_two();
    attached(&mut world, 1);
    world.intend(Intent::Send);
    assert!(world.open().is_asking);
    world.intend(Intent::RemoveFile(None, UploadId(1)));
    assert!(!world.open().is_asking, "there is nothing to ask about");
    attached(&mut world, 2);
    world.send("look");
    world.intend(Intent::SendAsFeedback);
    assert_eq!(posted(&world)[1..], [text("look"), document("f2")]);
    let shown = world.open().messages.last().unwrap();
    assert_eq!((shown.text.as_str(), shown.files.len()), ("look", 1));
    assert!(!world.open().has_draft());
}

#[test]
fn e184_files_are_sent_after_the_decision_or_are_in_the_draft_again() {
    for late in [false, true] {
        let mut world = asked_two();
        attached(&mut world, 1);
        world.intend(Intent::Send);
        if late {
            attach(&mut world, 2);
        }
        world.intend(Intent::SendAfterwards);
        assert!(!world.open().has_draft());
        world.decide_all(b1(), Verdict::Approve);
        world.intend(Intent::SubmitDecisions(b1()));
        world.event("AGENT_RESPONSE_COMPLETE", "Done.");
        world.ends();
        if late {
            assert_eq!(names(&world), ["1.pdf", "2.pdf"], "one is on its way still");
            uploaded(&mut world, 2);
            assert!(world.open().queued.is_empty());
        } else {
            assert_eq!(posted(&world), [document("f1")]);
        }
    }
}

#[test]
fn e185_what_is_stored_of_a_message_of_files_alone_is_that_message() {
    let mut world = answered_file();
    world.intend(Intent::ReloadMessages);
    world.stored(json!([
        stored("m1", "user", "[document f1]"),
        stored("m2", "assistant", "A plan."),
        stored("m3", "user", "from elsewhere"),
    ]));
    let texts = [("you", ""), ("agent", "A plan."), ("you", "from elsewhere")];
    assert_eq!(world.texts(), texts);
    assert_eq!(world.message(0).files.len(), 1);
    assert_eq!(world.message(0).id.as_ref().unwrap().as_str(), "m1");
}

#[test]
fn e185_what_the_service_gives_to_an_agent_has_no_files() {
    let mut world = answered_file();
    for role in ["user", "assistant"] {
        world.intend(Intent::ReloadMessages);
        world.stored(json!([stored("m1", role, "[document f1]")]));
        assert_eq!(world.message(0).id.as_ref().unwrap().as_str(), "m1");
        assert_eq!(world.message(0).files.len(), usize::from(role == "user"));
    }
}

#[test]
fn e185_it_takes_no_message_that_is_another_ones() {
    let mut world = World::in_thread(json!([]));
    attached(&mut world, 1);
    world.intend(Intent::Send);
    world.breaks(FailureKind::Unreachable);
    world.stored(json!([]));
    let undelivered = failed(FailureKind::NotDelivered);
    while *world.status(0) != undelivered {
        world.stored(json!([]));
    }
    world.send("words");
    world.event("MESSAGE_RECEIVED", "words");
    world.event("AGENT_RESPONSE_COMPLETE", "Yes.");
    world.ends();
    let arrived = json!([
        stored("m1", "user", "words"),
        stored("m2", "assistant", "Yes.")
    ]);
    world.intend(Intent::ReloadMessages);
    world.stored(arrived);
    assert_eq!(*world.status(0), undelivered);
    assert_eq!(
        world.texts(),
        [("you", ""), ("you", "words"), ("agent", "Yes.")]
    );
    world.intend(Intent::ReloadMessages);
    world.stored(json!([
        stored("m0", "user", "[document f1]"),
        stored("m1", "user", "words"),
        stored("m2", "assistant", "Yes."),
    ]));
    assert_eq!(*world.status(0), MessageStatus::Sent, "it was late");
    assert_eq!(world.texts().len(), 3);
}

#[test]
fn e185_a_turn_that_runs_is_left_out_of_a_reading_without_words_too() {
    let mut world = World::in_thread(json!([]));
    world.intend(Intent::ReloadMessages);
    let load = world.load();
    attached(&mut world, 1);
    world.intend(Intent::Send);
    world.give(Input::Messages {
        conversation: world.key(),
        load,
        result: Ok(vec![
            serde_json::from_value(stored("m1", "user", "[document f1]")).unwrap(),
        ]),
    });
    assert_eq!(world.texts(), [("you", "")]);
}

#[test]
fn e186_files_go_with_a_thread_that_is_not_shown_and_move_on_from_one_that_is() {
    for shown in [true, false] {
        let mut world = World::in_thread(json!([]));
        world.listed(json!([{"id": "t1"}, {"id": "t2"}]));
        attach(&mut world, 1);
        if !shown {
            world.intend(Intent::OpenThread("t2".into()));
        }
        world.intend(Intent::DeleteThread("t1".into()));
        world.give(Input::ThreadDeleted {
            thread: "t1".into(),
            result: Ok(()),
        });
        assert_eq!(world.commands.contains(&CANCEL), !shown);
        assert_eq!(names(&world).len(), usize::from(shown));
        uploaded(&mut world, 1);
        world.intend(Intent::Send);
        let sent = world
            .done
            .iter()
            .any(|it| matches!(it, Command::CreateThread { .. }));
        assert_eq!(sent, shown);
    }
}

/// Returns the name and the size of each file of a message.
fn shown(world: &World, at: usize) -> Vec<(&str, u64)> {
    let files = world.message(at).files.iter();
    files.map(|file| (file.name.as_str(), file.size)).collect()
}

fn stored_with(content: &str, files: Value) -> Value {
    let mut stored = stored("m1", "user", content);
    stored["files"] = files;
    stored
}

fn file(id: &str, name: &str) -> Value {
    json!({ "fileId": id, "name": name, "mediaType": "application/pdf", "size": 7 })
}

#[test]
fn e187_files_that_are_stored_are_shown_beside_the_text() {
    let image = json!({ "imageId": "i1", "name": "", "size": 9 });
    let files = json!([file("f1", "1.pdf"), image, { "name": "of no file" }]);
    let mut world = World::in_thread(json!([stored_with("look", files)]));
    assert_eq!(world.texts(), [("you", "look")]);
    assert_eq!(shown(&world, 0), [("1.pdf", 7), ("i1", 9)]);
    let before = world.open().messages.clone();
    world.intend(Intent::ReloadMessages);
    world.stored(json!([stored_with("look", json!([file("f1", "1.pdf")]))]));
    assert_eq!(world.open().messages, before, "nothing changes");
}

#[test]
fn e187_lines_that_stand_for_files_are_not_shown_beside_them() {
    let content = "[document f1]\n[document f2]";
    let files = json!([file("f1", "1.pdf"), file("f2", "2.pdf")]);
    let stored = stored_with(content, files);
    let mut world = World::in_thread(json!([stored]));
    for _ in 0..2 {
        assert_eq!(world.texts(), [("you", "")]);
        assert_eq!(shown(&world, 0).len(), 2);
        world.intend(Intent::ReloadMessages);
        world.stored(json!([stored]));
    }
    // The second one was deleted.
    let world = World::in_thread(json!([stored_with(content, json!([file("f1", "1.pdf")]))]));
    assert_eq!(world.texts(), [("you", "[document f2]")]);
    let plain = World::in_thread(json!([stored_with(content, json!(null))]));
    assert_eq!(plain.texts(), [("you", content)], "another service");
}

#[test]
fn e187_what_was_sent_here_does_not_change_when_it_is_stored() {
    for (text, content) in [("look", "look"), ("", "[document f1]\n[document f2]")] {
        for files in [
            json!([file("f1", "1.pdf"), file("f2", "2.pdf")]),
            json!([file("f2", "2.pdf")]),
            json!([]),
        ] {
            let mut world = World::in_thread(json!([]));
            attached(&mut world, 2);
            attached(&mut world, 1);
            world.send(text);
            world.event("MESSAGE_RECEIVED", content);
            world.event("AGENT_RESPONSE_COMPLETE", "A plan.");
            world.ends();
            let before = world.message(0).files.clone();
            world.intend(Intent::ReloadMessages);
            let answer = stored("m2", "assistant", "A plan.");
            world.stored(json!([stored_with(content, files), answer]));
            assert_eq!(world.texts(), [("you", text), ("agent", "A plan.")]);
            assert_eq!(world.message(0).files, before);
            assert_eq!(shown(&world, 0), [("2.pdf", 7), ("1.pdf", 7)]);
        }
    }
}

#[test]
fn e187_a_message_of_another_page_gets_the_names_of_its_files() {
    let mut world = World::in_thread(json!([]));
    let content = vec![text("look"), document("f1")];
    world.give(Input::StreamFollowed(
        StreamId(u32::MAX),
        "t1".into(),
        content,
    ));
    assert_eq!(shown(&world, 0), [("f1", 0)]);
    world.event("MESSAGE_RECEIVED", "look");
    world.event("AGENT_RESPONSE_COMPLETE", "A plan.");
    world.ends();
    world.intend(Intent::ReloadMessages);
    let answer = stored("m2", "assistant", "A plan.");
    world.stored(json!([
        stored_with("look", json!([file("f1", "1.pdf")])),
        answer
    ]));
    assert_eq!(world.texts(), [("you", "look"), ("agent", "A plan.")]);
    assert_eq!(shown(&world, 0), [("1.pdf", 7)]);
}

#[test]
fn e187_files_of_a_stored_message_are_told_apart_from_all_others() {
    let files = json!([file("f1", "1.pdf"), file("f2", "2.pdf")]);
    let world = World::in_thread(json!([stored_with("look", files)]));
    let files = &world.message(0).files;
    assert_ne!(files[0].upload, files[1].upload);
    assert!(files.iter().all(|file| file.upload.0 > u32::MAX / 2));
}
