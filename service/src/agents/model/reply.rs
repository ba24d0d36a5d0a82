//! The answer of a model while it is received: frames of a stream, or one JSON value.

use std::{collections::VecDeque, time::Duration};

use assent_sse::Decoder;
use reqwest::{Response, header::CONTENT_TYPE};
use serde_json::Value;
use tokio::time::timeout;
use tracing::Span;

use super::{
    completion::{Completion, Piece},
    model_error::ModelError,
    schema_tools::StepReader,
    secret::Secret,
};
use crate::spans;

/// The time without a byte after which an answer counts as lost. Models that run on a slow machine
/// read a long request for minutes before they say anything.
pub(super) const SILENCE_TIMEOUT: Duration = Duration::from_secs(120);

/// Longest answer, in bytes of its stream.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// Longest part of a failure that is quoted, in characters.
const MAX_QUOTED: usize = 200;

/// An answer that is being received.
pub(super) struct Reply {
    response: Response,
    decoder: Decoder,
    /// True if the answer is one JSON value and no stream.
    whole: bool,
    body: Vec<u8>,
    received: usize,
    pieces: VecDeque<Piece>,
    completion: Completion,
    /// Reads steps out of the text, where tools are offered as a schema.
    steps: Option<StepReader>,
    ended: bool,
    secrets: Vec<Secret>,
    /// Ends with this.
    span: Span,
}

impl Reply {
    pub(super) fn new(
        response: Response,
        in_steps: bool,
        secrets: Vec<Secret>,
        span: Span,
    ) -> Self {
        let kind = response.headers().get(CONTENT_TYPE);
        let whole = kind
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| kind.contains("application/json"));
        Self {
            response,
            decoder: Decoder::with_limit(MAX_ANSWER_BYTES),
            whole,
            body: Vec::new(),
            received: 0,
            pieces: VecDeque::new(),
            completion: Completion::default(),
            steps: in_steps.then(StepReader::default),
            ended: false,
            secrets,
            span,
        }
    }

    /// Waits until the answer has begun.
    ///
    /// # Errors
    ///
    /// Why it has not; then nothing of it was handed out.
    pub(super) async fn wait(&mut self) -> Result<(), ModelError> {
        while self.pieces.is_empty() && !self.ended {
            self.receive().await?;
        }
        match self.pieces.front() {
            Some(Piece::Failed(reason)) => Err(self.failed(reason)),
            _ => Ok(()),
        }
    }

    /// Returns the next piece; `None` at the end.
    ///
    /// # Errors
    ///
    /// Why the answer has no end.
    pub(super) async fn next(&mut self) -> Result<Option<Piece>, ModelError> {
        let next = self.receive_piece().await;
        next.inspect_err(|error| spans::fail(&self.span, error.kind()))
    }

    async fn receive_piece(&mut self) -> Result<Option<Piece>, ModelError> {
        loop {
            match self.pieces.pop_front() {
                Some(Piece::Failed(reason)) => return Err(self.failed(&reason)),
                Some(piece) => return Ok(Some(piece)),
                None if self.ended => return Ok(None),
                None => self.receive().await?,
            }
        }
    }

    /// Returns what came.
    pub(super) fn into_completion(self) -> Completion {
        if let Some(usage) = self.completion.usage {
            spans::used(&self.span, usage.input, usage.output);
        }
        self.completion
    }

    fn failed(&self, reason: &str) -> ModelError {
        ModelError::Reported(shorten(reason, &self.secrets))
    }

    /// Waits for the next bytes.
    async fn receive(&mut self) -> Result<(), ModelError> {
        let chunk = timeout(SILENCE_TIMEOUT, self.response.chunk()).await;
        match chunk.map_err(|_| ModelError::Stalled)? {
            Ok(Some(bytes)) => self.take(&bytes),
            Ok(None) => self.close(),
            Err(_) => Err(ModelError::BrokenOff),
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        self.received += bytes.len();
        if self.received > MAX_ANSWER_BYTES {
            return Err(ModelError::TooLong);
        }
        if self.whole {
            self.body.extend_from_slice(bytes);
            return Ok(());
        }
        for frame in self.decoder.push(bytes) {
            let frame = frame.map_err(|_| ModelError::TooLong)?;
            if frame.data.trim() == "[DONE]" {
                // Some servers break the connection once they have said all.
                self.end();
                return Ok(());
            }
            // What is no JSON is a comment of some proxy.
            if let Ok(chunk) = serde_json::from_str(&frame.data) {
                self.push(&chunk);
            }
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), ModelError> {
        if self.whole {
            let answer: Value =
                serde_json::from_slice(&self.body).map_err(|_| ModelError::BrokenOff)?;
            self.push(&answer);
        }
        self.end();
        Ok(())
    }

    fn push(&mut self, chunk: &Value) {
        let piece = match (self.completion.push(chunk), &mut self.steps) {
            (Piece::Text(text), Some(steps)) => steps.push(&text),
            (piece, _) => piece,
        };
        self.pieces.push_back(piece);
    }

    fn end(&mut self) {
        self.ended = true;
        if let Some(steps) = self.steps.take() {
            let step = steps.end();
            if !step.rest.is_empty() {
                self.pieces.push_back(Piece::Text(step.rest));
            }
            self.completion.text = step.said;
            self.completion.calls.extend(step.call);
        }
    }
}

/// Returns a text short, on one line, without any key.
pub(super) fn shorten(text: &str, secrets: &[Secret]) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for secret in secrets {
        text = secret.remove_from(&text);
    }
    text.chars().take(MAX_QUOTED).collect()
}
