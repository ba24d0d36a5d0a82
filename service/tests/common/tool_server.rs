//! A tool server over HTTP that a test controls.

use std::{io, sync::Arc};

use axum::{
    Json, Router,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::{any, post},
};
use futures_util::{future::BoxFuture, stream};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// A message that the server was sent.
pub struct Heard {
    pub method: String,
    pub params: Value,
    /// The header `x-on-behalf-of`.
    pub user: Option<Vec<u8>>,
}

type Answer = Arc<dyn Fn(Heard) -> BoxFuture<'static, Option<Value>> + Send + Sync>;

/// Starts a server that answers with these results, and refuses what has none; returns its address.
/// Beside it `301`, `307` and `308` lead to it, `away` to another server, and `round` to itself. It ends with the runtime of the test.
pub async fn tool_server<F>(answer: impl Fn(Heard) -> F + Send + Sync + 'static) -> String
where
    F: Future<Output = Option<Value>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let answer: Answer = Arc::new(move |heard| Box::pin(answer(heard)));
    let moved = |status, to: &'static str| {
        let status = StatusCode::from_u16(status).unwrap();
        any(move || async move { (status, [(header::LOCATION, to)]) })
    };
    let app = Router::new()
        .route("/mcp", post(hear))
        .route("/mcp/", post(hear))
        .route("/301", moved(301, "/mcp/"))
        .route("/307", moved(307, "/mcp/"))
        .route("/308", moved(308, "/307"))
        .route("/away", moved(307, "http://tools.example:81/mcp?key=k"))
        .route("/round", moved(307, "/round"))
        .with_state(answer);
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

/// The result of `tools/list` with one tool that takes any arguments.
pub fn one_tool(name: &str, description: &str) -> Value {
    let schema = json!({ "type": "object" });
    json!({ "tools": [{ "name": name, "description": description, "inputSchema": schema }] })
}

/// The result of a call with a text.
pub fn said(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

/// An error of JSON-RPC instead of a result.
pub fn error(code: i32, message: &str) -> Value {
    json!({ ERROR: { "code": code, "message": message } })
}

/// A result with notifications before it.
pub fn after(notifications: &[Value], mut result: Value) -> Value {
    result[BEFORE] = notifications.iter().cloned().collect();
    result
}

/// No result: the connection breaks off in the middle of it.
pub fn broken_off() -> Value {
    json!({ BROKEN_OFF: true })
}

const ERROR: &str = "an error instead";
const BROKEN_OFF: &str = "the connection breaks off";
const BEFORE: &str = "notifications before";

async fn hear(State(answer): State<Answer>, headers: HeaderMap, body: String) -> Response {
    let mut message: Value = serde_json::from_str(&body).unwrap();
    let user = headers.get("x-on-behalf-of");
    let heard = Heard {
        method: message["method"].as_str().unwrap_or_default().to_owned(),
        params: message["params"].take(),
        user: user.map(|user| user.as_bytes().to_vec()),
    };
    let shakes_hands = heard.method == "initialize";
    let result = answer(heard).await;
    let id = &message["id"];
    if id.is_null() {
        return StatusCode::ACCEPTED.into_response();
    }
    let hands = json!({
        "protocolVersion": "2025-06-18",
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "test", "version": "1" },
    });
    let mut answer = match result.or_else(|| shakes_hands.then_some(hands)) {
        Some(result) if result.get(BROKEN_OFF).is_some() => {
            let broken = stream::once(async { Err::<String, _>(io::Error::other("broken off")) });
            let body = Body::from_stream(broken);
            return ([(header::CONTENT_TYPE, "application/json")], body).into_response();
        }
        Some(result) if result.get(ERROR).is_some() => {
            json!({ "jsonrpc": "2.0", "id": id, "error": result[ERROR] })
        }
        Some(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        None => {
            let error = json!({ "code": -32601, "message": "there is no such method" });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    };
    let members = answer.get_mut("result").and_then(Value::as_object_mut);
    let Some(Value::Array(before)) = members.and_then(|members| members.remove(BEFORE)) else {
        return Json(answer).into_response();
    };
    let events = before.into_iter().chain([answer]);
    let events: String = events.map(|event| format!("data: {event}\n\n")).collect();
    ([(header::CONTENT_TYPE, "text/event-stream")], events).into_response()
}
