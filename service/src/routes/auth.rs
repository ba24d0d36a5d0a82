//! Authentication: the bearer key and the user header (specification, Authentication).

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};

use crate::{AppState, Error, Result};

const MAX_USER_ID_LENGTH: usize = 256;

/// The user of a request; extraction succeeds only with a valid key.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    /// The value of the user header.
    pub(crate) user_id: String,
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let settings = state.settings();
        let token = bearer(parts)?;
        if !settings.api_keys.accepts(token) {
            return Err(Error::Unauthorized("The API key is not known."));
        }
        let user_id = parts
            .headers
            .get(&settings.user_id_header)
            .and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
            .map(str::trim)
            .filter(|id| !id.is_empty())
            .ok_or(Error::Unauthorized(
                "The header that names the user is missing or empty.",
            ))?;
        if user_id.len() > MAX_USER_ID_LENGTH {
            return Err(Error::Unauthorized(
                "The header that names the user is longer than 256 bytes.",
            ));
        }
        Ok(Self {
            user_id: user_id.to_owned(),
        })
    }
}

fn bearer(parts: &Parts) -> Result<&[u8]> {
    const MISSING: Error =
        Error::Unauthorized("The header Authorization: Bearer API_KEY is missing.");
    let value = parts.headers.get(header::AUTHORIZATION).ok_or(MISSING)?;
    let (scheme, token) = value.as_bytes().split_at_checked(7).ok_or(MISSING)?;
    if !scheme.eq_ignore_ascii_case(b"bearer ") {
        return Err(MISSING);
    }
    let token = token.trim_ascii();
    if token.is_empty() {
        return Err(MISSING);
    }
    Ok(token)
}
