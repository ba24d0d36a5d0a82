//! What a person allows beforehand with a decision (extension `grants`): what it lets run, what it does
//! not, and how it ends.

use assent_protocol::SseEvent;
use assent_service::rules::audit::{Decision, DecisionSource};
use axum::http::{Method, StatusCode};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::common::{
    THREADS, USER, body, decided,
    desk::{Desk, add},
    messages_of,
    model::{Reply, calls, says},
    request, requests,
};

const GRANTS: &str = "/api/assistants/grants";

const BOTH: &str = "[policy]\ntrust_read_only = [\"notes\"]\n\
                    grants = { scopes = [\"thread\", \"agent\"], max = \"8h\" }\n";

/// Replies of a model that adds each of these notes, with a word after each.
fn adding(notes: &[&str]) -> Vec<Reply> {
    let replies = notes
        .iter()
        .map(|note| [calls("", &[add(note)]), says("Done.")]);
    replies.collect::<Vec<_>>().concat()
}

/// Returns the post that approves a request with a grant.
fn approved_with(asked: &[Value], grant: Value) -> Value {
    let mut item = decided(asked, &["APPROVED"]);
    item["toolApprovalResult"][0]["grant"] = grant;
    body(&[item])
}

/// Says something, and returns the requests that it leads to.
async fn ask(desk: &Desk, thread: &str) -> Option<Vec<Value>> {
    let events = desk.service.say(thread, "go on").await;
    requests(&events).into_iter().next()
}

async fn list(desk: &Desk) -> Vec<Value> {
    let answer = desk.service.get(GRANTS).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.json().as_array().unwrap().clone()
}

/// Returns the lines of the audit that name a grant.
async fn audited(desk: &Desk, grant: &str) -> Vec<(Decision, DecisionSource)> {
    let audit = desk.service.state.store().audit().await.unwrap();
    assert_eq!(audit.fault(None), None);
    let mut lines = audit.lines;
    lines.retain(|line| line.rule == grant);
    // They may be in several chains.
    lines.sort_by(|a, b| a.at.cmp(&b.at));
    let told = lines.into_iter().map(|line| (line.decision, line.source));
    told.collect()
}

/// Returns the ids of the grants by which calls began, as the events tell them.
fn grants_of_steps(events: &[SseEvent]) -> Vec<String> {
    let began = events
        .iter()
        .filter(|event| event.event_type.name() == "NOTIFICATION_TOOL_EXECUTION_INITIATED");
    let grants = began.map(|event| event.event_message.grant_id.clone());
    grants.collect()
}

#[tokio::test]
async fn a_step_that_runs_because_of_a_grant_names_it() {
    let desk = Desk::with(adding(&["milk", "eggs"]), BOTH).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await.unwrap();
    let grant = json!({ "scope": "thread", "when": {} });
    let approved = desk
        .service
        .stream(&thread, &approved_with(&asked, grant))
        .await;
    assert_eq!(
        grants_of_steps(&approved),
        [""],
        "a person approved this one"
    );
    let given = list(&desk).await[0]["id"].as_str().unwrap().to_owned();
    let events = desk.service.say(&thread, "go on").await;
    assert_eq!(grants_of_steps(&events), [given]);
}

