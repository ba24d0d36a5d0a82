//! The end of waiting for a decision (extension `expiry`): what nobody decided in time is denied, the
//! agent goes on and is told, and no decision is taken any more.

use assent_service::agents::Agents;
use assent_service::operate::expiry::end_expired;
use assent_service::rules::audit::{Decision, DecisionSource};
use axum::http::StatusCode;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::common::{
    asker::Asker,
    body, decided,
    desk::{Desk, add},
    messages_of,
    model::{calls, says},
    requests, service_with, settings,
};

const HOUR: &str = "[policy]\ntrust_read_only = [\"notes\"]\nexpires = \"1h\"\n";

async fn ask(desk: &Desk, thread: &str) -> Vec<Value> {
    let events = desk.service.say(thread, "go on").await;
    requests(&events).into_iter().next().unwrap()
}

/// Lets the time of all requests be over.
async fn let_time_pass(desk: &Desk) {
    let mut database = desk.service.folder.connect().await;
    let over = "UPDATE approvals SET expires_at = '2026-01-01T00:00:00.000Z'";
    database.execute(over).await.unwrap();
    database.close().await;
}

/// Lets the time of all requests be over, and returns the messages once the answer to that is stored.
async fn after_the_end(desk: &Desk, thread: &str) -> Vec<Value> {
    let_time_pass(desk).await;
    end_expired(&desk.service.state).await.unwrap();
    loop {
        let messages = desk.service.messages(thread).await;
        if messages
            .last()
            .is_some_and(|last| last["content"] == "Understood.")
        {
            return messages;
        }
        tokio::task::yield_now().await;
    }
}

/// Returns the stored request of the last message that has one.
fn stored_request(messages: &[Value]) -> &Value {
    let asks = |it: &&Value| it["toolExecutionHumanApprovalRequest"].is_array();
    let message = messages.iter().rev().find(asks).unwrap();
    &message["toolExecutionHumanApprovalRequest"][0]
}

