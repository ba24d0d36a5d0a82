//! The core of a run: its rules one by one.

#[path = "any_run_tests.rs"]
mod any_run;

use super::{Command, Limits, NewEntries, RunInput, RunOutput, RunState};
use crate::{
    agents::model::core::judge::JudgedCall,
    rules::{
        approval::Verdict,
        audit::{Decision, DecisionSource},
        content::UserContent,
        policy::{Action, Ruling},
    },
    sentence::Sentence,
    transcript::{Call, CallEnd, CallResult, Effect, Item, Transcript},
};

fn words(text: &str) -> UserContent {
    UserContent {
        text: text.to_owned(),
        ..UserContent::default()
    }
}

fn judged(id: &str, action: Action, effect: Effect) -> JudgedCall {
    JudgedCall {
        call: Call {
            id: id.to_owned(),
            tool: "files/any".to_owned(),
            arguments: format!("{{\"n\":\"{id}\"}}"),
            definition: String::new(),
        },
        ruling: Ruling {
            action,
            effect,
            why: "Not here.".to_owned(),
            source: DecisionSource::Rule,
            rule: "a rule".to_owned(),
            told: None,
            change: None,
            grants: None,
            expires: None,
            editable: Vec::new(),
        },
        policy: "a version".to_owned(),
    }
}

fn run() -> RunState {
    let mut run = RunState::new(Transcript::default(), Limits::default(), 0);
    let next = run.step(RunInput::Message(words("go")));
    assert_eq!(next.command, ASK_MODEL);
    run
}

const ASK_MODEL: Command = Command::AskModel { with_tools: true };

fn answered(calls: Vec<JudgedCall>) -> RunInput {
    RunInput::Answered {
        text: String::new(),
        calls,
        tokens: 0,
    }
}

fn ran(id: &str) -> RunInput {
    RunInput::Ran(CallResult {
        call: id.to_owned(),
        end: CallEnd::Succeeded,
        text: "done".to_owned(),
    })
}

/// Returns the ids of what the command is about, after its kind.
fn told(next: &RunOutput) -> String {
    match &next.command {
        Command::RunTools(calls) => {
            let ids: Vec<_> = calls.iter().map(|(call, _)| call.id.as_str()).collect();
            format!("run {}", ids.join(" ")).trim().to_owned()
        }
        Command::AskPerson(calls) => {
            let ids: Vec<_> = calls.iter().map(|asked| asked.call.id.as_str()).collect();
            format!("ask {}", ids.join(" "))
        }
        Command::AskModel { with_tools } => format!("model {with_tools}"),
        other => format!("{other:?}"),
    }
}

fn results(run: &RunState) -> Vec<(String, CallEnd)> {
    let items = run.transcript.items.iter();
    items
        .filter_map(|item| match item {
            Item::Result(result) => Some((result.call.clone(), result.end)),
            _ => None,
        })
        .collect()
}

#[test]
fn an_answer_without_calls_is_the_end_and_an_empty_one_a_failure() {
    let mut done = run();
    let text = RunInput::Answered {
        text: "Hi.".to_owned(),
        calls: Vec::new(),
        tokens: 0,
    };
    assert_eq!(done.step(text).command, Command::End(None));
    let failed = run().step(answered(Vec::new()));
    let fail = Command::Fail("The model gave no answer.".to_owned());
    assert_eq!(
        (failed.record, failed.command),
        (NewEntries::default(), fail)
    );
}

#[test]
fn the_answer_is_recorded_whole_before_anything_runs() {
    let calls = vec![
        judged("a", Action::Auto, Effect::Write),
        judged("b", Action::Deny, Effect::Write),
    ];
    let next = run().step(answered(calls));
    let NewEntries { items, entries } = &next.record;
    assert!(matches!(&items[0], Item::Model { calls, .. } if calls.len() == 2));
    assert!(matches!(&items[1], Item::Result(r) if r.call == "b" && r.end == CallEnd::Refused));
    let decided: Vec<_> = entries
        .iter()
        .map(|e| (e.call.id.as_str(), e.decision))
        .collect();
    assert_eq!(
        decided,
        [("a", Decision::Allowed), ("b", Decision::Refused)]
    );
    assert_eq!(told(&next), "run a");
}

#[test]
fn reads_run_first_and_writes_wait_with_what_is_asked() {
    let mut run = run();
    let calls = vec![
        judged("write", Action::Auto, Effect::Write),
        judged("asked", Action::Ask, Effect::Write),
        judged("read", Action::Auto, Effect::Read),
    ];
    assert_eq!(told(&run.step(answered(calls.clone()))), "run read");
    assert_eq!(told(&run.step(ran("read"))), "ask asked");
    for (verdict, expected) in [
        (Verdict::Approved, "run write"),
        (Verdict::Denied, "run write"),
        (Verdict::Aborted, "model true"),
    ] {
        let mut resumed = RunState::new(run.transcript.clone(), Limits::default(), 0);
        let next = resumed.step(RunInput::Decided {
            decisions: vec![("asked".to_owned(), verdict)],
            feedback: words("mind the gap"),
            open: calls[..2].to_vec(),
        });
        assert_eq!(told(&next), expected, "{verdict:?}");
        let feedback = Item::Feedback {
            text: "mind the gap".to_owned(),
            images: Vec::new(),
            documents: Vec::new(),
        };
        assert!(resumed.transcript.items.contains(&feedback));
    }
}

