//! The answer of a model while it is received: frames of a stream, or one JSON value.

use std::{collections::VecDeque, time::Duration};

use assent_sse::Decoder;
use reqwest::Response;
use serde_json::Value;
use tokio::time::timeout;
use tracing::Span;

use super::{
    completion::{Completion, ReplyPiece},
    model_error::ModelError,
};
use crate::{
    agents::model::{
        provider::{
            ending::ReplyEnd,
            learned::LearnedLessons,
            lessons::Lesson,
            reason::reason,
            thinking::{ThoughtFilter, after_lone_end},
        },
        request::schema_tools::ReplyReader,
    },
    settings::secret::Secret,
    telemetry::spans,
};

/// The time without a byte after which an answer counts as lost. Models that run on a slow machine
/// read a long request for minutes before they say anything.
pub(in crate::agents::model) const SILENCE_TIMEOUT: Duration = Duration::from_secs(120);

/// Longest answer of a model, in bytes of its stream.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// Longest part of a server's words about a failure that is quoted, in characters.
const MAX_QUOTED_CHARACTERS: usize = 200;

/// A model's answer that is being received.
pub(in crate::agents::model) struct Reply {
    response: Response,
    decoder: Decoder,
    form: ReplyForm,
    /// The bytes that came before the form was known, and all bytes of an answer that is one value.
    body: Vec<u8>,
    received: usize,
    pieces: VecDeque<ReplyPiece>,
    completion: Completion,
    thoughts: ThoughtFilter,
    /// The text for the reader so far, without thoughts.
    said: String,
    learned: LearnedLessons,
    /// Reads the text as one JSON object with words or a call, where tools are offered as a schema;
    /// otherwise `None`.
    steps: Option<ReplyReader>,
    ended: bool,
    secrets: Vec<Secret>,
    /// The span of the request, which ends when this is dropped.
    span: Span,
}

/// The form of an answer, which its first bytes tell: the header that should tell it is wrong too
/// often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplyForm {
    /// The form is not known: nothing but space has come.
    Unknown,
    /// Frames of a stream of events.
    Stream,
    /// One JSON value, or an HTML page, such as that of a proxy.
    Value,
}

/// How a model's answer is to be read.
pub(in crate::agents::model) struct ReplyReading {
    /// True if the answer is one JSON object with words or a call, as
    /// [`schema_tools`](crate::agents::model::request::schema_tools) reads it.
    pub(in crate::agents::model) in_steps: bool,
    /// The model and its address, as an operator reads them.
    pub(in crate::agents::model) endpoint: String,
    /// True if thoughts come first in the model's text.
    pub(in crate::agents::model) thinks_first: bool,
    /// What was learned of the server, to which the answer may add.
    pub(in crate::agents::model) learned: LearnedLessons,
    /// Keys that are removed from what the server says.
    pub(in crate::agents::model) secrets: Vec<Secret>,
}

impl Reply {
    pub(in crate::agents::model) fn new(
        response: Response,
        reading: ReplyReading,
        span: Span,
    ) -> Self {
        let ReplyReading {
            in_steps,
            endpoint,
            thinks_first,
            learned,
            secrets,
        } = reading;
        Self {
            response,
            decoder: Decoder::with_limit(MAX_ANSWER_BYTES),
            form: ReplyForm::Unknown,
            body: Vec::new(),
            received: 0,
            pieces: VecDeque::new(),
            completion: Completion {
                endpoint,
                ..Completion::default()
            },
            thoughts: ThoughtFilter::new(thinks_first),
            said: String::new(),
            learned,
            steps: in_steps.then(ReplyReader::default),
            ended: false,
            secrets,
            span,
        }
    }

    /// Waits until the answer has begun.
    ///
    /// # Errors
    ///
    /// Why no answer has begun; then nothing of one was handed out.
    pub(in crate::agents::model) async fn wait(&mut self) -> Result<(), ModelError> {
        while self.pieces.is_empty() && !self.ended {
            self.receive().await?;
        }
        match self.pieces.front() {
            Some(ReplyPiece::Failed(reason)) => Err(self.server_failure(reason)),
            _ => Ok(()),
        }
    }

    /// Returns the next piece of the answer; `None` at its end.
    ///
    /// # Errors
    ///
    /// Why the rest of the answer does not come.
    pub(in crate::agents::model) async fn next(
        &mut self,
    ) -> Result<Option<ReplyPiece>, ModelError> {
        let next = self.receive_piece().await;
        next.inspect_err(|error| spans::record_failure(&self.span, error.kind()))
    }

    async fn receive_piece(&mut self) -> Result<Option<ReplyPiece>, ModelError> {
        loop {
            match self.pieces.pop_front() {
                Some(ReplyPiece::Failed(reason)) => return Err(self.server_failure(&reason)),
                Some(piece) => return Ok(Some(piece)),
                None if self.ended => return Ok(None),
                None => self.receive().await?,
            }
        }
    }

