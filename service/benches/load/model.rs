//! A model that answers at a fixed pace, on a thread of its own: a text, one call of a tool, and a
//! second text; or at once a call that has to be approved.

use std::{
    convert::Infallible,
    io,
    net::SocketAddr,
    sync::mpsc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{
    Json, Router,
    body::{Body, Bytes},
    http::header,
    response::IntoResponse,
    routing::post,
    serve::ListenerExt as _,
};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    time::{Interval, MissedTickBehavior, interval},
};

/// Time between two tokens of one answer: 50 a second.
const PACE: Duration = Duration::from_millis(20);

/// Tokens of a text: five seconds of each.
const TOKENS: usize = 250;

/// The words that make it call the tool that has to be approved.
pub(crate) const ASK: &str = "ask";

/// The mark before the time at which a token left the model, in µs since 1970.
pub(crate) const STAMP: char = '@';

/// Starts the model; it ends with the program. Returns the address before `/chat/completions`.
pub(crate) fn start() -> io::Result<String> {
    let (sender, receiver) = mpsc::channel();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await?;
            sender
                .send(listener.local_addr()?)
                .map_err(io::Error::other)?;
            // Small pieces are sent at once, as models do it.
            let listener = listener.tap_io(|stream| {
                stream.set_nodelay(true).ok();
            });
            let app = Router::new().route("/v1/chat/completions", post(answer));
            axum::serve(listener, app).await
        })
    });
    let address = receiver.recv().map_err(io::Error::other)?;
    Ok(format!("http://{address}/v1"))
}

/// Returns the time since 1970 in µs.
pub(crate) fn now() -> u128 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_micros())
}

async fn answer(Json(request): Json<Value>) -> impl IntoResponse {
    let messages = request.get("messages").and_then(Value::as_array);
    let last = messages.and_then(|messages| messages.last());
    let field = |name: &str| {
        last.and_then(|last| last.get(name)?.as_str())
            .unwrap_or_default()
    };
    let (tokens, call) = match (field("role"), field("content")) {
        ("tool", _) => (TOKENS, None),
        (_, text) if text.contains(ASK) => (0, Some(call("load__add", r#"{"text":"a note"}"#))),
        _ => (TOKENS, Some(call("load__list", "{}"))),
    };
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let body = Body::from_stream(stream::unfold(Some((pace, tokens, call)), next));
    ([(header::CONTENT_TYPE, "text/event-stream")], body)
}

type State = Option<(Interval, usize, Option<Value>)>;

/// Returns the next frame: the tokens that are left, then the call, then the end.
async fn next(state: State) -> Option<(Result<Bytes, Infallible>, State)> {
    let (mut pace, left, call) = state?;
    if left > 0 {
        pace.tick().await;
        let delta = json!({ "content": format!("{STAMP}{} word ", now()) });
        return Some((Ok(frame(&delta)), Some((pace, left - 1, call))));
    }
    let end = Bytes::from_static(b"data: [DONE]\n\n");
    Some(match call {
        Some(call) => (Ok(frame(&call)), Some((pace, 0, None))),
        None => (Ok(end), None),
    })
}

fn frame(delta: &Value) -> Bytes {
    let chunk = json!({ "choices": [{ "index": 0, "delta": delta }] });
    Bytes::from(format!("data: {chunk}\n\n"))
}

fn call(name: &str, arguments: &str) -> Value {
    let function = json!({ "name": name, "arguments": arguments });
    json!({ "tool_calls": [{ "index": 0, "id": "call", "type": "function", "function": function }] })
}
