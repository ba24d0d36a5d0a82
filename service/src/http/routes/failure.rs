//! Failures as a client sees them: JSON with `message` and `error`, always.
//!
//! Causes inside the service are logged here, once, and never sent.

use assent_protocol::ErrorBody;
use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use crate::{Error, error::INTERNAL};

/// The time after which a user with too many answers may try again, in seconds.
const UNTIL_AN_ANSWER_ENDS: u64 = 5;

/// The same for a user with too many requests.
const UNTIL_A_REQUEST_ENDS: u64 = 1;

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let status = status(&self);
        let retry_after = match &self {
            Self::TooManyRequests { seconds } => Some(*seconds),
            Self::TooManyOpen { .. } => Some(UNTIL_A_REQUEST_ENDS),
            // Nobody knows when an answer ends.
            Self::TooManyAnswers { .. } | Self::Crowded => Some(UNTIL_AN_ANSWER_ENDS),
            _ => None,
        };
        let body = match self {
            Self::RejectedApproval(body) => *body,
            error => {
                let message = if status == StatusCode::INTERNAL_SERVER_ERROR {
                    tracing::error!(%error, "a request failed");
                    INTERNAL.to_owned()
                } else {
                    error.to_string()
                };
                let detail = match &error {
                    Self::NotJson(fault) => Some(fault.to_string()),
                    _ => status.canonical_reason().map(str::to_owned),
                };
                ErrorBody {
                    message: Some(message),
                    error: detail,
                    ..ErrorBody::default()
                }
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
        Error::TooSlow => StatusCode::REQUEST_TIMEOUT,
        Error::TooLarge { .. } | Error::NoRoom { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        Error::TooManyRequests { .. }
        | Error::TooManyOpen { .. }
        | Error::TooManyAnswers { .. }
        | Error::Crowded => StatusCode::TOO_MANY_REQUESTS,
        Error::NotReady | Error::IssuerUnreachable => StatusCode::SERVICE_UNAVAILABLE,
        Error::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
