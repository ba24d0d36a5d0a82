//! E286 to E288: answers that are ended at the service.

use assent_conversation::{
    Announcement, Command, ComposerState, Failure, FailureKind, Input, Intent, Interruption,
    MessageStatus, NoticeSubject, PageRequest, RequestId, StreamId, Verdict,
};
use assent_protocol::{ContentItem, ThreadId};
use serde_json::json;

use crate::asking::{asked_two, b1};
use crate::world::World;

fn t1() -> ThreadId {
    "t1".into()
}

/// Returns a thread whose service offers to end answers, with a post that is not accepted yet.
fn posted() -> World {
    let mut world = World::in_thread(json!([]));
    world.give(Input::CancelOffered(true));
    world.send("hi");
    world
}

/// Returns the same with the beginning of an answer.
fn answering() -> World {
    let mut world = posted();
    world.event("MESSAGE_RECEIVED", "hi");
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    world
}

fn is_stopping(world: &World) -> bool {
    let stream = world.open().stream();
    stream.is_some_and(|stream| stream.is_stopping)
}

#[test]
fn e286_stop_ends_the_answer_where_that_is_offered() {
    let mut world = answering();
    world.intend(Intent::Stop);
    assert_eq!(world.commands, [Command::CancelAnswer(t1())]);
    assert_eq!(world.said.last(), Some(&Announcement::Stopping));
    assert_eq!(world.open().composer_state(), ComposerState::Streaming);
    world.give(Input::AnswerCancelled(t1(), Ok(())));
    world.event("AGENT_RESPONSE_COMPLETE", "Hel\n\n*Stopped.*");
    world.ends();
    assert_eq!(world.texts()[1], ("agent", "Hel\n\n*Stopped.*"));
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(world.load_delay(), None);
    assert_eq!(world.open().composer_state(), ComposerState::Ready);

    let mut world = answering();
    world.give(Input::CancelOffered(false));
    let stream = world.stream();
    world.intend(Intent::Stop);
    assert_eq!(world.commands, [Command::CancelStream(stream)]);
}

#[test]
fn e286_the_service_is_asked_once_it_has_the_post() {
    let mut world = posted();
    world.intend(Intent::Stop);
    assert_eq!(world.commands, []);
    world.event("CONNECTION_ESTABLISHED", "");
    assert_eq!(world.commands, []);
    world.event("MESSAGE_RECEIVED", "hi");
    assert_eq!(world.commands, [Command::CancelAnswer(t1())]);
    world.event("AGENT_RESPONSE_CHUNK", "Hel");
    assert_eq!(world.commands, []);
}

#[test]
fn e286_a_second_stop_stops_listening() {
    for accepted in [true, false] {
        let mut world = if accepted { answering() } else { posted() };
        let stream = world.stream();
        world.intend(Intent::Stop);
        world.intend(Intent::Stop);
        assert_eq!(world.commands[0], Command::CancelStream(stream));
        if accepted {
            let by = Interruption::Stopped;
            let checking = false;
            assert_eq!(
                world.status(1),
                &MessageStatus::Interrupted { by, checking }
            );
        }
    }
}

#[test]
fn e286_a_tab_that_mirrors_the_stream_can_end_the_answer() {
    let mut world = World::in_thread(json!([]));
    world.give(Input::CancelOffered(true));
    let content = vec![ContentItem::Text("hi".to_owned())];
    world.give(Input::StreamFollowed(StreamId(9_000), t1(), content));
    world.event("MESSAGE_RECEIVED", "hi");
    world.intend(Intent::Stop);
    assert_eq!(world.commands, [Command::CancelAnswer(t1())]);
}

#[test]
fn e287_a_failure_to_ask_is_said_and_the_answer_goes_on() {
    let mut world = answering();
    world.intend(Intent::Stop);
    let failure = Failure::of(FailureKind::Unreachable);
    world.give(Input::AnswerCancelled(t1(), Err(failure)));
    let notice = world.state.notice.clone().unwrap();
    assert_eq!(notice.subject, NoticeSubject::Cancel(t1()));
    assert!(!is_stopping(&world));
    world.event("AGENT_RESPONSE_CHUNK", "lo");
    assert_eq!(world.texts()[1], ("agent", "Hello"));
    world.intend(Intent::RetryNotice);
    assert_eq!(world.commands, [Command::CancelAnswer(t1())]);
    assert_eq!(world.state.notice, None);
}

