//! E1 to E14: the list of threads, and which conversation is shown.

use assent_conversation::{
    Announcement, Change, Command, Failure, FailureKind, Input, Intent, LoadState, MessageStatus,
    NoticeSubject, RowState, ThreadBinding,
};
use serde_json::json;

use crate::world::{FIRST_LIST, LIST, World, thread_of};

fn three_rows() -> World {
    let mut world = World::new();
    world.listed(json!([
        {"id": "t1", "threadName": "One", "lastMessageTime": "2026-01-01T00:00:00Z"},
        {"id": "t2", "threadName": "Two", "lastMessageTime": "2026-01-03T00:00:00Z"},
        {"id": "t3", "threadName": "Three", "lastMessageTime": "2026-01-02T00:00:00Z"},
    ]));
    world
}

fn unreachable() -> Failure {
    Failure::of(FailureKind::Unreachable)
}

fn delete(world: &mut World, result: Result<(), Failure>) {
    world.intend(Intent::DeleteThread("t1".into()));
    world.give(Input::ThreadDeleted {
        thread: "t1".into(),
        result,
    });
}

#[test]
fn e1_start_reads_the_list_and_opens_the_thread_used_last() {
    let mut world = World::new();
    world.intend(Intent::Start { remembered: None });
    assert_eq!(world.commands, [FIRST_LIST]);
    world.intend(Intent::Start {
        remembered: Some("t1".into()),
    });
    assert!(world.commands.contains(&FIRST_LIST));
    assert_eq!(world.load_delay(), Some(0));
    assert_eq!(world.open().thread, ThreadBinding::Bound("t1".into()));
    assert_eq!(world.open().load, LoadState::Loading);
    world.stored(json!([{"id": "m1", "role": "user", "content": "hi"}]));
    assert_eq!(world.open().load, LoadState::Ready);
    assert_eq!(world.texts(), [("you", "hi")]);
}

#[test]
fn e2_a_remembered_thread_that_is_gone_is_a_new_conversation() {
    let mut world = World::new();
    world.intend(Intent::Start {
        remembered: Some("t1".into()),
    });
    world.intend(Intent::EditDraft("typed".to_owned()));
    world.not_stored(FailureKind::NotFound);
    assert_eq!(world.commands, [Command::RememberThread(None)]);
    assert!(world.changes.contains(&Change::Opened));
    assert_eq!(world.open().thread, ThreadBinding::None);
    assert_eq!(world.open().draft, "typed");
    assert_eq!((world.state.notice.as_ref(), world.said.len()), (None, 0));

    let mut world = World::new();
    world.intend(Intent::OpenThread("t1".into()));
    world.not_stored(FailureKind::NotFound);
    assert_eq!(
        world.open().load,
        LoadState::Failed(Failure::of(FailureKind::NotFound))
    );
}

#[test]
fn e3_rows_are_newest_first_and_unique() {
    let mut world = World::new();
    world.listed(json!([
        {"id": "a", "threadName": "old", "lastMessageTime": "2026-01-01T00:00:00"},
        {"id": "b", "threadName": "no time"},
        {"id": "", "threadName": "no id"},
        {"id": "c", "threadName": "new", "lastMessageTime": "2026-01-02T01:00:00+02:00"},
        {"id": "a", "threadName": "again"},
        {"id": "d", "threadName": "nor this", "lastMessageTime": "soon"},
        {"id": "e", "threadName": "as new", "lastMessageTime": "2026-01-01T23:00:00Z"},
    ]));
    assert_eq!(
        world.row_names(),
        ["new", "as new", "old", "no time", "nor this"]
    );
}

#[test]
fn e4_old_rows_stay_while_the_list_is_read_again() {
    let mut world = three_rows();
    world.intend(Intent::RefreshThreads);
    assert_eq!(world.commands, [LIST]);
    assert_eq!(world.state.threads.load, LoadState::Loading);
    assert_eq!(world.row_names(), ["Two", "Three", "One"]);
    world.give(Input::Threads(Err(unreachable())));
    assert_eq!(world.state.threads.load, LoadState::Failed(unreachable()));
    assert_eq!(world.row_names(), ["Two", "Three", "One"]);
}

