//! Recordings of answers that other pages received.

use assent_conversation::{
    Activity, Announcement, Change, Command, FailureKind, Input, Intent, Millis, PageRequest,
    RecordedEnd, RecordedFrame, Recording, RequestId, StepState,
};
use assent_protocol::SseEvent;
use serde_json::{Value, json};

use crate::world::{World, event, request};

const THINKING: &str = "NOTIFICATION_AGENT_THINKING_STARTED";
const THOUGHT: &str = "NOTIFICATION_AGENT_THINKING_COMPLETE";

/// A world that records its stream as the device does.
struct Recorder {
    world: World,
    recording: Recording,
}

impl Recorder {
    /// Posts the message `question` to thread `t1`, after the stored messages.
    fn posts(stored: Value, question: &str) -> Self {
        let mut world = World::in_thread(stored);
        world.send(question);
        world.opened();
        Self::of(world, Some(question))
    }

    fn of(world: World, question: Option<&str>) -> Self {
        let recording = Recording {
            question: question.map(str::to_owned),
            frames: Vec::new(),
            ended: Millis(0),
            end: RecordedEnd::Lost,
        };
        Self { world, recording }
    }

    /// Takes a frame, a moment after the one before it.
    fn frame(&mut self, event: Option<SseEvent>) {
        self.world.now += 700;
        let stream = self.world.stream();
        self.recording.frames.push(RecordedFrame {
            at: Millis(self.world.now),
            event: event.clone().map(Box::new),
        });
        self.world.give(match event {
            Some(event) => Input::StreamEvent(stream, Box::new(event)),
            None => Input::StreamGarbled(stream),
        });
    }

    fn said(&mut self, id: &str, event_type: &str, content: &str) {
        self.frame(Some(event(id, event_type, content, Some(("a", "Ada")))));
    }

    fn asks(&mut self, requests: Value) {
        let event = json!({
            "type": "TOOL_EXECUTION_APPROVAL_REQUEST",
            "eventMessage": { "toolExecutionApprovalRequest": requests },
        });
        self.frame(serde_json::from_value(event).unwrap());
    }

    /// Takes a step that ends and one that is open, and a frame that cannot be read.
    fn works(&mut self) {
        self.said("1", "MESSAGE_RECEIVED", "");
        self.said("2", THINKING, "Thinking it over");
        self.said("3", THOUGHT, "");
        self.frame(None);
        self.said("4", "NOTIFICATION_KNOWLEDGE_RETRIEVAL_INITIATED", "");
    }

    fn ends(&mut self, end: RecordedEnd) -> Recording {
        self.world.now += 300;
        self.recording.ended = Millis(self.world.now);
        self.recording.end = end;
        match end {
            RecordedEnd::Closed => self.world.ends(),
            RecordedEnd::Lost => self.world.breaks(FailureKind::Unreachable),
            RecordedEnd::Stopped => self.world.intend(Intent::Stop),
        }
        self.recording.clone()
    }

    /// Returns the activity of the message at this index.
    fn seen(&self, at: usize) -> Activity {
        let activity = self.world.message(at).activity.clone();
        assert!(!activity.steps.is_empty());
        activity
    }
}

/// Returns a page that was loaded later with these stored messages.
fn later(stored: Value, recordings: Vec<Recording>) -> World {
    let mut world = World::in_thread(stored);
    world.now += 5_000_000;
    world.give(Input::Recordings("t1".into(), recordings));
    world
}

fn user(text: &str) -> Value {
    json!({ "id": format!("u-{text}"), "role": "user", "content": text })
}

fn agent(id: &str, text: &str) -> Value {
    json!({ "id": id, "role": "assistant", "content": text })
}

fn recalls(world: &World) -> usize {
    let all = world.done.iter();
    all.filter(|it| **it == Command::LoadRecordings("t1".into()))
        .count()
}

#[test]
fn e260_the_activity_of_a_stored_answer_is_the_one_that_was_seen_live() {
    let mut live = Recorder::posts(json!([]), "hi");
    live.works();
    live.said("5", "AGENT_RESPONSE_CHUNK", "Hel");
    live.said("6", "AGENT_RESPONSE_COMPLETE", "Hello");
    let recording = live.ends(RecordedEnd::Closed);
    let world = later(json!([user("hi"), agent("m1", "Hello")]), vec![recording]);
    assert_eq!(world.message(1).activity, live.seen(1));
    assert_eq!(world.message(1).activity.steps.len(), 3);
    let message = world.message(1).key;
    assert_eq!(world.changes, [Change::Message(world.key(), message)]);
}

