//! E240 to E249: drafts and messages that outlive their page.

use assent_conversation::{
    Change, Draft, Failure, FailureKind, FileRef, Input, Intent, Interruption, MessageStatus,
    Millis, PostStatus, StreamId, UnsentMessage, UploadId, UploadedFile, Verdict,
};
use assent_protocol::{ContentItem, ThreadId};
use serde_json::{Value, json};

use crate::asking::{PENDING, asked_two, b1, stored_both};
use crate::world::{World, failed};

const UNCONFIRMED: MessageStatus = MessageStatus::Unconfirmed {
    checking: true,
    failure: None,
};

/// Returns the next page after this one, in this thread, before any load.
fn reloaded_in(before: &World, thread: &str) -> World {
    let mut world = World::new();
    world.give(Input::Drafts(before.state.drafts()));
    world.give(Input::Unsent(before.state.unsent_messages()));
    world.intend(Intent::OpenThread(thread.into()));
    world
}

pub(crate) fn reloaded(before: &World) -> World {
    reloaded_in(before, "t1")
}

fn draft(thread: Option<&str>, text: &str) -> Draft {
    Draft {
        thread: thread.map(ThreadId::from),
        text: text.to_owned(),
        files: Vec::new(),
    }
}

fn own(texts: &[&str]) -> Value {
    let message = |(at, text)| json!({"id": format!("m{at}"), "role": "user", "content": text});
    texts.iter().enumerate().map(message).collect()
}

fn type_in(world: &mut World, text: &str) {
    world.intend(Intent::EditDraft(text.to_owned()));
}

#[test]
fn e240_a_draft_waits_for_its_thread() {
    let mut world = World::in_thread(json!([]));
    type_in(&mut world, "half");
    world.intend(Intent::NewThread);
    type_in(&mut world, "new");
    assert_eq!(
        world.state.drafts(),
        [draft(None, "new"), draft(Some("t1"), "half")]
    );
    let mut after = World::new();
    after.give(Input::Drafts(world.state.drafts()));
    assert_eq!(after.open().draft, "new");
    after.intend(Intent::OpenThread("t2".into()));
    assert_eq!(after.open().draft, "");
    after.intend(Intent::OpenThread("t1".into()));
    assert_eq!(after.open().draft, "half");
    assert_eq!(after.state.drafts().len(), 2);
}

#[test]
fn e240_files_that_are_there_are_kept_with_the_draft() {
    let mut world = World::in_thread(json!([]));
    for upload in [1, 2] {
        world.intend(Intent::AttachFile {
            batch: None,
            upload: UploadId(upload),
            name: format!("{upload}.pdf"),
            size: 7,
        });
    }
    let file = FileRef::Document("f1".to_owned());
    world.give(Input::Uploaded(UploadId(1), Ok(file.clone())));
    let kept = UploadedFile {
        name: "1.pdf".to_owned(),
        size: 7,
        file,
    };
    assert_eq!(world.state.drafts()[0].files, [kept]);
    let mut after = reloaded(&world);
    assert_eq!(after.open().files[0].name, "1.pdf");
    after.stored(json!([]));
    after.intend(Intent::Send);
    assert_eq!(after.content(0).len(), 1);
}

#[test]
fn e241_what_another_tab_makes_of_a_draft_is_the_draft() {
    let mut world = World::in_thread(json!([]));
    type_in(&mut world, "here");
    world.intend(Intent::AttachFile {
        batch: None,
        upload: UploadId(1),
        name: "a.pdf".to_owned(),
        size: 7,
    });
    world.give(Input::Drafts(vec![draft(Some("t1"), "there")]));
    assert_eq!(world.open().draft, "there");
    assert_eq!(world.open().files.len(), 1);
    world.give(Input::Drafts(Vec::new()));
    assert_eq!(
        (world.open().draft.as_str(), world.open().files.len()),
        ("", 1)
    );
    world.give(Input::Drafts(Vec::new()));
    assert_eq!(world.changes, []);
}

#[test]
fn e241_the_list_follows_the_drafts_of_other_threads() {
    let mut world = World::in_thread(json!([]));
    world.give(Input::Drafts(vec![draft(Some("t2"), "later")]));
    assert_eq!(world.changes, [Change::Threads]);
    let thread: ThreadId = "t2".into();
    assert_eq!(world.state.drafts_elsewhere(), [thread]);
}