#[test]
fn e287_that_nothing_was_being_written_is_no_failure() {
    for kind in [FailureKind::Rejected, FailureKind::NotFound] {
        let mut world = answering();
        world.intend(Intent::Stop);
        world.give(Input::AnswerCancelled(t1(), Err(Failure::of(kind))));
        assert_eq!(world.state.notice, None);
        world.event("AGENT_RESPONSE_COMPLETE", "Hello.");
        world.ends();
        assert_eq!(world.status(1), &MessageStatus::Complete);
    }
    let mut world = answering();
    world.intend(Intent::Stop);
    world.ends();
    let late = Failure::of(FailureKind::Unreachable);
    world.give(Input::AnswerCancelled(t1(), Err(late.clone())));
    assert_eq!(world.state.notice, None, "the answer ended all the same");
    world.send("more");
    world.give(Input::AnswerCancelled(t1(), Err(late)));
    assert_eq!(world.state.notice, None, "nobody stops the next one");
}

#[test]
fn e288_an_answer_that_breaks_while_it_is_stopped_is_the_stored_one() {
    let mut world = answering();
    world.intend(Intent::Stop);
    world.breaks(FailureKind::Unreachable);
    world.stored(json!([
        {"id": "m1", "role": "user", "content": "hi"},
        {"id": "m2", "role": "assistant", "content": "Hel\n\n*Stopped.*"},
    ]));
    let nothing_under_way = Failure::of(FailureKind::Rejected);
    world.give(Input::AnswerCancelled(t1(), Err(nothing_under_way)));
    assert_eq!(world.texts()[1], ("agent", "Hel\n\n*Stopped.*"));
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert_eq!(world.state.notice, None);
    assert_eq!(world.open().composer_state(), ComposerState::Ready);
}

#[test]
fn e288_for_the_page_the_answer_was_stopped() {
    let mut world = World::in_thread(json!([]));
    world.give(Input::CancelOffered(true));
    let content = vec![ContentItem::Text("hi".to_owned())];
    world.give(Input::Request(RequestId(1), PageRequest::Send(content)));
    world.event("MESSAGE_RECEIVED", "hi");
    world.intend(Intent::Stop);
    world.done.clear();
    world.event("AGENT_RESPONSE_COMPLETE", "*Stopped.*");
    world.ends();
    let stopped = Failure::of(FailureKind::Stopped);
    let is_settled = |it: &Command| *it == Command::Resolve(RequestId(1), Err(stopped.clone()));
    assert!(world.done.iter().any(is_settled), "{:?}", world.done);
    let reported = |it: &Command| matches!(it, Command::NotifyPage(_));
    assert!(!world.done.iter().any(reported), "{:?}", world.done);
    assert!(!world.said.contains(&Announcement::Interrupted));
    // An answer that nobody stops is reported, and settles its request.
    let content = vec![ContentItem::Text("again".to_owned())];
    world.give(Input::Request(RequestId(2), PageRequest::Send(content)));
    world.event("MESSAGE_RECEIVED", "again");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello.");
    world.ends();
    let is_answered = |it: &Command| matches!(it, Command::Resolve(RequestId(2), Ok(_)));
    assert!(world.done.iter().any(is_answered), "{:?}", world.done);
}

#[test]
fn e288_a_request_that_waits_in_another_conversation_goes_on_waiting() {
    let mut world = World::in_thread(json!([]));
    world.give(Input::CancelOffered(true));
    for (number, thread) in [(1, "t1"), (2, "t2")] {
        world.intend(Intent::OpenThread(thread.into()));
        world.stored(json!([]));
        let content = vec![ContentItem::Text("hi".to_owned())];
        world.give(Input::Request(
            RequestId(number),
            PageRequest::Send(content),
        ));
        world.event("MESSAGE_RECEIVED", "hi");
    }
    world.intend(Intent::Stop);
    world.done.clear();
    world.event("AGENT_RESPONSE_COMPLETE", "*Stopped.*");
    world.ends();
    let settled = world.done.iter().filter_map(|it| match it {
        Command::Resolve(request, _) => Some(*request),
        _ => None,
    });
    assert_eq!(settled.collect::<Vec<_>>(), [RequestId(2)]);
}

#[test]
fn e288_a_queued_text_is_a_draft_again() {
    let mut world = asked_two();
    world.give(Input::CancelOffered(true));
    world.send("thanks");
    world.intend(Intent::SendAfterwards);
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    world.event("MESSAGE_RECEIVED", "");
    world.intend(Intent::Stop);
    world.event("AGENT_RESPONSE_COMPLETE", "*Stopped.*");
    world.ends();
    assert_eq!((world.posts(), world.open().draft.as_str()), (0, "thanks"));
    assert!(world.open().queued.is_empty());
}
