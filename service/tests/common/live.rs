//! The service on a socket, and a client that reads a stream as it comes.

use std::{net::SocketAddr, sync::Arc};

use assent_protocol::SseEvent;
use assent_service::operate::serve::serve_on;
use assent_sse::Decoder;
use axum::body::Body;
use http_body_util::BodyExt as _;
use hyper::{Method, Request, body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::oneshot,
    task::JoinHandle,
};

use super::{Folder, Service, USER, event, request, until};

/// A service that listens.
pub struct Live {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<assent_service::Result<()>>,
    /// A database is opened anew for each connection to it, also when the [`Service`] is gone.
    _folder: Arc<Folder>,
}

impl Service {
    /// Returns once a request was answered: a socket takes connections before what a crash left is
    /// put in order. On a busy machine a short time for the head of a request may be over first;
    /// then it is sent again.
    pub async fn listen(&self) -> Live {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(serve_on(listener, self.state.clone(), async {
            stopped.await.ok();
        }));
        let live = Live {
            address,
            stop: Some(stop),
            serving,
            _folder: Arc::clone(&self.folder),
        };
        let is_answered = async || {
            let check = request(Method::GET, "/healthz", USER, None);
            live.try_send(check).await.is_ok()
        };
        until(is_answered).await;
        live
    }
}

impl Live {
    /// Tells the service to stop, without waiting for it.
    pub fn tell_to_stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until it has stopped, after it was told to.
    pub async fn stopped(self) {
        let limit = std::time::Duration::from_secs(20);
        tokio::time::timeout(limit, self.serving)
            .await
            .unwrap()
            .unwrap()
            .unwrap();
    }

    pub async fn stop(mut self) {
        self.tell_to_stop();
        self.stopped().await;
    }

    /// Sends a request on a connection of its own.
    pub async fn send(&self, request: Request<Body>) -> Reader {
        self.try_send(request).await.unwrap()
    }

    /// Sends a request on a connection of its own, which may be closed without a response.
    pub async fn try_send(&self, mut request: Request<Body>) -> hyper::Result<Reader> {
        let host = self.address.to_string().parse().unwrap();
        request.headers_mut().insert("host", host);
        let socket = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(socket)).await.unwrap();
        let connection = tokio::spawn(async move {
            connection.await.ok();
        });
        let response = sender.send_request(request).await?;
        Ok(Reader {
            status: response.status().as_u16(),
            body: response.into_body(),
            decoder: Decoder::new(),
            waiting: Vec::new(),
            raw: Vec::new(),
            connection,
        })
    }

    pub async fn post(&self, path: &str, user: &str, body: &Value) -> Reader {
        self.send(request(Method::POST, path, user, Some(body)))
            .await
    }
}

/// A response that is being read.
pub struct Reader {
    pub status: u16,
    body: Incoming,
    decoder: Decoder,
    waiting: Vec<SseEvent>,
    /// All bytes read so far.
    pub raw: Vec<u8>,
    connection: JoinHandle<()>,
}

/// The end of a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum End {
    Clean,
    Broken,
}

impl Reader {
    /// Returns the next event, or the end of the stream. Comments alone are no reason to wait on.
    pub async fn next(&mut self) -> Result<SseEvent, End> {
        let reading = async {
            while self.waiting.is_empty() {
                self.read().await?;
            }
            Ok(self.waiting.remove(0))
        };
        let limit = std::time::Duration::from_secs(30);
        tokio::time::timeout(limit, reading).await.unwrap()
    }

    /// Reads one piece of the body.
    pub async fn read(&mut self) -> Result<(), End> {
        let limit = std::time::Duration::from_secs(20);
        let frame = tokio::time::timeout(limit, self.body.frame())
            .await
            .unwrap();
        let bytes = match frame {
            None => return Err(End::Clean),
            Some(Err(_)) => return Err(End::Broken),
            Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
        };
        self.raw.extend_from_slice(&bytes);
        let frames = self.decoder.push(&bytes);
        self.waiting
            .extend(frames.into_iter().map(|frame| event(&frame.unwrap().data)));
        Ok(())
    }

    /// Reads until an event of this type came.
    pub async fn read_to(&mut self, name: &str) -> SseEvent {
        loop {
            let event = self.next().await.unwrap();
            if event.event_type.name() == name {
                return event;
            }
        }
    }

    /// Reads to the end.
    pub async fn rest(&mut self) -> (Vec<SseEvent>, End) {
        let mut events = Vec::new();
        loop {
            match self.next().await {
                Ok(event) => events.push(event),
                Err(end) => return (events, end),
            }
        }
    }

    /// Closes the connection as a closed tab does.
    pub fn leave(self) {
        self.connection.abort();
    }
}
