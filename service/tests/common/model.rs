//! A model that says what a test tells it to: a server of chat completions on this machine.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse as _, Response},
    routing::post,
};
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::Semaphore};

/// One answer of the model.
#[derive(Clone)]
pub enum Reply {
    /// The frames of a stream, each a chunk; `[DONE]` follows.
    Stream(Vec<Value>),
    /// A body as it is, whose connection breaks after it.
    Cut(String),
    /// The frames of a stream that goes on for ever without another one.
    Endless(Vec<Value>),
    /// A failure with a status, headers and a body.
    Status(u16, Vec<(&'static str, &'static str)>, String),
    /// Another reply, once there is a permit.
    Held(Arc<Semaphore>, Box<Reply>),
}

/// What a server refuses in a request, whatever it would have said.
type Manners = Arc<dyn Fn(&Value) -> Option<Reply> + Send + Sync>;

#[derive(Default)]
struct Shared {
    replies: VecDeque<Reply>,
    requests: Vec<Value>,
    manners: Option<Manners>,
    /// The replies to requests for titles, which stand beside a conversation, and these requests.
    titles: VecDeque<Reply>,
    title_requests: Vec<Value>,
    keys: Vec<String>,
}

/// The model; it answers each request with the next reply.
#[derive(Clone)]
pub struct Model {
    pub url: String,
    shared: Arc<Mutex<Shared>>,
}

impl Model {
    pub async fn new(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let shared = Arc::new(Mutex::new(Shared {
            replies: replies.into(),
            ..Shared::default()
        }));
        let app = Router::new()
            .route("/v1/chat/completions", post(answer))
            .with_state(Arc::clone(&shared));
        // It ends with the runtime of the test.
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, shared }
    }

    /// Returns the bodies of all requests.
    pub fn requests(&self) -> Vec<Value> {
        self.shared.lock().unwrap().requests.clone()
    }

    /// Makes it refuse what a provider refuses; such a request takes none of the replies.
    pub fn refuses(&self, manners: impl Fn(&Value) -> Option<Reply> + Send + Sync + 'static) {
        self.shared.lock().unwrap().manners = Some(Arc::new(manners));
    }

    /// Sets the next replies, in place of those that are left.
    pub fn say(&self, replies: Vec<Reply>) {
        self.shared.lock().unwrap().replies = replies.into();
    }

    /// Sets the replies to requests for titles; without one such a request fails.
    pub fn titles(&self, replies: Vec<Reply>) {
        self.shared.lock().unwrap().titles = replies.into();
    }

    /// Returns the bodies of all requests for titles.
    pub fn title_requests(&self) -> Vec<Value> {
        self.shared.lock().unwrap().title_requests.clone()
    }

    /// Returns the header `Authorization` of all requests.
    pub fn keys(&self) -> Vec<String> {
        self.shared.lock().unwrap().keys.clone()
    }

    /// Returns the replies that were not asked for.
    pub fn left(&self) -> usize {
        self.shared.lock().unwrap().replies.len()
    }
}

/// A stream that says a text in two pieces.
pub fn says(text: &str) -> Reply {
    let (begin, end) = text.split_at(text.len() / 2);
    let piece = |text: &str| json!({ "choices": [{ "delta": { "content": text } }] });
    Reply::Stream(vec![piece(begin), piece(end)])
}

/// A stream that begins to say something and does not go on.
pub fn begins(text: &str) -> Reply {
    Reply::Endless(vec![
        json!({ "choices": [{ "delta": { "content": text } }] }),
    ])
}

/// The same with the tokens that it takes.
pub fn costs(mut reply: Reply, tokens: u64) -> Reply {
    if let Reply::Stream(chunks) = &mut reply {
        let usage = json!({ "prompt_tokens": tokens, "completion_tokens": 0 });
        chunks.push(json!({ "choices": [], "usage": usage }));
    }
    reply
}

/// A stream that says a text and calls tools, by their names as functions.
pub fn calls(text: &str, calls: &[(&str, Value)]) -> Reply {
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(index, (name, arguments))| {
            json!({ "index": index, "id": format!("call_{index}"), "type": "function",
                "function": { "name": name, "arguments": arguments.to_string() } })
        })
        .collect();
    let delta = json!({ "content": text, "tool_calls": calls });
    Reply::Stream(vec![json!({ "choices": [{ "delta": delta }] })])
}

async fn answer(
    State(shared): State<Arc<Mutex<Shared>>>,
    headers: HeaderMap,
    body: String,
) -> Response {
    let mut reply = {
        let mut shared = shared.lock().unwrap();
        let request: Value = serde_json::from_str(&body).unwrap();
        let manners = shared.manners.clone();
        let refusal = manners.and_then(|refuse| refuse(&request));
        if request["response_format"]["json_schema"]["name"] == "title" {
            shared.title_requests.push(request);
            refusal.or_else(|| shared.titles.pop_front())
        } else if refusal.is_some() {
            shared.requests.push(request);
            refusal
        } else {
            shared.requests.push(request);
            let key = headers.get(header::AUTHORIZATION);
            let key = key.map_or("", |key| key.to_str().unwrap());
            shared.keys.push(key.to_owned());
            shared.replies.pop_front()
        }
    };
    while let Some(Reply::Held(permits, next)) = reply {
        permits.acquire().await.unwrap().forget();
        reply = Some(*next);
    }
    let kind = [(header::CONTENT_TYPE, "text/event-stream")];
    match reply {
        Some(Reply::Held(..)) => unreachable!("it was let go above"),
        Some(Reply::Stream(chunks)) => {
            let frames = chunks.iter().map(|chunk| format!("data: {chunk}\n\n"));
            let body: String = frames.collect();
            (kind, format!(": a comment\n\n{body}data: [DONE]\n\n")).into_response()
        }
        Some(Reply::Endless(chunks)) => {
            let frames = chunks.iter().map(|chunk| format!("data: {chunk}\n\n"));
            let first = stream::iter([Ok::<String, std::io::Error>(frames.collect())]);
            (kind, Body::from_stream(first.chain(stream::pending()))).into_response()
        }
        Some(Reply::Cut(text)) => {
            let broken = stream::once(async {
                // What was written before leaves first.
                tokio::task::yield_now().await;
                Err(std::io::Error::other("cut"))
            });
            let parts = stream::iter([Ok(text)]).chain(broken);
            (kind, Body::from_stream(parts)).into_response()
        }
        Some(Reply::Status(status, headers, body)) => {
            let mut response = (StatusCode::from_u16(status).unwrap(), body).into_response();
            for (name, value) in headers {
                response.headers_mut().insert(name, value.parse().unwrap());
            }
            response
        }
        None => (StatusCode::IM_A_TEAPOT, "no reply is left").into_response(),
    }
}
