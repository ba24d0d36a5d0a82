//! A client that plays a script, and records what it saw.

use std::{net::SocketAddr, time::Duration};

use assent_protocol::SseEvent;
use assent_sse::Decoder;
use axum::http::{Method, Request, StatusCode};
use futures_util::future::join;
use http_body_util::BodyExt as _;
use hyper::{Response, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::{net::TcpStream, time::timeout};

use crate::{
    common::{THREADS, USER, event, messages_of, request},
    program::{Moment, Program},
    script::{Open, Turn},
};

/// Timeout of an answer; a program that is alive answers sooner.
const LIMIT: Duration = Duration::from_secs(30);

/// The response to a post, as far as it was read.
#[derive(Debug, Default)]
pub struct Seen {
    /// `None`: not even a head.
    pub status: Option<u16>,
    pub events: Vec<SseEvent>,
    /// True if the stream came to its own end.
    pub ended: bool,
}

impl Seen {
    pub fn has(&self, event: &str) -> bool {
        self.events.iter().any(|e| e.event_type.name() == event)
    }

    /// Returns the texts of all events of a type.
    pub fn texts(&self, event: &str) -> Vec<&str> {
        let of_type = self.events.iter().filter(|e| e.event_type.name() == event);
        of_type.map(|e| e.event_message.content.as_str()).collect()
    }
}

/// One thread.
pub struct Conversation {
    pub turns: &'static [Turn],
    /// `None` until its creation was answered.
    pub thread: Option<String>,
    /// One for each turn that was posted.
    pub saw: Vec<Seen>,
    /// Requests that a stream asked for and that no post that came to its end decided.
    pub open: Open,
}

impl Conversation {
    pub fn new(turns: &'static [Turn]) -> Self {
        Self {
            turns,
            thread: None,
            saw: Vec::new(),
            open: Open::default(),
        }
    }

    /// Plays the script until it is over or the program is gone.
    pub async fn play(&mut self, program: &Program) {
        let body = json!({ "agentId": "demo" });
        let Some((201, thread)) = ask(program, Method::POST, THREADS, Some(&body)).await else {
            return;
        };
        self.thread = thread["id"].as_str().map(str::to_owned);
        for turn in self.turns {
            if !self.post(program, *turn).await {
                return;
            }
        }
    }

    /// Posts a turn and reads its stream; returns true if that came to its end.
    pub async fn post(&mut self, program: &Program, turn: Turn) -> bool {
        let path = messages_of(self.thread.as_ref().unwrap());
        let body = self.open.body(turn);
        let seen = post(program, &path, &body, matches!(turn, Turn::Decide(..))).await;
        assert!(
            matches!(seen.status, None | Some(200)),
            "{turn:?}: {seen:?}"
        );
        let ended = seen.ended;
        if ended {
            self.open.decide(turn);
        }
        self.open.ask(&seen.events);
        self.saw.push(seen);
        ended
    }
}

/// Returns the head of the answer; `None` if the program is gone, though another one may have its
/// address by now.
async fn send(
    address: SocketAddr,
    request: Request<axum::body::Body>,
    written: impl Future<Output = ()>,
) -> Option<Response<Incoming>> {
    let socket = TcpStream::connect(address).await.ok()?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(socket)).await.ok()?;
    tokio::spawn(connection);
    let (response, ()) = join(sender.send_request(request), written).await;
    response
        .ok()
        .filter(|response| response.status() != StatusCode::UNAUTHORIZED)
}

fn to(
    program: &Program,
    address: SocketAddr,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Request<axum::body::Body> {
    let mut request = request(method, path, USER, body);
    let headers = request.headers_mut();
    headers.insert("host", address.to_string().parse().unwrap());
    let key = format!("Bearer {}", program.key).parse().unwrap();
    headers.insert("authorization", key);
    request
}

/// Sends a request whose whole answer is JSON, or nothing; `None` if the program went away.
pub async fn ask(
    program: &Program,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Option<(u16, Value)> {
    let address = program.address?;
    let asking = async {
        let response = send(address, to(program, address, method, path, body), async {}).await?;
        let status = response.status().as_u16();
        let bytes = response.into_body().collect().await.ok()?.to_bytes();
        if status == 204 {
            return Some((status, Value::Null));
        }
        Some((status, serde_json::from_slice(&bytes).unwrap()))
    };
    timeout(LIMIT, asking).await.unwrap()
}

/// Posts content and reads the stream to its end, of either kind.
pub async fn post(program: &Program, path: &str, body: &Value, decides: bool) -> Seen {
    let mut seen = Seen::default();
    let Some(address) = program.address else {
        return seen;
    };
    let written = async {
        // The turn of the task that writes the request out.
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        program.pass(Moment::Post);
        if decides {
            program.pass(Moment::Decision);
        }
    };
    let request = to(program, address, Method::POST, path, Some(body));
    let sent = timeout(LIMIT, send(address, request, written))
        .await
        .unwrap();
    let Some(response) = sent else { return seen };
    seen.status = Some(response.status().as_u16());
    let mut decoder = Decoder::new();
    let mut body = response.into_body();
    loop {
        match timeout(LIMIT, body.frame()).await.unwrap() {
            None => {
                seen.ended = true;
                return seen;
            }
            Some(Err(_)) => return seen,
            Some(Ok(frame)) => {
                for frame in decoder.push(&frame.into_data().unwrap_or_default()) {
                    seen.events.push(event(&frame.unwrap().data));
                    program.pass(Moment::Event);
                }
            }
        }
    }
}
