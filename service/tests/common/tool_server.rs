//! A tool server over HTTP that a test controls.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
    routing::post,
};
use futures_util::future::BoxFuture;
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
/// It ends with the runtime of the test.
pub async fn tool_server<F>(answer: impl Fn(Heard) -> F + Send + Sync + 'static) -> String
where
    F: Future<Output = Option<Value>> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let answer: Answer = Arc::new(move |heard| Box::pin(answer(heard)));
    let app = Router::new().route("/mcp", post(hear)).with_state(answer);
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

const ERROR: &str = "an error instead";

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
    let answer = match result.or_else(|| shakes_hands.then_some(hands)) {
        Some(result) if result.get(ERROR).is_some() => {
            json!({ "jsonrpc": "2.0", "id": id, "error": result[ERROR] })
        }
        Some(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        None => {
            let error = json!({ "code": -32601, "message": "there is no such method" });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    };
    Json(answer).into_response()
}
