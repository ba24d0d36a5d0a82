//! API keys.
//!
//! A token is compared with every key, with those of its length in constant time; keys are never
//! logged.

use std::fmt;

use subtle::{ConditionallySelectable as _, ConstantTimeEq as _};

/// One API key as it was typed.
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

/// The API keys that open the service.
#[derive(Clone, Default)]
pub struct ApiKeys(Vec<String>);

impl ApiKeys {
    /// Creates the keys of a list, without white space around them; empty ones are left out.
    pub fn new(keys: impl IntoIterator<Item = String>) -> Self {
        let trimmed = keys.into_iter().map(|key| key.trim().to_owned());
        Self(trimmed.filter(|key| !key.is_empty()).collect())
    }

    /// Returns true if there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of the key that `token` is, `None` if it is no key. Every key is looked
    /// at, whatever the outcome.
    pub(crate) fn find(&self, token: &[u8]) -> Option<KeyNumber> {
        let found = self.0.iter().zip(1_u64..).fold(0, |found, (key, number)| {
            u64::conditional_select(&found, &number, key.as_bytes().ct_eq(token))
        });
        (found > 0).then_some(KeyNumber(found))
    }
}

/// The place of a key among the keys of the service, counted from 1; it tells nothing of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct KeyNumber(u64);

impl fmt::Debug for ApiKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKeys({} hidden)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::ApiKeys;

    #[test]
    fn only_a_whole_key_is_accepted() {
        let keys = ApiKeys::new(["alpha".into(), " beta ".into(), "  ".into()]);
        let (alpha, beta) = (keys.find(b"alpha"), keys.find(b"beta"));
        assert!(alpha.is_some() && beta.is_some() && alpha != beta);
        for wrong in [&b""[..], b"alph", b"alphaa", b"ALPHA", b"  "] {
            assert_eq!(keys.find(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn keys_do_not_show_when_printed() {
        let keys = ApiKeys::new(["alpha".into()]);
        assert!(!format!("{keys:?}").contains("alpha"));
    }
}
