//! E274 to E279: streams that stay open after their answer.

use assent_conversation::{
    Announcement, Command, ComposerState, ContentItem, FailureKind, Input, Intent, Interruption,
    MessageStatus, Millis, PageEvent, PageRequest, PostStatus, RequestId, StepState, StreamEnd,
    StreamId, UnsentMessage, Verdict,
};
use serde_json::{Value, json};

use crate::asking::b1;
use crate::world::{World, event, request};

pub(crate) const TOOL: &str = "NOTIFICATION_TOOL_EXECUTION_INITIATED";
const DONE: &str = "NOTIFICATION_AGENT_THINKING_COMPLETE";
const TOGETHER: &str = "NOTIFICATION_MULTI_ASSISTANT_COLLABORATION_STARTED";
pub(crate) const PAUSE: i64 = 1000;
pub(crate) const MINUTE: i64 = 60_000;

/// Returns a world whose first message has this answer, on a stream that is open.
fn answered() -> (World, StreamId) {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "");
    world.event(TOOL, "");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    let stream = world.stream();
    (world, stream)
}

/// Returns such a world after the pause.
pub(crate) fn late() -> (World, StreamId) {
    let (mut world, stream) = answered();
    wait(&mut world, stream, PAUSE);
    assert_eq!(waits_for(&world), Some(PAUSE), "it is closed some time");
    (world, stream)
}

/// Lets this time go by, and the wait for the stream end.
pub(crate) fn wait(world: &mut World, stream: StreamId, time: i64) {
    world.now += time;
    world.give(Input::Waited(stream));
}

pub(crate) fn say(world: &mut World, stream: StreamId, id: &str, kind: &str, content: &str) {
    let event = event(id, kind, content, None);
    world.give(Input::StreamEvent(stream, Box::new(event)));
}

pub(crate) fn composer(world: &World) -> ComposerState {
    world.open().composer_state()
}

pub(crate) fn reported(world: &World) -> Vec<&str> {
    let answer = |command| match command {
        &Command::NotifyPage(PageEvent::AnswerComplete { ref text, .. }) => Some(text.as_str()),
        _ => None,
    };
    world.done.iter().filter_map(answer).collect()
}

pub(crate) fn waits_for(world: &World) -> Option<i64> {
    world.commands.iter().find_map(|command| match command {
        Command::Wait(_, time) => Some(time.0),
        _ => None,
    })
}

#[test]
fn e274_the_next_message_is_sent_a_second_after_a_complete_answer() {
    let (mut world, first) = answered();
    assert_eq!(waits_for(&world), Some(PAUSE));
    world.now += 300;
    world.event(DONE, "");
    wait(&mut world, first, 900);
    assert_eq!(composer(&world), ComposerState::Streaming, "something came");
    assert_eq!(waits_for(&world), Some(100));
    wait(&mut world, first, 100);
    assert_eq!(composer(&world), ComposerState::Ready);
    assert_eq!(world.status(1), &MessageStatus::Complete);
    assert!(
        world
            .message(1)
            .activity
            .steps
            .iter()
            .all(|it| it.ended.is_some())
    );
    let cancels = |it: &Command| matches!(it, Command::CancelStream(_) | Command::CloseStream(_));
    assert!(!world.done.iter().any(cancels), "the stream stays open");
    world.send("and now?");
    assert_eq!(world.posts(), 1);
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    world.ends();
    assert_eq!(
        world.texts(),
        [
            ("you", "hi"),
            ("agent", "Hello"),
            ("you", "and now?"),
            ("agent", "Now")
        ]
    );
    assert_eq!(composer(&world), ComposerState::Ready);
}

#[test]
fn e274_a_clock_that_is_set_back_costs_a_second() {
    let (mut world, first) = answered();
    wait(&mut world, first, -3_600_000);
    assert_eq!(waits_for(&world), Some(PAUSE));
    wait(&mut world, first, PAUSE);
    assert_eq!(composer(&world), ComposerState::Ready);
}

