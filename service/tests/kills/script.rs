//! The scripts of clients, and the messages that an uninterrupted service stores of them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::common::{Service, body, decided, requests, text};
use assent_protocol::SseEvent;

/// One post.
#[derive(Clone, Copy, Debug)]
pub enum Turn {
    Say(&'static str),
    /// Verdicts for as many of the open batches, oldest first, and the text with them.
    Decide(&'static [&'static [&'static str]], &'static str),
}

use Turn::{Decide, Say};

const NO: &str = "DENIED";
const STOP: &str = "ABORTED_WITH_FEEDBACK";
const YES: &str = "APPROVED";

/// Conversations with the demo agent.
pub const SCRIPTS: [&[Turn]; 11] = [
    &[Say("hello"), Say("markdown")],
    &[Say("long answer")],
    &[Say("rich answer"), Say("long answer")],
    &[Say("approve one"), Decide(&[&[YES]], "")],
    &[Say("approve three"), Decide(&[&[YES, NO, YES]], "")],
    &[
        Say("approve three"),
        Decide(&[&[STOP, STOP, STOP]], "Too early."),
    ],
    &[
        Say("approve twice"),
        Decide(&[&[YES]], "Go on."),
        Decide(&[&[NO]], ""),
    ],
    &[
        Say("two batches"),
        Decide(&[&[YES, YES]], ""),
        Decide(&[&[NO]], ""),
    ],
    &[
        Say("two batches together"),
        Decide(&[&[YES, NO], &[YES]], ""),
    ],
    &[Say("collaborate"), Say("side by side")],
    &[Say("plan"), Say("fail")],
];

/// The last message in a thread, to see that it is free.
pub const LAST: Turn = Say("hello");

/// A stored message without what differs from run to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub role: String,
    pub handle: String,
    pub content: String,
    /// Names of the tools that needed approval.
    pub tools: Vec<String>,
}

/// Requests that wait for a decision, batch by batch.
#[derive(Clone, Debug, Default)]
pub struct Open(Vec<Vec<Value>>);

impl Open {
    /// Adds the requests of a stream.
    pub fn ask(&mut self, events: &[SseEvent]) {
        for request in requests(events).into_iter().flatten() {
            let batch = |b: &&mut Vec<Value>| {
                b[0]["toolExecutionBatchId"] == request["toolExecutionBatchId"]
            };
            match self.0.iter_mut().find(batch) {
                Some(batch) => batch.push(request),
                None => self.0.push(vec![request]),
            }
        }
    }

    /// Returns the body of a turn's post.
    pub fn body(&self, turn: Turn) -> Value {
        match turn {
            Say(words) => text(words),
            Decide(verdicts, words) => {
                let batches = self.0.iter().zip(verdicts);
                let mut items: Vec<_> = batches.map(|(b, v)| decided(b, v)).collect();
                assert_eq!(items.len(), verdicts.len(), "not asked yet");
                if !words.is_empty() {
                    items.push(json!({ "type": "text", "text": words }));
                }
                body(&items)
            }
        }
    }

    /// Removes the requests that a turn decided; returns the statuses by run.
    pub fn decide(&mut self, turn: Turn) -> BTreeMap<String, String> {
        let Decide(verdicts, _) = turn else {
            return BTreeMap::new();
        };
        let batches: Vec<_> = self.0.drain(..verdicts.len()).collect();
        let of = |(batch, verdicts): (&Vec<Value>, &&[&str])| -> Vec<(String, String)> {
            let runs = batch.iter().map(execution).zip(*verdicts);
            runs.map(|(run, verdict)| (run, (*verdict).to_owned()))
                .collect()
        };
        batches.iter().zip(verdicts).flat_map(of).collect()
    }

    /// Returns all pending runs.
    pub fn runs(&self) -> Vec<String> {
        self.0.iter().flatten().map(execution).collect()
    }
}

fn execution(request: &Value) -> String {
    request["toolExecutionId"].as_str().unwrap().to_owned()
}

/// Parses the messages of a thread, and the status of each run that needed approval.
pub fn read(messages: &[Value]) -> (Vec<Stored>, BTreeMap<String, String>) {
    let mut statuses = BTreeMap::new();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let stored = messages.iter().map(|message| {
        let asked = message["toolExecutionHumanApprovalRequest"].as_array();
        let tools = asked.into_iter().flatten().map(|tool| {
            statuses.insert(text(&tool["toolExecutionId"]), text(&tool["status"]));
            text(&tool["name"])
        });
        Stored {
            role: text(&message["role"]),
            handle: text(&message["handle"]),
            content: text(&message["content"]),
            tools: tools.collect(),
        }
    });
    (stored.collect(), statuses)
}

/// Plays a script; returns the messages that each turn adds to its thread.
pub async fn play(service: &Service, turns: &[Turn]) -> Vec<Vec<Stored>> {
    let thread = service.thread("demo").await;
    let mut open = Open::default();
    let mut added = Vec::new();
    let mut before = 0;
    for turn in turns {
        let events = service.stream(&thread, &open.body(*turn)).await;
        open.decide(*turn);
        open.ask(&events);
        let (stored, _) = read(&service.messages(&thread).await);
        added.push(stored[before..].to_vec());
        before = stored.len();
    }
    added
}
