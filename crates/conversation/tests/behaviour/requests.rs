//! E200 to E205: the host page's requests, and their results.

use assent_conversation::{
    Command, ComposerState, ContentItem, Failure, FailureKind, Input, Intent, MessageStatus,
    PageRequest, RequestId, StreamEnd, Verdict, WithheldReason,
};
use serde_json::json;

use crate::asking::{asked_two, b1};
use crate::world::{World, failed, thread_of};

const ID: RequestId = RequestId(1);

fn text(text: &str) -> Vec<ContentItem> {
    vec![ContentItem::Text(text.to_owned())]
}

/// Returns the results of the requests with this identifier; each has one.
fn ends(world: &World, of: RequestId) -> Vec<Result<(), FailureKind>> {
    let ends = world.done.iter().filter_map(|command| match command {
        Command::Resolve(id, end) if *id == of => Some(end.clone().map_err(|it| it.kind)),
        _ => None,
    });
    ends.collect()
}

fn end(world: &World) -> Vec<Result<(), FailureKind>> {
    ends(world, ID)
}

fn request(world: &mut World, request: PageRequest) {
    world.give(Input::Request(ID, request));
}

/// Returns a world in which a message of the host page is being sent.
fn sending() -> World {
    let mut world = World::in_thread(json!([]));
    request(&mut world, PageRequest::Send(text("hi")));
    assert_eq!(world.posts(), 1);
    world
}

fn listed() -> World {
    let mut world = World::new();
    world.listed(json!([{"id": "t1", "threadName": "One"}]));
    world
}

fn rename(name: &str) -> PageRequest {
    PageRequest::RenameThread("t1".into(), name.to_owned())
}

fn renamed(world: &mut World, result: Result<(), FailureKind>) {
    world.give(Input::ThreadRenamed {
        thread: "t1".into(),
        result: result
            .map(|()| thread_of(json!({"id": "t1", "threadName": "Two"})))
            .map_err(Failure::of),
    });
}

#[test]
fn e200_a_request_of_the_page_is_settled_when_it_is_done() {
    let mut world = World::in_thread(json!([]));
    request(&mut world, PageRequest::NewThread);
    assert_eq!(end(&world), [Ok(())]);
    assert_eq!(world.open().thread_id(), None);

    let mut world = World::new();
    request(&mut world, PageRequest::OpenThread("t1".into()));
    assert_eq!(end(&world), []);
    world.stored(json!([]));
    assert_eq!(end(&world), [Ok(())]);

    let mut world = World::new();
    request(&mut world, PageRequest::OpenThread("t1".into()));
    world.not_stored(FailureKind::NotFound);
    assert_eq!(end(&world), [Err(FailureKind::NotFound)]);

    let mut world = listed();
    request(&mut world, rename("Two"));
    assert_eq!(world.row_names(), ["Two"]);
    renamed(&mut world, Ok(()));
    assert_eq!(end(&world), [Ok(())]);
    world.give(Input::Request(RequestId(2), rename(" Two ")));
    assert_eq!(ends(&world, RequestId(2)), [Ok(())], "that is its name");

    let mut world = listed();
    for id in [ID, RequestId(2)] {
        world.give(Input::Request(id, PageRequest::DeleteThread("t1".into())));
    }
    world.give(Input::ThreadDeleted {
        thread: "t1".into(),
        result: Ok(()),
    });
    assert_eq!(
        [end(&world), ends(&world, RequestId(2))].concat(),
        [Ok(()), Ok(())]
    );
}

