//! Failures as a client sees them: JSON with `message` and `error`, always.
//!
//! Causes inside the service are logged here, once, and never sent.

use std::collections::BTreeMap;

use assent_protocol::{BadPost, Failure};
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use utoipa::{
    ToSchema as _,
    openapi::{Content, Ref, RefOr, ResponseBuilder},
};

use crate::{
    Error,
    error::{FILE_STORE_MESSAGE, INTERNAL_ERROR_MESSAGE},
};

/// The time after which a user may try again who has too many answers, or whom the service has no
/// room for, in seconds.
const ANSWER_RETRY_SECONDS: u64 = 5;

/// The time after which a user with too many open requests may try again, in seconds.
const REQUEST_RETRY_SECONDS: u64 = 1;

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let status = status(&self);
        let retry_after = match &self {
            Self::TooManyRequests { seconds } => Some(*seconds),
            Self::TooManyOpen { .. } => Some(REQUEST_RETRY_SECONDS),
            // Nobody knows when an answer ends.
            Self::TooManyAnswers { .. } | Self::Crowded => Some(ANSWER_RETRY_SECONDS),
            _ => None,
        };
        let body = match self {
            Self::RejectedApproval(body) => *body,
            error => {
                let message = if status == StatusCode::INTERNAL_SERVER_ERROR {
                    tracing::error!(%error, "a request failed");
                    INTERNAL_ERROR_MESSAGE.to_owned()
                } else if matches!(error, Self::FileStore { .. }) {
                    tracing::error!("a request failed: {error}");
                    FILE_STORE_MESSAGE.to_owned()
                } else {
                    error.to_string()
                };
                let detail = match &error {
                    Self::NotJson(fault) => Some(fault.to_string()),
                    _ => status.canonical_reason().map(str::to_owned),
                };
                BadPost::Other(Failure {
                    message,
                    error: detail.unwrap_or_default(),
                })
            }
        };
        let mut response = (status, Json(body)).into_response();
        if let Some(seconds) = retry_after {
            let headers = response.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer");
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

/// The failures of an endpoint in the interface description, by their status.
pub(super) type DescribedFailures = BTreeMap<String, RefOr<utoipa::openapi::Response>>;

/// Returns the failures of an endpoint, by their status, as the interface description
/// (`/openapi.json`) has them.
pub(super) fn describe_failures<const N: usize>(
    failures: [(StatusCode, &str); N],
) -> DescribedFailures {
    let described = |(status, description): (StatusCode, &str)| {
        let response = describe_failure(description).build();
        (status.as_str().to_owned(), response.into())
    };
    failures.into_iter().map(described).collect()
}

/// Returns the beginning of the entry that the interface description (`/openapi.json`) has for a
/// response with a failure: its text, and the form of its body.
pub(super) fn describe_failure(description: &str) -> ResponseBuilder {
    let body = Content::new(Some(Ref::from_schema_name(Failure::name())));
    ResponseBuilder::new()
        .description(description)
        .content("application/json", body)
}

fn status(error: &Error) -> StatusCode {
    match error {
        Error::BadRequest(_)
        | Error::NotJson(_)
        | Error::RejectedApproval(_)
        | Error::ThreadFull { .. } => StatusCode::BAD_REQUEST,
        Error::Unauthorized(_) => StatusCode::UNAUTHORIZED,
        Error::OtherSite | Error::OtherUser => StatusCode::FORBIDDEN,
        Error::NotFound(_) => StatusCode::NOT_FOUND,
        Error::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Error::Conflict(_) => StatusCode::CONFLICT,
        Error::Gone => StatusCode::GONE,
        Error::TooSlow => StatusCode::REQUEST_TIMEOUT,
        Error::TooLarge { .. } | Error::NoRoom { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        Error::TooManyRequests { .. }
        | Error::TooManyOpen { .. }
        | Error::TooManyAnswers { .. }
        | Error::Crowded => StatusCode::TOO_MANY_REQUESTS,
        Error::NotReady
        | Error::Busy
        | Error::Draining
        | Error::TakenOver
        | Error::IssuerUnreachable
        | Error::FileStore { .. } => StatusCode::SERVICE_UNAVAILABLE,
        Error::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
        Error::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