#[test]
fn e5_a_list_keeps_what_is_under_way() {
    let mut world = three_rows();
    world.intend(Intent::RenameThread("t1".into(), "Uno".to_owned()));
    world.intend(Intent::DeleteThread("t2".into()));
    world.listed(json!([
        {"id": "t1", "threadName": "Eins"},
        {"id": "t2", "threadName": "Two"},
    ]));
    assert_eq!(world.row_names(), ["Two", "Uno"]);
    assert_eq!(world.state.threads.rows[0].state, RowState::Deleting);
    world.give(Input::ThreadRenamed {
        thread: "t1".into(),
        result: Err(unreachable()),
    });
    assert_eq!(world.row_names(), ["Two", "Eins"]);
}

#[test]
fn e6_a_thread_made_here_stays_until_its_first_answer() {
    let mut world = World::new();
    world.send("hi");
    world.created(json!({"id": "t1"}));
    world.listed(json!([]));
    assert_eq!(world.state.threads.rows.len(), 1);
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.ends();
    assert!(world.commands.contains(&FIRST_LIST));
    world.listed(json!([]));
    assert_eq!(world.state.threads.rows.len(), 0);
}

#[test]
fn e7_opening_again_keeps_messages_and_draft() {
    let mut world = World::in_thread(json!([{"id": "m1", "role": "user", "content": "hi"}]));
    let first = world.key();
    world.intend(Intent::EditDraft("half a".to_owned()));
    world.intend(Intent::NewThread);
    assert_eq!(world.commands, [Command::RememberThread(None)]);
    assert_ne!(world.key(), first);
    world.intend(Intent::OpenThread("t1".into()));
    assert_eq!(world.key(), first);
    assert!(world.changes.contains(&Change::Opened));
    assert!(
        world
            .commands
            .contains(&Command::RememberThread(Some("t1".into())))
    );
    assert_eq!(world.load_delay(), Some(0));
    assert_eq!(world.open().load, LoadState::Ready);
    assert_eq!(world.open().draft, "half a");
    world.stored(json!([{"id": "m1", "role": "user", "content": "hi"}]));

    world.intend(Intent::Send);
    world.intend(Intent::OpenThread("t1".into()));
    assert_eq!(world.load_delay(), None);
}

#[test]
fn e8_a_new_conversation_is_the_empty_one() {
    let mut world = World::new();
    let empty = world.key();
    world.intend(Intent::NewThread);
    assert_eq!(world.key(), empty);
    world.intend(Intent::OpenThread("t1".into()));
    world.intend(Intent::NewThread);
    assert_eq!(world.key(), empty);
    assert_eq!(world.state.conversations.len(), 2);
}

#[test]
fn e9_what_could_not_be_sent_is_not_lost_with_its_conversation() {
    let mut world = World::new();
    world.send("first");
    world.give(Input::ThreadCreated {
        conversation: world.key(),
        result: Err(unreachable()),
    });
    world.intend(Intent::EditDraft("second".to_owned()));
    world.intend(Intent::OpenThread("t1".into()));
    world.intend(Intent::NewThread);
    assert_eq!(world.open().messages, []);
    assert_eq!(world.open().draft, "first\n\nsecond");
}

#[test]
fn e10_a_name_without_news_changes_nothing() {
    let mut world = three_rows();
    for (thread, name) in [("t1", "  "), ("t1", " One "), ("t9", "Nine")] {
        world.intend(Intent::RenameThread(thread.into(), name.to_owned()));
        assert_eq!(
            (world.commands.len(), world.changes.len()),
            (0, 0),
            "{name}"
        );
    }
    world.intend(Intent::RenameThread("t1".into(), " Uno ".to_owned()));
    let command = Command::RenameThread {
        thread: "t1".into(),
        name: "Uno".to_owned(),
    };
    assert_eq!(world.commands, [command]);
}

#[test]
fn e11_a_new_name_is_shown_at_once_and_taken_back_on_failure() {
    let mut world = three_rows();
    world.intend(Intent::RenameThread("t1".into(), "Uno".to_owned()));
    assert_eq!(world.row_names(), ["Two", "Three", "Uno"]);
    world.give(Input::ThreadRenamed {
        thread: "t1".into(),
        result: Err(unreachable()),
    });
    assert_eq!(world.row_names(), ["Two", "Three", "One"]);
    let subject = NoticeSubject::Rename("t1".into(), "Uno".to_owned());
    assert_eq!(world.state.notice.as_ref().unwrap().subject, subject);
    world.intend(Intent::RetryNotice);
    assert_eq!(world.state.notice, None);
    world.give(Input::ThreadRenamed {
        thread: "t1".into(),
        result: Ok(thread_of(json!({"id": "t1", "threadName": "UNO"}))),
    });
    assert_eq!(world.row_names(), ["Two", "Three", "UNO"]);
    assert_eq!(world.state.threads.rows[2].state, RowState::Idle);
}