    /// Returns the answer as far as it has come.
    pub(in crate::agents::model) fn into_completion(self) -> Completion {
        if let Some(usage) = self.completion.usage {
            spans::record_tokens(&self.span, usage.input, usage.output);
        }
        self.completion
    }

    fn server_failure(&self, reason: &str) -> ModelError {
        ModelError::Reported(shorten(reason, &self.secrets))
    }

    /// Waits for the next bytes of the answer, and reads them.
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
        if self.form == ReplyForm::Stream {
            return self.read(bytes);
        }
        self.body.extend_from_slice(bytes);
        if self.form == ReplyForm::Unknown {
            let text = self
                .body
                .strip_prefix(b"\xef\xbb\xbf")
                .unwrap_or(&self.body);
            match text.trim_ascii_start().first() {
                None => {}
                Some(b'{' | b'[' | b'"' | b'<') => self.form = ReplyForm::Value,
                Some(_) => {
                    self.form = ReplyForm::Stream;
                    let begun = std::mem::take(&mut self.body);
                    return self.read(&begun);
                }
            }
        }
        Ok(())
    }

    /// Reads the next bytes of a stream, as frames.
    fn read(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        for frame in self.decoder.push(bytes) {
            let frame = frame.map_err(|_| ModelError::TooLong)?;
            if frame.data.trim() == "[DONE]" {
                // Some servers break the connection once they have said all.
                self.end(ReplyEnd::Whole);
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
        if self.form != ReplyForm::Value {
            // The last frame may lack the line behind it.
            self.read(b"\n\n")?;
            if !self.ended {
                self.end(ReplyEnd::Unfinished);
            }
            return Ok(());
        }
        let body = String::from_utf8_lossy(&std::mem::take(&mut self.body)).into_owned();
        let body = body.trim_start_matches('\u{feff}').trim();
        if let Ok(answer) = serde_json::from_str::<Value>(body) {
            self.push(&answer);
            self.end(ReplyEnd::Whole);
            return Ok(());
        }
        // A value on each line, or a page of some proxy.
        let values: Vec<Value> = body
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        if values.is_empty() && body.starts_with('<') {
            let reason = reason(body).unwrap_or_default();
            self.pieces.push_back(ReplyPiece::Failed(reason));
            return Ok(());
        }
        if values.is_empty() {
            return Err(ModelError::BrokenOff);
        }
        for value in &values {
            self.push(value);
        }
        self.end(ReplyEnd::Unfinished);
        Ok(())
    }

    fn push(&mut self, chunk: &Value) {
        let thought = self.completion.thought;
        let piece = match self.completion.push(chunk) {
            ReplyPiece::Text(text) => {
                let text = self.thoughts.push(&text);
                self.say(text)
            }
            piece => piece,
        };
        if self.completion.thought && !thought {
            self.thoughts.note_separate_thoughts();
        }
        self.pieces.push_back(piece);
    }

    /// Adds text without thoughts to the answer; returns what of it the reader is shown.
    fn say(&mut self, text: String) -> ReplyPiece {
        match &mut self.steps {
            _ if text.is_empty() => ReplyPiece::Silent,
            Some(steps) => steps.push(&text),
            None => {
                self.said.push_str(&text);
                ReplyPiece::Text(text)
            }
        }
    }

    /// Ends the answer: in the way that the server told, or else in the way `end`.
    fn end(&mut self, end: ReplyEnd) {
        self.ended = true;
        let end = *self.completion.end.get_or_insert(end);
        let rest = self.thoughts.end();
        let piece = self.say(rest);
        self.pieces.push_back(piece);
        self.completion.thought |= self.thoughts.has_thought();
        self.completion.text = std::mem::take(&mut self.said);
        if let Some(steps) = self.steps.take() {
            let step = steps.end(end != ReplyEnd::Whole);
            if !step.rest.is_empty() {
                self.pieces.push_back(ReplyPiece::Text(step.rest));
            }
            self.completion.text = step.said;
            self.completion.calls.extend(step.call);
        } else if let Some(words) = after_lone_end(&self.completion.text) {
            // The reader has seen the thoughts; the next time they are known.
            self.completion.text = words.to_owned();
            self.completion.thought = true;
            self.learned.add(Lesson::ThinksFirst);
        }
    }
}

/// Returns the beginning of what a server said, on one line and without any key.
pub(in crate::agents::model) fn shorten(text: &str, secrets: &[Secret]) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for secret in secrets {
        text = secret.remove_from(&text);
    }
    text.chars().take(MAX_QUOTED_CHARACTERS).collect()
}