#[test]
fn e274_an_answer_that_may_go_on_is_not_complete() {
    let asks = |world: &mut World| world.asks(json!([request("b1", "x1", "mail")]));
    let goes_on: [&dyn Fn(&mut World); 7] = [
        &|world| {
            world.event(TOOL, "");
            world.event(DONE, "");
        },
        &|world| world.event("AGENT_RESPONSE_CHUNK", "And"),
        &|world| world.event(TOOL, ""),
        &|world| world.give(Input::StreamGarbled(world.stream())),
        &asks,
        &|world| world.event_of("AGENT_RESPONSE_CHUNK", "Or", Some(("b", "Bob"))),
        &|world| {
            world.event(TOGETHER, "");
            world.event("AGENT_RESPONSE_COMPLETE", "Let me ask");
        },
    ];
    for (case, go_on) in goes_on.iter().enumerate() {
        let (mut world, first) = answered();
        go_on(&mut world);
        wait(&mut world, first, MINUTE);
        assert_eq!(composer(&world), ComposerState::Streaming, "{case}");
        world.send("more");
        assert_eq!(world.posts(), 0, "{case}");
    }
}

#[test]
fn e274_another_agent_that_has_finished_is_not_the_threads_own() {
    for (own, composer_then) in [
        ("b", ComposerState::Ready),
        ("", ComposerState::Ready),
        ("a", ComposerState::Streaming),
    ] {
        let mut world = World::in_thread(json!([]));
        world.listed(json!([
            { "id": "t0", "agentId": "c" },
            { "id": "t1", "agentId": own },
        ]));
        world.send("hi");
        world.event("MESSAGE_RECEIVED", "");
        world.event_of("AGENT_RESPONSE_COMPLETE", "I am Bob", Some(("b", "Bob")));
        let stream = world.stream();
        wait(&mut world, stream, PAUSE);
        assert_eq!(composer(&world), composer_then, "{own}");
    }
}

#[test]
fn e274_a_common_answer_is_complete_once_no_contribution_is_written() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event(TOGETHER, "");
    let mut said = event(
        "c1",
        "AGENT_RESPONSE_CHUNK",
        "As for me",
        Some(("b", "Bob")),
    );
    said.event_message.collaboration_id = Some("c".to_owned());
    world.raw_event(said.clone());
    world.event("AGENT_RESPONSE_COMPLETE", "We think");
    let stream = world.stream();
    wait(&mut world, stream, PAUSE);
    assert_eq!(composer(&world), ComposerState::Streaming);
    said.event_id = "c2".into();
    said.event_type = "AGENT_RESPONSE_COMPLETE".into();
    world.raw_event(said);
    assert_eq!(waits_for(&world), Some(PAUSE));
    wait(&mut world, stream, PAUSE);
    assert_eq!(composer(&world), ComposerState::Ready);
}

#[test]
fn e274_a_queued_message_is_sent_after_the_pause() {
    let mut world = crate::asking::asked_two();
    world.send("then this");
    world.intend(Intent::SendAfterwards);
    world.decide_all(b1(), Verdict::Deny);
    world.intend(Intent::SubmitDecisions(b1()));
    let stream = world.stream();
    world.event("AGENT_RESPONSE_COMPLETE", "As you wish");
    wait(&mut world, stream, PAUSE);
    assert_eq!(world.posts(), 1);
    assert_ne!(world.stream(), stream);
}

#[test]
fn e275_what_comes_late_is_shown_at_its_place() {
    let (mut world, first) = late();
    world.send("and now?");
    say(&mut world, first, "l1", "AGENT_RESPONSE_CHUNK", "One ");
    say(&mut world, first, "l2", "AGENT_RESPONSE_CHUNK", "more");
    world.event("AGENT_RESPONSE_CHUNK", "Now");
    say(
        &mut world,
        first,
        "l3",
        "AGENT_RESPONSE_COMPLETE",
        "One more thing",
    );
    let texts = [
        ("you", "hi"),
        ("agent", "Hello"),
        ("agent", "One more thing"),
        ("you", "and now?"),
        ("agent", "Now"),
    ];
    assert_eq!(world.texts(), texts);
    assert_eq!(world.status(2), &MessageStatus::Complete);
    assert_eq!(world.status(4), &MessageStatus::Streaming);
    world.give(Input::StreamEnded(first, StreamEnd::Closed));
    assert_eq!(
        world.status(4),
        &MessageStatus::Streaming,
        "another stream's"
    );
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    world.ends();
    assert_eq!(world.texts(), texts);
    assert_eq!(world.load_delay(), None);
}

