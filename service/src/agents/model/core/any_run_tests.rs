//! The core of a run: any sequence of events.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{judged, ran, words};
use crate::{
    agents::model::core::{
        judge::JudgedCall,
        limits::Limits,
        next::{Command, RunInput, RunState},
    },
    rules::{approval::Verdict, content::UserContent, policy::Action},
    transcript::{Call, Effect, Item, Transcript},
};

fn any_action() -> impl Strategy<Value = (Action, Effect)> {
    let action = prop_oneof![Just(Action::Auto), Just(Action::Ask), Just(Action::Deny)];
    let effect = prop_oneof![Just(Effect::Read), Just(Effect::Write)];
    (action, effect)
}

fn any_verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![Just(Verdict::Approved), Just(Verdict::Denied)]
}

/// Returns the first event of a run that goes on after a crash.
fn resumed(
    transcript: &Transcript,
    decided: &[(String, Verdict)],
    known: &[JudgedCall],
) -> RunInput {
    let answered = |item: &Item| matches!(item, Item::Model { .. });
    let over = decided.is_empty() && !transcript.run_entries().iter().any(answered);
    let open = transcript.open_calls().into_iter().filter(|_| !over);
    let judged = |call: Call| known.iter().find(|k| k.call.id == call.id).cloned();
    RunInput::Resumed {
        decisions: decided.to_vec(),
        feedback: UserContent::default(),
        open: open.filter_map(judged).collect(),
    }
}

/// The tools outside of a run: what may be called, and what was.
#[derive(Default)]
struct Tools {
    allowed: BTreeSet<String>,
    /// The calls made before the last crash or after it.
    called: BTreeSet<String>,
    /// The calls that run now.
    running: Vec<(Call, Effect)>,
}

impl Tools {
    /// Calls tools beside those that run.
    fn call(&mut self, calls: Vec<(Call, Effect)>, parallel: usize) -> Result<(), TestCaseError> {
        for (call, effect) in calls {
            let id = &call.id;
            prop_assert!(self.allowed.contains(id), "{id} may not run");
            prop_assert!(self.called.insert(id.clone()), "{id} runs twice");
            self.running.push((call, effect));
        }
        let running = &self.running;
        prop_assert!(!running.is_empty(), "nothing would go on");
        let reads = running.iter().all(|(_, effect)| *effect == Effect::Read);
        let most = if reads { parallel } else { 1 };
        prop_assert!(running.len() <= most, "{running:?} at the same time");
        Ok(())
    }

    /// Ends all of them with the service; false if one of them may not be called again, so that the
    /// run does not go on.
    fn crash(&mut self) -> bool {
        for (call, effect) in self.running.drain(..) {
            if effect != Effect::Read {
                return false;
            }
            self.called.remove(&call.id);
        }
        true
    }
}

proptest! {
    /// Whatever a model asks for and a person decides, and in whatever order tools end: nothing
    /// runs that may not, nothing runs twice or beside what it may not run beside, the model never
    /// sees a call without a result, and the turn ends; also if the service is killed on the way.
    #[test]
    fn any_run_keeps_the_rules(
        answers in prop::collection::vec(prop::collection::vec(any_action(), 0..6), 1..20),
        verdicts in prop::collection::vec(any_verdict(), 80),
        aborts in prop::collection::vec(prop::bool::weighted(0.2), 20),
        crashes in prop::collection::vec(prop::bool::weighted(0.2), 30),
        parallel in 1_usize..5,
        ends in prop::collection::vec(any::<prop::sample::Index>(), 50),
    ) {
        let limits = Limits { parallel, ..Limits::default() };
        let mut run = RunState::new(Transcript::default(), limits, 0);
        let mut event = RunInput::Message(words("go"));
        let mut answers = answers.into_iter();
        let mut verdicts = verdicts.into_iter().cycle();
        let mut aborts = aborts.into_iter().cycle();
        let mut ends = ends.into_iter().cycle();
        let mut tools = Tools::default();
        let mut known: Vec<JudgedCall> = Vec::new();
        let mut crashes = crashes.into_iter();
        let mut before = 0;
        let mut decided: Vec<(String, Verdict)> = Vec::new();
        for round in 0.. {
            prop_assert!(round < 300, "the run does not end");
            let last = run.step(event).command;
            if !matches!(last, Command::RunTools(..)) {
                prop_assert!(tools.running.is_empty(), "{last:?} beside {:?}", tools.running);
            }
            let goes_on = matches!(last, Command::AskModel { .. } | Command::RunTools(..));
            let crashes = goes_on && crashes.next().unwrap_or_default();
            event = match last {
                Command::AskModel { .. } if crashes => RunInput::Noted,
                Command::AskModel { .. } => {
                    prop_assert_eq!(run.transcript.open_calls(), Vec::new());
                    let calls: Vec<_> = answers.next().unwrap_or_default().into_iter().enumerate()
                        .map(|(n, (action, effect))| judged(&format!("{round}-{n}"), action, effect))
                        .collect();
                    let auto = calls.iter().filter(|c| c.ruling.action == Action::Auto);
                    tools.allowed.extend(auto.map(|c| c.call.id.clone()));
                    known.extend(calls.iter().cloned());
                    RunInput::Answered { text: "So.".to_owned(), calls, tokens: 1 }
                }
                Command::RunTools(calls) => {
                    tools.call(calls, parallel)?;
                    if crashes {
                        RunInput::Noted
                    } else {
                        let ended = ends.next().unwrap().index(tools.running.len());
                        ran(&tools.running.remove(ended).0.id)
                    }
                }
                Command::AskPerson(calls) => {
                    let abort = aborts.next().unwrap();
                    let decisions: Vec<_> = calls.iter().map(|JudgedCall { call, .. }| {
                        let verdict = if abort { Verdict::Aborted } else { verdicts.next().unwrap() };
                        (call.id.clone(), verdict)
                    }).collect();
                    let approved = decisions.iter().filter(|(_, v)| *v == Verdict::Approved);
                    tools.allowed.extend(approved.map(|(id, _)| id.clone()));
                    let open = run.transcript.open_calls();
                    if abort {
                        open.iter().for_each(|call| { tools.allowed.remove(&call.id); });
                    }
                    let open = open.iter()
                        .map(|call| known.iter().find(|k| k.call.id == call.id).unwrap().clone())
                        .collect();
                    before = run.transcript.items.len();
                    decided.clone_from(&decisions);
                    run = RunState::new(run.transcript, limits, 0);
                    RunInput::Decided { decisions, feedback: UserContent::default(), open }
                }
                Command::End(_) => break,
                other => return Err(TestCaseError::fail(format!("{other:?}"))),
            };
            if crashes {
                if !tools.crash() {
                    return Ok(());
                }
                // The next start has the transcript and the decisions, and nothing else.
                let transcript = Transcript { before, ..run.transcript };
                event = resumed(&transcript, &decided, &known);
                run = RunState::new(transcript, limits, 0);
            }
        }
        prop_assert_eq!(run.transcript.open_calls(), Vec::new());
    }
}
