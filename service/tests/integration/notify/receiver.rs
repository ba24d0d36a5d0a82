//! A receiver of webhooks that is as rude as a test wants it.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
};

use aws_lc_rs::hmac;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
};

use crate::common::{Folder, until};
use assent_service::settings::notify::NotifySettings;

pub(super) const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=";

const KEY: &[u8] = b"0123456789abcdefghijklmnopqrstuv";

/// What a receiver does with a request, once it has read it.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    Status(u16),
    /// Too many requests: it wants to be left alone for so many seconds.
    Busy(u32),
    /// Another address, where the message is taken.
    Moved,
    /// The connection ends in the middle of the head.
    Cut,
    /// Nothing comes, and the connection stays open.
    Silence,
    /// A head of success, and a body without an end.
    Endless,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub(super) path: String,
    pub(super) headers: HashMap<String, String>,
    pub(super) text: String,
}

impl Heard {
    pub(super) fn id(&self) -> String {
        self.headers["webhook-id"].clone()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// Returns true if the signature is that of the key, by another program than the service's own.
    pub(super) fn is_signed(&self) -> bool {
        let signed = format!(
            "{}.{}.{}",
            self.id(),
            self.headers["webhook-timestamp"],
            self.text
        );
        let key = hmac::Key::new(hmac::HMAC_SHA256, KEY);
        let tag = hmac::sign(&key, signed.as_bytes());
        self.headers["webhook-signature"] == format!("v1,{}", STANDARD.encode(tag))
    }
}

/// A receiver that answers with each of the replies, and then with 204.
#[derive(Clone)]
pub(super) struct Receiver {
    pub(super) url: String,
    heard: Arc<Mutex<Vec<Heard>>>,
    replies: Arc<Mutex<VecDeque<Reply>>>,
}

impl Receiver {
    pub(super) async fn new(replies: &[Reply]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let receiver = Self {
            url: format!("http://{}/hook", listener.local_addr().unwrap()),
            heard: Arc::default(),
            replies: Arc::new(Mutex::new(replies.iter().cloned().collect())),
        };
        let served = receiver.clone();
        // It ends with the runtime of the test.
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(serve(served.clone(), socket));
            }
        });
        receiver
    }

    /// Returns the settings of a service that tells this receiver at once, with `more` lines in the
    /// file.
    pub(super) fn settings(&self, folder: &Folder, more: &str) -> NotifySettings {
        NotifySettings::read(&self.file(folder, more)).unwrap()
    }

    /// Writes the file `[notify]` of a service.
    pub(super) fn file(&self, folder: &Folder, more: &str) -> std::path::PathBuf {
        settings_file(folder, &self.url, more)
    }

    pub(super) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    /// Waits until it has been sent so many messages, and returns them.
    pub(super) async fn hears(&self, count: usize) -> Vec<Heard> {
        until(async || self.heard.lock().unwrap().len() >= count).await;
        self.heard()
    }
}

/// Writes a file `[notify]` with an address.
pub(super) fn settings_file(folder: &Folder, url: &str, more: &str) -> std::path::PathBuf {
    crate::common::key_file(&folder.0.join("notify-key"), SECRET);
    let path = folder.0.join("notify.toml");
    let delay = if more.contains("delay") {
        ""
    } else {
        "delay = \"0s\"\n"
    };
    let text =
        format!("[notify]\nurl = {url:?}\nsecret = {{ file = \"notify-key\" }}\n{delay}{more}\n");
    std::fs::write(&path, text).unwrap();
    path
}

async fn serve(receiver: Receiver, socket: TcpStream) {
    let mut socket = BufReader::new(socket);
    while let Some(heard) = read(&mut socket).await {
        receiver.heard.lock().unwrap().push(heard);
        let reply = receiver.replies.lock().unwrap().pop_front();
        let head = match reply.unwrap_or(Reply::Status(204)) {
            Reply::Status(status) => {
                format!("HTTP/1.1 {status} Whatever\r\ncontent-length: 0\r\n\r\n")
            }
            Reply::Busy(seconds) => {
                format!("HTTP/1.1 429 Busy\r\nretry-after: {seconds}\r\ncontent-length: 0\r\n\r\n")
            }
            Reply::Moved => {
                "HTTP/1.1 307 Moved\r\nlocation: /taken\r\ncontent-length: 0\r\n\r\n".to_owned()
            }
            Reply::Cut => {
                socket.write_all(b"HTTP/1.1 200 O").await.ok();
                return;
            }
            Reply::Silence => {
                socket.read_u8().await.ok();
                return;
            }
            Reply::Endless => {
                let head = "HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\n\r\n";
                socket.write_all(head.as_bytes()).await.ok();
                while socket.write_all(&[b'x'; 1 << 16]).await.is_ok() {}
                return;
            }
        };
        socket.write_all(head.as_bytes()).await.ok();
    }
}

async fn read(socket: &mut BufReader<TcpStream>) -> Option<Heard> {
    let mut line = String::new();
    socket.read_line(&mut line).await.ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = HashMap::new();
    loop {
        line.clear();
        socket.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_owned(), value.to_owned());
    }
    let length = headers.get("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await.ok()?;
    Some(Heard {
        path,
        headers,
        text: String::from_utf8(body).unwrap(),
    })
}
