//! Tool servers that take long to start, such as those that are downloaded first.

#![cfg(target_os = "linux")]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::http::Method;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::common::{
    USER, body, content, decided,
    desk::Desk,
    messages_of,
    model::{Reply, calls, says},
    program::programs_in,
    request, requests, text,
    tool_server::{one_tool, said, tool_server},
    until,
};

const WAITS: &str = "NOTIFICATION_PLAN_ORCHESTRATION_TOOL_USAGE_IN_PROGRESS";

/// A desk with a server `crm` that has these keys, and starts once there is a permit.
struct Slow {
    desk: Desk,
    go_on: Arc<Semaphore>,
    /// The number of its starts.
    begun: Arc<AtomicUsize>,
}

impl Slow {
    async fn new(keys: &str, replies: Vec<Reply>) -> Self {
        let (go_on, begun) = (Arc::new(Semaphore::new(0)), Arc::<AtomicUsize>::default());
        let (gate, starts) = (Arc::clone(&go_on), Arc::clone(&begun));
        let url = tool_server(move |heard| {
            let (gate, starts) = (Arc::clone(&gate), Arc::clone(&starts));
            async move {
                match heard.method.as_str() {
                    "initialize" => {
                        starts.fetch_add(1, Ordering::SeqCst);
                        gate.acquire().await.unwrap().forget();
                        None
                    }
                    "tools/list" => Some(one_tool("find", "Finds.")),
                    "tools/call" => Some(said("Found.")),
                    _ => None,
                }
            }
        })
        .await;
        let server =
            format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\n{keys}[policy]\ndefault = \"auto\"\n");
        Self {
            desk: Desk::with(replies, &server).await,
            go_on,
            begun,
        }
    }

    fn begun(&self) -> usize {
        self.begun.load(Ordering::SeqCst)
    }
}

fn find() -> Reply {
    calls("", &[("crm__find", json!({}))])
}

#[tokio::test]
async fn the_reader_is_told_what_an_answer_waits_for_and_then_it_goes_on() {
    let slow = Slow::new("", vec![find(), says("Done.")]).await;
    let thread = slow.desk.service.thread("desk").await;
    let live = slow.desk.service.listen().await;
    let mut stream = live.post(&messages_of(&thread), USER, &text("go")).await;
    let told = stream.read_to(WAITS).await;
    let words = "Waiting for the start of the tool server crm";
    assert_eq!(told.event_message.content, words);
    assert!(slow.desk.model.requests().is_empty());
    slow.go_on.add_permits(1);
    let complete = stream.read_to("AGENT_RESPONSE_COMPLETE").await;
    assert_eq!(complete.event_message.content, "Done.");
    assert_eq!(slow.desk.results(), ["Found."]);
    live.stop().await;
}

#[tokio::test]
async fn a_start_goes_on_behind_an_answer_that_does_not_wait_for_it() {
    let replies = vec![says("Without."), find(), says("Done.")];
    let slow = Slow::new("start_seconds = 10\n", replies).await;
    let thread = slow.desk.service.thread("desk").await;
    let events = slow.desk.service.say(&thread, "hi").await;
    assert_eq!(
        content(&events, "AGENT_RESPONSE_COMPLETE"),
        "*The tool server crm is still starting. This answer goes on without it.*\n\nWithout."
    );
    slow.go_on.add_permits(1);
    slow.desk.service.say(&thread, "find it").await;
    assert_eq!(slow.desk.results(), ["Found."]);
    assert_eq!(slow.begun(), 1);
}

#[tokio::test]
async fn a_start_goes_on_behind_an_answer_that_was_stopped() {
    let slow = Slow::new("", vec![find(), says("Done.")]).await;
    let service = &slow.desk.service;
    let thread = service.thread("desk").await;
    let live = service.listen().await;
    let mut stream = live.post(&messages_of(&thread), USER, &text("go")).await;
    stream.read_to(WAITS).await;
    let stop = format!("/api/assistants/threads/{thread}/answer");
    let stop = request(Method::DELETE, &stop, USER, None);
    assert_eq!(live.send(stop).await.status, 202);
    stream.read_to("AGENT_RESPONSE_COMPLETE").await;
    slow.go_on.add_permits(1);
    service.settled(&thread).await;
    service.say(&thread, "find it").await;
    assert_eq!(slow.desk.results(), ["Found."]);
    assert_eq!(slow.begun(), 1);
    live.stop().await;
}

#[tokio::test]
async fn a_decision_waits_for_the_server_of_its_tool() {
    let slow = Slow::new("start_seconds = 4\n", vec![find(), says("Done.")]).await;
    slow.desk.change("default = \"auto\"", "default = \"ask\"");
    slow.go_on.add_permits(1);
    let thread = slow.desk.service.thread("desk").await;
    let events = slow.desk.service.say(&thread, "find it").await;
    let asked = requests(&events).remove(0);
    // The agents are read anew, and their servers are started again.
    slow.desk.change("start_seconds = 4", "start_seconds = 60");
    let yes = body(&[decided(&asked, &["APPROVED"])]);
    let live = slow.desk.service.listen().await;
    let mut stream = live.post(&messages_of(&thread), USER, &yes).await;
    stream.read_to(WAITS).await;
    slow.go_on.add_permits(1);
    stream.read_to("AGENT_RESPONSE_COMPLETE").await;
    assert_eq!(slow.desk.results(), ["Found."]);
    live.stop().await;
}

#[tokio::test]
async fn a_start_that_takes_longer_than_it_may_is_told_and_ended() {
    let slow = Slow::new("start_seconds = 1\n", vec![]).await;
    let agents = slow.desk.service.state.agents();
    let lines = agents.check(None).await.lines;
    let told = "  tool server crm: it has not started within 1 s (start_seconds)";
    assert!(lines.iter().any(|line| line == told), "{lines:#?}");
}

#[tokio::test]
async fn a_check_says_how_long_a_start_may_take() {
    let slow = Slow::new("", vec![]).await;
    slow.go_on.add_permits(1);
    let lines = slow.desk.service.state.agents().check(None).await.lines;
    let begins = |line: &String| line.starts_with("  tool server crm: it was ready after ");
    let line = lines.iter().find(|line| begins(line)).unwrap();
    assert!(line.ends_with(" s of 120 s (start_seconds)"), "{line}");
}

#[tokio::test]
async fn a_start_that_goes_on_ends_with_the_service() {
    let server = "[[mcp]]\nid = \"crm\"\ncommand = [\"sleep\", \"600\"]\n";
    let desk = Desk::with(vec![], server).await;
    let folder = desk.service.folder.0.join("agents/desk");
    let thread = desk.service.thread("desk").await;
    let live = desk.service.listen().await;
    let mut stream = live.post(&messages_of(&thread), USER, &text("hi")).await;
    stream.read_to(WAITS).await;
    assert!(!programs_in(&folder).is_empty());
    live.stop().await;
    until(async || programs_in(&folder).is_empty()).await;
}
