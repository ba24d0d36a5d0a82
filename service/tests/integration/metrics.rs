//! What the operator can read: what was counted, on a listener of its own, and about nobody.

use axum::http::Method;
use serde_json::json;
use tower::ServiceExt as _;

use crate::common::{
    self, Service, USER,
    agents::Gate,
    body, decided,
    desk::Desk,
    messages_of,
    model::{Reply, calls, says},
    request, requests, service_with, settings, text,
    tool_server::{Heard, broken_off, one_tool, tool_server},
    until,
};

async fn metrics(service: &Service) -> String {
    let pending = service.state.store().pending_approvals().await.unwrap();
    let servers = service.state.agents().servers();
    service.state.metrics().text(pending, &servers).unwrap()
}

#[track_caller]
fn has(metrics: &str, line: &str) {
    assert!(
        metrics.lines().any(|found| found == line),
        "{line}\n{metrics}"
    );
}

#[tokio::test]
async fn a_run_with_a_model_is_counted_with_its_tools_and_decisions() {
    let milk = || ("notes__add", json!({ "text": "milk" }));
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 30, "completion_tokens": 4 } });
    let word = json!({ "choices": [{ "delta": { "content": "Done." } }] });
    let desk = Desk::new(vec![
        calls("", &[milk(), ("notes__list", json!({}))]),
        calls("", &[("no/such-tool", json!({})), milk()]),
        Reply::Stream(vec![word, usage]),
        Reply::Status(400, Vec::new(), String::new()),
    ])
    .await;
    let service = &desk.service;
    has(
        &metrics(service).await,
        "assent_mcp_up{agent=\"desk\",server=\"notes\"} 0",
    );
    let thread = service.thread("desk").await;

    let asked = requests(&service.say(&thread, "add secret-word").await).remove(0);
    let found = metrics(service).await;
    has(&found, "assent_approvals_pending 1");
    has(&found, "assent_mcp_up{agent=\"desk\",server=\"notes\"} 1");
    let approve = body(&[decided(&asked, &["APPROVED"])]);
    let asked = requests(&service.stream(&thread, &approve).await).remove(0);
    let deny = body(&[decided(&asked, &["DENIED"])]);
    service.stream(&thread, &deny).await;
    service.say(&thread, "fail").await;

    let found = metrics(service).await;
    for line in [
        "assent_runs_total{agent=\"desk\",end=\"asked\"} 2",
        "assent_runs_total{agent=\"desk\",end=\"done\"} 1",
        "assent_runs_total{agent=\"desk\",end=\"failed\"} 1",
        "assent_model_tokens_total{agent=\"desk\",direction=\"input\"} 30",
        "assent_model_tokens_total{agent=\"desk\",direction=\"output\"} 4",
        "assent_model_seconds_count{agent=\"desk\",phase=\"first_token\"} 3",
        "assent_model_seconds_count{agent=\"desk\",phase=\"whole\"} 3",
        "assent_tool_calls_total{server=\"notes\",tool=\"list\",decision=\"policy\",end=\"succeeded\"} 1",
        "assent_tool_calls_total{server=\"notes\",tool=\"add\",decision=\"person\",end=\"succeeded\"} 1",
        "assent_tool_calls_total{server=\"notes\",tool=\"add\",decision=\"person\",end=\"denied\"} 1",
        "assent_tool_calls_total{server=\"\",tool=\"\",decision=\"policy\",end=\"refused\"} 1",
        "assent_tool_seconds_count{server=\"notes\",tool=\"add\"} 1",
        "assent_approval_wait_seconds_count 2",
        "assent_approvals_pending 0",
        "assent_unknown_outcomes_total 0",
    ] {
        has(&found, line);
    }
    for word in [USER, "milk", "secret-word", "such-tool", "canary-key"] {
        assert!(!found.contains(word), "{word}\n{found}");
    }
}

#[tokio::test]
async fn a_call_without_an_answer_is_an_unknown_outcome() {
    let url = tool_server(async |heard: Heard| match heard.method.as_str() {
        "tools/list" => Some(one_tool("refund", "Refunds.")),
        "tools/call" => Some(broken_off()),
        _ => None,
    })
    .await;
    let server = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n[policy]\ndefault = \"auto\"\n");
    let refund = calls("", &[("crm__refund", json!({ "order": 7 }))]);
    let desk = Desk::with(vec![refund, says("Hm.")], &server).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "refund order 7").await;
    let found = metrics(&desk.service).await;
    has(&found, "assent_unknown_outcomes_total 1");
    has(
        &found,
        "assent_tool_calls_total{server=\"crm\",tool=\"refund\",decision=\"policy\",end=\"unknown\"} 1",
    );
}

#[tokio::test]
async fn a_stream_is_counted_as_long_as_it_is_read() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    has(&metrics(&service).await, "assent_streams 0");
    let post = request(Method::POST, &messages_of(&thread), USER, Some(&text("go")));
    let response = service.app.clone().oneshot(post).await.unwrap();
    has(&metrics(&service).await, "assent_streams 1");
    drop(response);
    has(&metrics(&service).await, "assent_streams 0");
    gate.open.add_permits(1);
    until(async || service.state.runs().count() == 0).await;
    let done = "assent_runs_total{agent=\"gate\",end=\"done\"} 1";
    has(&metrics(&service).await, done);
}

#[cfg(unix)]
#[test]
fn metrics_are_on_the_operators_listener_and_on_no_other() {
    use crate::common::program::{HELLO, TYPED, program, start};

    let folder = common::Folder::new();
    let arguments = [
        "--api-key",
        "k",
        "--pace",
        "0",
        "--admin-listen",
        "127.0.0.1:0",
    ];
    let mut running = start(&folder, program(&folder, &arguments));
    let admin = if running.log.contains("metrics at ") {
        running.log.clone()
    } else {
        running.logged("metrics at ")
    };
    let (_, admin) = admin.split_once("metrics at http://").unwrap();
    let public = running.address.clone();
    let messages = running.thread(TYPED);
    running.send("POST", &messages, TYPED, HELLO);
    let refused = running.get("/metrics", TYPED);
    assert!(refused.starts_with("HTTP/1.1 404"), "{refused}");

    running.address = admin.split('/').next().unwrap().to_owned();
    assert_ne!(running.address, public);
    let found = running.get("/metrics", "");
    assert!(found.starts_with("HTTP/1.1 200"), "{found}");
    assert!(found.contains("content-type: application/openmetrics-text; version=1.0.0"));
    has(&found, "assent_runs_total{agent=\"demo\",end=\"done\"} 1");
    assert!(!found.contains("ada"), "{found}");
    for check in ["/healthz", "/readyz"] {
        let alive = running.get(check, "");
        assert!(alive.starts_with("HTTP/1.1 200"), "{alive}");
    }
    let refused = running.get(common::DEMO, TYPED);
    assert!(refused.starts_with("HTTP/1.1 404"), "{refused}");
    running.terminate();
}
