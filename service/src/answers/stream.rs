//! A reader of the log of a run: the response to a post, and to whoever goes on reading.
//!
//! A reader never holds up the answer: one that lags reads on from where it is, out of the database
//! if that is far behind, and takes no memory meanwhile.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use assent_protocol::{EventType, SseEvent, SseEventMessage, Timestamp};
use axum::{
    http::{HeaderName, HeaderValue, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, stream};
use tokio::{sync::watch, task::yield_now};

use crate::{
    Result,
    answers::event_log::{EventLog, Found, SharedTail},
    store::{LoggedEvent, ThreadKey},
    telemetry::metrics::{CountedStream, Metrics},
};

/// The number of events that are sent one by one; of more that are there at once, pieces of text
/// that follow each other are sent as one.
const SINGLE_EVENTS: usize = 32;

/// A reader of the log of one run.
#[derive(Debug)]
pub struct Reader {
    log: EventLog,
    thread: ThreadKey,
    run: String,
    /// The number of the last event that was sent.
    after: i64,
    /// The end of the log, and what tells of news; `None` as long as the reader is far behind in a log
    /// that another process writes, and for one that is at its end.
    live: Option<LiveLog>,
    ready: VecDeque<(i64, Arc<LoggedEvent>)>,
    keep_alive: Duration,
    /// Counted as long as the connection has this reader.
    _counted: CountedStream,
}

#[derive(Debug)]
struct LiveLog {
    tail: SharedTail,
    changed: watch::Receiver<()>,
    /// The number of times that connections had been broken when this reader came.
    cuts: u32,
}

impl LiveLog {
    fn new(tail: SharedTail) -> Self {
        let (changed, cuts) = tail.subscribe();
        Self {
            tail,
            changed,
            cuts,
        }
    }
}

/// The error of a response body that breaks off before its end.
#[derive(Debug, thiserror::Error)]
#[error("the stream was cut")]
struct ConnectionBroken;

impl Reader {
    /// Makes a reader of the events of a run after the one with the number `after`.
    #[must_use]
    pub fn new(
        log: &EventLog,
        thread: &ThreadKey,
        run: &str,
        after: i64,
        keep_alive: Duration,
        metrics: &Metrics,
    ) -> Self {
        let live = log.get(run).map(|log| LiveLog::new(log.tail().clone()));
        Self {
            log: log.clone(),
            thread: thread.clone(),
            run: run.to_owned(),
            after,
            live,
            ready: VecDeque::new(),
            keep_alive,
            _counted: metrics.count_stream(),
        }
    }

    fn events(self) -> impl Stream<Item = Result<Event, ConnectionBroken>> {
        stream::try_unfold(self, async |mut reader| {
            let next = reader.next().await?;
            Ok(next.map(|event| (event, reader)))
        })
    }

    /// Returns the next event; `None` at the end of the log.
    async fn next(&mut self) -> Result<Option<Event>, ConnectionBroken> {
        while self.ready.is_empty() {
            if !self.read().await? {
                return Ok(None);
            }
        }
        let Some((number, event)) = self.ready.pop_front() else {
            return Ok(None);
        };
        self.after = number;
        let id = format!("{}/{number}", self.run);
        let event = self.wire_event(&id, &event);
        let data = serde_json::to_string(&event).map_err(|error| {
            tracing::error!(%error, "an event could not be written");
            ConnectionBroken
        })?;
        Ok(Some(Event::default().id(id).data(data)))
    }

    /// Waits for events and makes them ready; returns false at the end of the log.
    async fn read(&mut self) -> Result<bool, ConnectionBroken> {
        let Some(live) = &mut self.live else {
            return self.read_stored().await;
        };
        live.changed.borrow_and_update();
        match live.tail.after(self.after, live.cuts) {
            Found::Events(first, events) => {
                self.ready = joined((first..).zip(events).collect());
                Ok(true)
            }
            Found::Earlier => {
                self.read_entries().await?;
                if self.ready.is_empty() {
                    // Deleted with its thread.
                    return Err(ConnectionBroken);
                }
                Ok(true)
            }
            Found::Nothing => {
                // It fails once the log is dropped, which this reader holds.
                live.changed.changed().await.map_err(|_| ConnectionBroken)?;
                Ok(true)
            }
            Found::End => Ok(false),
            Found::Cut => {
                // One turn for the server to write out its buffer; an error discards it.
                yield_now().await;
                Err(ConnectionBroken)
            }
        }
    }

    /// Reads the log of a run that this process does not write, up to where it is written now.
    async fn read_stored(&mut self) -> Result<bool, ConnectionBroken> {
        let run = self.log.store().run(&self.thread, &self.run).await;
        // First the state, then the events: none may come between.
        let run = run.map_err(broken)?;
        self.read_entries().await?;
        if !self.ready.is_empty() {
            return Ok(true);
        }
        if run.is_none_or(|run| !run.is_running) {
            return Ok(false);
        }
        let tail = self.log.follow(&self.thread, &self.run, self.after);
        self.live = Some(LiveLog::new(tail));
        Ok(true)
    }

    async fn read_entries(&mut self) -> Result<(), ConnectionBroken> {
        let store = self.log.store();
        let entries = store.entries_after(&self.thread.user_id, &self.run, self.after);
        let mut events = VecDeque::new();
        for entry in entries.await.map_err(broken)? {
            let read = entry.events().map_err(broken)?;
            let new = read.into_iter().filter(|(number, _)| *number > self.after);
            events.extend(new.map(|(number, event)| (number, Arc::new(event))));
        }
        self.ready = joined(events);
        Ok(())
    }

    fn wire_event(&self, id: &str, event: &LoggedEvent) -> SseEvent {
        SseEvent {
            event_type: event.event_type.clone(),
            event_id: id.into(),
            thread_id: self.thread.id.as_str().into(),
            request_id: self.run.clone(),
            event_message: SseEventMessage {
                agent: event.agent.clone(),
                content: event.content.clone(),
                collaboration_id: event.collaboration_id.clone(),
                active_assistant_collaboration_required: None,
                tool_execution_approval_request: event.requests.clone(),
                words: event.words.clone(),
                tool_images: event.tool_images.clone(),
                grant_id: event.grant_id.clone(),
                timestamp: Timestamp(event.timestamp.clone()),
            },
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is called by map_err")]
fn broken(error: crate::Error) -> ConnectionBroken {
    tracing::warn!(%error, "a stream was not read to its end");
    ConnectionBroken
}

/// Joins pieces of one speaker's text that follow each other, if there are many events; the number
/// of what was joined is that of its last piece.
fn joined(events: VecDeque<(i64, Arc<LoggedEvent>)>) -> VecDeque<(i64, Arc<LoggedEvent>)> {
    if events.len() <= SINGLE_EVENTS {
        return events;
    }
    let mut joined: VecDeque<(i64, Arc<LoggedEvent>)> = VecDeque::new();
    for (number, event) in events {
        match joined.back_mut() {
            Some((last, before)) if continues(before, &event) => {
                let before = Arc::make_mut(before);
                before.content.push_str(&event.content);
                before.words.extend_from_slice(&event.words);
                *last = number;
            }
            _ => joined.push_back((number, event)),
        }
    }
    joined
}

fn continues(before: &LoggedEvent, event: &LoggedEvent) -> bool {
    let is_text = |event: &LoggedEvent| event.event_type == EventType::AgentResponseChunk;
    is_text(before) && is_text(event) && before.agent == event.agent
}

impl IntoResponse for Reader {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn event(event_type: EventType, text: &str) -> Arc<LoggedEvent> {
        Arc::new(LoggedEvent {
            content: text.to_owned(),
            ..LoggedEvent::new(event_type, String::new())
        })
    }

    #[test]
    fn many_pieces_of_text_are_one_event_with_the_number_of_the_last() {
        let chunk = |n: i64| (n, event(EventType::AgentResponseChunk, &format!("{n} ")));
        let few: VecDeque<_> = (1..=32).map(chunk).collect();
        assert_eq!(joined(few.clone()), few);
        let mut many = few;
        many.push_back((33, event(EventType::AgentResponseComplete, "all")));
        many.push_back(chunk(34));
        let joined = joined(many);
        let numbers: Vec<_> = joined.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [32, 33, 34]);
        assert!(joined[0].1.content.starts_with("1 2 3 "));
        assert!(joined[0].1.content.ends_with(" 31 32 "));
    }
}
