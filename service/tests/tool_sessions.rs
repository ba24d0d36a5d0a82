//! Sessions of tool servers: one for all, or one for each thread or user. Each has its own process,
//! and none sees anything of another's.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    reason = "a failed expectation is a failed test"
)]

mod common;

use std::{
    io::Read as _,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use assent_service::agents::Agents;
use axum::{
    Router,
    extract::State,
    http::{HeaderMap, Method, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::post,
};
use common::{
    THREADS, USER, content,
    desk::Desk,
    events, example, messages_of,
    model::{Reply, calls, says},
    program::{program, programs_in, start},
    request, text, until,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Semaphore};

const AUTO: &str = "[policy]\ndefault = \"auto\"\n";
const OTHER: &str = "grace";

/// Returns a desk with a second server, `own`, that has these keys, and a model that has its tool
/// called in each turn.
async fn desk(keys: &str, turns: usize) -> Desk {
    desk_that_says(
        keys,
        (0..turns).flat_map(|_| [count(), says("Done.")]).collect(),
    )
    .await
}

async fn desk_that_says(keys: &str, replies: Vec<Reply>) -> Desk {
    let program = example("notes");
    let own = format!("[[mcp]]\nid = \"own\"\ncommand = [{program:?}, \"../../own.txt\"]\n{keys}");
    Desk::with(replies, &format!("{own}{AUTO}")).await
}

fn count() -> Reply {
    calls("", &[("own__count", json!({}))])
}

async fn thread_of(desk: &Desk, user: &str) -> String {
    let new = json!({ "agentId": "desk" });
    let new = request(Method::POST, THREADS, user, Some(&new));
    let thread = desk.service.send(new).await.json();
    thread["id"].as_str().unwrap().to_owned()
}

/// Says something; returns the answer.
async fn say(desk: &Desk, user: &str, thread: &str) -> String {
    let post = request(Method::POST, &messages_of(thread), user, Some(&text("go")));
    let answer = desk.service.send(post).await;
    content(&events(answer.text.as_bytes()), "AGENT_RESPONSE_COMPLETE").to_owned()
}

/// Says something; returns what the tool then counted.
async fn counted(desk: &Desk, user: &str, thread: &str) -> String {
    assert_eq!(say(desk, user, thread).await, "Done.");
    desk.results().pop().unwrap()
}

/// Returns the processes of the server `own`.
fn processes(desk: &Desk) -> Vec<PathBuf> {
    let all = programs_in(&desk.service.folder.0.join("agents/desk"));
    let is_own = |process: &PathBuf| {
        let line = std::fs::read_to_string(process.join("cmdline")).unwrap_or_default();
        line.contains("own.txt")
    };
    all.into_iter().filter(is_own).collect()
}

#[tokio::test]
async fn threads_and_users_see_nothing_of_the_state_of_others() {
    for (keys, expected, sessions) in [
        ("", ["1", "2", "3", "4", "5"], 1),
        ("scope = \"agent\"\n", ["1", "2", "3", "4", "5"], 1),
        ("scope = \"thread\"\n", ["1", "1", "1", "2", "2"], 3),
        ("scope = \"user\"\n", ["1", "2", "1", "3", "2"], 2),
    ] {
        let desk = desk(keys, 5).await;
        let first = thread_of(&desk, USER).await;
        let second = thread_of(&desk, USER).await;
        let others = thread_of(&desk, OTHER).await;
        let turns = [
            (USER, &first),
            (USER, &second),
            (OTHER, &others),
            (USER, &first),
            (OTHER, &others),
        ];
        for ((user, thread), expected) in turns.into_iter().zip(expected) {
            assert_eq!(counted(&desk, user, thread).await, expected, "{keys}");
        }
        assert_eq!(processes(&desk).len(), sessions, "{keys}");
        let servers = desk.service.state.agents().servers();
        let own = ("desk".to_owned(), "own".to_owned(), sessions);
        assert!(servers.contains(&own), "{servers:?}");
    }
}

#[tokio::test]
async fn the_session_that_was_not_used_for_the_longest_time_makes_room() {
    let desk = desk("scope = \"user\"\nsessions = 2\n", 5).await;
    let threads = [
        (USER, thread_of(&desk, USER).await),
        (OTHER, thread_of(&desk, OTHER).await),
        ("linus", thread_of(&desk, "linus").await),
    ];
    for (turn, expected) in [(0, "1"), (1, "1"), (0, "2"), (2, "1"), (0, "3")] {
        let (user, thread) = &threads[turn];
        assert_eq!(counted(&desk, user, thread).await, expected);
        assert!(processes(&desk).len() <= 2);
    }
}

#[tokio::test]
async fn where_all_sessions_are_in_use_the_reader_is_told() {
    let go_on = Arc::new(Semaphore::new(0));
    let held = Reply::Held(Arc::clone(&go_on), Box::new(says("Done.")));
    let keys = "scope = \"user\"\nsessions = 1\n";
    let desk = desk_that_says(keys, vec![held, says("Without.")]).await;
    let thread = thread_of(&desk, USER).await;
    let others = thread_of(&desk, OTHER).await;
    let first = async {
        let answer = say(&desk, USER, &thread).await;
        assert_eq!(answer, "Done.");
    };
    let second = async {
        until(async || desk.model.requests().len() == 1).await;
        let answer = say(&desk, OTHER, &others).await;
        assert_eq!(
            answer,
            "*The tool server own cannot be used at the moment.*\n\nWithout."
        );
        assert_eq!(processes(&desk).len(), 1);
        go_on.add_permits(1);
    };
    tokio::join!(first, second);
}

#[tokio::test]
async fn a_session_that_no_turn_uses_ends_after_a_while_and_one_that_is_used_stays() {
    let go_on = Arc::new(Semaphore::new(0));
    let replies = vec![
        count(),
        Reply::Held(Arc::clone(&go_on), Box::new(count())),
        count(),
        says("Done."),
        says("Done."),
    ];
    let keys = "scope = \"thread\"\nidle_seconds = 1\n";
    let desk = desk_that_says(keys, replies).await;
    let used = thread_of(&desk, USER).await;
    let unused = thread_of(&desk, USER).await;
    let first = counted(&desk, USER, &used);
    let second = async {
        until(async || desk.model.requests().len() == 2).await;
        let kept = processes(&desk);
        assert_eq!(counted(&desk, USER, &unused).await, "1");
        assert_eq!(processes(&desk).len(), 2);
        until(async || processes(&desk) == kept).await;
        go_on.add_permits(1);
    };
    assert_eq!(tokio::join!(first, second).0, "2");
    until(async || processes(&desk).is_empty()).await;
}

#[tokio::test]
async fn a_deleted_thread_has_no_process_any_more() {
    let desk = desk("scope = \"thread\"\n", 2).await;
    let (deleted, kept) = (thread_of(&desk, USER).await, thread_of(&desk, USER).await);
    counted(&desk, USER, &kept).await;
    let before = processes(&desk);
    counted(&desk, USER, &deleted).await;
    assert_eq!(processes(&desk).len(), 2);
    let answer = desk.service.delete(&format!("{THREADS}/{deleted}")).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    until(async || processes(&desk) == before).await;
}

#[tokio::test]
async fn all_sessions_end_with_their_agents_and_with_the_service() {
    let desk = desk("scope = \"thread\"\n", 4).await;
    let (one, two) = (thread_of(&desk, USER).await, thread_of(&desk, OTHER).await);
    counted(&desk, USER, &one).await;
    counted(&desk, OTHER, &two).await;
    assert_eq!(processes(&desk).len(), 2);
    let folder = desk.service.folder.0.join("agents");
    let anew = Agents::load(Some(&folder)).unwrap();
    desk.service.state.replace_agents(anew);
    until(async || processes(&desk).is_empty()).await;

    let live = desk.service.listen().await;
    assert_eq!(counted(&desk, USER, &one).await, "1");
    assert_eq!(counted(&desk, OTHER, &two).await, "1");
    assert_eq!(processes(&desk).len(), 2);
    live.stop().await;
    assert_eq!(processes(&desk), Vec::<PathBuf>::new());
}

/// The methods that a server over HTTP was asked for, each with the user that it was told.
type Asked = Arc<Mutex<Vec<(String, Option<Vec<u8>>)>>>;

/// Starts a tool server over HTTP that says whom it was asked for; returns its address.
async fn crm(asked: Asked) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let app = Router::new().route("/mcp", post(answer)).with_state(asked);
    // It ends with the runtime of the test.
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

async fn answer(State(asked): State<Asked>, headers: HeaderMap, body: String) -> Response {
    let message: Value = serde_json::from_str(&body).unwrap();
    let method = message["method"].as_str().unwrap_or_default().to_owned();
    let user = headers.get("x-on-behalf-of");
    let user = user.map(|user| user.as_bytes().to_vec());
    asked.lock().unwrap().push((method.clone(), user.clone()));
    let id = &message["id"];
    if id.is_null() {
        return StatusCode::ACCEPTED.into_response();
    }
    let result = match method.as_str() {
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": { "tools": {} },
            "serverInfo": { "name": "crm", "version": "1" },
        }),
        "tools/list" => json!({ "tools": [
            { "name": "who", "description": "Says who asks.", "inputSchema": { "type": "object" } },
        ] }),
        "tools/call" => {
            let user = String::from_utf8(user.unwrap_or_default()).unwrap();
            json!({ "content": [{ "type": "text", "text": format!("You are {user}.") }] })
        }
        _ => {
            let error = json!({ "code": -32601, "message": "there is no such method" });
            let answer = json!({ "jsonrpc": "2.0", "id": id, "error": error });
            return as_json(&answer);
        }
    };
    as_json(&json!({ "jsonrpc": "2.0", "id": id, "result": result }))
}

