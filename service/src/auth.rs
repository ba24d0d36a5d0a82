//! Who calls: the bearer key and the user header (specification, Authentication).
//!
//! A token is compared with every key, with those of its length in constant time; keys are never logged.

use std::fmt;

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use subtle::{Choice, ConstantTimeEq};

use crate::{AppState, Error, Result};

/// The name of the user header in the specification, which uses a neutral word for the brand.
pub const USER_ID_HEADER: &str = "x-service-user-id";

const MAX_USER_ID_LENGTH: usize = 256;

/// One key as it was typed.
#[derive(Clone)]
pub struct ApiKey(pub(crate) String);

impl From<String> for ApiKey {
    fn from(key: String) -> Self {
        Self(key)
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

/// The keys that open the service.
#[derive(Clone, Default)]
pub struct ApiKeys(Vec<String>);

impl ApiKeys {
    /// Empty keys are left out.
    pub fn new(keys: impl IntoIterator<Item = String>) -> Self {
        let trimmed = keys.into_iter().map(|key| key.trim().to_owned());
        Self(trimmed.filter(|key| !key.is_empty()).collect())
    }

    /// Whether no key is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `token` is one of the keys; every key is looked at, whatever the outcome.
    fn accepts(&self, token: &[u8]) -> bool {
        let found = self.0.iter().fold(Choice::from(0), |found, key| {
            found | key.as_bytes().ct_eq(token)
        });
        found.into()
    }
}

impl fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKeys({} hidden)", self.0.len())
    }
}

/// The user a request speaks for; being extracted means that the key was right.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The value of the user header.
    pub user_id: String,
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

#[cfg(test)]
mod tests {
    use super::ApiKeys;

    #[test]
    fn only_a_whole_key_is_accepted() {
        let keys = ApiKeys::new(["alpha".into(), " beta ".into(), "  ".into()]);
        assert!(keys.accepts(b"alpha"));
        assert!(keys.accepts(b"beta"));
        for wrong in [&b""[..], b"alph", b"alphaa", b"ALPHA", b"  "] {
            assert!(!keys.accepts(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn keys_do_not_show_when_printed() {
        let keys = ApiKeys::new(["alpha".into()]);
        assert!(!format!("{keys:?}").contains("alpha"));
    }
}
