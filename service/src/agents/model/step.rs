//! The run of an agent: what it does after each thing that happens. Pure; the shell in `run`
//! carries the commands out and reports what came of them.
//!
//! One answer of the model is one batch: it is recorded whole before anything runs, and the model is
//! asked again only when each of its calls has a result.

use std::{collections::VecDeque, time::Duration};

use serde::Deserialize;

use super::{
    policy::{Action, Effect},
    tools::Judged,
};
use crate::{
    approval::Verdict,
    content::UserContent,
    transcript::{Call, CallEnd, CallResult, Item, Transcript},
};

/// The limits of one turn; each ends it with a sentence of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Limits {
    /// Answers of the model.
    pub(super) steps: usize,
    /// Calls of tools.
    pub(super) tool_calls: usize,
    /// Calls of one tool with the same arguments.
    pub(super) same_call: usize,
    /// Seconds of work, without the time that a person takes to decide.
    pub(super) seconds: u64,
    /// Seconds that one call may take.
    pub(super) tool_seconds: u64,
    /// Bytes of a result that the model is given.
    pub(super) tool_result_bytes: usize,
    /// How often a request is passed on from colleague to colleague.
    pub(super) depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 12,
            tool_calls: 24,
            same_call: 2,
            seconds: 300,
            tool_seconds: 60,
            tool_result_bytes: 32 * 1024,
            depth: 2,
        }
    }
}

impl Limits {
    pub(super) fn tool_timeout(&self) -> Duration {
        Duration::from_secs(self.tool_seconds)
    }
}

/// The state of a run: the transcript, and what is still to be done with the model's last answer.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) transcript: Transcript,
    limits: Limits,
    /// Calls that may run, in order.
    queue: VecDeque<(Call, Effect)>,
    /// Calls that a person is asked about when the queue is empty.
    ask: Vec<Call>,
    /// False once the model repeats itself: it is asked without tools then.
    with_tools: bool,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// The user said something.
    Message(UserContent),
    /// A person decided about calls of the model's last answer.
    Decided {
        /// The decisions by [`Call::id`].
        decisions: Vec<(String, Verdict)>,
        /// What the person said with them; may be empty.
        feedback: UserContent,
        /// All calls without a result, judged again.
        open: Vec<Judged>,
    },
    /// The model answered.
    Answered {
        /// Its text, which the reader has seen.
        text: String,
        /// Its calls, judged.
        calls: Vec<Judged>,
    },
    /// A call ended; its result is recorded.
    Ran(CallResult),
    /// Something was noted that the model has to hear of.
    Noted,
}

/// Something to be done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Record entries of the transcript.
    Record(Vec<Item>),
    /// Ask the model for its next answer.
    AskModel { with_tools: bool },
    /// Claim a call and run it.
    RunTool(Call, Effect),
    /// Ask a person about calls, and end; the decision begins the next run.
    AskPerson(Vec<Call>),
    /// End the answer, with a sentence for the reader if there is one.
    End(Option<String>),
    /// End the answer as failed.
    Fail(String),
}

/// Text for the model about a call that a person denied.
const DENIED: &str = "The person denied this. Do not try it again unless you are asked to.";
/// Text for the model about a call that a person stopped.
const SKIPPED: &str = "The person stopped this before it ran.";
/// Text for the model about a call that it made before.
const REPEATED: &str = "You have the result of this call already. Answer with what you have.";

impl Run {
    pub(super) fn new(transcript: Transcript, limits: Limits) -> Self {
        Self {
            transcript,
            limits,
            queue: VecDeque::new(),
            ask: Vec::new(),
            with_tools: true,
        }
    }

    /// Takes an event; the last command ends the run or brings the next event.
    pub(super) fn step(&mut self, event: Event) -> Vec<Command> {
        let mut commands = Vec::new();
        match event {
            Event::Message(content) => {
                let text = content.stored_text();
                let images = content.images;
                self.record(vec![Item::User { text, images }], &mut commands);
            }
            Event::Decided {
                decisions,
                feedback,
                open,
            } => self.decided(&decisions, feedback, open, &mut commands),
            Event::Answered { text, calls } => {
                if let Some(end) = self.answered(text, calls, &mut commands) {
                    commands.push(end);
                    return commands;
                }
            }
            Event::Ran(result) => self.transcript.items.push(Item::Result(result)),
            Event::Noted => {}
        }
        commands.push(self.next());
        commands
    }

    fn next(&mut self) -> Command {
        if let Some((call, effect)) = self.queue.pop_front() {
            return Command::RunTool(call, effect);
        }
        if !self.ask.is_empty() {
            return Command::AskPerson(std::mem::take(&mut self.ask));
        }
        let (steps, _) = self.counts();
        if steps >= self.limits.steps {
            return Command::End(Some(format!(
                "*I stopped after {steps} steps, which is the limit of one answer.*"
            )));
        }
        Command::AskModel {
            with_tools: self.with_tools,
        }
    }