#[test]
fn e275_a_post_that_is_refused_or_stopped_takes_nothing_of_a_late_stream_with_it() {
    for is_stopped in [false, true] {
        let (mut world, first) = late();
        world.send("and now?");
        let second = world.stream();
        say(&mut world, first, "l1", "AGENT_RESPONSE_CHUNK", "One more");
        if is_stopped {
            world.give(Input::StreamStopped(second));
        } else {
            world.breaks(FailureKind::Service);
        }
        assert_eq!(world.message(2).text, "One more");
        assert_eq!(world.stream(), first, "its agent goes on");
    }
}

#[test]
fn e275_an_agent_that_goes_on_is_waited_for_again() {
    let (mut world, first) = late();
    say(&mut world, first, "l0", DONE, "");
    assert_eq!(composer(&world), ComposerState::Ready, "that is no work");
    say(&mut world, first, "l1", "AGENT_RESPONSE_CHUNK", "One more");
    assert_eq!(
        (composer(&world), world.stream()),
        (ComposerState::Streaming, first)
    );
    say(
        &mut world,
        first,
        "l2",
        "AGENT_RESPONSE_COMPLETE",
        "One more",
    );
    wait(&mut world, first, PAUSE);
    assert_eq!(composer(&world), ComposerState::Ready);

    world.send("and now?");
    let second = world.stream();
    say(&mut world, first, "l3", "AGENT_RESPONSE_CHUNK", "Two");
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    world.give(Input::StreamEnded(second, StreamEnd::Closed));
    assert_eq!(
        (composer(&world), world.stream()),
        (ComposerState::Streaming, first)
    );
    assert_eq!(world.load_delay(), None);
    world.give(Input::StreamEnded(first, StreamEnd::Closed));
    let lost = MessageStatus::Interrupted {
        by: Interruption::Lost,
        checking: true,
    };
    assert_eq!(world.status(3), &lost);
    assert_eq!(world.load_delay(), Some(0));
}

#[test]
fn e275_a_late_request_for_approval_is_decided_once_the_streams_have_ended() {
    let (mut world, first) = late();
    world.send("and now?");
    world.asks_in(first, json!([request("b1", "x1", "mail")]));
    assert_eq!(world.message(1).approvals.len(), 1);
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    world.ends();
    assert_eq!(
        composer(&world),
        ComposerState::Streaming,
        "it may ask for more"
    );
    world.give(Input::StreamEnded(first, StreamEnd::Closed));
    assert_eq!(composer(&world), ComposerState::AwaitingApproval);
    world.decide_all(b1(), Verdict::Approve);
    world.intend(Intent::SubmitDecisions(b1()));
    assert_eq!(world.posts(), 1);
}

#[test]
fn e275_the_steps_of_a_late_answer_end_with_it_while_another_stream_runs() {
    for (end, state) in [
        ("AGENT_RESPONSE_COMPLETE", StepState::Done),
        ("ERROR", StepState::Failed),
    ] {
        let (mut world, first) = late();
        world.send("and now?");
        let last = |world: &World| world.message(1).activity.steps.last().map(|it| it.state);
        say(&mut world, first, "l1", TOOL, "");
        assert_eq!(last(&world), Some(StepState::Running));
        say(&mut world, first, "l2", end, "More");
        assert_eq!(last(&world), Some(state));
        assert_eq!(
            composer(&world),
            ComposerState::Streaming,
            "of the other one"
        );
    }
}

#[test]
fn e275_while_a_late_agent_goes_on_nobody_is_asked_what_a_message_is_meant_for() {
    let (mut world, first) = late();
    world.send("and now?");
    world.asks(json!([request("b1", "x1", "mail")]));
    world.ends();
    world.send("why?");
    assert!(world.open().is_asking);
    world.give(Input::StreamGarbled(first));
    assert_eq!(composer(&world), ComposerState::Streaming);
    assert!(world.open().queued.is_empty());
    assert_eq!(world.open().draft, "why?");
}

