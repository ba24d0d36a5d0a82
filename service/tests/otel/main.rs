//! Traces of OpenTelemetry (feature `otel`), as a collector gets them of the program.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    unreachable_pub,
    missing_docs,
    reason = "a failed expectation is a failed test"
)]

#[path = "../common/mod.rs"]
mod common;

mod collector;

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader, Read as _},
    process::{Command, Stdio},
    sync::Arc,
    thread::JoinHandle,
    time::Duration,
};

use assent_protocol::SseEvent;
use collector::{Collector, Habit, Seen};
use common::{
    Folder, THREADS, body, decided,
    desk::{POLICY, add, write_agent},
    events, messages_of,
    model::{Model, Reply, calls, says},
    program::{Running, program, start},
    requests, text, types, until,
};
use opentelemetry_proto::tonic::trace::v1::{span::SpanKind, status::StatusCode};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tokio::net::TcpSocket;

/// The time that a test waits for anything.
const LIMIT: Duration = Duration::from_secs(60);

const MESSAGES: &str = "/api/assistants/threads/{id}/messages";

/// The program with its agent `desk`, as a client sees it.
struct Desk {
    running: Running,
    /// Reads the log all the time: a program whose log nobody reads comes to a stop.
    log: JoinHandle<String>,
    client: Client,
    user: &'static str,
}

/// Returns the program with this agent; nothing but `more` says where traces go.
fn desk_program(folder: &Folder, model: &Model, more: &[&str]) -> Command {
    write_agent(folder, model, POLICY);
    let agents = folder.0.join("agents");
    let mut arguments = vec!["--api-key", "canary-api-key", "--pace", "0", "--agents"];
    arguments.push(agents.to_str().unwrap());
    arguments.extend(more);
    let mut command = program(folder, &arguments);
    for name in ["ENDPOINT", "TRACES_ENDPOINT", "HEADERS", "TIMEOUT"] {
        command.env_remove(format!("OTEL_EXPORTER_OTLP_{name}"));
    }
    command.env_remove("OTEL_SERVICE_NAME");
    command
}

impl Desk {
    fn start(folder: &Arc<Folder>, command: Command) -> Self {
        let mut running = start(folder, command);
        let mut stderr = running.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut log = String::new();
            stderr.read_to_string(&mut log).unwrap();
            log
        });
        Self {
            running,
            log,
            client: Client::new(),
            user: "canary-user",
        }
    }

    async fn send(&self, method: Method, path: &str, body: &Value) -> String {
        let address = format!("http://{}{path}", self.running.address);
        let request = self.client.request(method, address);
        let request = request.bearer_auth("canary-api-key");
        let request = request.header("x-service-user-id", self.user);
        let request = request.header("content-type", "application/json");
        let answered = async {
            let response = request.body(body.to_string()).send().await.unwrap();
            response.text().await.unwrap()
        };
        let answered = tokio::time::timeout(LIMIT, answered).await;
        answered.expect("the answer did not come to its end")
    }

    async fn thread(&self, agent: &str) -> String {
        let agent = json!({ "agentId": agent });
        let thread = self.send(Method::POST, THREADS, &agent).await;
        let thread: Value = serde_json::from_str(&thread).unwrap();
        thread["id"].as_str().unwrap().to_owned()
    }

    async fn post(&self, thread: &str, content: &Value) -> Vec<SseEvent> {
        let messages = messages_of(thread);
        let answer = self.send(Method::POST, &messages, content).await;
        events(answer.as_bytes())
    }

    /// Tells the program to end, and returns its log once it has.
    async fn stop(self) -> String {
        let stop = || self.running.terminate() + &self.log.join().unwrap();
        let ended = tokio::task::spawn_blocking(stop);
        let ended = tokio::time::timeout(LIMIT, ended).await;
        ended.expect("the program did not end").unwrap()
    }
}

/// The same reply with the tokens that it took.
fn took(mut reply: Reply, input: u64, output: u64) -> Reply {
    if let Reply::Stream(chunks) = &mut reply {
        let usage = json!({ "prompt_tokens": input, "completion_tokens": output });
        chunks.push(json!({ "choices": [], "usage": usage }));
    }
    reply
}

/// Returns the spans below a span, each line a name with as many blanks before it as spans above.
fn tree(spans: &[Seen], parent: &[u8], depth: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for seen in spans.iter().filter(|it| it.span.parent_span_id == parent) {
        lines.push(format!("{}{}", " ".repeat(depth), seen.span.name));
        lines.extend(tree(spans, &seen.span.span_id, depth + 1));
    }
    lines
}

