//! The connection's side of an answer: a bounded queue from the task that writes the answer to the response body.
//!
//! The answer never depends on the reader: a reader that is gone is forgotten, one that does not keep up is waited for a
//! bounded time and then dropped, so that a connection never holds more than its queue.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::Poll,
    time::Duration,
};

use assent_protocol::SseEvent;
use axum::{
    http::{HeaderName, HeaderValue, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, stream};
use tokio::{sync::mpsc, time::Instant};

use crate::Settings;

/// Where events of an answer go.
#[derive(Debug)]
pub struct Outlet {
    /// `None` once the reader is gone.
    queue: Option<mpsc::Sender<String>>,
    broken: Arc<AtomicBool>,
    patience: Duration,
}

/// The reader's end of an [`Outlet`].
#[derive(Debug)]
pub struct Inlet {
    queue: mpsc::Receiver<String>,
    broken: Arc<AtomicBool>,
    keep_alive: Duration,
}

/// A queue for one connection.
#[must_use]
pub fn channel(settings: &Settings) -> (Outlet, Inlet) {
    let (sender, receiver) = mpsc::channel(settings.reader_buffer.max(1));
    let broken = Arc::new(AtomicBool::new(false));
    let outlet = Outlet {
        queue: Some(sender),
        broken: Arc::clone(&broken),
        patience: settings.reader_patience,
    };
    let inlet = Inlet {
        queue: receiver,
        broken,
        keep_alive: settings.keep_alive,
    };
    (outlet, inlet)
}

impl Outlet {
    /// Hands an event to the reader, if there still is one.
    pub async fn send(&mut self, event: &SseEvent) {
        let Some(queue) = &self.queue else { return };
        let text = match serde_json::to_string(event) {
            Ok(text) => text,
            Err(error) => {
                tracing::error!(%error, "an event could not be written");
                return;
            }
        };
        let since = Instant::now();
        let sent = tokio::time::timeout(self.patience, queue.send(text)).await;
        self.patience = self.patience.saturating_sub(since.elapsed());
        match sent {
            Ok(Ok(())) => {}
            Ok(Err(_)) => {
                tracing::debug!("the reader is gone; the answer goes on");
                self.queue = None;
            }
            Err(_) => {
                tracing::info!("the reader does not keep up and is dropped; the answer goes on");
                self.cut();
            }
        }
    }

    /// Waits for the reader no longer than this from now on.
    pub fn limit_patience(&mut self, limit: Duration) {
        self.patience = self.patience.min(limit);
    }

    /// Breaks the connection after what was sent so far: the reader sees an error, no clean end.
    pub fn cut(&mut self) {
        self.broken.store(true, Ordering::Release);
        self.queue = None;
    }
}

/// Why a body ended without its end.
#[derive(Debug, thiserror::Error)]
#[error("the stream was cut")]
struct Cut;

impl IntoResponse for Inlet {
    fn into_response(self) -> Response {
        let keep_alive = KeepAlive::new()
            .interval(self.keep_alive)
            .text("keep-alive");
        let mut response = Sse::new(self.events())
            .keep_alive(keep_alive)
            .into_response();
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        // Reverse proxies of the nginx family would otherwise collect the stream.
        let accel = HeaderName::from_static("x-accel-buffering");
        headers.insert(accel, HeaderValue::from_static("no"));
        response
    }
}

impl Inlet {
    fn events(mut self) -> impl Stream<Item = Result<Event, Cut>> {
        let mut flushed = false;
        let mut ended = false;
        stream::poll_fn(move |context| {
            if ended {
                return Poll::Ready(None);
            }
            match self.queue.poll_recv(context) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(Some(text)) => Poll::Ready(Some(Ok(Event::default().data(text)))),
                Poll::Ready(None) if !self.broken.load(Ordering::Acquire) => Poll::Ready(None),
                // One turn for the server to write out what it holds; an error discards it.
                Poll::Ready(None) if !flushed => {
                    flushed = true;
                    context.waker().wake_by_ref();
                    Poll::Pending
                }
                Poll::Ready(None) => {
                    ended = true;
                    Poll::Ready(Some(Err(Cut)))
                }
            }
        })
    }
}
