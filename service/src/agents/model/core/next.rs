//! The run of an agent: what it does after each thing that happens. Pure; the shell in `run`
//! carries the commands out and reports what came of them.
//!
//! One answer of the model is one batch: it is recorded whole before anything runs, and the model is
//! asked again only when each of its calls has a result. What is next follows from the transcript
//! and from calls that may run, so that a run goes on after an interruption as if there had been
//! none.

use super::{
    judge::{JudgedCall, denying_ruling},
    limits::{Limits, TurnUsage, count_same_calls, is_same},
    queue::Queue,
};
use crate::{
    rules::{
        approval::Verdict,
        audit::{AuditEntry, Decision, DecisionSource},
        content::UserContent,
        policy::Action,
    },
    sentence::Sentence,
    transcript::{Call, CallEnd, CallResult, Effect, Item, Note, Transcript},
};

/// The state of a run: the transcript, and what is still to be done with the model's last answer.
#[derive(Clone, Debug)]
pub(in crate::agents::model) struct RunState {
    pub(in crate::agents::model) transcript: Transcript,
    limits: Limits,
    /// Tokens that the user has used today, in all turns.
    tokens_today: u64,
    /// Calls that may run or are running, in their order.
    queue: Queue,
    /// Calls that a person is asked about once the queue is empty.
    ask: Vec<JudgedCall>,
}

/// Something that happened to a run, as the core is told it.
#[derive(Clone, Debug)]
pub(in crate::agents::model) enum RunInput {
    /// The user said something.
    Message(UserContent),
    /// A person decided about calls of the model's last answer.
    Decided {
        /// The person's decision about each call, by [`Call::id`].
        decisions: Vec<(String, Verdict)>,
        /// The words of the person with the decisions; may be empty.
        feedback: UserContent,
        /// All calls without a result, each with a new ruling about it.
        open: Vec<JudgedCall>,
    },
    /// The run goes on after an interruption: a part of it is recorded already.
    Resumed {
        /// The decisions that the run began with, by [`Call::id`].
        decisions: Vec<(String, Verdict)>,
        /// The words of the person with these decisions; may be empty.
        feedback: UserContent,
        /// All calls without a result, each with a new ruling about it.
        open: Vec<JudgedCall>,
    },
    /// The model answered.
    Answered {
        /// The text of the answer, which the reader has seen.
        text: String,
        /// The calls of the answer, each with the ruling about it.
        calls: Vec<JudgedCall>,
        /// The tokens that the request and the answer took.
        tokens: u64,
    },
    /// A call ended; its result is recorded.
    Ran(CallResult),
    /// A note was recorded that the model has to read.
    Noted,
}

/// What follows from an event: entries to be recorded before anything else, and one thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) struct RunOutput {
    pub(in crate::agents::model) record: NewEntries,
    pub(in crate::agents::model) command: Command,
}

/// New entries of the transcript, and entries of the audit for the decisions in them; both are
/// recorded together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::agents::model) struct NewEntries {
    pub(in crate::agents::model) items: Vec<Item>,
    pub(in crate::agents::model) entries: Vec<AuditEntry>,
}

/// The one thing that the code around the core has to do after an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::agents::model) enum Command {
    /// Ask the model for its next answer.
    AskModel { with_tools: bool },
    /// Claim calls and run them, beside those that run already; the list may be empty. Each call
    /// brings an event when it ends.
    RunTools(Vec<(Call, Effect)>),
    /// Ask a person about calls, and end; the decision begins the next run.
    AskPerson(Vec<JudgedCall>),
    /// End the answer, with a sentence for the reader if there is one.
    End(Option<Sentence>),
    /// End the answer as failed, for this reason.
    Fail(String),
}

/// Text for the model about a call that a person denied.
const EXPIRED_RESULT: &str = "No person decided about this in time, so it was not run. Do not try it again unless you are asked to.";
const DENIED_RESULT: &str = "The person denied this. Do not try it again unless you are asked to.";
/// Text for the model about a call that a person stopped.
const SKIPPED_RESULT: &str = "The person stopped this before it ran.";
/// Text for the model about a call that it made too often with the same arguments.
const REPEATED_RESULT: &str =
    "You have the result of this call already. Answer with what you have.";