fn named<'a>(spans: &'a [Seen], name: &str) -> Vec<&'a Seen> {
    spans.iter().filter(|it| it.span.name == name).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_and_what_a_person_decided_in_it_are_traces_that_lead_to_each_other() {
    let collector = Collector::new(Habit::Takes).await;
    let model = Model::new(vec![
        took(calls("", &[add("milk")]), 30, 4),
        took(says("Done."), 50, 6),
    ])
    .await;
    model.titles(vec![took(says(r#"{"title":"Milk"}"#), 7, 2)]);
    let folder = Folder::new();
    let arguments = ["--otlp-endpoint", &collector.url];

    let desk = Desk::start(&folder, desk_program(&folder, &model, &arguments));
    let thread = desk.thread("desk").await;
    let asked = requests(&desk.post(&thread, &text("milk")).await).remove(0);
    desk.stop().await;
    assert_eq!(
        tree(&collector.spans(), &[], 0),
        [
            "POST /api/assistants/threads".to_owned(),
            format!("POST {MESSAGES}"),
            " invoke_agent desk".to_owned(),
            "  chat small".to_owned(),
        ]
    );

    // The service was away while the question waited.
    let desk = Desk::start(&folder, desk_program(&folder, &model, &arguments));
    let approve = body(&[decided(&asked, &["APPROVED"])]);
    let answered = desk.post(&thread, &approve).await;
    assert_eq!(types(&answered).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    until(async || model.title_requests().len() == 1).await;
    desk.stop().await;
    let spans = collector.spans();
    assert_eq!(
        tree(&spans, &[], 0)[4..],
        [
            format!("POST {MESSAGES}"),
            " invoke_agent desk".to_owned(),
            "  execute_tool notes/add".to_owned(),
            "   tools/call add".to_owned(),
            "  chat small".to_owned(),
            "  make_title".to_owned(),
            "   chat small".to_owned(),
        ]
    );

    let runs = named(&spans, "invoke_agent desk");
    let [asking, deciding] = runs.as_slice() else {
        panic!("{} runs", runs.len());
    };
    assert_ne!(asking.span.trace_id, deciding.span.trace_id);
    assert!(asking.span.links.is_empty());
    let [link] = deciding.span.links.as_slice() else {
        panic!("{:?}", deciding.span.links);
    };
    assert_eq!(link.trace_id, asking.span.trace_id);
    assert_eq!(link.span_id, asking.span.span_id);
    assert_eq!(asking.text("assent.run.end"), "asked");
    assert_eq!(asking.number("assent.approval.requests"), 1);
    assert_eq!(deciding.text("assent.run.end"), "done");
    assert!(
        deciding
            .attributes
            .contains_key("assent.approval.wait_seconds")
    );
    for run in [asking, deciding] {
        assert_eq!(run.text("gen_ai.operation.name"), "invoke_agent");
        assert_eq!(run.text("gen_ai.agent.id"), "desk");
        assert_eq!(run.text("gen_ai.agent.name"), "Desk");
        assert_eq!(run.text("gen_ai.conversation.id"), thread);
    }

    let mut tokens = Vec::new();
    for chat in named(&spans, "chat small").into_iter().take(2) {
        assert_eq!(chat.text("gen_ai.operation.name"), "chat");
        assert_eq!(chat.text("gen_ai.provider.name"), "openai");
        assert_eq!(chat.text("gen_ai.request.model"), "small");
        assert_eq!(chat.text("server.address"), "127.0.0.1");
        assert!(model.url.contains(&chat.number("server.port").to_string()));
        assert_eq!(chat.span.kind(), SpanKind::Client);
        tokens.push(chat.number("gen_ai.usage.input_tokens"));
        tokens.push(chat.number("gen_ai.usage.output_tokens"));
    }
    assert_eq!(tokens, [30, 4, 50, 6]);

    let tool = named(&spans, "execute_tool notes/add")[0];
    assert_eq!(tool.text("gen_ai.operation.name"), "execute_tool");
    assert_eq!(tool.text("gen_ai.tool.name"), "notes/add");
    assert_eq!(
        tool.text("gen_ai.tool.call.id"),
        asked[0]["toolExecutionId"].as_str().unwrap()
    );
    assert_eq!(tool.text("assent.tool.decision"), "person");
    assert_eq!(tool.text("assent.tool.end"), "succeeded");
    let call = named(&spans, "tools/call add")[0];
    assert_eq!(call.text("mcp.method.name"), "tools/call");
    assert_eq!(call.text("assent.mcp.server"), "notes");
    assert_eq!(call.span.kind(), SpanKind::Client);

    let post = named(&spans, &format!("POST {MESSAGES}"))[0];
    assert_eq!(post.span.kind(), SpanKind::Server);
    assert_eq!(post.text("http.request.method"), "POST");
    assert_eq!(post.text("http.route"), MESSAGES);
    assert_eq!(post.number("http.response.status_code"), 200);
    // The whole stream, and not just its beginning.
    let chat = named(&spans, "chat small")[0];
    assert!(post.span.end_time_unix_nano >= chat.span.end_time_unix_nano);
    assert_eq!(collector.resource("service.name"), "assent-service");
}

/// All that spans may tell.
const ATTRIBUTES: [&str; 23] = [
    "assent.approval.requests",
    "assent.approval.wait_seconds",
    "assent.mcp.server",
    "assent.run.end",
    "assent.tool.decision",
    "assent.tool.end",
    "error.type",
    "gen_ai.agent.id",
    "gen_ai.agent.name",
    "gen_ai.conversation.id",
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.tool.call.id",
    "gen_ai.tool.name",
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "http.request.method",
    "http.response.status_code",
    "http.route",
    "mcp.method.name",
    "server.address",
    "server.port",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_key_no_user_and_no_words_of_anybody_are_in_a_span_and_no_key_is_in_the_log() {
    let collector = Collector::new(Habit::Refuses).await;
    let refuse = Reply::Status(400, Vec::new(), r#"{"error":"canary-error"}"#.to_owned());
    let model = Model::new(vec![
        calls(
            "canary-thought",
            &[add("canary-note"), ("canary__tool", json!({}))],
        ),
        says("canary-answer"),
        refuse,
    ])
    .await;
    let folder = Folder::new();
    let mut command = desk_program(&folder, &model, &[]);
    command
        .env("RUST_LOG", "trace")
        .env("OTEL_SERVICE_NAME", "shop")
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url)
        .env(
            "OTEL_EXPORTER_OTLP_HEADERS",
            "authorization=Bearer canary-collector",
        )
        // At once, so that a refusal is in the log while the program runs.
        .env("OTEL_BSP_SCHEDULE_DELAY", "10");
    let desk = Desk::start(&folder, command);
    let thread = desk.thread("desk").await;
    let asked = requests(&desk.post(&thread, &text("canary-text")).await).remove(0);
    let approve = body(&[
        decided(&asked, &["APPROVED"]),
        json!({ "type": "text", "text": "canary-feedback" }),
    ]);
    let answered = desk.post(&thread, &approve).await;
    assert_eq!(types(&answered).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    let failed = desk.post(&thread, &text("canary-again")).await;
    assert_eq!(types(&failed).last(), Some(&"ERROR"));
    let own = format!("{THREADS}/{thread}");
    desk.send(Method::PUT, &own, &json!({ "threadName": "canary-name" }))
        .await;
    desk.send(
        Method::GET,
        "/api/assistants/threads/canary-agent?canary-query",
        &json!({}),
    )
    .await;
    let method = Method::from_bytes(b"CANARY").unwrap();
    desk.send(method, &own, &json!({})).await;
    desk.send(Method::GET, "/canary-path", &json!({})).await;
    desk.send(
        Method::POST,
        "/api/assistants/uploads?name=canary-file",
        &json!("canary-bytes"),
    )
    .await;
    let log = desk.stop().await;

    // Each was where it belongs, so that looking for it elsewhere says something.
    let notes = std::fs::read_to_string(folder.0.join("notes.txt")).unwrap();
    assert_eq!(notes, "canary-note\n");
    assert!(model.keys().contains(&"Bearer canary-key".to_owned()));
    let heard = format!("{:?}", model.requests());
    for words in [
        "canary-text",
        "canary-feedback",
        "canary-again",
        "canary__tool",
    ] {
        assert!(heard.contains(words), "{words}");
    }
    for (key, body) in collector.received() {
        assert_eq!(key, "Bearer canary-collector");
        let body = String::from_utf8_lossy(&body).to_lowercase();
        let found = body.split_once("canary").map(|(_, rest)| rest);
        assert_eq!(found, None);
    }
    assert!(
        log.contains("HTTP export failed with status code: 401"),
        "{log}"
    );
    for key in ["canary-collector", "canary-key", "canary-api-key"] {
        let line = log.lines().find(|line| line.contains(key));
        assert_eq!(line, None, "{key}");
    }
    let line = log.lines().find(|line| line.contains("invoke_agent"));
    assert_eq!(line, None, "spans are no lines of the log");

    assert_eq!(collector.resource("service.name"), "shop");
    let spans = collector.spans();
    let names: BTreeSet<&str> = spans.iter().map(|it| it.span.name.as_str()).collect();
    let expected = [
        "GET /api/assistants/threads/{id}",
        "HTTP /api/assistants/threads/{id}",
        "POST /api/assistants/threads",
        "POST /api/assistants/threads/{id}/messages",
        "POST /api/assistants/uploads",
        "PUT /api/assistants/threads/{id}",
        "chat small",
        "execute_tool notes/add",
        "invoke_agent desk",
        "make_title",
        "tools/call add",
    ];
    assert_eq!(names, BTreeSet::from(expected));
    for seen in &spans {
        assert!(seen.span.events.is_empty(), "{:?}", seen.span);
        for attribute in seen.attributes.keys() {
            let known = ATTRIBUTES.contains(&attribute.as_str());
            assert!(known, "{attribute} of {}", seen.span.name);
        }
        let status = seen.span.status.clone().unwrap_or_default();
        assert_eq!(status.message, "", "{:?}", seen.span);
    }
    let failed = |seen: &&Seen| {
        let status = seen.span.status.clone().unwrap_or_default();
        status.code() == StatusCode::Error
    };
    let failed: Vec<_> = spans
        .iter()
        .filter(failed)
        .map(|seen| (seen.span.name.as_str(), seen.text("error.type")))
        .collect();
    let expected = [("invoke_agent desk", "failed"), ("chat small", "refused")];
    for (name, kind) in expected {
        assert!(failed.contains(&(name, kind.to_owned())), "{failed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_never_answers_holds_up_neither_an_answer_nor_the_end() {
    let collector = Collector::new(Habit::Hangs).await;
    let model = Model::new(vec![says("Hi.")]).await;
    let folder = Folder::new();
    let mut command = desk_program(&folder, &model, &["--otlp-endpoint", &collector.url]);
    command
        .env("OTEL_BSP_SCHEDULE_DELAY", "10")
        // Longer than any test waits.
        .env("OTEL_EXPORTER_OTLP_TIMEOUT", "3600000");
    let desk = Desk::start(&folder, command);
    let thread = desk.thread("desk").await;
    until(async || !collector.received().is_empty()).await;
    let answered = desk.post(&thread, &text("hello")).await;
    assert_eq!(types(&answered).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    let log = desk.stop().await;
    assert!(log.contains("the last spans were not sent"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_not_there_is_a_line_of_the_log() {
    // A port that nobody listens on, and that nobody else gets.
    let nobody = TcpSocket::new_v4().unwrap();
    nobody.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = format!("http://{}", nobody.local_addr().unwrap());
    let model = Model::new(vec![says("Hi.")]).await;
    let folder = Folder::new();
    let command = desk_program(&folder, &model, &["--otlp-endpoint", &address]);
    let desk = Desk::start(&folder, command);
    let thread = desk.thread("desk").await;
    let answered = desk.post(&thread, &text("hello")).await;
    assert_eq!(types(&answered).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    let log = desk.stop().await;
    assert!(log.contains("HTTP export failed: network error"), "{log}");
}

/// Returns true if a thread of the program exports spans.
fn exports(desk: &Desk) -> bool {
    let threads = format!("/proc/{}/task", desk.running.child.id());
    let threads = std::fs::read_dir(threads).unwrap();
    // The system cuts names.
    let name = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("comm"));
    let mut names = threads.filter_map(|thread| name(thread.ok()?).ok());
    names.any(|name| name.starts_with("OpenTelemetry"))
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn without_an_address_nothing_exports() {
    let collector = Collector::new(Habit::Takes).await;
    let model = Model::new(Vec::new()).await;
    for (name, value, expected) in [
        (
            "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            collector.url.as_str(),
            true,
        ),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "", false),
        ("OTEL_SERVICE_NAME", "shop", false),
    ] {
        let folder = Folder::new();
        let mut command = desk_program(&folder, &model, &[]);
        command.env(name, value);
        let desk = Desk::start(&folder, command);
        assert_eq!(exports(&desk), expected, "{name}");
        desk.stop().await;
    }
}

#[test]
fn an_address_that_cannot_be_one_is_refused_at_the_start() {
    for address in ["127.0.0.1:4318", "ftp://127.0.0.1", "collector"] {
        let folder = Folder::new();
        let arguments = ["--api-key", "k", "--otlp-endpoint", address];
        let mut command = program(&folder, &arguments);
        let mut started = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(started.stderr.take().unwrap()).lines();
        let refused = lines
            .map(Result::unwrap)
            .take_while(|line| !line.contains("listening on"))
            .any(|line| line.contains("The option --otlp-endpoint cannot be used"));
        started.kill().unwrap();
        assert!(!started.wait().unwrap().success());
        assert!(refused, "{address} was taken");
    }
}
