//! Reads of one answer that run at the same time under `kill -9`: each of them has its result, or
//! is known to be unknown, and none is made more often than an answer goes on.

use assent_service::{
    rules::audit::{Decision, DecisionSource},
    sentence::INTERRUPTED,
    store::Store,
    transcript::{CallEnd, Item, UNKNOWN_OUTCOME},
};
use axum::http::Method;
use proptest::{option, prelude::*};
use serde_json::{Value, json};

use crate::{
    NEVER, chosen,
    client::ask,
    common::{THREADS, key, text},
    program::{Moment, Place, Program},
    summary::Counts,
    tools::{Trial, free, post, stored},
};

/// The events around a kill.
#[derive(Debug)]
pub struct Plan {
    /// The calls of the one answer of the model.
    reads: usize,
    kill: Place,
    /// A second kill while the answer goes on.
    again: Option<Place>,
}

pub fn plan(seed: u64) -> Plan {
    let place = |moments: &'static [(Moment, u32, u32)]| {
        let moment = prop::sample::select(moments);
        moment.prop_flat_map(|(moment, first, last)| {
            (first..=last).prop_map(move |count| Place { moment, count })
        })
    };
    let during = &[
        (Moment::Called, 1, 4),
        (Moment::Done, 1, 4),
        (Moment::Answered, 1, 4),
        (Moment::Statement, 20, 90),
    ];
    // The next start has a part of them left to do.
    let after = &[
        (Moment::Called, 1, 3),
        (Moment::Done, 1, 3),
        (Moment::Statement, 5, 50),
    ];
    let plans = (
        2_usize..5,
        place(during),
        option::weighted(0.5, place(after)),
    );
    let plans = plans.prop_map(|(reads, kill, again)| Plan { reads, kill, again });
    chosen(&plans, seed)
}

/// Plays a plan, kills, starts again and checks.
pub async fn kill(plan: &Plan) -> Counts {
    let mut counts = Counts::default();
    let trial = Trial::new().await;
    let program = trial.start(plan.kill);
    let thread = begin(&program, plan).await;
    counts.kill(if program.was_killed_in_time() {
        plan.kill.moment.name()
    } else {
        Moment::End.name()
    });
    program.kill();
    if let Some(place) = plan.again {
        let program = trial.start(place);
        if program.address.is_some() {
            free(&trial, &program).await;
        }
        if program.was_killed_in_time() {
            counts.kill("while it went on");
        }
        program.kill();
    }
    let Some(thread) = thread else {
        return counts;
    };
    let program = trial.start(NEVER);
    free(&trial, &program).await;
    check(&trial, &program, &thread, plan).await;
    program.kill();
    for (id, times) in trial.counted() {
        // An answer goes on once.
        assert!(times <= 2, "{id} was made {times} times");
    }
    counts
}

/// Starts a thread and has the model look; returns the thread.
async fn begin(program: &Program, plan: &Plan) -> Option<String> {
    let new = json!({ "agentId": "desk" });
    let (status, thread) = ask(program, Method::POST, THREADS, Some(&new)).await?;
    assert_eq!(status, 201);
    let thread = thread["id"].as_str().unwrap().to_owned();
    post(
        program,
        &thread,
        &text(&format!("look {}", plan.reads)),
        false,
    )
    .await;
    Some(thread)
}

/// Checks what was found after the restarts, and what the model is told of it.
async fn check(trial: &Trial, program: &Program, thread: &str, plan: &Plan) {
    let messages = stored(program, thread).await;
    let said: String = messages.iter().map(|m| m["content"].to_string()).collect();
    let store = Store::attach(&trial.folder.storage()).await.unwrap();
    let transcript = store.transcript(&key(thread), "").await.unwrap();
    let audit = store.audit().await.unwrap();
    store.close().await;
    assert_eq!(audit.fault(None), None);
    let crashed = audit
        .lines
        .iter()
        .filter(|line| (line.decision, line.source) == (Decision::Unknown, DecisionSource::Crash));
    let crashed: Vec<&str> = crashed.map(|line| line.execution_id.as_str()).collect();
    let calls = transcript.items.iter().find_map(|item| match item {
        Item::Model { calls, .. } if !calls.is_empty() => Some(calls),
        _ => None,
    });
    let calls = calls.map_or(&[][..], Vec::as_slice);
    let end = |id: &str| {
        transcript.items.iter().find_map(|item| match item {
            Item::Result(result) if result.call == id => Some(result.end),
            _ => None,
        })
    };
    let unknown: Vec<&str> = calls
        .iter()
        .map(|call| call.id.as_str())
        .filter(|id| transcript.started.contains(*id))
        .collect();
    let mut sorted = (unknown.clone(), crashed);
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    assert_eq!(sorted.0, sorted.1, "what is unknown is in the audit");
    let told = said.matches("`counter/look`").count();
    assert_eq!(told, unknown.len(), "and each is told: {said}");
    let counted = trial.counted();
    for call in calls {
        match end(&call.id) {
            Some(end) => {
                assert_eq!(end, CallEnd::Succeeded);
                assert!(counted.contains_key(&call.id), "a result without a call");
            }
            None => assert!(said.contains("interrupted"), "no result: {said}"),
        }
    }
    if !said.contains("interrupted") && !messages.is_empty() {
        assert_eq!(calls.len(), plan.reads);
        assert!(
            messages.last().unwrap()["content"]
                .as_str()
                .unwrap()
                .ends_with("Done.")
        );
    } else if !messages.is_empty() {
        assert!(said.contains(&INTERRUPTED[1..40]), "{said}");
    }
    // The model reads each result in the order of its calls.
    let seen = post(program, thread, &text("hello"), false).await;
    assert_eq!(seen.texts("AGENT_RESPONSE_COMPLETE"), ["Done."], "{seen:?}");
    let last = trial.asked.lock().unwrap().last().unwrap().clone();
    let results = last["messages"].as_array().unwrap().iter();
    let results: Vec<(&str, &str)> = results
        .filter(|message| message["role"] == "tool")
        .map(|message| (word(message, "tool_call_id"), word(message, "content")))
        .collect();
    // Ids on the wire are short ones of their own.
    let asked = last["messages"].as_array().unwrap().iter().rev();
    let asked = asked.filter_map(|message| message["tool_calls"].as_array());
    let asked: Vec<&str> = asked.flatten().map(|call| word(call, "id")).collect();
    assert_eq!(results.iter().map(|(id, _)| *id).collect::<Vec<_>>(), asked);
    assert_eq!(results.len(), calls.len());
    for (call, (_, content)) in calls.iter().zip(results) {
        let id = call.id.as_str();
        assert_eq!(
            content == UNKNOWN_OUTCOME,
            unknown.contains(&id),
            "{id}: {content}"
        );
        assert_eq!(content == "counted", end(id).is_some(), "{id}: {content}");
    }
}

fn word<'a>(message: &'a Value, name: &str) -> &'a str {
    message[name].as_str().unwrap()
}
