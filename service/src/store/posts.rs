//! Posts that clients repeat: the key that a client gave to a post, with which the post is accepted
//! once.

use sha2::{Digest as _, Sha256};

use super::{Store, ThreadKey, database::At, database::query_as};
use crate::{Error, Result};

/// The key of a post, by the header `Idempotency-Key`
/// (<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>).
#[derive(Clone, Debug)]
pub struct PostKey {
    /// The key, which the client makes.
    pub(super) key: String,
    /// The hash of the body: with another body the key is a mistake.
    pub(super) fingerprint: String,
}

impl PostKey {
    /// Makes the key of a post with this body, a JSON text.
    #[must_use]
    pub fn new(key: String, body: &str) -> Self {
        let hash = Sha256::digest(body.as_bytes());
        let fingerprint = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { key, fingerprint }
    }
}

impl Store {
    /// Returns the id of the run that answers the post with this key; `None` if none was accepted.
    ///
    /// # Errors
    ///
    /// [`Error::KeyReused`] if that post had another body; [`Error::Database`].
    pub async fn repeated_post(&self, thread: &ThreadKey, key: &PostKey) -> Result<Option<String>> {
        repeated(&self.readers, thread, key).await
    }
}

/// Returns the id of the run that answers the post with this key.
pub(super) async fn repeated<'a>(
    reading: impl Into<At<'a>>,
    thread: &ThreadKey,
    key: &PostKey,
) -> Result<Option<String>> {
    let found: Option<(String, String)> = query_as(
        "SELECT id, post_fingerprint FROM runs \
         WHERE user_id = $1 AND thread_id = $2 AND post_key = $3",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(&key.key)
    .fetch_optional(reading)
    .await?;
    match found {
        Some((_, fingerprint)) if fingerprint != key.fingerprint => Err(Error::KeyReused),
        found => Ok(found.map(|(run, _)| run)),
    }
}