#[test]
fn e242_what_was_posted_is_looked_for_and_its_answer_awaited() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    let mut after = reloaded(&world);
    assert_eq!(after.status(0), &UNCONFIRMED);
    after.stored(own(&["hi"]));
    assert_eq!(after.texts(), [("you", "hi"), ("agent", "")]);
    assert_eq!(after.status(0), &MessageStatus::Sent);
    let waits = MessageStatus::Interrupted {
        by: Interruption::Lost,
        checking: true,
    };
    assert_eq!(after.status(1), &waits);
    assert_eq!(
        after.state.unsent_messages()[0].status,
        PostStatus::Accepted
    );
    let again = reloaded(&after);
    assert_eq!(again.texts(), [("you", "hi"), ("agent", "")]);
    assert_eq!(again.status(1), &waits);
    after.stored(json!([
        {"id": "m0", "role": "user", "content": "hi"},
        {"id": "m1", "role": "assistant", "content": "Yes"},
    ]));
    assert_eq!(after.state.unsent_messages(), []);
    assert_eq!(after.posts(), 0);
}

#[test]
fn e242_what_is_not_stored_can_be_tried_again() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    let mut after = reloaded(&world);
    for _ in 0..4 {
        after.stored(json!([]));
    }
    assert_eq!(after.status(0), &failed(FailureKind::NotDelivered));
    let key = after.message(0).key;
    after.intend(Intent::RetryMessage(key));
    assert_eq!(after.posts(), 1);
}

#[test]
fn e242_the_words_of_a_stop_are_looked_for_too() {
    let mut world = asked_two();
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::EditFeedback(b1(), "Ask Ann".to_owned()));
    world.intend(Intent::SubmitFeedback(b1()));
    let statuses = |world: &World| {
        let unsent = world.state.unsent_messages().into_iter();
        let pairs = unsent.map(|it| (it.text, it.status));
        pairs.collect::<Vec<_>>()
    };
    let posted = [("Ask Ann".to_owned(), PostStatus::Posted)];
    assert_eq!(statuses(&world), posted, "on its way");
    world.breaks(FailureKind::Unreachable);
    assert_eq!(statuses(&world), posted, "in doubt");
    let unsent = world.state.unsent_messages();
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(world.state.unsent_messages(), unsent, "given up");

    let asked = stored_both(PENDING)[1].clone();
    let mut after = reloaded(&world);
    after.stored(json!([asked, {"id": "m9", "role": "user", "content": "Ask Ann"}]));
    assert_eq!(*after.status(1), MessageStatus::Sent);
    let mut after = reloaded(&world);
    for _ in 0..4 {
        after.stored(json!([asked]));
    }
    assert_eq!(after.status(1), &failed(FailureKind::NotDelivered));
}

#[test]
fn e243_what_was_refused_can_be_tried_again() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Forbidden);
    let [unsent] = &world.state.unsent_messages()[..] else {
        panic!("one is unsent");
    };
    assert_eq!(unsent.status, PostStatus::Refused);
    let mut after = reloaded(&world);
    after.stored(json!([]));
    assert_eq!(after.status(0), &failed(FailureKind::NotDelivered));
    assert_eq!(after.state.unsent_messages(), world.state.unsent_messages());
}

#[test]
fn e244_what_was_never_posted_is_a_draft_again() {
    let mut world = World::new();
    world.send("first");
    type_in(&mut world, "second");
    assert_eq!(
        world.state.unsent_messages()[0].status,
        PostStatus::Unposted
    );
    let mut after = World::new();
    after.give(Input::Drafts(world.state.drafts()));
    after.give(Input::Unsent(world.state.unsent_messages()));
    assert_eq!(after.open().draft, "first\n\nsecond");
    assert_eq!(after.posts(), 0);
}