#[test]
fn e201_a_new_name_and_a_deletion_wait_for_the_list_and_end_with_what_went_wrong() {
    let mut world = World::new();
    request(&mut world, rename("Two"));
    assert_eq!(world.commands, []);
    world.listed(json!([{"id": "t1", "threadName": "One"}]));
    assert!(matches!(
        world.commands.as_slice(),
        [Command::RenameThread { .. }]
    ));
    renamed(&mut world, Err(FailureKind::Forbidden));
    assert_eq!(end(&world), [Err(FailureKind::Forbidden)]);

    let mut world = World::new();
    request(&mut world, PageRequest::DeleteThread("t9".into()));
    world.listed(json!([{"id": "t1"}]));
    assert_eq!(end(&world), [Err(FailureKind::NotFound)]);

    let mut world = World::new();
    request(&mut world, PageRequest::DeleteThread("t1".into()));
    let failure = Failure::of(FailureKind::Service);
    world.give(Input::Threads(Err(failure)));
    assert_eq!(end(&world), [Err(FailureKind::Service)]);

    let mut world = listed();
    request(&mut world, PageRequest::DeleteThread("t1".into()));
    world.give(Input::Request(RequestId(2), rename("Two")));
    assert_eq!(ends(&world, RequestId(2)), [Err(FailureKind::NotFound)]);
    let failure = Failure::of(FailureKind::Forbidden);
    world.give(Input::ThreadDeleted {
        thread: "t1".into(),
        result: Err(failure),
    });
    assert_eq!(end(&world), [Err(FailureKind::Forbidden)]);
}

#[test]
fn e202_a_message_of_the_page_is_settled_when_its_answer_is_whole() {
    let mut world = sending();
    world.event("MESSAGE_RECEIVED", "");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    assert_eq!(end(&world), []);
    world.ends();
    assert_eq!(end(&world), [Ok(())]);
    assert_eq!(world.texts(), [("you", "hi"), ("agent", "Hello")]);

    let mut world = sending();
    world.asks(json!([crate::world::request("b1", "x1", "mail")]));
    world.ends();
    assert_eq!(end(&world), [], "the agent waits for a decision");
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    world.event("MESSAGE_RECEIVED", "");
    world.event("AGENT_RESPONSE_COMPLETE", "Done");
    world.ends();
    assert_eq!(end(&world), [Ok(())]);

    let mut world = sending();
    world.event("MESSAGE_RECEIVED", "");
    world.ends();
    assert_eq!(end(&world), [], "the stored messages are read for the rest");
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "Hello"},
    ]));
    assert_eq!(end(&world), [Ok(())]);
}

#[test]
fn e202_it_is_settled_whoever_the_service_says_that_wrote_it() {
    let mut world = sending();
    world.asks(json!([crate::world::request("b1", "x1", "mail")]));
    world.ends();
    for (role, status) in [("user", "PENDING_HUMAN_APPROVAL"), ("assistant", "DENIED")] {
        world.intend(Intent::ReloadMessages);
        let run = json!({"executionBatchId": "b1", "toolExecutionId": "x1", "name": "mail", "status": status});
        let mut stored = json!([
            {"id": "m1", "role": role, "content": "hi"},
            {"id": "m2", "role": "assistant", "content": "", "toolExecutionHumanApprovalRequest": [run]},
        ]);
        if status == "DENIED" {
            let answer = json!({"id": "m3", "role": "assistant", "content": "Then not."});
            stored.as_array_mut().unwrap().push(answer);
        }
        world.stored(stored);
    }
    assert_eq!(end(&world), [Ok(())]);
}

#[test]
fn e203_a_message_of_the_page_ends_with_the_failure_that_is_shown() {
    let mut world = sending();
    world.breaks(FailureKind::TooMany);
    assert_eq!(end(&world), [Err(FailureKind::TooMany)]);

    let mut world = sending();
    world.event("MESSAGE_RECEIVED", "");
    world.event("ERROR", "No model");
    world.ends();
    assert_eq!(end(&world), [Err(FailureKind::Agent)]);

    let mut world = sending();
    world.event("AGENT_RESPONSE_CHUNK", "He");
    world.intend(Intent::Stop);
    assert_eq!(end(&world), [Err(FailureKind::Stopped)]);

    let mut world = sending();
    world.event("AGENT_RESPONSE_CHUNK", "He");
    world.ends();
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(end(&world), [Err(FailureKind::Interrupted)]);

    let mut world = sending();
    world.breaks(FailureKind::Unreachable);
    world.not_stored(FailureKind::Unreachable);
    assert_eq!(end(&world), [Err(FailureKind::Unconfirmed)]);

    let mut world = sending();
    world.listed(json!([{"id": "t1"}]));
    world.intend(Intent::DeleteThread("t1".into()));
    world.give(Input::ThreadDeleted {
        thread: "t1".into(),
        result: Ok(()),
    });
    assert_eq!(end(&world), [Err(FailureKind::NotFound)]);
}