#[tokio::test]
async fn what_nobody_decided_in_time_is_denied_and_the_agent_goes_on() {
    let replies = vec![calls("", &[add("milk")]), says("Understood.")];
    let desk = Desk::with(replies, HOUR).await;
    let thread = desk.service.thread("desk").await;
    let before = Timestamp::now();
    let asked = ask(&desk, &thread).await;
    let end: Timestamp = asked[0]["expiresAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(end.duration_since(before).as_hours(), 1);
    end_expired(&desk.service.state).await.unwrap();
    assert_eq!(desk.model.left(), 1, "not yet");
    let messages = after_the_end(&desk, &thread).await;
    let stored = stored_request(&messages);
    assert_eq!(stored["status"], "DENIED");
    assert_eq!(stored["decidedBy"], "timeout");
    assert_eq!(stored["expiresAt"], asked[0]["expiresAt"]);
    assert_eq!(desk.notes(), "", "it did not run");
    let told = desk.model.requests().pop().unwrap().to_string();
    assert!(
        told.contains("No person decided about this in time"),
        "{told}"
    );

    let answer = body(&[decided(&asked, &["APPROVED"])]);
    let late = desk.service.post(&messages_of(&thread), &answer).await;
    assert_eq!(late.status, StatusCode::BAD_REQUEST, "{}", late.text);
    assert!(late.text.contains("already answered"), "{}", late.text);
    let audit = desk.service.state.store().audit().await.unwrap();
    assert_eq!(audit.fault(None), None);
    let ends = audit.lines.iter().map(|line| (line.decision, line.source));
    let ends: Vec<_> = ends.filter(|(it, _)| *it == Decision::Denied).collect();
    assert_eq!(ends, [(Decision::Denied, DecisionSource::Timeout)]);
    let id = asked[0]["toolExecutionId"].as_str().unwrap();
    let details = format!("/api/assistants/executions/{id}");
    let details = desk.service.get(&details).await.json();
    let steps = details["steps"].as_array().unwrap().iter();
    let decided: Vec<_> = steps.filter(|step| step["step"] == "decided").collect();
    assert_eq!(decided.len(), 1);
    assert_eq!(decided[0]["decision"], "denied");
    assert_eq!(decided[0]["by"], "timeout");
    let metrics = desk.service.state.metrics().text(0, &[]).unwrap();
    let counted = "assent_tool_calls_total{server=\"notes\",tool=\"add\",decision=\"policy\",end=\"denied\"} 1";
    assert!(metrics.lines().any(|line| line == counted), "{metrics}");
}

#[tokio::test]
async fn an_end_that_came_while_the_service_was_down_is_found_at_its_start() {
    let replies = vec![calls("", &[add("milk")]), says("Understood.")];
    let desk = Desk::with(replies, HOUR).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await;
    let inbox = desk.service.get("/api/assistants/approvals").await.json();
    assert_eq!(inbox[0]["expiresAt"], asked[0]["expiresAt"]);
    let_time_pass(&desk).await;
    let desk = desk.restarted().await;
    let messages = after_the_end(&desk, &thread).await;
    assert_eq!(stored_request(&messages)["decidedBy"], "timeout");
    assert_eq!(desk.notes(), "");
}

#[tokio::test]
async fn a_decision_in_time_is_a_persons_and_the_end_changes_nothing() {
    let replies = vec![calls("", &[add("milk")]), says("Understood.")];
    let desk = Desk::with(replies, HOUR).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await;
    let answer = body(&[decided(&asked, &["DENIED"])]);
    desk.service.stream(&thread, &answer).await;
    let messages = after_the_end(&desk, &thread).await;
    let stored = stored_request(&messages);
    assert_eq!(stored["status"], "DENIED");
    assert_eq!(stored.get("decidedBy"), None);
    let told = desk.model.requests().pop().unwrap().to_string();
    assert!(told.contains("The person denied this"), "{told}");
}

#[tokio::test]
async fn without_an_end_nothing_is_told_of_one() {
    let desk = Desk::new(vec![calls("", &[add("milk")])]).await;
    let thread = desk.service.thread("desk").await;
    let asked = ask(&desk, &thread).await;
    assert_eq!(asked[0].get("expiresAt"), None);
    assert_eq!(
        json!(null),
        desk.service.get("/api/assistants/approvals").await.json()[0]["expiresAt"]
    );
}

#[tokio::test]
async fn of_an_end_and_a_decision_at_the_same_moment_exactly_one_holds() {
    const ROUNDS: usize = 12;
    let replies = (0..ROUNDS).flat_map(|_| [calls("", &[add("milk")]), says("Understood.")]);
    let desk = Desk::with(replies.collect(), HOUR).await;
    let mut approved = 0;
    for _ in 0..ROUNDS {
        let thread = desk.service.thread("desk").await;
        let asked = ask(&desk, &thread).await;
        let answer = body(&[decided(&asked, &["APPROVED"])]);
        let path = messages_of(&thread);
        let_time_pass(&desk).await;
        let (posted, ended) = tokio::join!(
            desk.service.post(&path, &answer),
            end_expired(&desk.service.state)
        );
        ended.unwrap();
        let messages = after_the_end(&desk, &thread).await;
        let stored = stored_request(&messages);
        if posted.status == StatusCode::OK {
            approved += 1;
            assert_eq!(stored["status"], "APPROVED");
            assert_eq!(stored.get("decidedBy"), None);
        } else {
            assert_eq!(posted.status, StatusCode::BAD_REQUEST, "{}", posted.text);
            assert_eq!(stored["status"], "DENIED");
            assert_eq!(stored["decidedBy"], "timeout");
        }
    }
    assert_eq!(desk.notes(), "milk\n".repeat(approved));
}

#[tokio::test]
async fn what_waits_on_without_its_agent_keeps_nobody_else_waiting() {
    // More than are looked for at once.
    let service = service_with(settings(), vec![Asker::new(101)]).await;
    let gone = service.thread("asker").await;
    service.say(&gone, "go on").await;
    let thread = service.thread("demo").await;
    service.say(&thread, "approve one").await;
    let mut database = service.folder.connect().await;
    for (agent, over) in [("asker", "2026-01-01"), ("demo", "2026-01-02")] {
        let over = format!(
            "UPDATE approvals SET expires_at = '{over}T00:00:00.000Z' WHERE thread_id = \
             (SELECT id FROM threads WHERE agent_id = '{agent}')"
        );
        database.execute(&over).await.unwrap();
    }
    database.close().await;
    service.state.replace_agents(Agents::load(None).unwrap());
    end_expired(&service.state).await.unwrap();
    let status = async |thread: &str| {
        let messages = service.messages(thread).await;
        let asked = messages
            .iter()
            .find_map(|it| it["toolExecutionHumanApprovalRequest"].as_array());
        asked.unwrap()[0]["status"].clone()
    };
    assert_eq!(status(&thread).await, "DENIED");
    assert_eq!(status(&gone).await, "PENDING_HUMAN_APPROVAL");
}