#[test]
fn e244_feedback_and_what_waits_for_a_decision_are_drafts_again() {
    let mut world = asked_two();
    world.intend(Intent::BeginFeedback(b1()));
    world.intend(Intent::EditFeedback(b1(), "not so".to_owned()));
    let words: Vec<String> = world
        .state
        .unsent_messages()
        .into_iter()
        .map(|it| it.text)
        .collect();
    assert!(words.contains(&"not so".to_owned()));
    assert_eq!(reloaded(&world).open().draft, "not so");
    world.intend(Intent::CancelFeedback(b1()));
    world.send("later");
    world.intend(Intent::SendAfterwards);
    let words: Vec<String> = world
        .state
        .unsent_messages()
        .into_iter()
        .map(|it| it.text)
        .collect();
    assert_eq!(words, ["not so", "later"]);
}

#[test]
fn e244_blank_words_are_none() {
    let mut world = World::in_thread(json!([]));
    for status in [PostStatus::Unposted, PostStatus::Posted] {
        world.give(Input::Unsent(vec![UnsentMessage {
            thread: Some("t1".into()),
            text: " ".to_owned(),
            files: Vec::new(),
            at: Millis(1),
            older: 0,
            key: None,
            status,
        }]));
    }
    assert_eq!((world.texts().len(), world.open().draft.as_str()), (0, ""));
}

#[test]
fn e245_older_messages_with_the_same_text_are_not_it() {
    let mut world = World::in_thread(own(&["yes", "yes"]));
    world.send("yes");
    assert_eq!(world.state.unsent_messages()[0].older, 2);
    let mut after = reloaded(&world);
    after.stored(own(&["yes", "yes"]));
    assert_eq!(after.texts().len(), 3);
    assert_eq!(after.status(2), &UNCONFIRMED);
    // The next page continues the count.
    assert_eq!(after.state.unsent_messages()[0].older, 2);
    after.stored(own(&["yes", "yes", "yes"]));
    assert_eq!(after.status(2), &MessageStatus::Sent);
}

#[test]
fn e246_what_is_left_behind_twice_is_there_once() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    let mut after = reloaded(&world);
    after.give(Input::Unsent(world.state.unsent_messages()));
    after.stored(json!([]));
    assert_eq!(after.texts(), [("you", "hi")]);
}

#[test]
fn e246_what_was_read_already_is_there_once() {
    let mut world = World::in_thread(own(&["yes"]));
    world.send("yes");
    let unsent = world.state.unsent_messages();
    let mut after = World::in_thread(own(&["yes", "yes"]));
    after.give(Input::Unsent(unsent.clone()));
    assert_eq!(
        after.texts(),
        [("you", "yes"), ("you", "yes"), ("agent", "")]
    );
    assert_eq!(after.load_delay(), Some(0));
    let mut answered = World::in_thread(json!([
        {"id": "m0", "role": "user", "content": "yes"},
        {"id": "m1", "role": "user", "content": "yes"},
        {"id": "m2", "role": "assistant", "content": "Fine."},
    ]));
    answered.give(Input::Unsent(unsent.clone()));
    assert_eq!(answered.texts().len(), 3);
    let mut older = World::in_thread(own(&["yes"]));
    older.give(Input::Unsent(unsent));
    assert_eq!(older.status(1), &UNCONFIRMED);
}

#[test]
fn e246_a_stored_message_of_the_same_moment_is_no_second_find() {
    let at = "2026-01-01T00:00:00Z";
    let mut after = World::in_thread(json!([
        {"id": "m0", "role": "user", "content": "hi", "timestamp": at},
    ]));
    let accepted = UnsentMessage {
        thread: Some("t1".into()),
        text: "hi".to_owned(),
        files: Vec::new(),
        at: after.message(0).time.unwrap(),
        older: 0,
        key: None,
        status: PostStatus::Accepted,
    };
    after.give(Input::Unsent(vec![accepted]));
    assert_eq!(after.texts(), [("you", "hi"), ("agent", "")]);
    assert_eq!(after.load_delay(), Some(0), "its answer is waited for");
}

