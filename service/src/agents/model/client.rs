//! The connection to a model: any server that speaks the chat completions of OpenAI.

use std::{collections::VecDeque, fmt, time::Duration};

use assent_sse::Decoder;
use reqwest::{
    Client, Response, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER},
    redirect,
};
use serde_json::{Map, Value, json};
use tokio::time::{sleep, timeout};

use super::{
    completion::{Completion, Piece},
    secret::Secret,
};

/// The time that a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The time without a byte after which an answer counts as lost. Models that run on a slow machine
/// read a long request for minutes before they say anything.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(120);

/// The pause before the first try again; it doubles.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(500);

/// Longest pause that a server may ask for with `Retry-After`.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);

/// Longest answer, in bytes of its stream.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// Longest body of a failure that is read, and longest part of it that is quoted.
const MAX_ERROR_BYTES: usize = 16 * 1024;
const MAX_QUOTED: usize = 200;

/// A model at a server.
#[derive(Clone, Debug)]
pub(super) struct Model {
    client: Client,
    /// The whole address, query included.
    url: String,
    name: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// The keys in `headers`: removed from everything that a server says.
    secrets: Vec<Secret>,
    output_tokens: Option<u64>,
    retries: u32,
}

/// The parameters of a model.
pub(super) struct Parameters {
    pub(super) url: String,
    pub(super) name: String,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) secrets: Vec<Secret>,
    pub(super) output_tokens: Option<u64>,
    pub(super) retries: u32,
}

/// A failure of a model, as a sentence for the reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum ModelError {
    /// No connection, or none that lasted until an answer began.
    #[error("The model could not be reached.")]
    Unreachable,
    /// The server answered with a status that is no success.
    #[error("The model's server refused the request ({status}): {message}")]
    Refused { status: u16, message: String },
    /// The server asks for patience.
    #[error("The model's server is busy ({status}). Try again in a moment.")]
    Busy { status: u16 },
    /// The stream reports a failure.
    #[error("The model failed: {0}")]
    Reported(String),
    /// The stream broke off.
    #[error("The connection to the model broke off.")]
    BrokenOff,
    /// Nothing came for too long.
    #[error("The model stopped answering.")]
    Stalled,
    /// The answer is longer than anything that is kept.
    #[error("The model's answer is too long.")]
    TooLong,
    /// The answer is not what was asked for.
    #[error("The model's answer could not be read.")]
    Unreadable,
}

impl fmt::Display for Model {
    /// The name and the host; the rest of the address may have a key in it.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = Url::parse(&self.url).ok();
        let host = url.as_ref().and_then(Url::host_str).unwrap_or_default();
        write!(to, "{} at {host}", self.name)
    }
}

/// The outcome of sending a request.
pub(super) enum Sent {
    /// The answer begins.
    Begun(Box<Reply>),
    /// It may be tried again after this time.
    RetryAfter(Duration),
}

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
    ended: bool,
    secrets: Vec<Secret>,
}