#[tokio::test]
async fn a_person_who_allows_a_call_beforehand_is_not_asked_about_it_again() {
    let notes = ["milk", "milk", "eggs", "milk", "milk"];
    let desk = Desk::new(adding(&notes)).await;
    let service = &desk.service;
    let thread = service.thread("desk").await;
    let asked = ask(&desk, &thread).await.unwrap();
    assert_eq!(asked[0]["grantScopes"], json!(["thread"]));
    assert_eq!(asked[0]["grantMaxSeconds"], json!(8 * 3600));
    let stored = service.messages(&thread).await.pop().unwrap();
    let stored = &stored["toolExecutionHumanApprovalRequest"][0];
    assert_eq!(stored["grantScopes"], json!(["thread"]));
    let grant = json!({ "scope": "thread", "when": { "/text": "same" } });
    service.stream(&thread, &approved_with(&asked, grant)).await;
    let grants = list(&desk).await;
    assert_eq!(grants[0]["uses"], 0, "the call itself was approved");

    assert_eq!(ask(&desk, &thread).await, None);
    assert_eq!(desk.notes(), "milk\nmilk\n");
    let other = ask(&desk, &thread).await.unwrap();
    let answer = body(&[decided(&other, &["DENIED"])]);
    service.stream(&thread, &answer).await;
    let elsewhere = service.thread("desk").await;
    let there = ask(&desk, &elsewhere).await.expect("another conversation");
    let answer = body(&[decided(&there, &["DENIED"])]);
    service.stream(&elsewhere, &answer).await;

    let grants = list(&desk).await;
    let [grant] = grants.as_slice() else {
        panic!("{grants:?}")
    };
    let told = json!([
        grant["toolId"],
        grant["agentId"],
        grant["agentName"],
        grant["scope"],
        grant["threadId"],
        grant["when"],
        grant["uses"],
    ]);
    let when = json!({ "/text": { "same": "milk" } });
    let expected = json!(["notes/add", "desk", "Desk", "thread", thread, when, 1]);
    assert_eq!(told, expected);
    assert_eq!(grant.get("until"), None);
    let id = grant["id"].as_str().unwrap();
    let path = format!("{GRANTS}/{id}");
    let others = service
        .send(request(Method::GET, GRANTS, "bob", None))
        .await;
    assert_eq!(others.json(), json!([]));
    let others = service
        .send(request(Method::DELETE, &path, "bob", None))
        .await;
    assert_eq!(others.status, StatusCode::NOT_FOUND);
    assert_eq!(service.delete(&path).await.status, StatusCode::NO_CONTENT);
    assert_eq!(service.delete(&path).await.status, StatusCode::NOT_FOUND);
    assert!(ask(&desk, &thread).await.is_some(), "it was taken back");
    assert_eq!(
        audited(&desk, id).await,
        [
            (Decision::Granted, DecisionSource::Person),
            (Decision::Allowed, DecisionSource::Grant),
            (Decision::Ended, DecisionSource::Person),
        ]
    );
}

#[tokio::test]
async fn a_grant_for_the_agent_holds_over_a_restart_and_ends_with_its_time() {
    let desk = Desk::with(adding(&["milk", "eggs", "jam"]), BOTH).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await.unwrap();
    let until = (Timestamp::now() + SignedDuration::from_hours(8)).to_string();
    let grant = json!({ "scope": "agent", "until": until });
    let answer = approved_with(&asked, grant);
    desk.service.stream(&thread, &answer).await;
    let desk = desk.restarted().await;
    let elsewhere = desk.service.thread("desk").await;
    assert_eq!(ask(&desk, &elsewhere).await, None);
    assert_eq!(desk.notes(), "milk\neggs\n");
    let grants = list(&desk).await;
    assert_eq!(grants[0]["scope"], "agent");
    assert_eq!(grants[0].get("threadId"), None);
    assert_eq!(grants[0]["uses"], 1);
    assert_eq!(grants[0]["until"].as_str().unwrap()[..19], until[..19]);

    let mut database = desk.service.folder.connect().await;
    let over = "UPDATE grants SET until = '2026-01-01T00:00:00.000Z'";
    database.execute(over).await.unwrap();
    database.close().await;
    assert_eq!(list(&desk).await, Vec::<Value>::new());
    assert!(ask(&desk, &elsewhere).await.is_some());
    let id = grants[0]["id"].as_str().unwrap();
    let path = format!("{GRANTS}/{id}");
    let late = desk.service.delete(&path).await;
    assert_eq!(late.status, StatusCode::NOT_FOUND);
    assert!(desk.service.state.store().end_old_grants().await.unwrap());
    assert!(desk.service.state.store().end_old_grants().await.unwrap());
    assert_eq!(
        audited(&desk, id).await,
        [
            (Decision::Granted, DecisionSource::Person),
            (Decision::Allowed, DecisionSource::Grant),
            (Decision::Ended, DecisionSource::Timeout),
        ]
    );
}