#[test]
fn e247_words_for_a_thread_that_is_gone_are_a_draft() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    let unsent = world.state.unsent_messages();
    let mut after = World::new();
    type_in(&mut after, "new");
    after.give(Input::Unsent(unsent));
    // A proxy may send that status, too: it is retried four times.
    for _ in 0..4 {
        assert_eq!(after.open().draft, "new");
        let behind = after.state.conversation_of(&"t1".into()).unwrap();
        after.give(Input::Messages {
            conversation: behind.key,
            load: behind.last_load.unwrap(),
            result: Err(Failure::of(FailureKind::NotFound)),
        });
    }
    assert_eq!(after.open().draft, "hi\n\nnew");
    assert_eq!(after.state.unsent_messages(), []);
}

#[test]
fn e248_a_message_is_kept_until_its_answer_is_whole() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_CHUNK", "So");
    assert_eq!(
        world.state.unsent_messages()[0].status,
        PostStatus::Accepted
    );
    let mut after = reloaded(&world);
    after.stored(json!([]));
    assert_eq!(after.texts(), [("you", "hi"), ("agent", "")]);
    assert_eq!(after.status(0), &MessageStatus::Sent);
    // The next page goes on.
    assert_eq!(after.state.unsent_messages(), world.state.unsent_messages());
    after.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "So be it"},
    ]));
    assert_eq!(after.texts(), [("you", "hi"), ("agent", "So be it")]);
    assert_eq!(after.state.unsent_messages(), []);
    world.event("AGENT_RESPONSE_COMPLETE", "So be it");
    world.ends();
    assert_eq!(world.state.unsent_messages(), []);
}

#[test]
fn e248_what_was_refused_has_no_answer_to_wait_for() {
    let mut before = World::in_thread(json!([]));
    before.send("also");
    before.breaks(FailureKind::Forbidden);
    let mut world = asked_two();
    world.give(Input::Unsent(before.state.unsent_messages()));
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    world.event("AGENT_RESPONSE_CHUNK", "Do");
    world.breaks(FailureKind::Unreachable);
    assert_eq!(world.texts()[2..], [("you", "also"), ("agent", "Do")]);
    let statuses: Vec<PostStatus> = world
        .state
        .unsent_messages()
        .iter()
        .map(|it| it.status)
        .collect();
    assert_eq!(statuses, [PostStatus::Refused]);
}

#[test]
fn e248_a_message_of_another_tab_is_kept_by_that() {
    let mut world = World::in_thread(json!([]));
    let posted = vec![ContentItem::Text("hi".to_owned())];
    world.give(Input::StreamFollowed(
        StreamId(u32::MAX),
        "t1".into(),
        posted,
    ));
    assert_eq!(world.texts()[0], ("you", "hi"));
    assert_eq!(world.state.unsent_messages(), []);
}

#[test]
fn e249_with_a_deleted_thread_goes_its_draft() {
    let mut world = World::new();
    world.give(Input::Drafts(vec![draft(Some("t1"), "half")]));
    world.listed(json!([{"id": "t1", "threadName": "One"}]));
    world.intend(Intent::DeleteThread("t1".into()));
    world.give(Input::ThreadDeleted {
        thread: "t1".into(),
        result: Ok(()),
    });
    assert_eq!(world.state.drafts(), []);
}

#[test]
fn e246_words_come_in_front_of_a_stream_that_runs() {
    let mut world = World::in_thread(json!([]));
    world.send("now");
    world.event("MESSAGE_RECEIVED", "now");
    let words = UnsentMessage {
        thread: Some("t1".into()),
        text: "before".to_owned(),
        files: Vec::new(),
        at: Millis(1),
        older: 0,
        key: None,
        status: PostStatus::Posted,
    };
    world.give(Input::Unsent(vec![words]));
    assert_eq!(world.message(0).text, "before");
    world.event("AGENT_RESPONSE_COMPLETE", "Yes");
    world.ends();
    assert_eq!(world.load_delay(), Some(0));
}

#[test]
fn e269_a_draft_that_the_device_cannot_store_stays_in_its_page() {
    let mut world = World::in_thread(json!([]));
    world.intend(Intent::EditDraft("long".to_owned()));
    world.give(Input::DraftsUnstored(vec![Some("t1".into())]));
    let composer = Change::Composer(world.state.open);
    assert!(world.changes.contains(&composer));
    assert_eq!(world.state.unstored_drafts, [Some("t1".into())]);
    assert_eq!(world.state.drafts(), [draft(Some("t1"), "long")]);
}
