//! The end of waiting for a decision under `kill -9`, after any statement: it holds once, nothing
//! runs, and the agent goes on.

use assent_service::{
    rules::audit::{Decision, DecisionSource},
    store::Store,
};
use axum::http::Method;
use serde_json::{Value, json};

use crate::{
    NEVER, chosen,
    client::ask,
    common::{THREADS, requests, text},
    program::{Moment, Place, Program},
    summary::Counts,
    tools::{Trial, post, stored},
};

/// Lets a service ask about two calls, and their time be over after it was killed; returns the
/// thread.
async fn ask_and_kill(trial: &Trial) -> String {
    let program = trial.start(NEVER);
    let new = json!({ "agentId": "desk" });
    let (_, thread) = ask(&program, Method::POST, THREADS, Some(&new))
        .await
        .unwrap();
    let thread = thread["id"].as_str().unwrap().to_owned();
    let seen = post(&program, &thread, &text("count 2"), false).await;
    assert_eq!(requests(&seen.events)[0].len(), 2);
    program.kill();
    let mut database = trial.folder.connect().await;
    let over = "UPDATE approvals SET expires_at = '2026-01-01T00:00:00.000Z'";
    database.execute(over).await.unwrap();
    database.close().await;
    thread
}

/// Waits until the waiting has ended and nothing is being written, or the program is gone.
async fn until_ended(trial: &Trial, program: &Program) {
    let mut database = trial.folder.connect().await;
    let left = "SELECT (SELECT COUNT(*) FROM approvals WHERE status = 'PENDING_HUMAN_APPROVAL') \
                + (SELECT COUNT(*) FROM runs WHERE ended_at IS NULL)";
    let waiting = async {
        while database.number(left).await > 0 && !program.was_killed_in_time() {
            tokio::task::yield_now().await;
        }
    };
    let waited = tokio::time::timeout(std::time::Duration::from_secs(60), waiting).await;
    waited.unwrap();
    database.close().await;
}

/// Returns the requests of a thread, as they are stored.
fn asked(messages: &[Value]) -> Vec<&Value> {
    let asked = messages
        .iter()
        .filter_map(|message| message["toolExecutionHumanApprovalRequest"].as_array());
    asked.flatten().collect()
}

/// Returns after how many statements of the start that finds the end there is a kill.
pub fn plan(seed: u64) -> u32 {
    chosen(&(5..80_u32), seed)
}

/// Kills at the statement of a plan, starts again and checks.
pub async fn kill(statements: u32) -> Counts {
    let mut counts = Counts::default();
    let trial = Trial::new().await;
    let thread = ask_and_kill(&trial).await;
    let program = trial.start(Place {
        moment: Moment::Statement,
        count: statements,
    });
    if program.address.is_some() {
        until_ended(&trial, &program).await;
    }
    let killed = program.was_killed_in_time();
    program.kill();
    counts.kill(if killed {
        "at the end of waiting"
    } else {
        Moment::End.name()
    });
    let program = trial.start(NEVER);
    until_ended(&trial, &program).await;
    let messages = stored(&program, &thread).await;
    let asked = asked(&messages);
    assert_eq!(asked.len(), 2);
    for request in asked {
        assert_eq!(request["status"], "DENIED", "{messages:#?}");
        assert_eq!(request["decidedBy"], "timeout", "{messages:#?}");
    }
    let told = trial.asked.lock().unwrap().last().unwrap().to_string();
    assert!(
        told.contains("No person decided about this in time"),
        "{told}"
    );
    let seen = post(&program, &thread, &text("hello"), false).await;
    assert_eq!(seen.texts("AGENT_RESPONSE_COMPLETE"), ["Done."], "{seen:?}");
    program.kill();
    assert!(trial.counted().is_empty(), "nothing ran");
    let store = Store::attach(&trial.folder.storage()).await.unwrap();
    let audit = store.audit().await.unwrap();
    store.close().await;
    assert_eq!(audit.fault(None), None);
    let denied = audit
        .lines
        .iter()
        .filter(|line| line.decision == Decision::Denied);
    let sources: Vec<_> = denied.map(|line| line.source).collect();
    assert_eq!(sources, [DecisionSource::Timeout; 2]);
    counts
}