#[tokio::test]
async fn a_grant_lets_calls_of_several_conversations_run_at_once_and_counts_each() {
    let notes = ["milk", "eggs", "jam", "tea"];
    let desk = Desk::with(adding(&["bread"]), BOTH).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await.unwrap();
    let until = (Timestamp::now() + SignedDuration::from_hours(1)).to_string();
    let grant = json!({ "scope": "agent", "until": until });
    let answer = approved_with(&asked, grant);
    desk.service.stream(&thread, &answer).await;
    // Their requests to the model come in any order: first each gets a call, and then its end.
    let calling = notes.iter().map(|note| calls("", &[add(note)]));
    let done = notes.iter().map(|_| says("Done."));
    desk.model.say(calling.chain(done).collect());
    let mut threads = Vec::new();
    for _ in notes {
        threads.push(desk.service.thread("desk").await);
    }
    let asks = threads.iter().map(|thread| ask(&desk, thread));
    let asked = futures_util::future::join_all(asks).await;
    assert_eq!(asked, [None, None, None, None]);
    let all = desk.notes();
    let mut added: Vec<&str> = all.lines().skip(1).collect();
    added.sort_unstable();
    assert_eq!(added, ["eggs", "jam", "milk", "tea"]);
    assert_eq!(list(&desk).await[0]["uses"], 4);
}

#[tokio::test]
async fn a_grant_that_the_policy_does_not_let_be_given_is_refused_and_nothing_is_decided() {
    let desk = Desk::with(adding(&["milk"]), BOTH).await;
    let service = &desk.service;
    let thread = service.thread("desk").await;
    let asked = ask(&desk, &thread).await.unwrap();
    let hours = |hours| (Timestamp::now() + SignedDuration::from_hours(hours)).to_string();
    for (grant, fault) in [
        (json!({ "scope": "agent", "until": hours(9) }), "8h at most"),
        (json!({ "scope": "agent" }), "needs an end"),
        (json!({ "scope": "user" }), "\"thread\" or \"agent\""),
        (
            json!({ "scope": "thread", "when": { "/other": "same" } }),
            "does not hold for this very call",
        ),
        (
            json!({ "scope": "thread", "when": { "/text": { "same": "eggs" } } }),
            "does not hold for this very call",
        ),
    ] {
        let answer = approved_with(&asked, grant);
        let answer = service.post(&messages_of(&thread), &answer).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
        let issue = &answer.json()["details"]["issues"][0];
        assert_eq!(issue["toolExecutionId"], asked[0]["toolExecutionId"]);
        assert!(issue["error"].as_str().unwrap().contains(fault), "{issue}");
        assert_eq!(service.statuses(&thread).await, ["PENDING_HUMAN_APPROVAL"]);
    }
    assert_eq!(list(&desk).await, Vec::<Value>::new());
    assert_eq!(desk.notes(), "");
}

#[tokio::test]
async fn where_a_rule_asks_or_the_policy_says_never_nothing_is_allowed_beforehand() {
    let rule = "[policy]\ntrust_read_only = [\"notes\"]\n\
                [[policy.rule]]\ntool = \"notes/add\"\ndo = \"ask\"\n";
    let never = "[policy]\ntrust_read_only = [\"notes\"]\ngrants = \"never\"\n";
    for policy in [rule, never] {
        let desk = Desk::with(adding(&["milk"]), policy).await;
        let thread = desk.service.thread("desk").await;
        let asked = ask(&desk, &thread).await.unwrap();
        assert_eq!(asked[0].get("grantScopes"), None);
        assert_eq!(asked[0].get("grantMaxSeconds"), None);
        let answer = approved_with(&asked, json!({ "scope": "thread" }));
        let answer = desk.service.post(&messages_of(&thread), &answer).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
        // What the client adds to its echo changes nothing.
        let mut forged = asked.clone();
        forged[0]["grantScopes"] = json!(["thread"]);
        let answer = approved_with(&forged, json!({ "scope": "thread" }));
        let answer = desk.service.post(&messages_of(&thread), &answer).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
    }
}

#[tokio::test]
async fn a_grant_ends_with_its_conversation() {
    let desk = Desk::new(adding(&["milk"])).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await.unwrap();
    let answer = approved_with(&asked, json!({ "scope": "thread" }));
    desk.service.stream(&thread, &answer).await;
    let id = list(&desk).await[0]["id"].as_str().unwrap().to_owned();
    let deleted = desk.service.delete(&format!("{THREADS}/{thread}")).await;
    assert!(deleted.status.is_success(), "{}", deleted.text);
    assert_eq!(list(&desk).await, Vec::<Value>::new());
    assert_eq!(
        audited(&desk, &id).await,
        [
            (Decision::Granted, DecisionSource::Person),
            (Decision::Ended, DecisionSource::Person),
        ]
    );
    let told = desk.service.state.store().grants().await.unwrap();
    assert_eq!((told.len(), told[0].user_id.as_str()), (1, USER));
}
