//! The run of an agent: what it does after each thing that happens. Pure; the shell in `run`
//! carries the commands out and reports what came of them.
//!
//! One answer of the model is one batch: it is recorded whole before anything runs, and the model is
//! asked again only when each of its calls has a result. What is next follows from the transcript
//! and from calls that may run, so that a run goes on after an interruption as if there had been
//! none.

use super::{
    arguments::same_arguments,
    judge::{Judged, refused},
    limits::{Limits, Used},
    policy::Action,
    queue::Queue,
};
use crate::{
    rules::approval::Verdict,
    rules::audit::{Decision, Entry, Source},
    rules::content::UserContent,
    sentence::Sentence,
    transcript::{Call, CallEnd, CallResult, Effect, Item, Note, Transcript},
};

/// The state of a run: the transcript, and what is still to be done with the model's last answer.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) transcript: Transcript,
    limits: Limits,
    /// Tokens of the user today.
    tokens_today: u64,
    /// Calls that may run or do so, in order.
    queue: Queue,
    /// Calls that a person is asked about when the queue is empty.
    ask: Vec<Judged>,
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
        /// The words of the person with them; may be empty.
        feedback: UserContent,
        /// All calls without a result, judged again.
        open: Vec<Judged>,
    },
    /// The run goes on after an interruption: a part of it is recorded already.
    Resumed {
        /// The decisions that it began with, by [`Call::id`].
        decisions: Vec<(String, Verdict)>,
        /// The person's words with them; may be empty.
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
        /// The tokens that it took.
        tokens: u64,
    },
    /// A call ended; its result is recorded.
    Ran(CallResult),
    /// Something was noted that the model has to hear of.
    Noted,
}

