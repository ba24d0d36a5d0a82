//! The connection's side of an answer: a bounded queue from the task that writes the answer to the
//! response body.
//!
//! The answer never depends on the client: a client that is gone is forgotten. One that does not
//! keep up is waited for a bounded time, and then dropped with its queued events: a connection
//! never takes more memory than its queue.

use std::{
    sync::{
        Arc, Mutex, PoisonError, Weak,
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
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::Instant,
};

use crate::{
    settings::Settings,
    telemetry::metrics::{CountedStream, Metrics},
};

/// The writing end of a queue of events that are streamed to one client.
#[derive(Debug)]
pub struct EventSender {
    /// The end of the queue into which events are written; `None` once the client is gone.
    queue: Option<mpsc::Sender<QueuedEvent>>,
    /// The receiving end of the queue, which exists as long as the client is there.
    receiver: Weak<Mutex<mpsc::Receiver<QueuedEvent>>>,
    /// One permit for each byte that may be queued.
    room: Arc<Semaphore>,
    max_bytes: u32,
    broken: Arc<AtomicBool>,
    remaining_wait: Duration,
}

/// A queued event as text, and the permits for its bytes, which are free again when it is dropped.
#[derive(Debug)]
struct QueuedEvent {
    text: String,
    _room: OwnedSemaphorePermit,
}

/// The end of an [`EventSender`]'s queue from which the response to the client is read.
#[derive(Debug)]
pub struct EventReceiver {
    queue: Arc<Mutex<mpsc::Receiver<QueuedEvent>>>,
    broken: Arc<AtomicBool>,
    keep_alive: Duration,
    counted: CountedStream,
}

/// Creates the queue of events that are streamed over one connection.
#[must_use]
pub fn channel(settings: &Settings, metrics: &Metrics) -> (EventSender, EventReceiver) {
    let (sender, receiver) = mpsc::channel(settings.max_queued_events.max(1));
    let receiver = Arc::new(Mutex::new(receiver));
    let broken = Arc::new(AtomicBool::new(false));
    let max_bytes = settings.max_queued_bytes.max(1);
    let sender = EventSender {
        queue: Some(sender),
        receiver: Arc::downgrade(&receiver),
        room: Arc::new(Semaphore::new(max_bytes as usize)),
        max_bytes,
        broken: Arc::clone(&broken),
        remaining_wait: settings.slow_client_timeout,
    };
    let receiver = EventReceiver {
        queue: receiver,
        broken,
        keep_alive: settings.keep_alive,
        counted: metrics.count_stream(),
    };
    (sender, receiver)
}

impl EventSender {
    /// Sends an event to the client, if there still is one.
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
        let size = u32::try_from(text.len())
            .unwrap_or(u32::MAX)
            .min(self.max_bytes);
        let room = Arc::clone(&self.room);
        let handing_over = async {
            let room = room.acquire_many_owned(size).await.ok()?;
            queue.send(QueuedEvent { text, _room: room }).await.ok()
        };
        let sent = tokio::time::timeout(self.remaining_wait, handing_over).await;
        self.remaining_wait = self.remaining_wait.saturating_sub(since.elapsed());
        match sent {
            Ok(Some(())) => {}
            Ok(None) => {
                tracing::debug!("the reader is gone; the answer goes on");
                self.queue = None;
            }
            Err(_) => {
                tracing::info!("the reader does not keep up and is dropped; the answer goes on");
                self.cut();
                self.discard();
            }
        }
    }

    /// Frees the events queued for a client that will not get them: the server does not look at its
    /// connection until its socket is ready.
    fn discard(&self) {
        if let Some(receiver) = self.receiver.upgrade() {
            let mut queue = receiver.lock().unwrap_or_else(PoisonError::into_inner);
            while queue.try_recv().is_ok() {}
        }
    }

    /// Limits how long all further sending may wait, in sum, for a client that does not keep up.
    pub fn limit_wait(&mut self, limit: Duration) {
        self.remaining_wait = self.remaining_wait.min(limit);
    }

    /// Ends the stream after the events sent so far.
    pub fn close(&mut self) {
        self.queue = None;
    }

    /// Breaks the connection after the events sent so far: the client sees an error, no clean end.
    pub fn cut(&mut self) {
        self.broken.store(true, Ordering::Release);
        self.queue = None;
    }
}

/// The error of a response body that breaks off before its end.
#[derive(Debug, thiserror::Error)]
#[error("the stream was cut")]
struct ConnectionBroken;

impl IntoResponse for EventReceiver {
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

impl EventReceiver {
    fn events(self) -> impl Stream<Item = Result<Event, ConnectionBroken>> {
        let mut flushed = false;
        let mut ended = false;
        stream::poll_fn(move |context| {
            // Counted as long as the connection has this stream.
            let _ = &self.counted;
            if ended {
                return Poll::Ready(None);
            }
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            match queue.poll_recv(context) {
                Poll::Pending => Poll::Pending,
                Poll::Ready(Some(receiver)) => {
                    Poll::Ready(Some(Ok(Event::default().data(receiver.text))))
                }
                Poll::Ready(None) if !self.broken.load(Ordering::Acquire) => Poll::Ready(None),
                // One turn for the server to write out its buffer; an error discards it.
                Poll::Ready(None) if !flushed => {
                    flushed = true;
                    context.waker().wake_by_ref();
                    Poll::Pending
                }
                Poll::Ready(None) => {
                    ended = true;
                    Poll::Ready(Some(Err(ConnectionBroken)))
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use assent_protocol::{EventType, SseEvent, SseEventMessage, Timestamp};
    use futures_util::StreamExt as _;

    use super::{EventSender, channel};
    use crate::{settings::Settings, telemetry::metrics::Metrics};

    fn event(length: usize) -> SseEvent {
        SseEvent {
            event_type: EventType::AgentResponseChunk,
            event_id: "e".into(),
            thread_id: "t".into(),
            request_id: "r".to_owned(),
            event_message: SseEventMessage {
                agent: None,
                content: "x".repeat(length),
                collaboration_id: None,
                active_assistant_collaboration_required: None,
                tool_execution_approval_request: None,
                words: Vec::new(),
                tool_images: Vec::new(),
                timestamp: Timestamp("2026-01-31T12:00:00.000Z".to_owned()),
            },
        }
    }

    fn settings() -> Settings {
        Settings {
            max_queued_bytes: 10_000,
            slow_client_timeout: Duration::from_millis(20),
            ..Settings::default()
        }
    }

    async fn send_until_dropped(sender: &mut EventSender, length: usize) -> usize {
        let mut sent = 0;
        while sender.queue.is_some() {
            sender.send(&event(length)).await;
            sent += 1;
        }
        sent
    }

    #[tokio::test]
    async fn few_long_events_fill_the_queue_as_many_short_ones_do() {
        let (mut sender, receiver) = channel(&settings(), &Metrics::default());
        assert_eq!(send_until_dropped(&mut sender, 4_000).await, 3);
        let (mut sender, _receiver) = channel(&settings(), &Metrics::default());
        assert_eq!(send_until_dropped(&mut sender, 1_000_000).await, 2);
        drop(receiver);
    }

    #[tokio::test]
    async fn nothing_is_held_for_a_reader_that_was_dropped() {
        let (mut sender, receiver) = channel(&settings(), &Metrics::default());
        send_until_dropped(&mut sender, 4_000).await;
        assert_eq!(sender.room.available_permits(), 10_000);
        let ended: Vec<_> = receiver.events().collect().await;
        assert!(matches!(ended[..], [Err(_)]), "{ended:?}");
    }
}