#[test]
fn e260_so_is_that_of_an_answer_that_was_stopped_lost_or_failed() {
    for (end, state) in [
        (RecordedEnd::Stopped, StepState::Done),
        (RecordedEnd::Lost, StepState::Failed),
    ] {
        let mut live = Recorder::posts(json!([]), "hi");
        live.works();
        live.said("5", "AGENT_RESPONSE_CHUNK", "Hel");
        let recording = live.ends(end);
        let world = later(json!([user("hi"), agent("m1", "Hello")]), vec![recording]);
        assert_eq!(world.message(1).activity, live.seen(1));
        assert_eq!(world.message(1).activity.steps.last().unwrap().state, state);
    }
    let mut live = Recorder::posts(json!([]), "hi");
    live.works();
    live.said("5", "ERROR", "It did not work");
    let recording = live.ends(RecordedEnd::Closed);
    let stored = json!([user("hi"), agent("m1", "It did not work")]);
    let world = later(stored, vec![recording]);
    assert_eq!(world.message(1).activity, live.seen(1));
}

#[test]
fn e261_an_answer_is_known_by_its_words_behind_what_was_posted() {
    let mut live = Recorder::posts(json!([]), "hi");
    live.works();
    live.said("5", "AGENT_RESPONSE_COMPLETE", "Hello");
    let recording = live.ends(RecordedEnd::Closed);
    let stored = json!([
        user("hey"),
        agent("m1", "Hello"),
        user("hi"),
        agent("m2", "Good day"),
        user(" hi "),
        agent("m3", " Hello "),
        user("bye"),
        agent("m4", "Hello"),
    ]);
    let world = later(stored, vec![recording]);
    let known: Vec<usize> = (0..8)
        .filter(|at| !world.message(*at).activity.steps.is_empty())
        .collect();
    assert_eq!(known, [5]);
}

#[test]
fn e261_of_the_same_words_the_last_recording_is_the_last_answer() {
    let record = |step: &str| {
        let mut live = Recorder::posts(json!([]), "hi");
        live.said("1", step, "");
        live.said("2", "AGENT_RESPONSE_COMPLETE", "Hello");
        live.ends(RecordedEnd::Closed)
    };
    let stored = json!([
        user("hi"),
        agent("m1", "Hello"),
        user("hi"),
        agent("m2", "Hello"),
        user("hi"),
        agent("m3", "Hello"),
    ]);
    let recordings = vec![
        record(THOUGHT),
        record("NOTIFICATION_KNOWLEDGE_RETRIEVAL_COMPLETED"),
    ];
    let world = later(stored, recordings);
    let step = |at: usize| {
        let steps = &world.message(at).activity.steps;
        steps.first().map(|step| step.event_type.name())
    };
    assert_eq!(step(1), None);
    assert_eq!(step(3), Some(THOUGHT));
    assert_eq!(step(5), Some("NOTIFICATION_KNOWLEDGE_RETRIEVAL_COMPLETED"));
}

#[test]
fn e261_a_request_is_known_by_its_runs_and_what_follows_by_standing_behind_it() {
    let mut live = Recorder::posts(json!([]), "send it");
    live.said("1", THINKING, "");
    live.asks(json!([request("b1", "x1", "mail")]));
    let asking = live.ends(RecordedEnd::Closed);
    let asked = live.seen(1);
    let mut live = Recorder::of(live.world, None);
    let verdict = assent_conversation::Verdict::Approve;
    live.world.decide_all("b1".into(), verdict);
    live.world.intend(Intent::SubmitDecisions("b1".into()));
    live.said("7", THINKING, "");
    live.said("8", "AGENT_RESPONSE_COMPLETE", "Sent");
    let answering = live.ends(RecordedEnd::Closed);
    let stored = json!([
        user("send it"),
        {
            "id": "m1", "role": "assistant", "content": "",
            "toolExecutionHumanApprovalRequest": [{
                "toolExecutionId": "x1", "executionBatchId": "b1", "toolName": "mail", "status": "APPROVED",
            }],
        },
        agent("m2", "Sent"),
        user("again"),
        agent("m3", "Sent"),
    ]);
    let world = later(stored, vec![asking, answering]);
    assert_eq!(world.message(1).activity, asked);
    assert_eq!(world.message(2).activity, live.seen(2));
    assert_eq!(world.message(4).activity, Activity::default());
}

