//! What is tried again while the database cannot be written: what a tool has done and what an agent
//! has said cannot be had a second time.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep};

use super::Store;
use crate::{Error, Result};

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const MAX_PAUSE: Duration = Duration::from_millis(500);

impl Store {
    /// Runs `write`, and for as long as `limit` runs it again while the database is held by
    /// somebody else or its disk is at fault. `write` is told whether it runs again: then an
    /// earlier commit may have happened although it failed.
    pub(super) async fn with_retries<'a>(
        &self,
        what: &str,
        limit: Duration,
        write: impl Fn(bool) -> BoxFuture<'a, Result<()>> + Sync,
    ) -> Result<()> {
        let since = Instant::now();
        let mut pause = FIRST_PAUSE;
        let mut again = false;
        loop {
            let error = match write(again).await {
                Err(Error::Database(error)) => error,
                done => return done,
            };
            if !is_temporary(&error) || since.elapsed() >= limit || self.is_closed() {
                return Err(error.into());
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

/// Returns true for a failure after which the same operation may succeed, by the primary result code
/// where SQLite gave one (<https://sqlite.org/rescode.html>).
fn is_temporary(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => {
            let code: Option<i32> = error.code().and_then(|code| code.parse().ok());
            // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN.
            matches!(code.map(|code| code & 0xff), Some(5 | 6 | 7 | 10 | 13 | 14))
        }
        // The one connection that writes is waiting, too.
        sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) | sqlx::Error::WorkerCrashed => true,
        _ => false,
    }
}