#[test]
fn e276_a_silent_stream_is_closed_after_a_minute_as_one_that_ended() {
    let (mut world, first) = late();
    for _ in 0..58 {
        wait(&mut world, first, PAUSE);
        assert!(!world.commands.contains(&Command::CloseStream(first)));
        assert_eq!(waits_for(&world), Some(PAUSE));
    }
    wait(&mut world, first, PAUSE);
    assert_eq!(world.commands, [Command::CloseStream(first)]);
    let before = world.state.clone();
    say(&mut world, first, "l1", "AGENT_RESPONSE_CHUNK", "too late");
    wait(&mut world, first, PAUSE);
    assert_eq!(world.state, before);
    assert!(world.commands.is_empty());
}

#[test]
fn e276_the_oldest_of_three_is_closed() {
    let (mut world, first) = late();
    let mut streams = vec![first];
    for text in ["two", "three"] {
        world.send(text);
        let stream = world.stream();
        world.event("AGENT_RESPONSE_COMPLETE", text);
        wait(&mut world, stream, PAUSE);
        streams.push(stream);
    }
    assert!(world.commands.contains(&Command::CloseStream(first)));
    let late = world.open().late_streams().map(|it| it.id);
    assert_eq!(late.collect::<Vec<_>>(), streams[1..]);
}

#[test]
fn e276_stop_and_a_deleted_thread_end_all_streams() {
    let two = || {
        let (mut world, first) = late();
        world.send("and now?");
        world.event("AGENT_RESPONSE_CHUNK", "Now");
        say(&mut world, first, "l1", "AGENT_RESPONSE_CHUNK", "One more");
        let second = world.stream();
        (world, [first, second].map(Command::CancelStream))
    };
    let (mut world, cancels) = two();
    world.intend(Intent::Stop);
    assert!(cancels.iter().all(|it| world.commands.contains(it)));
    assert_eq!(composer(&world), ComposerState::Ready);
    let stopped = MessageStatus::Interrupted {
        by: Interruption::Stopped,
        checking: false,
    };
    assert_eq!((world.status(2), world.status(4)), (&stopped, &stopped));
    let (mut world, cancels) = two();
    world.give(Input::ThreadGone("t1".into()));
    assert!(cancels.iter().all(|it| world.commands.contains(it)));
}

#[test]
fn e277_the_page_is_told_of_each_answer_once() {
    let mut world = World::in_thread(json!([]));
    let content = vec![ContentItem::Text("hi".to_owned())];
    world.give(Input::Request(RequestId(1), PageRequest::Send(content)));
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    assert_eq!(reported(&world), [""; 0]);
    let first = world.stream();
    wait(&mut world, first, PAUSE);
    assert!(world.done.contains(&Command::Resolve(RequestId(1), Ok(()))));
    assert_eq!(reported(&world), ["Hello"]);
    say(
        &mut world,
        first,
        "l1",
        "AGENT_RESPONSE_COMPLETE",
        "One more",
    );
    wait(&mut world, first, PAUSE);
    world.give(Input::StreamEnded(first, StreamEnd::Closed));
    assert_eq!(reported(&world), ["Hello", "One more"]);
    let answers = |it: &&Announcement| matches!(it, Announcement::Answered { .. });
    assert_eq!(world.said.iter().filter(answers).count(), 2);
}

#[test]
fn e277_a_connection_that_breaks_late_changes_nothing() {
    let (mut world, first) = late();
    let messages = world.open().messages.clone();
    let lost = assent_conversation::Failure::of(FailureKind::Unreachable);
    world.give(Input::StreamEnded(first, StreamEnd::Failed(lost)));
    assert_eq!(world.open().messages, messages);
    assert!(world.commands.is_empty());
}

/// Returns a world that mirrors a stream with a complete answer.
pub(crate) fn mirrored(name: StreamId) -> World {
    let mut world = World::in_thread(json!([]));
    follow(&mut world, name, "hi");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    world
}

pub(crate) fn follow(world: &mut World, name: StreamId, text: &str) {
    let content = vec![ContentItem::Text(text.to_owned())];
    world.give(Input::StreamFollowed(name, "t1".into(), content));
}