#[test]
fn e262_it_is_looked_up_once_for_a_thread_with_answers_that_this_page_did_not_hear() {
    let mut world = World::in_thread(json!([user("hi"), agent("m1", "Hello")]));
    assert_eq!(recalls(&world), 1);
    world.intend(Intent::ReloadMessages);
    world.stored(json!([user("hi"), agent("m1", "Hello")]));
    assert_eq!(recalls(&world), 1);
    assert_eq!(recalls(&World::in_thread(json!([]))), 0);
    assert_eq!(recalls(&World::in_thread(json!([user("hi")]))), 0);
}

#[test]
fn e262_what_this_page_heard_itself_stays_and_other_threads_are_not_touched() {
    let mut live = Recorder::posts(json!([user("hi"), agent("m1", "Hello")]), "hi");
    live.works();
    live.said("5", "AGENT_RESPONSE_COMPLETE", "Hello");
    let recording = live.ends(RecordedEnd::Closed);
    let own = live.seen(3);
    let mut world = live.world;
    world.give(Input::Recordings("t2".into(), vec![recording.clone()]));
    assert_eq!(world.changes, []);
    assert_eq!(world.message(1).activity, Activity::default());
    let mut other = recording.clone();
    other.frames.truncate(2);
    other.frames.extend(recording.frames.last().cloned());
    world.give(Input::Recordings("t1".into(), vec![other]));
    assert_eq!(world.message(3).activity, own);
    assert_eq!(world.message(1).activity.steps.len(), 1);
}

#[test]
fn e262_an_answer_that_is_being_written_is_left_alone() {
    let mut live = Recorder::posts(json!([]), "hi");
    live.works();
    let recording = live.ends(RecordedEnd::Lost);
    let mut world = World::in_thread(json!([user("hi"), agent("m1", "")]));
    world.send("hi");
    world.opened();
    world.give(Input::Recordings("t1".into(), vec![recording]));
    let last = world.open().messages.last().unwrap();
    assert_eq!(last.activity, Activity::default());
}

#[test]
fn e263_the_device_forgets_once_for_whoever_asked_and_what_is_on_the_page_stays() {
    let mut world = World::in_thread(json!([user("hi"), agent("m1", "Hello")]));
    let before = world.open().messages.clone();
    world.give(Input::Request(RequestId(1), PageRequest::Forget));
    assert_eq!(world.commands, [Command::Forget]);
    world.intend(Intent::ForgetDevice);
    assert_eq!(world.commands, [Command::Forget]);
    world.give(Input::CachedRequests(Vec::new()));
    assert_eq!(world.commands, []);
    world.give(Input::Forgotten(Ok(())));
    assert_eq!(world.commands, [Command::Resolve(RequestId(1), Ok(()))]);
    world.give(Input::Forgotten(Ok(())));
    assert_eq!(world.commands, []);
    assert_eq!(world.open().messages, before);
}

#[test]
fn e263_a_request_that_was_kept_can_be_answered_once_it_was_read_again() {
    let mut live = Recorder::posts(json!([]), "send it");
    live.asks(json!([request("b1", "x1", "mail")]));
    live.ends(RecordedEnd::Closed);
    let mut world = live.world;
    world.intend(Intent::ForgetDevice);
    world.give(Input::CachedRequests(Vec::new()));
    world.stored(json!([
        user("send it"),
        {
            "id": "m1", "role": "assistant", "content": "",
            "toolExecutionHumanApprovalRequest": [{
                "toolExecutionId": "x1", "executionBatchId": "b1", "toolName": "mail",
                "status": "PENDING_HUMAN_APPROVAL",
            }],
        },
    ]));
    assert!(world.message(1).approvals[0].is_deciding());
}

#[test]
fn e264_it_is_said_whether_the_log_was_copied() {
    let mut world = World::new();
    world.intend(Intent::CopyLog);
    assert_eq!(world.commands, [Command::CopyLog]);
    world.give(Input::LogCopied(true));
    world.give(Input::LogCopied(false));
    assert_eq!(
        world.said,
        [
            Announcement::LogCopied(true),
            Announcement::LogCopied(false)
        ]
    );
}