fn as_json(answer: &Value) -> Response {
    (
        [(header::CONTENT_TYPE, "application/json")],
        answer.to_string(),
    )
        .into_response()
}

fn who() -> Reply {
    calls("", &[("crm__who", json!({}))])
}

#[tokio::test]
async fn a_server_is_told_the_user_with_each_request_and_never_another_one() {
    const UMLAUT: &str = "Zoë Ω";
    let asked = Asked::default();
    let url = crm(Arc::clone(&asked)).await;
    let keys = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\nforward_user = \"X-On-Behalf-Of\"\n");
    let replies = (0..3).flat_map(|_| [who(), says("Done.")]).collect();
    let desk = Desk::with(replies, &format!("{keys}{AUTO}")).await;
    for user in [USER, OTHER, UMLAUT] {
        let thread = thread_of(&desk, user).await;
        asked.lock().unwrap().clear();
        let told = counted(&desk, user, &thread).await;
        assert_eq!(told, format!("You are {user}."));
        let asked = asked.lock().unwrap().clone();
        assert!(asked.iter().any(|(method, _)| method == "tools/list"));
        for (method, told) in asked {
            assert_eq!(told.as_deref(), Some(user.as_bytes()), "{method}");
        }
    }
    asked.lock().unwrap().clear();
    let agents = desk.service.state.agents();
    let lines = agents.check(None).await;
    let refused = "  crm: its tools are listed for a user: give --user ID";
    assert!(lines.iter().any(|line| line == refused), "{lines:#?}");
    assert!(asked.lock().unwrap().is_empty(), "nobody is no user");
    let lines = agents.check(Some("the operator")).await;
    let listed = "  crm/who: auto, by default";
    assert!(lines.iter().any(|line| line == listed), "{lines:#?}");
    let told = asked.lock().unwrap()[0].1.clone();
    assert_eq!(told.as_deref(), Some(&b"the operator"[..]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_is_forwarded_is_in_no_line_of_the_log() {
    const CANARY: &str = "canary-user";
    let asked = Asked::default();
    let url = crm(Arc::clone(&asked)).await;
    let keys = format!("[[mcp]]\nid = \"crm\"\nurl = {url:?}\nforward_user = \"X-On-Behalf-Of\"\n");
    let desk = Desk::with(vec![who(), says("Done.")], &format!("{keys}{AUTO}")).await;
    let agents = desk.service.folder.0.join("agents");
    let folder = common::Folder::new();
    let arguments = ["--api-key", "k", "--agents", agents.to_str().unwrap()];
    let mut command = program(&folder, &arguments);
    command.env("RUST_LOG", "trace");
    let mut running = start(&folder, command);
    let mut stderr = running.stderr.take().unwrap();
    let logging = std::thread::spawn(move || {
        let mut log = String::new();
        stderr.read_to_string(&mut log).map(|_| log)
    });
    let headers = format!("authorization: Bearer k\r\nx-service-user-id: {CANARY}\r\n");
    let new = running.send("POST", THREADS, &headers, r#"{"agentId":"desk"}"#);
    let new: Value = serde_json::from_str(new.split_once("\r\n\r\n").unwrap().1).unwrap();
    let messages = messages_of(new["id"].as_str().unwrap());
    let answer = running.send("POST", &messages, &headers, common::program::HELLO);
    assert!(answer.contains("Done."), "{answer}");
    let told = asked.lock().unwrap().pop().unwrap().1;
    assert_eq!(told.as_deref(), Some(CANARY.as_bytes()));
    running.terminate();
    let log = logging.join().unwrap().unwrap();
    assert!(log.contains("TRACE"), "{log}");
    let lines: Vec<_> = log.lines().filter(|line| line.contains(CANARY)).collect();
    assert_eq!(lines, Vec::<&str>::new());
}
