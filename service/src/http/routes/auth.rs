//! Authentication: the bearer key and the user header (specification, Authentication), or a token
//! that names its user.

use std::sync::{Arc, Mutex, PoisonError};

use assent_protocol::{MAX_USER_ID_BYTES, is_user_id};
use axum::{
    body::Body,
    extract::{FromRequestParts, Request},
    http::{HeaderMap, HeaderName, StatusCode, header, request::Parts},
    middleware::Next,
    response::Response,
};
use http_body_util::BodyExt as _;
use utoipa::IntoResponses;

use super::failure::{DescribedFailures, describe_failures};
use crate::{AppState, Error, Result, answers::rates::OpenRequest};

/// The user of a request; extraction succeeds only with a valid key or token, and within the rate
/// limits.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The user's id, from the user header or the token.
    pub(crate) user_id: String,
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let settings = state.settings();
        let token = bearer(parts)?;
        let (headers, name) = (&parts.headers, &settings.user_id_header);
        let key = settings.api_keys.find(token);
        let user_id = match (key, state.issuer()) {
            // Who has a key speaks for its users.
            (Some(_), _) => user_id(headers, name)?,
            (None, Some(issuer)) => {
                let user = issuer.user(token).await?;
                // A token speaks for its own user alone.
                if headers.contains_key(name) && user_id(headers, name)? != user {
                    return Err(Error::OtherUser);
                }
                user
            }
            (None, None) => return Err(Error::Unauthorized("The API key is not known.")),
        };
        let open = state.rates().hold_request(&user_id, key)?;
        state.rates().count_request(&user_id, key)?;
        if let Some(held) = parts.extensions.get::<HeldRequest>() {
            held.put(open);
        }
        Ok(Self { user_id })
    }
}

impl IntoResponses for Caller {
    fn responses() -> DescribedFailures {
        describe_failures([
            (StatusCode::BAD_REQUEST, "The user header has no plain id."),
            (
                StatusCode::UNAUTHORIZED,
                "A header is missing or the key is unknown.",
            ),
            (
                StatusCode::INTERNAL_SERVER_ERROR,
                "The service has an internal problem.",
            ),
        ])
    }
}

/// Keeps a request counted among those of its user and key that are open, until its answer was read
/// to its end. It is empty until the user is known.
#[derive(Clone, Default)]
pub(super) struct HeldRequest(Arc<Mutex<Option<OpenRequest>>>);

impl HeldRequest {
    fn put(&self, open: OpenRequest) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(open);
    }
}

/// Keeps a request counted as open until its answer was read to its end.
pub(super) async fn hold_request(mut request: Request, next: Next) -> Response {
    let held = HeldRequest::default();
    request.extensions_mut().insert(held.clone());
    let response = next.run(request).await;
    response.map(|body| {
        Body::new(body.map_err(move |error| {
            let _until_its_end = &held;
            error
        }))
    })
}

/// Reads the user header, which is never guessed at: whatever is not one plain id is refused.
fn user_id(headers: &HeaderMap, name: &HeaderName) -> Result<String> {
    const MISSING_HEADER: Error =
        Error::Unauthorized("The header that names the user is missing or empty.");
    let bad = |reason: &str| Err(Error::BadRequest(reason.to_owned()));
    let mut values = headers.get_all(name).iter();
    let value = values.next().ok_or(MISSING_HEADER)?;
    if values.next().is_some() {
        return bad("The request has more than one header that names the user.");
    }
    let Ok(id) = std::str::from_utf8(value.as_bytes()) else {
        return bad("The header that names the user is not UTF-8.");
    };
    if id.trim().is_empty() {
        return Err(MISSING_HEADER);
    }
    if id.len() > MAX_USER_ID_BYTES {
        return Err(Error::Unauthorized(
            "The header that names the user is longer than 256 bytes.",
        ));
    }
    if !is_user_id(id) {
        return bad(
            "The header that names the user has a control character, or a blank at one of its ends.",
        );
    }
    Ok(id.to_owned())
}

fn bearer(parts: &Parts) -> Result<&[u8]> {
    const MISSING_HEADER: Error =
        Error::Unauthorized("The header Authorization: Bearer API_KEY is missing.");
    let value = parts
        .headers
        .get(header::AUTHORIZATION)
        .ok_or(MISSING_HEADER)?;
    let (scheme, token) = value.as_bytes().split_at_checked(7).ok_or(MISSING_HEADER)?;
    if !scheme.eq_ignore_ascii_case(b"bearer ") {
        return Err(MISSING_HEADER);
    }
    let token = token.trim_ascii();
    if token.is_empty() {
        return Err(MISSING_HEADER);
    }
    Ok(token)
}
