//! One model at one address: any server that speaks the chat completions of OpenAI.

use std::{fmt, time::Duration};

use hyper::body::Bytes;
use jiff::{Timestamp, fmt::rfc2822};
use reqwest::{
    Client, Response, StatusCode, Url,
    header::{CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER},
    redirect,
};
use serde_json::Value;
use tokio::time::{sleep, timeout};
use tracing::Span;

use super::{
    model_error::ModelError,
    reply::{Reply, SILENCE_TIMEOUT, shorten},
    secret::Secret,
    wire::{Body, Dialect},
};
use crate::{
    error::cause,
    spans::{self, Operation},
};

/// The time that a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The pause before the first try again; it doubles.
const FIRST_RETRY_DELAY: Duration = Duration::from_millis(500);

/// Longest pause that a server may ask for with `Retry-After`.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);

/// Longest body of a failure that is read.
const MAX_ERROR_BYTES: usize = 16 * 1024;

/// A model at an address.
#[derive(Clone, Debug)]
pub(super) struct Endpoint {
    client: Client,
    /// The whole address, query included.
    url: Url,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Keys that are removed from everything that a server says: those in `headers` and `url`, and
    /// those of the models beside it.
    secrets: Vec<Secret>,
    retries: u32,
    dialect: Dialect,
}

/// The parameters of an endpoint.
pub(super) struct Parameters {
    pub(super) url: Url,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) secrets: Vec<Secret>,
    pub(super) retries: u32,
    pub(super) dialect: Dialect,
}

/// The outcome of one try.
enum Tried {
    Begun(Box<Reply>),
    /// It may be tried again after this time, or after the usual one.
    Again(ModelError, Option<Duration>),
    Failed(ModelError),
}

impl fmt::Display for Endpoint {
    /// The name and the address, without its parameters, which may be keys.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut url = self.url.clone();
        url.set_query(None);
        write!(to, "{} at {url}", self.dialect.name)
    }
}

impl Endpoint {
    /// Makes a client; nothing is sent yet.
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
            headers: parameters.headers,
            secrets: parameters.secrets,
            retries: parameters.retries,
            dialect: parameters.dialect,
        })
    }

    /// Returns the keys that it sends.
    pub(super) fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// Returns the same endpoint, which removes these keys from everything that its server says.
    pub(super) fn hiding(self, secrets: &[Secret]) -> Self {
        Self {
            secrets: secrets.to_vec(),
            ..self
        }
    }

    /// Returns an endpoint without a key that takes tools as functions.
    #[cfg(test)]
    pub(super) fn at(url: &str) -> Self {
        Self::new(Parameters {
            url: url.parse().unwrap(),
            headers: Vec::new(),
            secrets: Vec::new(),
            retries: 2,
            dialect: Dialect {
                name: "small".to_owned(),
                tools: crate::agents::model::wire::ToolMode::Native,
                images: false,
                request_tokens: 1000,
                output_tokens: None,
            },
        })
        .unwrap()
    }

    /// Returns the same in another dialect.
    #[cfg(test)]
    pub(super) fn with_tools(mut self, tools: crate::agents::model::wire::ToolMode) -> Self {
        self.dialect.tools = tools;
        self
    }

    pub(super) fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Sends a body until an answer begins or none is to be hoped for. What has begun is never
    /// sent again.
    pub(super) async fn begin(&self, body: &Body) -> Result<Reply, ModelError> {
        let span = spans::model(Operation::Chat, &self.dialect.name, &self.url);
        let begun = self.try_to_begin(body, &span).await;
        begun.inspect_err(|error| spans::fail(&span, error.kind()))
    }

    async fn try_to_begin(&self, body: &Body, span: &Span) -> Result<Reply, ModelError> {
        // Shared by all attempts: it may hold images.
        let text = Bytes::from(body.json.to_string());
        let mut attempt = 0;
        loop {
            let (error, asked) = match self.attempt(text.clone(), body.in_steps, span).await {
                Tried::Begun(reply) => return Ok(*reply),
                Tried::Failed(error) => return Err(error),
                Tried::Again(error, asked) => (error, asked),
            };
            let usual = FIRST_RETRY_DELAY * 2_u32.saturating_pow(attempt);
            let delay = asked.unwrap_or(usual);
            if attempt >= self.retries || delay > MAX_RETRY_DELAY {
                return Err(error);
            }
            sleep(delay).await;
            attempt += 1;
        }
    }

    async fn attempt(&self, body: Bytes, in_steps: bool, span: &Span) -> Tried {
        let mut request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(body);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let response = match timeout(SILENCE_TIMEOUT, request.send()).await {
            Err(_) => return Tried::Failed(ModelError::Stalled),
            Ok(Err(error)) => {
                return Tried::Again(ModelError::Unreachable(cause(&error)), None);
            }
            Ok(Ok(response)) => response,
        };
        let status = response.status();
        if status.is_success() {
            let mut reply = Reply::new(response, in_steps, self.secrets.clone(), span.clone());
            return match reply.wait().await {
                Ok(()) => Tried::Begun(Box::new(reply)),
                Err(ModelError::BrokenOff) => Tried::Again(ModelError::BrokenOff, None),
                Err(error) => Tried::Failed(error),
            };
        }
        let asked = response
            .headers()
            .get(RETRY_AFTER)
            .and_then(|value| retry_after(value.to_str().ok()?, Timestamp::now()));
        let (status, passes) = (status.as_u16(), status.is_server_error());
        let busy = [
            StatusCode::TOO_MANY_REQUESTS,
            StatusCode::SERVICE_UNAVAILABLE,
        ];
        if busy.iter().any(|busy| *busy == status) {
            return Tried::Again(ModelError::Busy { status }, asked);
        }
        let message = self.quote(response).await;
        let refused = ModelError::Refused { status, message };
        if passes {
            Tried::Again(refused, asked)
        } else {
            Tried::Failed(refused)
        }
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

/// Reads the header `Retry-After`: seconds, or a date (RFC 9110, 10.2.3).
fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::parse(value.trim()).ok()?.timestamp();
    // A date that is over means now.
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::retry_after;

    #[test]
    fn retry_after_is_a_number_of_seconds_or_a_date() {
        let now = "2026-11-24T08:49:37Z".parse().unwrap();
        for (value, seconds) in [
            ("7", Some(7)),
            ("Tue, 24 Nov 2026 08:49:47 GMT", Some(10)),
            ("Tue, 24 Nov 2026 08:00:00 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
        ] {
            assert_eq!(
                retry_after(value, now),
                seconds.map(Duration::from_secs),
                "{value}"
            );
        }
    }
}