#[test]
fn reads_run_beside_each_other_up_to_their_limit_and_in_order() {
    let limits = Limits {
        parallel: 2,
        ..Limits::default()
    };
    let mut run = RunState::new(Transcript::default(), limits, 0);
    run.step(RunInput::Message(words("go")));
    let reads = ["a", "b", "c", "d"].map(|id| judged(id, Action::Auto, Effect::Read));
    assert_eq!(told(&run.step(answered(reads.to_vec()))), "run a b");
    assert_eq!(told(&run.step(ran("b"))), "run c");
    assert_eq!(told(&run.step(ran("a"))), "run d");
    assert_eq!(told(&run.step(ran("d"))), "run", "the other one runs still");
    assert_eq!(told(&run.step(ran("c"))), "model true");
}

#[test]
fn what_writes_runs_alone_and_at_its_place() {
    for action in [Action::Auto, Action::Ask] {
        let mut run = run();
        let calls = [
            ("a", Effect::Read),
            ("b", Effect::Read),
            ("c", Effect::Write),
            ("d", Effect::Idempotent),
            ("e", Effect::Read),
            ("f", Effect::Read),
        ]
        .map(|(id, effect)| judged(id, action, effect));
        let mut next = run.step(answered(calls.to_vec()));
        if action == Action::Ask {
            assert_eq!(told(&next), "ask a b c d e f");
            let approved = calls.iter().map(|call| call.call.id.clone());
            next = run.step(RunInput::Decided {
                decisions: approved.map(|id| (id, Verdict::Approved)).collect(),
                feedback: UserContent::default(),
                open: calls.to_vec(),
            });
        }
        assert_eq!(told(&next), "run a b", "{action:?}");
        for (ended, next) in [
            ("b", "run"),
            ("a", "run c"),
            ("c", "run d"),
            ("d", "run e f"),
            ("e", "run"),
            ("f", "model true"),
        ] {
            assert_eq!(told(&run.step(ran(ended))), next, "{ended}");
        }
    }
}

#[test]
fn each_decision_has_its_result() {
    let open = || {
        ["yes", "no", "forbidden"].map(|id| {
            let action = if id == "forbidden" {
                Action::Deny
            } else {
                Action::Ask
            };
            judged(id, action, Effect::Write)
        })
    };
    let mut run = run();
    let asked = ["yes", "no", "forbidden"].map(|id| judged(id, Action::Ask, Effect::Write));
    assert_eq!(
        told(&run.step(answered(asked.to_vec()))),
        "ask yes no forbidden"
    );
    let next = run.step(RunInput::Decided {
        decisions: vec![
            ("yes".to_owned(), Verdict::Approved),
            ("no".to_owned(), Verdict::Denied),
            ("forbidden".to_owned(), Verdict::Approved),
        ],
        feedback: UserContent::default(),
        open: open().to_vec(),
    });
    assert_eq!(told(&next), "run yes");
    assert_eq!(told(&run.step(ran("yes"))), "model true");
    assert_eq!(
        results(&run),
        [
            ("no".to_owned(), CallEnd::Denied),
            ("forbidden".to_owned(), CallEnd::Refused),
            ("yes".to_owned(), CallEnd::Succeeded),
        ]
    );
}

#[test]
fn every_limit_ends_the_turn_with_its_sentence() {
    let limits = Limits {
        steps: 2,
        tool_calls: 3,
        ..Limits::default()
    };
    let mut steps = RunState::new(Transcript::default(), limits, 0);
    steps.step(RunInput::Message(words("go")));
    for id in ["a", "b"] {
        let call = judged(id, Action::Auto, Effect::Read);
        assert_eq!(told(&steps.step(answered(vec![call]))), format!("run {id}"));
        let next = steps.step(ran(id));
        let ended = matches!(next.command, Command::End(Some(Sentence::Steps(2))));
        assert_eq!(ended, id == "b", "{next:?}");
    }
    let mut calls = RunState::new(Transcript::default(), limits, 0);
    calls.step(RunInput::Message(words("go")));
    let many = ["a", "b", "c", "d"].map(|id| judged(id, Action::Ask, Effect::Read));
    let next = calls.step(answered(many.to_vec()));
    assert!(
        matches!(next.command, Command::End(Some(Sentence::ToolUses(3)))),
        "{next:?}"
    );
    assert_eq!(
        results(&calls).len(),
        4,
        "each call has a result all the same"
    );
}

#[test]
fn a_model_that_repeats_itself_is_asked_without_tools() {
    let mut run = run();
    for id in ["a", "b", "c"] {
        let mut call = judged(id, Action::Auto, Effect::Read);
        call.call.arguments = "{}".to_owned();
        let next = run.step(answered(vec![call]));
        if id == "c" {
            assert_eq!(told(&next), "model false");
        } else {
            assert_eq!(told(&next), format!("run {id}"));
            run.step(ran(id));
        }
    }
}
