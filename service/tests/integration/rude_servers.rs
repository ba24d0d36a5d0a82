//! Tool servers that say more than the protocol foresees, at other places, or not to the end.

#![cfg(target_os = "linux")]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use assent_service::transcript::UNKNOWN_OUTCOME;
use axum::http::Method;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::common::{
    USER, content,
    desk::Desk,
    example, messages_of,
    model::{Reply, calls, says},
    request, requests, text,
    tool_server::{after, one_tool, said, tool_server},
    until,
};

const AUTO: &str = "[policy]\ndefault = \"auto\"\n";

fn find() -> Reply {
    calls("", &[("crm__find", json!({}))])
}

#[tokio::test]
async fn a_server_that_logs_whatever_it_does_not_know_is_not_answered_for_that() {
    // It notes what it hears, logs JSON to its standard output, and asks whether anybody is there.
    const LINE: &str = r#"exec 4>&1
        echo '{"level":30,"msg":"ready"}'
        while IFS= read -r line; do
            printf '%s\n' "$line" >> ../../heard.txt
            case "$line" in
                *'"error"'*) echo '{"level":40,"msg":"what is this?"}' >&4 ;;
                *'"id":"ping"'*) ;;
                *tools/list*)
                    echo '{"jsonrpc":"2.0","level":20,"id":null}' >&4
                    echo '{"jsonrpc":"2.0","id":"ping","method":"ping"}' >&4
                    printf '%s\n' "$line" ;;
                *) printf '%s\n' "$line" ;;
            esac
        done | "$0" ../../notes.txt"#;
    let program = example("notes");
    let server =
        format!("[[mcp]]\nid = \"own\"\ncommand = [\"sh\", \"-c\", {LINE:?}, {program:?}]\n");
    let count = calls("", &[("own__count", json!({}))]);
    let desk = Desk::with(vec![count, says("Done.")], &format!("{server}{AUTO}")).await;
    let thread = desk.service.thread("desk").await;
    desk.service.say(&thread, "go").await;
    assert_eq!(desk.results(), ["1"]);
    let heard = || {
        let heard = desk.service.folder.0.join("heard.txt");
        std::fs::read_to_string(heard).unwrap()
    };
    until(async || heard().contains("\"id\":\"ping\"")).await;
    let heard = heard();
    let ping = heard.lines().find(|line| line.contains("\"id\":\"ping\""));
    let ping: Value = serde_json::from_str(ping.unwrap()).unwrap();
    assert_eq!(ping["result"], json!({}));
    assert!(!heard.contains("\"error\""), "{heard}");
}

#[tokio::test]
async fn a_redirect_to_the_same_server_is_followed_and_one_to_another_is_told() {
    for (path, told) in [
        ("301", None),
        ("307", None),
        ("308", None),
        (
            "away",
            Some("it redirects to http://tools.example:81, which is another server"),
        ),
        ("round", Some("it redirects too often")),
    ] {
        let url = tool_server(|heard| async move {
            match heard.method.as_str() {
                "tools/list" => Some(one_tool("find", "Finds.")),
                "tools/call" => Some(said("Found.")),
                _ => None,
            }
        })
        .await;
        let url = url.replace("/mcp", &format!("/{path}"));
        let server = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n{AUTO}");
        let desk = Desk::with(vec![find(), says("Done.")], &server).await;
        let lines = desk.service.state.agents().check(None).await.lines;
        if let Some(told) = told {
            let told = format!("  tool server crm: {told}");
            assert!(lines.contains(&told), "{path}: {lines:#?}");
            continue;
        }
        let thread = desk.service.thread("desk").await;
        desk.service.say(&thread, "find it").await;
        assert_eq!(desk.results(), ["Found."], "{path}");
    }
}

#[tokio::test]
async fn tools_that_appear_in_the_middle_of_an_answer_are_offered_and_asked_about() {
    let enabled = Arc::<AtomicUsize>::default();
    let url = tool_server(move |heard| {
        let enabled = Arc::clone(&enabled);
        async move {
            let tool = |name| one_tool(name, "A tool.")["tools"][0].clone();
            match heard.method.as_str() {
                "tools/list" if enabled.load(Ordering::SeqCst) == 0 => {
                    Some(json!({ "tools": [tool("find")] }))
                }
                "tools/list" => Some(json!({ "tools": [tool("find"), tool("refund")] })),
                "tools/call" => {
                    enabled.fetch_add(1, Ordering::SeqCst);
                    let changed = json!({
                        "jsonrpc": "2.0", "method": "notifications/tools/list_changed",
                    });
                    let logged = json!({
                        "jsonrpc": "2.0", "method": "notifications/message",
                        "params": { "level": "info", "data": { "enabled": "refund" } },
                    });
                    Some(after(&[logged, changed], said("Enabled.")))
                }
                _ => None,
            }
        }
    })
    .await;
    let server = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n{AUTO}");
    let refund = calls("", &[("crm__refund", json!({}))]);
    let desk = Desk::with(vec![find(), refund], &server).await;
    let thread = desk.service.thread("desk").await;
    let asked = requests(&desk.service.say(&thread, "refund").await);
    assert_eq!(asked[0][0]["toolId"], "crm/refund", "{asked:?}");
    assert_eq!(asked[0][0]["definitionChanged"], true);
    assert_eq!(desk.results(), ["Enabled."]);
}

#[tokio::test]
async fn a_server_is_told_that_an_answer_was_stopped_and_may_still_answer() {
    for (answers, told) in [(true, "Found."), (false, UNKNOWN_OUTCOME)] {
        let cancelled: Arc<Mutex<Vec<Value>>> = Arc::default();
        let (begun, go_on) = (Arc::<AtomicUsize>::default(), Arc::new(Semaphore::new(0)));
        let (heard_of, calls_begun, gate) = (
            Arc::clone(&cancelled),
            Arc::clone(&begun),
            Arc::clone(&go_on),
        );
        let url = tool_server(move |heard| {
            let (cancelled, begun, go_on) = (
                Arc::clone(&heard_of),
                Arc::clone(&calls_begun),
                Arc::clone(&gate),
            );
            async move {
                match heard.method.as_str() {
                    "tools/list" => Some(one_tool("find", "Finds.")),
                    "tools/call" => {
                        begun.fetch_add(1, Ordering::SeqCst);
                        go_on.acquire().await.unwrap().forget();
                        Some(said("Found."))
                    }
                    "notifications/cancelled" => {
                        cancelled.lock().unwrap().push(heard.params);
                        if answers {
                            go_on.add_permits(1);
                        }
                        None
                    }
                    _ => None,
                }
            }
        })
        .await;
        let server = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n{AUTO}");
        let desk = Desk::with(vec![find(), says("I see.")], &server).await;
        let service = &desk.service;
        let thread = service.thread("desk").await;
        let live = service.listen().await;
        let mut stream = live.post(&messages_of(&thread), USER, &text("go")).await;
        until(async || begun.load(Ordering::SeqCst) == 1).await;
        let stop = format!("/api/assistants/threads/{thread}/answer");
        let stop = request(Method::DELETE, &stop, USER, None);
        assert_eq!(live.send(stop).await.status, 202);
        stream.read_to("AGENT_RESPONSE_COMPLETE").await;
        let cancelled = cancelled.lock().unwrap().clone();
        assert_eq!(cancelled.len(), 1);
        assert!(cancelled[0]["requestId"].is_number(), "{cancelled:?}");
        let events = service.say(&thread, "and now?").await;
        assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "I see.");
        assert_eq!(desk.results(), [told]);
        live.stop().await;
    }
}