impl RunState {
    /// Begins a run; `tokens_today` is the number of tokens that its user has used today.
    pub(in crate::agents::model) fn new(
        transcript: Transcript,
        limits: Limits,
        tokens_today: u64,
    ) -> Self {
        Self {
            transcript,
            limits,
            tokens_today,
            queue: Queue::new(limits.parallel),
            ask: Vec::new(),
        }
    }

    /// Returns true if the number of tokens that a user may use in a day is limited.
    pub(in crate::agents::model) fn has_daily_limit(&self) -> bool {
        self.limits.user_tokens_per_day.is_some()
    }

    /// Sets the number of tokens that the user has used today by now, in all turns.
    pub(in crate::agents::model) fn renew_tokens(&mut self, tokens_today: u64) {
        self.tokens_today = tokens_today;
    }

    /// Adds a note, which is stored already, to the run's copy of the transcript, and counts its
    /// tokens.
    pub(in crate::agents::model) fn add_note(&mut self, note: Note) {
        if let Note::Inquiry { tokens } | Note::Summary { tokens, .. } = note {
            self.tokens_today += tokens;
        }
        self.transcript.items.push(Item::Note(note));
    }

    /// Returns the sentence for the reader about a limit of tokens that is reached; `None` if none
    /// is. `tokens_reserved` are those that other requests of the user may take.
    pub(in crate::agents::model) fn out_of_tokens(&self, tokens_reserved: u64) -> Option<Sentence> {
        self.limits.tokens_reached(TurnUsage {
            tokens_reserved,
            ..self.used()
        })
    }

    /// Handles an event; the command that is returned ends the run or brings the next event.
    pub(in crate::agents::model) fn step(&mut self, event: RunInput) -> RunOutput {
        let may_end = matches!(event, RunInput::Answered { .. } | RunInput::Resumed { .. });
        let record = match event {
            RunInput::Message(content) => {
                let text = content.stored_text();
                let said = Item::User {
                    text,
                    images: content.images,
                    documents: content.documents,
                };
                self.record(vec![said], Vec::new())
            }
            RunInput::Decided {
                decisions,
                feedback,
                open,
            } => self.apply_decisions(&decisions, feedback, open),
            RunInput::Resumed {
                decisions,
                feedback,
                open,
            } => self.resume(&decisions, feedback, open),
            RunInput::Answered {
                text,
                calls,
                tokens,
            } => {
                if text.trim().is_empty() && calls.is_empty() {
                    return RunOutput {
                        record: NewEntries::default(),
                        command: Command::Fail("The model gave no answer.".to_owned()),
                    };
                }
                self.take_answer(text, calls, tokens)
            }
            RunInput::Ran(result) => {
                self.end_call(result);
                NewEntries::default()
            }
            RunInput::Noted => NewEntries::default(),
        };
        let last = self.transcript.items.last();
        let answers = matches!(last, Some(Item::Model { calls, .. }) if calls.is_empty());
        let command = if may_end && answers {
            Command::End(None)
        } else {
            self.next()
        };
        RunOutput { record, command }
    }

    /// Adds the result of a call while others still run; returns the calls that begin now, beside
    /// those.
    pub(in crate::agents::model) fn end_parallel_call(
        &mut self,
        result: CallResult,
    ) -> Vec<(Call, Effect)> {
        self.end_call(result);
        self.queue.begin().unwrap_or_default()
    }

    fn end_call(&mut self, result: CallResult) {
        self.queue.ended(&result.call);
        self.transcript.items.push(Item::Result(result));
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
        let repeated = |item: &Item| matches!(item, Item::Result(r) if r.text == REPEATED_RESULT);
        Command::AskModel {
            with_tools: !self.transcript.turn_entries().iter().any(repeated),
        }
    }