#[test]
fn e278_a_mirrored_stream_is_left_like_an_own_one_and_closed_by_its_owner() {
    let (first, second) = (StreamId(u32::MAX), StreamId(u32::MAX - 1));
    let mut world = mirrored(first);
    wait(&mut world, first, PAUSE);
    assert_eq!(composer(&world), ComposerState::Ready);
    assert_eq!(reported(&world), [""; 0], "the other page is told");
    wait(&mut world, first, MINUTE);
    assert!(!world.done.contains(&Command::CloseStream(first)));
    assert_eq!(world.open().late_streams().count(), 0);
    assert_eq!(world.load_delay(), Some(0));

    let mut world = mirrored(first);
    follow(&mut world, second, "and now?");
    assert_eq!(
        world.stream(),
        second,
        "the other tab did not wait for this one"
    );
    say(
        &mut world,
        first,
        "l1",
        "AGENT_RESPONSE_COMPLETE",
        "One more",
    );
    world.event("AGENT_RESPONSE_COMPLETE", "Now");
    assert_eq!(
        world.texts(),
        [
            ("you", "hi"),
            ("agent", "Hello"),
            ("agent", "One more"),
            ("you", "and now?"),
            ("agent", "Now")
        ]
    );
    world.give(Input::StreamStopped(first));
    assert_eq!(world.stream(), second);
    world.ends();
    assert_eq!(world.load_delay(), Some(0));
}

/// Gives the world a message of an earlier page to look for, and the stored messages.
fn loads(world: &mut World, stored: Value) {
    world.give(Input::Unsent(vec![UnsentMessage {
        thread: Some("t1".into()),
        text: "and now?".to_owned(),
        files: Vec::new(),
        at: Millis(1),
        older: 0,
        key: None,
        status: PostStatus::Posted,
    }]));
    world.stored(stored);
}

#[test]
fn e276_a_late_stream_forgets_the_messages_that_a_load_replaced() {
    let there = StreamId(u32::MAX);
    let before = json!([
        {"id": "m0", "role": "user", "content": "hi"},
        {"id": "m1", "role": "assistant", "content": "Hello"}
    ]);
    let mut after = before.clone();
    let last = json!({"id": "m2", "role": "user", "content": "and now?"});
    after.as_array_mut().unwrap().push(last);
    let texts = [("you", "hi"), ("agent", "Hello"), ("you", "and now?")];

    let mut world = mirrored(there);
    world.event_of("AGENT_RESPONSE_COMPLETE", "", Some(("helper", "h1")));
    wait(&mut world, there, PAUSE);
    assert_eq!(world.texts().len(), 3, "the helper said nothing");
    loads(&mut world, after.clone());
    assert_eq!(world.texts()[..3], texts);
    say(&mut world, there, "l1", DONE, "");
    assert_eq!(
        world.open().stream(),
        None,
        "its answer is as whole as before"
    );
    assert_eq!(world.open().late_streams().count(), 1);

    let mut world = World::in_thread(before);
    follow(&mut world, there, "hi");
    world.event("AGENT_RESPONSE_COMPLETE", "Hello");
    wait(&mut world, there, PAUSE);
    loads(&mut world, after);
    assert_eq!(world.texts()[..3], texts);
    assert_eq!(
        world.open().late_streams().count(),
        0,
        "all of it was there before"
    );
}

#[test]
fn e279_a_stream_with_an_error_ends_after_a_second() {
    let mut world = World::in_thread(json!([]));
    world.send("hi");
    world.event("MESSAGE_RECEIVED", "");
    world.event("ERROR", "out of order");
    assert_eq!(waits_for(&world), Some(PAUSE));
    let stream = world.stream();
    wait(&mut world, stream, PAUSE);
    assert_eq!(composer(&world), ComposerState::Ready);
    assert!(world.commands.contains(&Command::CloseStream(stream)));
    assert!(matches!(world.status(1), MessageStatus::Failed(_)));
}

#[test]
fn e44_a_late_stream_opens_no_answer_of_the_stream_after_it() {
    let (mut world, late) = late();
    world.send("And?");
    let before = world.open().messages.clone();
    world.give(Input::StreamOpened(late));
    assert_eq!(world.open().messages, before);
    world.opened();
    assert_eq!(world.open().messages.len(), before.len() + 1);
}
