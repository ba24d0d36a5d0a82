//! The service of a trial, and its clock: the service has the time of this machine, and the trial
//! one of its own, so that minutes cost nothing.

use std::sync::{Arc, Mutex};

use assent_protocol::{SseEvent, StoredMessage, Timestamp};
use assent_service::operate::expiry::end_expired;
use assent_sse::Decoder;
use axum::{body::Body, http::Method};
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::{
    agent::{GATE, Worker},
    common::{Folder, Service, request, service_in, settings, until},
    history::Work,
    mutant::Mutant,
};

pub struct Server {
    pub service: Service,
    pub worker: Arc<Worker>,
    /// Times of this machine, each with that of the trial.
    clock: Vec<(i64, i64)>,
    /// Answers that wait at a gate.
    pub waiting: usize,
}

/// An answer that is being read.
pub struct Flow {
    body: Body,
    decoder: Decoder,
}

/// Why reading paused.
pub enum Rest {
    /// The agent waits at this gate.
    Gate(usize),
    /// The service closed the stream; false: it broke.
    End(bool),
}

impl Server {
    pub async fn new(work: Arc<Mutex<Work>>, mutant: Mutant) -> Self {
        let worker = Worker::new(work, mutant);
        let service = service_in(Folder::new(), settings(), vec![worker.clone()]).await;
        Self {
            service,
            worker,
            clock: Vec::new(),
            waiting: 0,
        }
    }

    /// Sends a request; returns status and body.
    pub async fn send(
        &mut self,
        now: i64,
        user: &str,
        (method, path, body): (Method, String, Option<Value>),
    ) -> (u16, Body) {
        let request = request(method, &path, user, body.as_ref());
        let response = self.service.app.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        self.tick(now);
        (parts.status.as_u16(), body)
    }

    /// The same for a body that is no stream.
    pub async fn ask(
        &mut self,
        now: i64,
        user: &str,
        call: (Method, String, Option<Value>),
    ) -> (u16, String) {
        let (status, body) = self.send(now, user, call).await;
        let bytes = body.collect().await.unwrap().to_bytes();
        self.tick(now);
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// Reads on until the answer pauses or ends; returns its frames. All that was said to its end
    /// is stored then.
    pub async fn read(&mut self, now: i64, flow: &mut Flow) -> (Vec<String>, Rest) {
        let mut frames = Vec::new();
        let rest = loop {
            let bytes = match flow.body.frame().await {
                None => break Rest::End(true),
                Some(Err(_)) => break Rest::End(false),
                Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
            };
            let data = flow.decoder.push(&bytes).into_iter();
            frames.extend(data.map(|frame| frame.unwrap().data));
            let gate = frames.iter().find_map(|data| gate_of(data));
            if let Some(gate) = gate {
                frames.retain(|data| gate_of(data).is_none());
                break Rest::Gate(gate);
            }
        };
        if matches!(rest, Rest::End(_)) {
            let runs = self.service.state.runs();
            until(async || runs.count() <= self.waiting).await;
        }
        self.tick(now);
        (frames, rest)
    }

    /// Ends the waiting of what is asked in a thread, as if its time were over.
    pub async fn end_waiting(&mut self, now: i64, thread: &str) {
        let mut database = self.service.folder.connect().await;
        let over = format!(
            "UPDATE approvals SET expires_at = '2026-01-01T00:00:00.000Z' WHERE thread_id = '{thread}'"
        );
        database.execute(&over).await.unwrap();
        database.close().await;
        end_expired(&self.service.state).await.unwrap();
        let runs = self.service.state.runs();
        until(async || runs.count() <= self.waiting).await;
        self.tick(now);
    }

    fn tick(&mut self, now: i64) {
        self.clock
            .push((jiff::Timestamp::now().as_millisecond(), now));
    }

    /// Returns the time of the trial for one of the service.
    pub fn time(&self, of: &Timestamp) -> Timestamp {
        let Some(real) = of.epoch_millis() else {
            return of.clone();
        };
        let at = self.clock.partition_point(|(end, _)| *end < real);
        let (_, now) = self.clock[at.min(self.clock.len() - 1)];
        Timestamp(jiff::Timestamp::from_millisecond(now).unwrap().to_string())
    }

    /// Returns the stored messages of a thread; `None` if there is no such thread.
    pub async fn stored(
        &mut self,
        now: i64,
        user: &str,
        thread: &str,
    ) -> Option<Vec<StoredMessage>> {
        let call = (Method::GET, crate::common::messages_of(thread), None);
        let (status, text) = self.ask(now, user, call).await;
        (status == 200).then(|| self.messages(&text))
    }

    pub fn messages(&self, text: &str) -> Vec<StoredMessage> {
        let mut messages: Vec<StoredMessage> = assent_protocol::read(text).unwrap();
        for message in &mut messages {
            message.timestamp = self.time(&message.timestamp);
        }
        messages
    }
}

impl Flow {
    pub fn new(body: Body) -> Self {
        Self {
            body,
            decoder: Decoder::new(),
        }
    }
}

fn gate_of(data: &str) -> Option<usize> {
    let event: SseEvent = assent_protocol::read(data)?;
    (event.event_type.name() == GATE).then(|| event.event_message.content.parse().unwrap())
}
