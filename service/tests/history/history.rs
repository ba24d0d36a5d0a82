//! The history of a trial: what each client asked for and was told, and what the service took.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use assent_conversation::ThreadId;

/// One post that a client sent.
#[derive(Debug)]
pub struct Post {
    pub thread: String,
    pub text: String,
    /// Runs of tools and the decisions about them; empty for a message.
    pub decisions: Vec<(String, String)>,
    /// The runs that it approves with changed arguments.
    pub edits: Vec<Run>,
    /// How often a copy of it reached the service, and what that answered.
    pub statuses: Vec<u16>,
}

/// A run of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub execution: String,
    pub arguments: Vec<(String, String)>,
}

/// What the agent asked and did.
#[derive(Debug, Default)]
pub struct Work {
    pub asked: Vec<Run>,
    pub ran: Vec<Run>,
}

#[derive(Default)]
pub struct History {
    pub posts: Vec<Post>,
    /// The texts that each thread took, in the order of acceptance.
    pub taken: BTreeMap<String, Vec<String>>,
    /// Messages that a page was told are accepted: tab, thread and text.
    pub acknowledged: Vec<(usize, String, String)>,
    /// Decisions that a client was told are accepted: run and status.
    pub settled: Vec<(String, String)>,
    /// How often a person pressed something that may send a text, by its mark.
    pub presses: BTreeMap<String, usize>,
    /// How many messages a person sent while an answer was written.
    pub queued: usize,
    /// The threads in which a text was typed or sent, by its mark.
    pub places: BTreeMap<String, BTreeSet<String>>,
    /// How often a person sent decisions about a run.
    pub decided: BTreeMap<String, usize>,
    /// The changed arguments that a person wrote.
    pub edits: Vec<Run>,
    /// Threads that a person deleted, or tried to.
    pub deleted: BTreeSet<String>,
    /// What a user got that is somebody else's.
    pub leaks: Vec<String>,
    pub work: Arc<Mutex<Work>>,
    /// The events in words, with their times.
    pub story: Vec<String>,
}

impl History {
    pub fn tell(&mut self, at: i64, what: &str) {
        self.story
            .push(format!("{:>9.3} {what}", at as f64 / 1000.0));
    }

    /// Notes that a person pressed something that may send this.
    pub fn pressed(&mut self, text: &str, thread: Option<&ThreadId>) {
        for mark in marks(text) {
            let places = self.places.entry(mark.clone()).or_default();
            places.extend(thread.map(|it| it.as_str().to_owned()));
            *self.presses.entry(mark).or_default() += 1;
        }
    }
}

/// Returns the marks in a text: words that say whose it is.
pub fn marks(text: &str) -> Vec<String> {
    let words = text.split_whitespace();
    let marks = words.filter(|word| word.starts_with('§'));
    marks.map(str::to_owned).collect()
}
