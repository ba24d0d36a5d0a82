//! A server of a test: it answers each request with the next of a list of raw answers.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};

/// A request that a server was sent.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agents::model) struct Received {
    /// The lines before the body, in lower case.
    pub(in crate::agents::model) head: String,
    pub(in crate::agents::model) body: Value,
}

/// A server that answers each connection once; it ends with the runtime of the test.
#[derive(Clone, Debug)]
pub(in crate::agents::model) struct TestServer {
    pub(in crate::agents::model) url: String,
    received: Arc<Mutex<Vec<Received>>>,
}

impl TestServer {
    pub(in crate::agents::model) async fn new(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let received = Arc::default();
        let requests = Arc::clone(&received);
        tokio::spawn(async move {
            for answer in answers {
                let (connection, _) = listener.accept().await.unwrap();
                serve(connection, &answer, &requests).await;
            }
        });
        Self { url, received }
    }

    pub(in crate::agents::model) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }
}

async fn serve(connection: TcpStream, answer: &str, received: &Mutex<Vec<Received>>) {
    let mut connection = BufReader::new(connection);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        connection.read_line(&mut head).await.unwrap();
    }
    let head = head.to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await.unwrap();
    let body = serde_json::from_slice(&body).unwrap();
    received.lock().unwrap().push(Received { head, body });
    connection.write_all(answer.as_bytes()).await.unwrap();
    connection.shutdown().await.unwrap();
}

/// Returns an answer with a status, further headers (each with its line end) and a body.
pub(in crate::agents::model) fn answer(status: u16, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status} Status\r\nconnection: close\r\n{headers}\r\n{body}")
}

/// Returns a stream of chunks, without an end mark.
pub(in crate::agents::model) fn stream(chunks: &[Value]) -> String {
    let frames: String = chunks
        .iter()
        .map(|chunk| format!("data: {chunk}\n\n"))
        .collect();
    answer(200, "content-type: text/event-stream\r\n", &frames)
}

/// Returns a stream that says a text in two pieces.
pub(in crate::agents::model) fn says(text: &str) -> String {
    let (begin, end) = text.split_at(text.len() / 2);
    let piece = |text| serde_json::json!({ "choices": [{ "delta": { "content": text } }] });
    stream(&[piece(begin), piece(end)])
}
