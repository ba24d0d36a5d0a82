//! Path parameters and JSON bodies, with this service's errors instead of the framework's.

use axum::{
    body,
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::{HeaderMap, StatusCode, header, request::Parts},
};
use serde_json::Value;

use crate::{AppState, Error, Result};

/// The sentence for a body that broke off.
pub(super) const CUT_SHORT: &str = "The request body could not be read to its end.";

/// The one parameter of a path.
#[derive(Debug)]
pub(crate) struct Id(pub(crate) String);

impl FromRequestParts<AppState> for Id {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let Path(id) = Path::from_request_parts(parts, state)
            .await
            .map_err(|_| Error::NotFound("There is nothing at this address."))?;
        Ok(Self(id))
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
        let bytes = read(request, state, state.settings().body_limit).await?;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(Error::NotJson)
    }
}

/// Reads a whole body. Its route has this limit.
async fn read(request: Request, state: &AppState, limit: usize) -> Result<body::Bytes> {
    let bytes = body::Bytes::from_request(request, state).await;
    bytes.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            Error::TooLarge { limit }
        } else {
            Error::BadRequest(CUT_SHORT.to_owned())
        }
    })
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