#[test]
fn e12_a_deleted_thread_takes_everything_along() {
    for result in [Ok(()), Err(Failure::of(FailureKind::NotFound))] {
        let mut world = three_rows();
        world.intend(Intent::OpenThread("t1".into()));
        world.stored(json!([]));
        world.send("hi");
        world.intend(Intent::EditDraft("and".to_owned()));
        let (stream, deleted) = (world.stream(), world.key());
        delete(&mut world, result);
        assert!(world.commands.contains(&Command::CancelStream(stream)));
        assert!(world.commands.contains(&Command::RememberThread(None)));
        assert_eq!(world.row_names(), ["Two", "Three"]);
        assert!(world.state.conversation(deleted).is_none());
        assert_eq!(world.open().messages, []);
        assert_eq!(world.open().draft, "hi\n\nand");
        assert_eq!(world.state.notice, None);
    }
}

#[test]
fn e12_what_could_not_be_sent_in_it_moves_on() {
    for is_shown in [true, false] {
        let mut world = three_rows();
        world.intend(Intent::OpenThread("t1".into()));
        world.stored(json!([]));
        for text in ["first", "second"] {
            world.send(text);
            world.breaks(FailureKind::TooMany);
        }
        if !is_shown {
            world.intend(Intent::OpenThread("t2".into()));
        }
        delete(&mut world, Err(Failure::of(FailureKind::NotFound)));
        world.intend(Intent::NewThread);
        assert_eq!(world.open().draft, "first\n\nsecond");
    }
}

#[test]
fn e12_what_may_not_have_arrived_moves_on() {
    let mut world = three_rows();
    world.intend(Intent::OpenThread("t1".into()));
    world.stored(json!([]));
    world.send("hi");
    world.breaks(FailureKind::Unreachable);
    assert_eq!(
        world.open().messages[0].status,
        MessageStatus::Unconfirmed {
            checking: true,
            failure: None
        }
    );
    world.intend(Intent::EditDraft("and".to_owned()));
    delete(&mut world, Err(Failure::of(FailureKind::NotFound)));
    assert_eq!(world.open().draft, "hi\n\nand");
}

#[test]
fn e13_a_thread_that_could_not_be_deleted_is_a_row_again() {
    let mut world = three_rows();
    delete(&mut world, Err(unreachable()));
    assert_eq!(world.state.threads.rows[2].state, RowState::Idle);
    let notice = world.state.notice.clone().unwrap();
    assert_eq!(notice.subject, NoticeSubject::Delete("t1".into()));
    assert_eq!(notice.failure, unreachable());
    world.intend(Intent::RetryNotice);
    let command = Command::DeleteThread {
        thread: "t1".into(),
    };
    assert_eq!(world.commands, [command]);
    world.intend(Intent::DeleteThread("t1".into()));
    assert_eq!(world.commands, [], "it is being deleted already");
    world.intend(Intent::DismissNotice);
    assert_eq!(world.state.notice, None);
}

#[test]
fn e14_rows_are_shown_as_listed() {
    let mut world = World::new();
    world.listed(json!([{"id": "t1", "agentId": "someone-else", "threadName": null}]));
    assert_eq!(world.row_names(), [""]);
}

#[test]
fn e304_what_was_done_to_a_thread_is_announced() {
    let mut world = World::new();
    world.listed(json!([{"id": "t1", "threadName": "One"}]));
    world.intend(Intent::RenameThread("t1".into(), "Two".to_owned()));
    assert_eq!(world.said, []);
    world.give(Input::ThreadRenamed {
        thread: "t1".into(),
        result: Ok(thread_of(json!({"id": "t1", "threadName": "Two"}))),
    });
    assert_eq!(world.said, [Announcement::Renamed]);
    for result in [Err(Failure::of(FailureKind::Service)), Ok(())] {
        world.intend(Intent::DeleteThread("t1".into()));
        assert_eq!(world.said, [Announcement::Renamed]);
        world.give(Input::ThreadDeleted {
            thread: "t1".into(),
            result,
        });
    }
    assert_eq!(world.said, [Announcement::Renamed, Announcement::Deleted]);
}