#[test]
fn e204_what_cannot_be_done_now_ends_at_once_and_leaves_the_draft() {
    let mut world = sending();
    world.intend(Intent::EditDraft("typed".to_owned()));
    world.give(Input::Request(
        RequestId(2),
        PageRequest::Send(text("more")),
    ));
    assert_eq!(ends(&world, RequestId(2)), [Err(FailureKind::Busy)]);
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world.ends();
    world.give(Input::Request(
        RequestId(3),
        PageRequest::Send(text("more")),
    ));
    assert_eq!(world.open().composer_state(), ComposerState::Streaming);
    assert_eq!(world.open().draft, "typed");

    let mut world = asked_two();
    request(&mut world, PageRequest::Send(text("more")));
    assert_eq!(end(&world), [Err(FailureKind::Undecided)]);

    for invalid in [
        PageRequest::Send(Vec::new()),
        PageRequest::Send(text(" ")),
        PageRequest::Send(vec![ContentItem::ToolApprovalResult(Vec::new())]),
        PageRequest::OpenThread("".into()),
        rename(" "),
    ] {
        let mut world = listed();
        request(&mut world, invalid);
        assert_eq!(end(&world), [Err(FailureKind::Invalid)]);
        assert_eq!(world.commands.len(), 1);
    }
}

#[test]
fn e205_the_page_may_change_a_message_before_it_leaves_or_keep_it() {
    let file = ContentItem::Document("f1".to_owned());
    let both = [text("Hello"), vec![file]].concat();

    let mut world = World::new();
    request(&mut world, PageRequest::Send(text("hi")));
    world.give(Input::Edited(world.key(), both.clone()));
    assert_eq!(world.texts(), [("you", "Hello")]);
    world.created(json!({"id": "t1"}));
    let is_the_post = |command: &Command| match command {
        Command::Post {
            content,
            is_proposal,
            ..
        } => *content == both && !is_proposal,
        _ => false,
    };
    assert!(world.commands.iter().any(is_the_post), "it was asked once");

    let mut world = sending();
    world.give(Input::Edited(world.key(), text("Hello")));
    assert_eq!(world.texts(), [("you", "Hello")]);
    world.give(Input::Edited(world.key(), text(" ")));
    assert_eq!(world.texts(), [("you", "Hello")], "that is no message");
    world.event("MESSAGE_RECEIVED", "");
    world.give(Input::Edited(world.key(), text("Late")));
    assert_eq!(world.status(0), &MessageStatus::Sent);
    assert_eq!(world.texts()[0], ("you", "Hello"), "it has left");

    let mut world = sending();
    world.withheld(WithheldReason::ByPage);
    assert_eq!(end(&world), [Err(FailureKind::Withheld)]);
    assert_eq!(world.status(0), &failed(FailureKind::Withheld));
    world.intend(Intent::RetryMessage(world.message(0).key));
    assert!(matches!(
        world.commands.as_slice(),
        [Command::Post {
            is_proposal: true,
            ..
        }]
    ));
    let stream = world.stream();
    world.give(Input::StreamEnded(
        stream,
        StreamEnd::Withheld(WithheldReason::ByPage),
    ));
    world.intend(Intent::DismissMessage(world.message(0).key));
    assert_eq!(world.open().draft, "hi");
}
