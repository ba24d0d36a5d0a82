//! One model at one address: any server that speaks the chat completions of OpenAI.

use std::{fmt, time::Duration};

use hyper::body::Bytes;
use reqwest::{
    Client, Response, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderName, HeaderValue},
};
use tokio::time::{sleep, timeout};
use tracing::Span;

use super::{
    model_error::ModelError,
    reply::{Reply, ReplyReading, SILENCE_TIMEOUT, shorten},
};
use crate::{
    agents::model::{
        provider::{
            learned::LearnedLessons,
            lessons::{Lesson, learn},
            reason::reason,
        },
        request::wire::{Dialect, RequestBody},
    },
    error::cause,
    http_client::{client_for, retry_after},
    settings::secret::Secret,
    telemetry::spans::{self, ModelOperation},
};

/// The longest time of connecting to a model's server.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The pause before a request is sent again for the first time; it doubles with each further time.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(500);

/// Longest pause that a server may ask for with `Retry-After`.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);

/// Most lessons that are tried with one request.
const MAX_LESSONS: usize = 12;

/// Longest body of a failure that is read, in bytes.
const MAX_ERROR_BYTES: usize = 16 * 1024;

/// A model at an address, with what its server takes and refuses.
#[derive(Clone, Debug)]
pub(in crate::agents::model) struct Endpoint {
    client: Client,
    /// The whole address that requests are sent to, query included.
    url: Url,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Keys that are removed from everything that a server says: those in `headers` and `url`, and
    /// those of the models beside it.
    secrets: Vec<Secret>,
    retries: u32,
    dialect: Dialect,
    /// What was learned so far of the server from its refusals and answers: all of an endpoint that
    /// changes.
    learned: LearnedLessons,
}

/// What an agent file says about an endpoint, with its keys.
pub(in crate::agents::model) struct ModelParameters {
    pub(in crate::agents::model) url: Url,
    pub(in crate::agents::model) headers: Vec<(HeaderName, HeaderValue)>,
    pub(in crate::agents::model) secrets: Vec<Secret>,
    pub(in crate::agents::model) retries: u32,
    pub(in crate::agents::model) dialect: Dialect,
}

/// One attempt to send a request, which failed.
struct Failure {
    error: ModelError,
    /// The HTTP status of a request that was refused; `None` for any other failure.
    status: Option<u16>,
    /// All that the server said about the failure; may be empty.
    text: String,
    /// `None`: the request is not sent again. Otherwise it is, after this time, or after the usual
    /// one (`Some(None)`).
    again: Option<Option<Duration>>,
}

impl Failure {
    /// Returns a failure about which the server said nothing.
    fn silent(error: ModelError, again: Option<Option<Duration>>) -> Self {
        Self {
            error,
            status: None,
            text: String::new(),
            again,
        }
    }
}

impl fmt::Display for Endpoint {
    /// Writes the model's name and its address, without parameters, which may be keys.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.dialect.endpoint)
    }
}

impl Endpoint {
    /// Makes an endpoint; nothing is sent yet.
    pub(in crate::agents::model) fn new(parameters: ModelParameters) -> Result<Self, String> {
        let client = client_for(&parameters.url)
            .connect_timeout(CONNECT_TIMEOUT)
            .build()
            .map_err(|error| error.to_string())?;
        let mut dialect = parameters.dialect;
        let mut plain = parameters.url.clone();
        plain.set_query(None);
        dialect.endpoint = format!("{} at {plain}", dialect.name);
        Ok(Self {
            client,
            url: parameters.url,
            headers: parameters.headers,
            secrets: parameters.secrets,
            retries: parameters.retries,
            dialect,
            learned: LearnedLessons::default(),
        })
    }

    /// Returns the keys that are removed from everything that the server says.
    pub(in crate::agents::model) fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// Returns the same endpoint, which removes these keys from everything that its server says.
    pub(in crate::agents::model) fn with_secrets(self, secrets: &[Secret]) -> Self {
        Self {
            secrets: secrets.to_vec(),
            ..self
        }
    }

    /// Returns an endpoint without a key that takes tools as functions.
    #[cfg(test)]
    pub(in crate::agents::model) fn at(url: &str) -> Self {
        Self::new(ModelParameters {
            url: url.parse().unwrap(),
            headers: Vec::new(),
            secrets: Vec::new(),
            retries: 2,
            dialect: Dialect {
                name: "small".to_owned(),
                endpoint: String::new(),
                tools: crate::agents::model::request::wire::ToolMode::Native,
                images: false,
                request_tokens: 1000,
                output_tokens: None,
                habits: crate::agents::model::provider::habits::Habits::default(),
            },
        })
        .unwrap()
    }

    /// Returns the same endpoint in another dialect.
    #[cfg(test)]
    pub(in crate::agents::model) fn with(mut self, change: impl FnOnce(&mut Dialect)) -> Self {
        change(&mut self.dialect);
        self
    }