/// Something to be done, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Record entries of the transcript, and the decisions in them.
    Record(Vec<Item>, Vec<Entry>),
    /// Ask the model for its next answer.
    AskModel { with_tools: bool },
    /// Claim calls and run them, beside those that run already; there may be none to add. Each of
    /// them brings an event when it ends.
    RunTools(Vec<(Call, Effect)>),
    /// Ask a person about calls, and end; the decision begins the next run.
    AskPerson(Vec<Judged>),
    /// End the answer, with a sentence for the reader if there is one.
    End(Option<Sentence>),
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
    /// Begins a run; `tokens_today` is what its user has used before.
    pub(super) fn new(transcript: Transcript, limits: Limits, tokens_today: u64) -> Self {
        Self {
            transcript,
            limits,
            tokens_today,
            queue: Queue::new(limits.parallel),
            ask: Vec::new(),
        }
    }

    /// Takes the tokens that the user has used by now, in all turns.
    pub(super) fn renew_tokens(&mut self, tokens_today: u64) {
        self.tokens_today = tokens_today;
    }

    /// Takes a note, which is recorded.
    pub(super) fn noted(&mut self, note: Note) {
        if let Note::Inquiry { tokens } | Note::Summary { tokens, .. } = note {
            self.tokens_today += tokens;
        }
        self.transcript.items.push(Item::Note(note));
    }

    /// Returns the sentence of the limit of tokens that is reached, if one is; `tokens_reserved` are
    /// those that other requests of the user may take.
    pub(super) fn out_of_tokens(&self, tokens_reserved: u64) -> Option<Sentence> {
        self.limits.tokens_reached(Used {
            tokens_reserved,
            ..self.used()
        })
    }

    /// Takes an event; the last command ends the run or brings the next event.
    pub(super) fn step(&mut self, event: Event) -> Vec<Command> {
        let mut commands = Vec::new();
        let may_end = matches!(event, Event::Answered { .. } | Event::Resumed { .. });
        match event {
            Event::Message(content) => {
                let text = content.stored_text();
                let said = Item::User {
                    text,
                    images: content.images,
                    documents: content.documents,
                };
                self.record(vec![said], vec![], &mut commands);
            }
            Event::Decided {
                decisions,
                feedback,
                open,
            } => self.decided(&decisions, feedback, open, &mut commands),
            Event::Resumed {
                decisions,
                feedback,
                open,
            } => self.resumed(&decisions, feedback, open, &mut commands),
            Event::Answered {
                text,
                calls,
                tokens,
            } => {
                if text.trim().is_empty() && calls.is_empty() {
                    return vec![Command::Fail("The model gave no answer.".to_owned())];
                }
                self.answered(text, calls, tokens, &mut commands);
            }
            Event::Ran(result) => {
                self.queue.ended(&result.call);
                self.transcript.items.push(Item::Result(result));
            }
            Event::Noted => {}
        }
        let last = self.transcript.items.last();
        let answers = matches!(last, Some(Item::Model { calls, .. }) if calls.is_empty());
        commands.push(if may_end && answers {
            Command::End(None)
        } else {
            self.next()
        });
        commands
    }

    fn next(&mut self) -> Command {
        if let Some(calls) = self.queue.begin() {
            return Command::RunTools(calls);
        }
        if !self.ask.is_empty() {
            return Command::AskPerson(std::mem::take(&mut self.ask));
        }
        if let Some(sentence) = self.limits.reached(self.used()) {
            return Command::End(Some(sentence));
        }
        // A model that repeats itself is asked without tools.
        let repeated = |item: &Item| matches!(item, Item::Result(r) if r.text == REPEATED);
        Command::AskModel {
            with_tools: !self.transcript.turn().iter().any(repeated),
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
        let mut entries = Vec::new();
        for judged in open {
            let (call, ruling) = (&judged.call, &judged.ruling);
            let decision = decisions.iter().find(|(id, _)| *id == call.id);
            let may_run = match decision {
                Some((_, Verdict::Approved)) => ruling.action != Action::Deny,
                // Not asked about: it waited for the others.
                None => ruling.action == Action::Auto,
                Some(_) => false,
            };
            if aborted {
                items.push(result(call, CallEnd::Skipped, SKIPPED));
                if decision.is_none() {
                    entries.push(Entry {
                        decision: Decision::Aborted,
                        source: Source::Person,
                        rule: String::new(),
                        ..judged.entry()
                    });
                }
            } else if decision.is_some_and(|(_, verdict)| *verdict == Verdict::Denied) {
                items.push(result(call, CallEnd::Denied, DENIED));
            } else if may_run {
                self.queue.push(judged.call, ruling.effect);
            } else {
                items.push(result(call, CallEnd::Refused, &ruling.why));
                entries.push(Entry {
                    decision: Decision::Refused,
                    ..judged.entry()
                });
            }
        }
        if !feedback.is_empty() {
            let text = feedback.stored_text();
            items.push(Item::Feedback {
                text,
                images: feedback.images,
                documents: feedback.documents,
            });
        }
        self.record(items, entries, commands);
    }

    fn resumed(
        &mut self,
        decisions: &[(String, Verdict)],
        feedback: UserContent,
        open: Vec<Judged>,
        commands: &mut Vec<Command>,
    ) {
        let run = self.transcript.run();
        if run.iter().any(|item| matches!(item, Item::Model { .. })) {
            // Nobody was asked about these calls yet: the run would have ended with the question.
            let entries = open.iter().map(Judged::entry).collect();
            self.sort(open, Vec::new(), entries, commands);
            return;
        }
        let recorded = run.iter().any(|item| matches!(item, Item::Feedback { .. }));
        let feedback = if recorded {
            UserContent::default()
        } else {
            feedback
        };
        self.decided(decisions, feedback, open, commands);
    }

    fn answered(
        &mut self,
        text: String,
        mut calls: Vec<Judged>,
        tokens: u64,
        commands: &mut Vec<Command>,
    ) {
        self.tokens_today += tokens;
        let earlier = self.transcript.turn().to_vec();
        let too_many = self.used().tool_calls + calls.len() > self.limits.tool_calls;
        let mut siblings: Vec<Call> = Vec::new();
        for Judged { call, ruling } in &mut calls {
            let denied = ruling.action == Action::Deny;
            if too_many {
                *ruling = refused(Source::Limit, "tool_calls", "There were too many calls.");
            } else if !denied {
                let before = siblings.iter().filter(|it| is_same(it, call)).count();
                if times(&earlier, call) + before >= self.limits.same_call {
                    *ruling = refused(Source::Limit, "same_call", REPEATED);
                } else {
                    siblings.push(call.clone());
                }
            }
        }
        let plain = calls.iter().map(|judged| judged.call.clone()).collect();
        let item = Item::Model {
            text,
            calls: plain,
            tokens,
        };
        let entries = calls.iter().map(Judged::entry).collect();
        self.sort(calls, vec![item], entries, commands);
    }

    /// Records entries and the results of calls that may not run; the others run or are asked about.
    fn sort(
        &mut self,
        calls: Vec<Judged>,
        mut items: Vec<Item>,
        entries: Vec<Entry>,
        commands: &mut Vec<Command>,
    ) {
        let asks = calls
            .iter()
            .any(|judged| judged.ruling.action == Action::Ask);
        for judged in calls {
            let ruling = &judged.ruling;
            match ruling.action {
                Action::Deny => items.push(result(&judged.call, CallEnd::Refused, &ruling.why)),
                Action::Ask => self.ask.push(judged),
                // What writes waits with the calls of its answer that a person is asked about.
                Action::Auto if asks && ruling.effect != Effect::Read => {}
                Action::Auto => self.queue.push(judged.call, judged.ruling.effect),
            }
        }
        self.record(items, entries, commands);
    }

    fn record(&mut self, items: Vec<Item>, entries: Vec<Entry>, commands: &mut Vec<Command>) {
        if items.is_empty() && entries.is_empty() {
            return;
        }
        self.transcript.items.extend(items.iter().cloned());
        commands.push(Command::Record(items, entries));
    }

    /// Returns what the present turn has used.
    fn used(&self) -> Used {
        let mut used = Used {
            tokens_today: self.tokens_today,
            ..Used::default()
        };
        for item in self.transcript.turn() {
            match item {
                Item::Model { calls, tokens, .. } => {
                    used.steps += 1;
                    used.tool_calls += calls.len();
                    used.tokens += tokens;
                }
                Item::Note(Note::Inquiry { tokens }) => used.tokens += tokens,
                _ => {}
            }
        }
        used
    }
}

/// Returns how often the call began in these entries, with the same arguments, whatever came of it.
fn times(turn: &[Item], call: &Call) -> usize {
    let began = |end| matches!(end, CallEnd::Succeeded | CallEnd::Failed | CallEnd::Unknown);
    let ran = |id: &str| {
        turn.iter()
            .any(|item| matches!(item, Item::Result(it) if it.call == id && began(it.end)))
    };
    let calls = turn.iter().filter_map(|item| match item {
        Item::Model { calls, .. } => Some(calls),
        _ => None,
    });
    calls
        .flatten()
        .filter(|other| is_same(other, call) && ran(&other.id))
        .count()
}

/// Returns true for the same tool with the same arguments.
fn is_same(one: &Call, other: &Call) -> bool {
    one.tool == other.tool && same_arguments(&one.arguments, &other.arguments)
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
