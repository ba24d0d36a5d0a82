//! Path parameters, bodies piece by piece and as JSON, with this service's errors instead of the
//! framework's.

use std::time::Duration;

use axum::{
    body::{Body as RequestBody, BodyDataStream, Bytes},
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use utoipa::IntoResponses;

use super::failure::{DescribedFailures, describe_failures};
use crate::{AppState, Error, Result, settings::ConnectionLimits};

/// The one parameter of a path, such as the id of a thread.
#[derive(Debug)]
pub(crate) struct PathParameter(pub(crate) String);

impl FromRequestParts<AppState> for PathParameter {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let Path(id) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Error::NotFound("There is nothing at this address."))?;
        Ok(Self(id))
    }
}

/// The longest key of a post, in bytes.
const MAX_KEY_BYTES: usize = 255;

/// The key that a client gives to a post, if it gives one; quotes around it, as the standard has
/// them, are no part of it.
#[derive(Debug)]
pub(crate) struct IdempotencyKey(pub(crate) Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let Some(value) = parts.headers.get("idempotency-key") else {
            return Ok(Self(None));
        };
        let key = value.to_str().unwrap_or_default();
        let quoted = key.strip_prefix('"').and_then(|key| key.strip_suffix('"'));
        let key = quoted.unwrap_or(key);
        if key.is_empty() || key.len() > MAX_KEY_BYTES {
            return Err(Error::BadRequest(format!(
                "The header Idempotency-Key must have 1 to {MAX_KEY_BYTES} ASCII characters."
            )));
        }
        Ok(Self(Some(key.to_owned())))
    }
}

/// A JSON body of any content.
#[derive(Debug)]
pub(crate) struct Body(pub(crate) Value);

impl FromRequest<AppState> for Body {
    type Rejection = Error;

    async fn from_request(request: Request, state: &AppState) -> Result<Self> {
        if !is_json(request.headers()) {
            return Err(Error::UnsupportedMediaType);
        }
        let settings = state.settings();
        let (parts, body) = request.into_parts();
        let mut pieces = BodyPieces::new(
            "message",
            &parts.headers,
            body,
            settings.body_limit,
            &settings.connections,
        )?;
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.next().await? {
            bytes.extend_from_slice(&piece);
        }
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(Error::NotJson)
    }
}

impl IntoResponses for Body {
    fn responses() -> DescribedFailures {
        describe_failures([
            (StatusCode::BAD_REQUEST, "The body is not as described."),
            (
                StatusCode::REQUEST_TIMEOUT,
                "The body was not sent in time.",
            ),
            (StatusCode::PAYLOAD_TOO_LARGE, "The body is too long."),
            (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "The body is not declared as JSON.",
            ),
        ])
    }
}

/// A body as it comes, with bounds on its length and on its time.
pub(super) struct BodyPieces {
    stream: BodyDataStream,
    what: &'static str,
    length: usize,
    limit: usize,
    times: ConnectionLimits,
    since: Instant,
}

impl BodyPieces {
    /// Creates the pieces of a body of at most `limit` bytes, which errors call `what`. It fails if
    /// the declared length is greater.
    pub(super) fn new(
        what: &'static str,
        headers: &HeaderMap,
        body: RequestBody,
        limit: usize,
        times: &ConnectionLimits,
    ) -> Result<Self> {
        if declared_length(headers).is_some_and(|length| length > limit) {
            return Err(Error::TooLarge { what, limit });
        }
        Ok(Self::bounded(what, body, limit, times))
    }

    fn bounded(
        what: &'static str,
        body: RequestBody,
        limit: usize,
        times: &ConnectionLimits,
    ) -> Self {
        Self {
            stream: body.into_data_stream(),
            what,
            length: 0,
            limit,
            times: *times,
            since: Instant::now(),
        }
    }

    /// Returns the time by which the next piece has to be there. It grows with the length of what
    /// has come: whoever sends a byte now and then holds a connection as a silent client does.
    fn deadline(&self) -> Instant {
        let length = u32::try_from(self.length).unwrap_or(u32::MAX);
        let by_rate = Duration::from_secs(length.into()) / self.times.body_rate.get();
        let time = self.times.body_idle_timeout.saturating_add(by_rate);
        self.since + self.times.body_timeout.min(time)
    }

    /// Returns the next piece of the body, or `None` at its end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>> {
        let now = Instant::now();
        // A timeout looks at the clock only where nothing has come, and whoever sends faster than
        // the disk writes always has something there.
        let deadline = self.deadline();
        if now >= deadline {
            return Err(Error::TooSlow);
        }
        let latest = deadline.min(now + self.times.body_idle_timeout);
        let piece = timeout_at(latest, self.stream.next()).await;
        let Some(piece) = piece.map_err(|_| Error::TooSlow)? else {
            return Ok(None);
        };
        let piece = piece.map_err(|_| {
            Error::BadRequest("The request body could not be read to its end.".to_owned())
        })?;
        self.length = self.length.saturating_add(piece.len());
        if self.length > self.limit {
            return Err(Error::TooLarge {
                what: self.what,
                limit: self.limit,
            });
        }
        Ok(Some(piece))
    }
}

/// Reads a body that nobody needs, of any length, within the bounds on its time.
pub(crate) async fn discard(body: RequestBody, times: &ConnectionLimits) {
    let mut pieces = BodyPieces::bounded("request", body, usize::MAX, times);
    while let Ok(Some(_)) = pieces.next().await {}
}

pub(super) fn declared_length(headers: &HeaderMap) -> Option<usize> {
    let length = headers.get(header::CONTENT_LENGTH)?.to_str().ok()?;
    length.parse().ok()
}

impl Body {
    /// Returns a required string field that is more than white space, trimmed.
    pub(crate) fn text(&self, field: &str) -> Result<&str> {
        self.0
            .get(field)
            .and_then(Value::as_str)
            .map(str::trim)
            .filter(|text| !text.is_empty())
            .ok_or_else(|| {
                Error::BadRequest(format!(
                    "The field {field} must be a string that is not empty."
                ))
            })
    }
}

/// Returns true for `application/json` or a type that ends in `+json`, with or without parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
    else {
        return false;
    };
    let kind = value
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}
