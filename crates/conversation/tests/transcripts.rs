//! Golden transcripts: the bytes of a stream on one side, the visible conversation on the other.
//!
//! Each folder of `tests/transcripts` holds `stream.sse`, the response to the message "hi", and
//! `expect.txt`, the conversation after it. `UPDATE_TRANSCRIPTS=1 cargo test -p
//! assent-conversation` writes the second anew; read the difference before it is committed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "tests may fail loudly"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use assent_conversation::{
    Announcement, Author, Change, Command, Input, Intent, Message, Millis, Output, State,
    StreamEnd, invariants, step,
};
use assent_protocol::SseEvent;
use assent_sse::Decoder;

/// A conversation in thread `t1`, its clock, and its announcements and commands.
struct Conversation {
    state: State,
    now: Millis,
    log: String,
}

impl Conversation {
    fn give(&mut self, input: Input) {
        let Output { changes, commands } = step(&mut self.state, input, self.now);
        invariants::check(&self.state).unwrap();
        for change in changes {
            if let Change::Announce(said) = change {
                writeln!(self.log, "said: {}", said_text(&said)).unwrap();
            }
        }
        for command in commands {
            invariants::check_command(&self.state, &command).unwrap();
            if let Command::LoadMessages { after, .. } = command {
                writeln!(self.log, "reads the stored messages after {} ms", after.0).unwrap();
            }
        }
    }
}

/// Feeds `stream` in pieces of `length` bytes and returns the printed conversation.
fn transcript(stream: &[u8], length: usize) -> String {
    let mut it = Conversation {
        state: State::new(),
        now: Millis(0),
        log: String::new(),
    };
    it.give(Input::Intent(Intent::OpenThread("t1".into())));
    it.give(Input::Intent(Intent::EditDraft("hi".to_owned())));
    it.give(Input::Intent(Intent::Send));
    let stream_of = |it: &Conversation| {
        let open = it.state.open_conversation().unwrap();
        open.stream().map(|stream| stream.id)
    };
    let id = stream_of(&it).expect("a stream");
    it.give(Input::StreamOpened(id));
    let mut decoder = Decoder::new();
    for piece in stream.chunks(length) {
        for frame in decoder.push(piece) {
            // One second from frame to frame, so that durations can be seen.
            it.now = Millis(it.now.0 + 1000);
            let event = frame
                .ok()
                .and_then(|frame| serde_json::from_str::<SseEvent>(&frame.data).ok());
            it.give(match event {
                Some(event) => Input::StreamEvent(id, Box::new(event)),
                None => Input::StreamGarbled(id),
            });
        }
    }
    it.give(Input::StreamEnded(id, StreamEnd::Closed));
    print(&it)
}

fn print(it: &Conversation) -> String {
    let open = it.state.open_conversation().unwrap();
    let mut text = String::new();
    for message in &open.messages {
        print_message(&mut text, message);
    }
    writeln!(text, "composer: {:?}", open.composer_state()).unwrap();
    text + &it.log
}

fn print_message(text: &mut String, message: &Message) {
    let author = match &message.author {
        Author::You => "you".to_owned(),
        Author::Agent(name) => format!("agent {name:?}"),
    };
    let time = message.time.map_or(-1, |time| time.0);
    writeln!(text, "{author}, {:?}, at {time}", message.status).unwrap();
    for step in &message.activity.steps {
        let lasted = step.ended.map(|ended| ended.0 - step.began.0);
        let about = step.group().map(|group| format!("{group:?}"));
        writeln!(
            text,
            "  step {} of {}: {:?} after {lasted:?} ms {:?}",
            step.event_type.name(),
            about.unwrap_or_default(),
            step.state,
            step.content
        )
        .unwrap();
    }
    for said in &message.contributions {
        writeln!(text, "  {:?}, {:?}: {}", said.agent, said.state, said.text).unwrap();
    }
    for line in message.text.lines() {
        writeln!(text, "  | {line}").unwrap();
    }
    for batch in &message.approvals {
        writeln!(text, "  batch {}: {:?}", batch.id.as_str(), batch.phase).unwrap();
        for tool in &batch.tools {
            writeln!(
                text,
                "    {} {} of {} ({}), {}, {:?}",
                tool.execution.as_str(),
                tool.name,
                tool.provider,
                tool.category,
                tool.status.as_str(),
                tool.arguments
            )
            .unwrap();
        }
    }
}

fn said_text(said: &Announcement) -> String {
    match said {
        Announcement::Answering => "answering".to_owned(),
        Announcement::Answered { author, .. } => format!("{author:?} answered"),
        Announcement::ApprovalNeeded { tools, .. } => format!("approval needed for {tools:?}"),
        Announcement::DecidedElsewhere => "decided elsewhere".to_owned(),
        Announcement::Uploading(name) => format!("{name:?} on its way"),
        Announcement::Uploaded(name) => format!("{name:?} uploaded"),
        Announcement::Stopping => "stopping".to_owned(),
        Announcement::Interrupted => "interrupted".to_owned(),
        Announcement::LogCopied(is_copied) => format!("log copied: {is_copied}"),
        Announcement::Queued => "queued".to_owned(),
        Announcement::Renamed => "renamed".to_owned(),
        Announcement::Deleted => "deleted".to_owned(),
        Announcement::Copied => "copied".to_owned(),
    }
}

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let folders = fs::read_dir(folder).unwrap();
    let mut cases: Vec<_> = folders.map(|case| case.unwrap().path()).collect();
    cases.sort();
    cases
}

#[test]
fn each_stream_becomes_the_conversation_that_is_expected() {
    let update = std::env::var_os("UPDATE_TRANSCRIPTS").is_some();
    let mut different = Vec::new();
    for case in cases() {
        let stream = fs::read(case.join("stream.sse")).unwrap();
        let seen = transcript(&stream, usize::MAX);
        if update {
            fs::write(case.join("expect.txt"), &seen).unwrap();
        }
        let expected = fs::read_to_string(case.join("expect.txt")).unwrap_or_default();
        if seen != expected {
            different.push(format!("{}:\n{seen}", case.display()));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn the_pieces_in_which_a_stream_arrives_make_no_difference() {
    for case in cases() {
        let stream = fs::read(case.join("stream.sse")).unwrap();
        let whole = transcript(&stream, usize::MAX);
        for length in [1, 7, 64] {
            assert_eq!(transcript(&stream, length), whole, "{}", case.display());
        }
    }
}