    fn decided(
        &mut self,
        decisions: &[(String, Verdict)],
        feedback: UserContent,
        open: Vec<Judged>,
        commands: &mut Vec<Command>,
    ) {
        let aborted = decisions
            .iter()
            .any(|(_, verdict)| *verdict == Verdict::Aborted);
        let mut items = Vec::new();
        for Judged { call, ruling } in open {
            let decision = decisions.iter().find(|(id, _)| *id == call.id);
            let may_run = match decision {
                Some((_, Verdict::Approved)) => ruling.action != Action::Deny,
                // Not asked about: it waited for the others.
                None => ruling.action == Action::Auto,
                Some(_) => false,
            };
            if aborted {
                items.push(result(&call, CallEnd::Skipped, SKIPPED));
            } else if decision.is_some_and(|(_, verdict)| *verdict == Verdict::Denied) {
                items.push(result(&call, CallEnd::Denied, DENIED));
            } else if may_run {
                self.queue.push_back((call, ruling.effect));
            } else {
                items.push(result(&call, CallEnd::Refused, &ruling.why));
            }
        }
        if !feedback.is_empty() {
            let text = feedback.stored_text();
            let images = feedback.images;
            items.push(Item::Feedback { text, images });
        }
        self.record(items, commands);
    }

    /// Takes an answer of the model; returns the end, if it is one.
    fn answered(
        &mut self,
        text: String,
        calls: Vec<Judged>,
        commands: &mut Vec<Command>,
    ) -> Option<Command> {
        let silent = text.trim().is_empty() && calls.is_empty();
        if silent {
            return Some(Command::Fail("The model gave no answer.".to_owned()));
        }
        let ends = calls.is_empty();
        let earlier = self.transcript.turn().to_vec();
        let plain = calls.iter().map(|judged| judged.call.clone()).collect();
        let mut items = vec![Item::Model { text, calls: plain }];
        let (_, before) = self.counts();
        let too_many = before + calls.len() > self.limits.tool_calls;
        let asks = calls
            .iter()
            .any(|judged| judged.ruling.action == Action::Ask);
        for Judged { call, ruling } in calls {
            let repeated = times(&earlier, &call) >= self.limits.same_call;
            if too_many {
                items.push(result(
                    &call,
                    CallEnd::Refused,
                    "There were too many calls.",
                ));
            } else if ruling.action == Action::Deny {
                items.push(result(&call, CallEnd::Refused, &ruling.why));
            } else if repeated {
                self.with_tools = false;
                items.push(result(&call, CallEnd::Refused, REPEATED));
            } else if ruling.action == Action::Ask {
                self.ask.push(call);
            } else if !asks || ruling.effect == Effect::Read {
                self.queue.push_back((call, ruling.effect));
            }
            // What writes waits with the calls of its answer that a person is asked about.
        }
        self.record(items, commands);
        if ends {
            return Some(Command::End(None));
        }
        let limit = self.limits.tool_calls;
        too_many.then(|| {
            Command::End(Some(format!(
                "*I stopped before more than {limit} uses of tools, which is the limit of one \
                 answer.*"
            )))
        })
    }

    fn record(&mut self, items: Vec<Item>, commands: &mut Vec<Command>) {
        if items.is_empty() {
            return;
        }
        self.transcript.items.extend(items.iter().cloned());
        commands.push(Command::Record(items));
    }

    /// Returns how often the model answered in this turn, and how many calls it made.
    fn counts(&self) -> (usize, usize) {
        let calls = self.transcript.turn().iter().filter_map(|item| match item {
            Item::Model { calls, .. } => Some(calls.len()),
            _ => None,
        });
        calls.fold((0, 0), |(steps, all), calls| (steps + 1, all + calls))
    }
}

/// Returns how often the call ran in these entries, with the same arguments.
fn times(turn: &[Item], call: &Call) -> usize {
    let ran = |id: &str| {
        turn.iter().any(|item| {
            matches!(item, Item::Result(result)
                if result.call == id && result.end == CallEnd::Succeeded)
        })
    };
    let calls = turn.iter().filter_map(|item| match item {
        Item::Model { calls, .. } => Some(calls),
        _ => None,
    });
    calls
        .flatten()
        .filter(|other| other.tool == call.tool && other.arguments == call.arguments)
        .filter(|other| ran(&other.id))
        .count()
}

fn result(call: &Call, end: CallEnd, text: &str) -> Item {
    Item::Result(CallResult {
        call: call.id.clone(),
        end,
        text: text.to_owned(),
    })
}

#[cfg(test)]
#[path = "step_tests.rs"]
mod tests;
