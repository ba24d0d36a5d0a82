//! The check whether the database can be written: by writing.

use std::time::Duration;

use tokio::{
    sync::Mutex,
    time::{Instant, sleep, timeout},
};

use super::{
    Pool, Store,
    database::{Query, postgres::met_another, query},
    retries::random_pause,
};
use crate::{Error, Result, generate::now};

/// The time for which the outcome of a check counts: whoever asks must not make the service write
/// all the time.
const VALID: Duration = Duration::from_secs(1);

/// The time after which a write counts as failed.
const WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// The time of the last check and its outcome, true if the database could be written; `None` before
/// the first.
#[derive(Debug, Default)]
pub(super) struct Readiness(Mutex<Option<(Instant, bool)>>);

impl Store {
    /// Fails unless the database could be written within the last second.
    ///
    /// # Errors
    ///
    /// [`Error::NotReady`].
    pub async fn check_writable(&self) -> Result<()> {
        let mut last = self.readiness.0.lock().await;
        let writable = match *last {
            Some((since, writable)) if since.elapsed() < VALID => writable,
            _ => {
                let written = timeout(WRITE_TIMEOUT, self.write_readiness()).await;
                if let Ok(Err(error)) = &written {
                    tracing::error!(%error, "the database cannot be written");
                }
                let writable = matches!(written, Ok(Ok(())));
                *last = Some((Instant::now(), writable));
                writable
            }
        };
        if writable {
            Ok(())
        } else {
            Err(Error::NotReady)
        }
    }

    async fn write_readiness(&self) -> Result<()> {
        let Pool::Postgres(_) = self.keeper else {
            return self
                .write(|writing| {
                    Box::pin(async move { Ok(mark().execute(writing).await.map(drop)?) })
                })
                .await;
        };
        // Not behind the posts that wait for a connection: all replicas would be taken away just when
        // there is most to do.
        loop {
            match mark().execute(&self.keeper).await {
                // Another replica writes the row just now, or somebody locks the table.
                Err(error) if met_another(&error) => sleep(random_pause()).await,
                done => return Ok(done.map(drop)?),
            }
        }
    }
}

/// Returns the statement that writes the row.
fn mark() -> Query<()> {
    query(
        "INSERT INTO readiness (id, checked_at) VALUES ('last', $1)
         ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at",
    )
    .bind(now())
}
