//! The emptying of the write-ahead log after a deletion: what was deleted is in the log until that
//! is emptied.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use sqlx::{Row as _, SqliteConnection};
use tokio::time::sleep;

use super::{Store, open::BUSY_TIMEOUT};

/// The time that writers wait at most for somebody who reads from the log, in milliseconds.
const READER_TIMEOUT_MS: u32 = 100;

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// The flag that the write-ahead log is to be emptied: true until an attempt begins.
#[derive(Debug, Default)]
pub(super) struct EmptyLogFlag(AtomicBool);

impl Store {
    /// Empties the write-ahead log soon, and tries again as long as somebody reads from it.
    pub(super) fn empty_log(&self) {
        if self.erasure.0.swap(true, Ordering::AcqRel) {
            return;
        }
        let store = self.clone();
        tokio::spawn(async move {
            let mut pause = FIRST_PAUSE;
            while !store.is_closed() {
                store.erasure.0.store(false, Ordering::Release);
                match store.try_to_empty_log().await {
                    Ok(true) => return,
                    Ok(false) => {}
                    Err(error) => tracing::warn!(%error, "the write-ahead log is not emptied yet"),
                }
                // Somebody deleted more meanwhile: that task goes on.
                if store.erasure.0.swap(true, Ordering::AcqRel) {
                    return;
                }
                sleep(pause).await;
                pause = (pause * 2).min(MAX_PAUSE);
            }
        });
    }

    async fn try_to_empty_log(&self) -> sqlx::Result<bool> {
        let mut connection = self.writer.acquire().await?;
        let emptied = truncate_log(&mut connection).await;
        if emptied.is_err() {
            connection.close_on_drop();
        }
        emptied
    }
}

async fn truncate_log(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    let busy_timeout = |ms: u128| sqlx::AssertSqlSafe(format!("PRAGMA busy_timeout = {ms}"));
    let short = busy_timeout(READER_TIMEOUT_MS.into());
    sqlx::query(short).execute(&mut *connection).await?;
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(&mut *connection)
        .await?;
    let usual = busy_timeout(BUSY_TIMEOUT.as_millis());
    sqlx::query(usual).execute(&mut *connection).await?;
    let busy: i64 = row.try_get(0)?;
    Ok(busy == 0)
}
