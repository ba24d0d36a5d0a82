//! Clients: one connection for each stream, and their counts.

use std::{cell::RefCell, error::Error, rc::Rc, time::Instant};

use assent_sse::Decoder;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Request, Response,
    body::{Bytes, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use tokio::net::TcpSocket;

use crate::{figures::milliseconds, model, service::KEY};

const THREADS: &str = "/api/assistants/threads";

/// Receive buffer of a client that stops reading, in bytes; without it a stream fits into the
/// system's buffers.
const LITTLE_ROOM: u32 = 4096;

/// Counts of all clients together since they were last taken.
#[derive(Default)]
pub(crate) struct Counted {
    /// Chunks of answers.
    pub(crate) chunks: usize,
    /// From the making of an event to its reading, in ms, to the millisecond; of a token, from its
    /// leaving the model, to the microsecond.
    pub(crate) delays: Vec<f64>,
    /// From one chunk of a stream to its next one, in ms.
    pub(crate) gaps: Vec<f64>,
    /// Calls of tools that began.
    pub(crate) tools: usize,
    /// Requests for approval.
    pub(crate) asked: usize,
    /// Streams that came to their end.
    pub(crate) ended: usize,
    /// Streams that broke.
    pub(crate) broken: usize,
}

/// Posts `words` in a new thread; returns the stream, to be read by the caller.
async fn post(
    address: &str,
    agent: &str,
    words: &str,
    little_room: bool,
) -> Result<Incoming, Box<dyn Error>> {
    let body = send(
        address,
        THREADS,
        &format!(r#"{{"agentId":"{agent}"}}"#),
        false,
    )
    .await?;
    let bytes = body.into_body().collect().await?.to_bytes();
    let thread: serde_json::Value = serde_json::from_slice(&bytes)?;
    let id = thread
        .get("id")
        .and_then(|id| id.as_str())
        .ok_or("no thread")?;
    let content = format!(r#"{{"content":[{{"type":"text","text":"{words}"}}]}}"#);
    let path = format!("{THREADS}/{id}/messages");
    let response = send(address, &path, &content, little_room).await?;
    if response.status() != 200 {
        return Err(format!("{}", response.status()).into());
    }
    Ok(response.into_body())
}

async fn send(
    address: &str,
    path: &str,
    body: &str,
    little_room: bool,
) -> Result<Response<Incoming>, Box<dyn Error>> {
    let socket = TcpSocket::new_v4()?;
    if little_room {
        socket.set_recv_buffer_size(LITTLE_ROOM)?;
    }
    let socket = socket.connect(address.parse()?).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(socket)).await?;
    tokio::task::spawn_local(async move {
        // Broken connections are counted by their readers.
        connection.await.ok();
    });
    let request = Request::post(path)
        .header("host", address)
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-service-user-id", "load")
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(body.to_owned())))?;
    Ok(sender.send_request(request).await?)
}

/// Reads a stream to its end, and counts.
pub(crate) async fn read(address: String, agent: &str, words: &str, counted: Rc<RefCell<Counted>>) {
    let whole = async {
        let mut body = post(&address, agent, words, false).await?;
        let mut decoder = Decoder::new();
        let mut before: Option<Instant> = None;
        while let Some(frame) = body.frame().await {
            let bytes = frame?.into_data().unwrap_or_default();
            for frame in decoder.push(&bytes) {
                let data = frame?.data;
                let mut counted = counted.borrow_mut();
                counted.tools += usize::from(data.contains("TOOL_EXECUTION_INITIATED"));
                counted.asked += usize::from(data.contains("TOOL_EXECUTION_APPROVAL_REQUEST\""));
                if !data.contains("AGENT_RESPONSE_CHUNK") {
                    continue;
                }
                let now = Instant::now();
                counted.chunks += 1;
                counted.delays.extend(delay(&data));
                counted
                    .gaps
                    .extend(before.map(|before| milliseconds(now - before)));
                before = Some(now);
            }
        }
        Ok::<(), Box<dyn Error>>(())
    };
    match whole.await {
        Ok(()) => counted.borrow_mut().ended += 1,
        Err(_) => counted.borrow_mut().broken += 1,
    }
}

/// Begins to read and stops; the connection is held as long as the returned value.
pub(crate) async fn stop_reading(address: String) -> Result<Incoming, Box<dyn Error>> {
    let mut body = post(&address, "load", "torrent", true).await?;
    body.frame().await.ok_or("no event")??;
    Ok(body)
}

/// Returns the age of the event, by the stamp of its token, or by its own.
fn delay(data: &str) -> Option<f64> {
    if let Some((_, rest)) = data.split_once(model::STAMP) {
        let sent: u128 = rest.split(' ').next()?.parse().ok()?;
        return Some(model::now().saturating_sub(sent) as f64 / 1000.0);
    }
    let (_, rest) = data.rsplit_once("\"timestamp\":\"")?;
    let made: jiff::Timestamp = rest.split('"').next()?.parse().ok()?;
    let ago = jiff::Timestamp::now().duration_since(made);
    Some(ago.as_secs_f64() * 1000.0)
}
