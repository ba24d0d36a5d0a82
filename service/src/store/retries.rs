//! What is tried again while the database cannot be written: what a tool has done and what an agent
//! has said cannot be had a second time.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep};

use super::{Store, database::is_temporary};
use crate::{Error, Result};

/// The number of times that a transaction is run again because it met another one.
pub(super) const MAX_REPEATS: u32 = 30;

/// The longest pause before such a run.
const MAX_REPEAT_PAUSE_MS: u64 = 50;

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_millis(500);

/// Returns a random pause before a transaction is run again: two that met are not to meet again.
pub(super) fn random_pause() -> Duration {
    let (random, _) = uuid::Uuid::new_v4().as_u64_pair();
    Duration::from_millis(1 + random % MAX_REPEAT_PAUSE_MS)
}

/// Returns true for a failure after which the same may succeed.
fn is_worth_another(error: &Error) -> bool {
    match error {
        Error::Database(error) => is_temporary(error),
        Error::Busy => true,
        _ => false,
    }
}

impl Store {
    /// Runs `write`, and for as long as `limit` runs it again while the database is held by
    /// somebody else or its disk is at fault. `write` is told whether it runs again: then an
    /// earlier commit may have happened although it failed.
    pub(super) async fn with_retries<'a, T>(
        &self,
        what: &str,
        limit: Duration,
        write: impl Fn(bool) -> BoxFuture<'a, Result<T>> + Sync,
    ) -> Result<T> {
        let since = Instant::now();
        let mut pause = FIRST_PAUSE;
        let mut again = false;
        loop {
            let error = match write(again).await {
                Err(error) if is_worth_another(&error) => error,
                done => return done,
            };
            if since.elapsed() >= limit || self.is_closed() {
                return Err(error);
            }
            if !again {
                tracing::warn!(%error, "{what} is to be stored again");
            }
            again = true;
            sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
    }
}
