//! SQLite: threads, messages, answers in progress and approvals, in one file that survives restarts.
//!
//! Everything that must not happen by halves is one transaction that takes the write lock at once.

mod accept;
mod answers;
mod approvals;
mod messages;
mod threads;

use std::{path::Path, time::Duration};

use sqlx::{
    Sqlite, SqlitePool, Transaction,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions},
};

use crate::{Error, Result};

pub use accept::{Accepted, Answered, Offer};
pub(crate) use answers::with_note;
pub use answers::{Question, Segment};
pub use threads::Thread;

/// The database.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
}

impl Store {
    /// Opens the file, makes it and its folder if missing, and brings its tables up to date.
    ///
    /// # Errors
    ///
    /// [`Error::File`], [`Error::OpenDatabase`] or [`Error::Migration`].
    pub async fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| Error::File {
                path: folder.to_owned(),
                source,
            })?;
        }
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10));
        let pool = SqlitePoolOptions::new()
            .max_connections(5)
            .connect_with(options)
            .await;
        let pool = pool.map_err(|source| Error::OpenDatabase {
            path: path.to_owned(),
            source,
        })?;
        sqlx::migrate!("./migrations").run(&pool).await?;
        Ok(Self { pool })
    }

    /// Fails unless the database answers.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn ping(&self) -> Result<()> {
        sqlx::query("SELECT 1").execute(&self.pool).await?;
        Ok(())
    }

    /// Writes everything out and closes the file.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    /// A transaction that holds the write lock from its first moment, so that what it reads stays true.
    async fn write(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.pool.begin_with("BEGIN IMMEDIATE").await?)
    }
}

/// The time now as `2026-01-31T12:00:00.000Z`.
#[must_use]
pub fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

/// A new identifier.
#[must_use]
pub fn new_id() -> String {
    uuid::Uuid::new_v4().to_string()
}