    pub(in crate::agents::model) fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Returns lines about what is special about the server: what the agent file says, and what was
    /// learned.
    pub(in crate::agents::model) fn describe_habits(&self) -> Vec<String> {
        let mut lines = self.dialect.habits.describe();
        let learned = self.learned.lessons();
        lines.extend(learned.iter().map(|lesson| format!("learned: {lesson}")));
        lines
    }

    /// Sends the body that `write` makes, until an answer begins or there is no hope of one. A body
    /// that the server refuses is written anew with what the refusal teaches. Once an answer has
    /// begun, nothing is sent again.
    pub(in crate::agents::model) async fn begin(
        &self,
        write: &(dyn Fn(&Dialect) -> RequestBody + Sync),
    ) -> Result<Reply, ModelError> {
        let span = spans::model_span(ModelOperation::Chat, &self.dialect.name, &self.url);
        let begun = self.try_to_begin(write, &span).await;
        begun.inspect_err(|error| spans::record_failure(&span, error.kind()))
    }

    async fn try_to_begin(
        &self,
        write: &(dyn Fn(&Dialect) -> RequestBody + Sync),
        span: &Span,
    ) -> Result<Reply, ModelError> {
        let mut dialect = self.dialect.clone();
        for lesson in self.learned.lessons() {
            lesson.apply(&mut dialect.habits);
        }
        let mut tried: Vec<Lesson> = Vec::new();
        let mut body = write(&dialect);
        // Shared by all attempts: it may hold images.
        let mut text = Bytes::from(body.json.to_string());
        let mut attempt = 0;
        loop {
            let reading = ReplyReading {
                in_steps: body.in_steps,
                endpoint: dialect.endpoint.clone(),
                thinks_first: dialect.habits.thinks_first,
                learned: self.learned.clone(),
                secrets: self.secrets.clone(),
            };
            let failure = match self.attempt(text.clone(), reading, span).await {
                Ok(reply) => {
                    self.remember(tried);
                    return Ok(*reply);
                }
                Err(failure) => failure,
            };
            let lesson = learn(failure.status, &failure.text, &body.json, &dialect.habits);
            if let Some(lesson) = lesson
                && tried.len() < MAX_LESSONS
                && !tried.contains(&lesson)
            {
                lesson.apply(&mut dialect.habits);
                tried.push(lesson);
                body = write(&dialect);
                text = Bytes::from(body.json.to_string());
                continue;
            }
            let Some(asked) = failure.again else {
                return Err(failure.error);
            };
            let usual = FIRST_RETRY_DELAY * 2_u32.saturating_pow(attempt);
            let delay = asked.unwrap_or(usual);
            if attempt >= self.retries || delay > MAX_RETRY_DELAY {
                return Err(failure.error);
            }
            sleep(delay).await;
            attempt += 1;
        }
    }

    /// Remembers the lessons with which the server took a request, as far as they last.
    fn remember(&self, tried: Vec<Lesson>) {
        for lesson in tried.into_iter().filter(Lesson::lasts) {
            tracing::info!("{self}: {lesson}, as the server refuses anything else");
            self.learned.add(lesson);
        }
    }

    async fn attempt(
        &self,
        body: Bytes,
        reading: ReplyReading,
        span: &Span,
    ) -> Result<Box<Reply>, Failure> {
        let mut request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let response = match timeout(SILENCE_TIMEOUT, request.send()).await {
            Err(_) => return Err(Failure::silent(ModelError::Stalled, None)),
            Ok(Err(error)) => {
                let error = ModelError::Unreachable(cause(&error));
                return Err(Failure::silent(error, Some(None)));
            }
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if status.is_success() {
            let mut reply = Reply::new(response, reading, span.clone());
            return match reply.wait().await {
                Ok(()) => Ok(Box::new(reply)),
                Err(ModelError::BrokenOff) => {
                    Err(Failure::silent(ModelError::BrokenOff, Some(None)))
                }
                Err(ModelError::Reported(text)) => Err(Failure {
                    text: text.clone(),
                    ..Failure::silent(ModelError::Reported(text), None)
                }),
                Err(error) => Err(Failure::silent(error, None)),
            };
        }
        let asked = retry_after(response.headers());
        let (status, passes) = (status.as_u16(), status.is_server_error());
        let busy = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::SERVICE_UNAVAILABLE,
        ];
        if busy.iter().any(|busy| *busy == status) {
            return Err(Failure::silent(ModelError::Busy { status }, Some(asked)));
        }
        let text = read(response).await;
        let said = reason(&text).unwrap_or_else(|| "it gave no reason.".to_owned());
        let message = shorten(&said, &self.secrets);
        Err(Failure {
            error: ModelError::Refused { status, message },
            status: Some(status),
            text,
            again: passes.then_some(asked),
        })
    }
}

/// Reads the body of a failure, up to [`MAX_ERROR_BYTES`].
async fn read(mut response: Response) -> String {
    let mut body = Vec::new();
    while let Ok(Ok(Some(bytes))) = timeout(CONNECT_TIMEOUT, response.chunk()).await {
        body.extend_from_slice(&bytes);
        if body.len() > MAX_ERROR_BYTES {
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}
