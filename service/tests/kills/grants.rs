//! A grant under `kill -9`, after any statement: it is there if the decision with which it was given is,
//! and a call that it lets run runs once, and is counted for it once.

use assent_service::{
    rules::audit::{Decision, DecisionSource},
    store::Store,
};
use axum::http::Method;
use serde_json::{Value, json};

use crate::{
    NEVER, chosen,
    client::ask,
    common::{THREADS, body, decided, requests, text},
    program::{Moment, Place, Program},
    summary::Counts,
    tools::{Trial, free, post, stored},
};

const GRANTS: &str = "/api/assistants/grants";

/// Returns after how many statements there is a kill: while the grant is given, or while it is used.
pub fn plan(seed: u64) -> u32 {
    chosen(&(5..200_u32), seed)
}

/// Returns what the user has allowed.
async fn allowed(program: &Program) -> Vec<Value> {
    let (status, grants) = ask(program, Method::GET, GRANTS, None).await.unwrap();
    assert_eq!(status, 200);
    grants.as_array().unwrap().clone()
}

/// Lets the model call the tool once; returns the requests for approval.
async fn tick(program: &Program, thread: &str) -> Vec<Value> {
    let seen = post(program, thread, &text("tick 1"), false).await;
    requests(&seen.events).into_iter().flatten().collect()
}

/// Kills at the statement of a plan, starts again and checks.
pub async fn kill(statements: u32) -> Counts {
    let mut counts = Counts::default();
    let trial = Trial::new().await;
    let program = trial.start(NEVER);
    let new = json!({ "agentId": "desk" });
    let (_, thread) = ask(&program, Method::POST, THREADS, Some(&new))
        .await
        .unwrap();
    let thread = thread["id"].as_str().unwrap();
    let asked = tick(&program, thread).await;
    program.kill();
    let program = trial.start(Place {
        moment: Moment::Statement,
        count: statements,
    });
    if program.address.is_some() {
        let mut answer = decided(&asked, &["APPROVED"]);
        answer["toolApprovalResult"][0]["grant"] = json!({ "scope": "thread", "when": {} });
        let seen = post(&program, thread, &body(&[answer]), true).await;
        if seen.ended {
            // The grant lets this run.
            tick(&program, thread).await;
        }
    }
    let killed = program.was_killed_in_time();
    program.kill();
    counts.kill(if killed {
        Moment::Statement.name()
    } else {
        Moment::End.name()
    });
    let program = trial.start(NEVER);
    free(&trial, &program).await;
    check(&trial, &program, thread).await;
    program.kill();
    check_audit(&trial).await;
    counts
}

/// Checks that the grant is there if its decision is, and that it lets run what comes.
async fn check(trial: &Trial, program: &Program, thread: &str) {
    let messages = stored(program, thread).await;
    let asked = messages
        .iter()
        .filter_map(|message| message["toolExecutionHumanApprovalRequest"].as_array());
    let approved = asked
        .flatten()
        .filter(|request| request["status"] == "APPROVED")
        .count();
    let grants = allowed(program).await;
    assert_eq!(grants.len(), approved, "{messages:#?}");
    let before = trial.counted().len();
    assert!(before <= 2 * grants.len(), "{messages:#?}");
    if let [grant] = grants.as_slice() {
        assert!(
            tick(program, thread).await.is_empty(),
            "it is not asked about again"
        );
        assert_eq!(trial.counted().len(), before + 1);
        let uses = |grant: &Value| grant["uses"].as_u64().unwrap();
        let after = allowed(program).await;
        assert_eq!(uses(&after[0]), uses(grant) + 1);
        // Whoever takes it back is asked again.
        let path = format!("{GRANTS}/{}", grant["id"].as_str().unwrap());
        let (gone, _) = ask(program, Method::DELETE, &path, None).await.unwrap();
        assert_eq!(gone, 204);
        assert_eq!(tick(program, thread).await.len(), 1);
        assert_eq!(trial.counted().len(), before + 1);
    }
}

/// Checks that nothing ran twice, and that each run was approved or by the grant.
async fn check_audit(trial: &Trial) {
    let store = Store::attach(&trial.folder.storage()).await.unwrap();
    let audit = store.audit().await.unwrap();
    store.close().await;
    assert_eq!(audit.fault(None), None);
    for (id, times) in trial.counted() {
        assert_eq!(times, 1, "{id} ran more than once");
        let of_call = audit.lines.iter().filter(|line| line.execution_id == id);
        let lines: Vec<_> = of_call.map(|line| (line.decision, line.source)).collect();
        let by_person = (Decision::Approved, DecisionSource::Person);
        let by_grant = (Decision::Allowed, DecisionSource::Grant);
        assert!(
            lines.contains(&by_person) != lines.contains(&by_grant),
            "{lines:?}"
        );
    }
}