impl Model {
    /// Makes a client for a model; nothing is sent yet.
    pub(super) fn new(parameters: Parameters) -> Result<Self, String> {
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            // A key goes to the address that the operator wrote, and nowhere else.
            .redirect(redirect::Policy::none())
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self {
            client,
            url: parameters.url,
            name: parameters.name,
            headers: parameters.headers,
            secrets: parameters.secrets,
            output_tokens: parameters.output_tokens,
            retries: parameters.retries,
        })
    }

    /// Sends a request for the `attempt`th time, counted from 0. Nothing of an answer was received
    /// where it may be tried again.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub(super) async fn send(
        &self,
        messages: &[Value],
        functions: &[Value],
        attempt: u32,
    ) -> Result<Sent, ModelError> {
        self.post(&self.body(messages, functions), attempt).await
    }

    /// Sends a body for the `attempt`th time, counted from 0.
    async fn post(&self, body: &Value, attempt: u32) -> Result<Sent, ModelError> {
        let mut request = self
            .client
            .post(&self.url)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let delay = FIRST_RETRY_DELAY * 2_u32.saturating_pow(attempt);
        let may_retry = attempt < self.retries;
        let response = match timeout(SILENCE_TIMEOUT, request.send()).await {
            Err(_) => return Err(ModelError::Stalled),
            Ok(Err(error)) => {
                // The address may have a key in its query.
                tracing::warn!(error = %error.without_url(), "a model was not reached");
                if may_retry {
                    return Ok(Sent::RetryAfter(delay));
                }
                return Err(ModelError::Unreachable);
            }
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if status.is_success() {
            return Ok(Sent::Begun(Box::new(Reply::new(
                response,
                self.secrets.clone(),
            ))));
        }
        let busy = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
        if busy && may_retry {
            let asked = retry_after(&response).unwrap_or(delay);
            if asked <= MAX_RETRY_DELAY {
                return Ok(Sent::RetryAfter(asked));
            }
        }
        if status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE {
            return Err(ModelError::Busy {
                status: status.as_u16(),
            });
        }
        Err(ModelError::Refused {
            status: status.as_u16(),
            message: self.quote(response).await,
        })
    }

    /// Returns a model without a key at an address.
    #[cfg(test)]
    pub(super) fn at(url: &str) -> Self {
        Self::new(Parameters {
            url: url.to_owned(),
            name: "small".to_owned(),
            headers: Vec::new(),
            secrets: Vec::new(),
            output_tokens: None,
            retries: 2,
        })
        .unwrap()
    }

    /// Sends a body until an answer begins or none is to be hoped for.
    pub(super) async fn begin(&self, body: &Value) -> Result<Reply, ModelError> {
        let mut attempt = 0;
        loop {
            match self.post(body, attempt).await? {
                Sent::Begun(reply) => return Ok(*reply),
                Sent::RetryAfter(delay) => sleep(delay).await,
            }
            attempt += 1;
        }
    }

    /// Returns the body of a request.
    pub(super) fn body(&self, messages: &[Value], functions: &[Value]) -> Value {
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
        put("model", self.name.as_str().into());
        put("messages", messages.into());
        put("stream", true.into());
        put("stream_options", json!({ "include_usage": true }));
        if let Some(tokens) = self.output_tokens {
            put("max_tokens", tokens.into());
        }
        // Servers refuse an empty list.
        if !functions.is_empty() {
            put("tools", functions.into());
        }
        body.into()
    }

    /// Returns what a server says about a failure: short, on one line, without any key.
    async fn quote(&self, mut response: Response) -> String {
        let mut body = Vec::new();
        while let Ok(Ok(Some(bytes))) = timeout(CONNECT_TIMEOUT, response.chunk()).await {
            body.extend_from_slice(&bytes);
            if body.len() > MAX_ERROR_BYTES {
                break;
            }
        }
        let text = String::from_utf8_lossy(&body);
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let said = ["/error/message", "/message", "/detail", "/error"]
            .iter()
            .find_map(|place| value.pointer(place).and_then(Value::as_str));
        shorten(said.unwrap_or("it gave no reason."), &self.secrets)
    }
}

fn retry_after(response: &Response) -> Option<Duration> {
    let header = response.headers().get(RETRY_AFTER)?;
    Some(Duration::from_secs(header.to_str().ok()?.parse().ok()?))
}

fn shorten(text: &str, secrets: &[Secret]) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for secret in secrets {
        text = secret.remove_from(&text);
    }
    text.chars().take(MAX_QUOTED).collect()
}

impl Reply {
    fn new(response: Response, secrets: Vec<Secret>) -> Self {
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
            ended: false,
            secrets,
        }
    }

    /// Returns the next piece; `None` at the end.
    ///
    /// # Errors
    ///
    /// Why the answer has no end.
    pub(super) async fn next(&mut self) -> Result<Option<Piece>, ModelError> {
        loop {
            match self.pieces.pop_front() {
                Some(Piece::Failed(reason)) => {
                    return Err(ModelError::Reported(shorten(&reason, &self.secrets)));
                }
                Some(piece) => return Ok(Some(piece)),
                None if self.ended => return Ok(None),
                None => {}
            }
            let chunk = timeout(SILENCE_TIMEOUT, self.response.chunk()).await;
            match chunk.map_err(|_| ModelError::Stalled)? {
                Ok(Some(bytes)) => self.take(&bytes)?,
                Ok(None) => self.end()?,
                // Some servers end in the middle of a chunk once they have said all.
                Err(_) if self.ended => {}
                Err(_) => return Err(ModelError::BrokenOff),
            }
        }
    }

    /// Returns what came.
    pub(super) fn into_completion(self) -> Completion {
        self.completion
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
                self.ended = true;
                continue;
            }
            // What is no JSON is a comment of some proxy.
            if let Ok(chunk) = serde_json::from_str(&frame.data) {
                let piece = self.completion.push(&chunk);
                self.pieces.push_back(piece);
            }
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), ModelError> {
        self.ended = true;
        if self.whole {
            let answer: Value =
                serde_json::from_slice(&self.body).map_err(|_| ModelError::BrokenOff)?;
            let piece = self.completion.push(&answer);
            self.pieces.push_back(piece);
        }
        Ok(())
    }
}