    fn apply_decisions(
        &mut self,
        decisions: &[(String, Verdict)],
        feedback: UserContent,
        open: Vec<JudgedCall>,
    ) -> NewEntries {
        let aborted = decisions
            .iter()
            .any(|(_, verdict)| *verdict == Verdict::Aborted);
        let mut items = Vec::new();
        let mut entries = Vec::new();
        for judged in open {
            let (call, ruling) = (&judged.call, &judged.ruling);
            let decision = decisions.iter().find(|(id, _)| *id == call.id);
            let may_run = match (decision.map(|(_, verdict)| verdict), ruling.action) {
                (Some(Verdict::Approved), Action::Auto | Action::Ask) => true,
                // Not asked about: it waited for the others.
                (None, Action::Auto) => true,
                (Some(Verdict::Approved), Action::Deny)
                | (None, Action::Ask | Action::Deny)
                | (Some(Verdict::Denied | Verdict::Aborted | Verdict::Expired), _) => false,
            };
            if aborted {
                items.push(result(call, CallEnd::Skipped, SKIPPED_RESULT));
                if decision.is_none() {
                    entries.push(AuditEntry {
                        decision: Decision::Aborted,
                        source: DecisionSource::Person,
                        rule: String::new(),
                        ..judged.entry()
                    });
                }
            } else if decision.is_some_and(|(_, verdict)| *verdict == Verdict::Denied) {
                items.push(result(call, CallEnd::Denied, DENIED_RESULT));
            } else if decision.is_some_and(|(_, verdict)| *verdict == Verdict::Expired) {
                items.push(result(call, CallEnd::Denied, EXPIRED_RESULT));
            } else if may_run {
                self.queue.push(judged.call, ruling.effect);
            } else {
                items.push(result(call, CallEnd::Refused, &ruling.why));
                entries.push(AuditEntry {
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
        self.record(items, entries)
    }

    fn resume(
        &mut self,
        decisions: &[(String, Verdict)],
        feedback: UserContent,
        open: Vec<JudgedCall>,
    ) -> NewEntries {
        let run = self.transcript.run_entries();
        if run.iter().any(|item| matches!(item, Item::Model { .. })) {
            // Nobody was asked about these calls yet: the run would have ended with the question.
            let entries = open.iter().map(JudgedCall::entry).collect();
            return self.sort_calls(open, Vec::new(), entries);
        }
        let recorded = run.iter().any(|item| matches!(item, Item::Feedback { .. }));
        let feedback = if recorded {
            UserContent::default()
        } else {
            feedback
        };
        self.apply_decisions(decisions, feedback, open)
    }

    fn take_answer(&mut self, text: String, mut calls: Vec<JudgedCall>, tokens: u64) -> NewEntries {
        self.tokens_today += tokens;
        let earlier = self.transcript.turn_entries().to_vec();
        let too_many = self.used().tool_calls + calls.len() > self.limits.tool_calls;
        let mut siblings: Vec<Call> = Vec::new();
        for JudgedCall { call, ruling, .. } in &mut calls {
            if too_many {
                *ruling = denying_ruling(
                    DecisionSource::Limit,
                    "tool_calls",
                    "There were too many calls.",
                );
            } else if matches!(ruling.action, Action::Auto | Action::Ask) {
                let before = siblings.iter().filter(|it| is_same(it, call)).count();
                if count_same_calls(&earlier, call) + before >= self.limits.same_call {
                    *ruling = denying_ruling(DecisionSource::Limit, "same_call", REPEATED_RESULT);
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
        let entries = calls.iter().map(JudgedCall::entry).collect();
        self.sort_calls(calls, vec![item], entries)
    }

    /// Queues the calls that may run, and puts aside those that a person is asked about. Adds
    /// `items`, and a result for each call that may not run, to the transcript; returns them with
    /// `entries`, which are to be stored together.
    fn sort_calls(
        &mut self,
        calls: Vec<JudgedCall>,
        mut items: Vec<Item>,
        entries: Vec<AuditEntry>,
    ) -> NewEntries {
        let asks = calls
            .iter()
            .any(|judged| judged.ruling.action == Action::Ask);
        for judged in calls {
            let ruling = &judged.ruling;
            match ruling.action {
                Action::Deny => items.push(result(&judged.call, CallEnd::Refused, &ruling.why)),
                Action::Ask => self.ask.push(judged),
                Action::Auto => match ruling.effect {
                    // What writes waits with the calls of its answer that a person is asked about.
                    Effect::Write | Effect::Idempotent if asks => {}
                    effect => self.queue.push(judged.call, effect),
                },
            }
        }
        self.record(items, entries)
    }

    fn used(&self) -> TurnUsage {
        TurnUsage::of(self.transcript.turn_entries(), self.tokens_today)
    }

    fn record(&mut self, items: Vec<Item>, entries: Vec<AuditEntry>) -> NewEntries {
        self.transcript.items.extend(items.iter().cloned());
        NewEntries { items, entries }
    }
}

fn result(call: &Call, end: CallEnd, text: &str) -> Item {
    Item::Result(CallResult {
        call: call.id.clone(),
        end,
        text: text.to_owned(),
    })
}

#[cfg(test)]
#[path = "next_tests.rs"]
mod tests;
