//! The emptying of SQLite's write-ahead log after a deletion: what was deleted is in the log until
//! that is emptied.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use tokio::time::sleep;

use super::{
    Pool, Store,
    database::{Connection, sqlite},
};

const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// The flag that the write-ahead log is to be emptied: true until an attempt begins.
#[derive(Debug, Default)]
pub(super) struct EmptyLogFlag(AtomicBool);

impl Store {
    /// Empties SQLite's write-ahead log soon, and tries again as long as somebody reads from it.
    pub(super) fn empty_log(&self) {
        let is_sqlite = matches!(self.writer, Pool::Sqlite(_));
        if !is_sqlite || self.erasure.0.swap(true, Ordering::AcqRel) {
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
        let Connection::Sqlite(mut connection) = self.writer.acquire().await? else {
            return Ok(true);
        };
        let emptied = sqlite::empty_log(&mut connection).await;
        if emptied.is_err() {
            connection.close_on_drop();
        }
        emptied
    }
}
