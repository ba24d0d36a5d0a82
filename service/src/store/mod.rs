//! SQLite: threads, messages, answers in progress and approvals, in one file that survives
//! restarts.
//!
//! Everything that must not happen by halves is one transaction that takes the write lock at once.

mod accept;
mod answers;
mod approvals;
mod drafts;
mod messages;
mod pieces;
mod threads;
mod uploads;

use std::{
    ffi::OsString,
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use sqlx::{
    Sqlite, SqlitePool, Transaction,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions},
};

use crate::{Error, Result};

use pieces::Drafts;

pub use accept::{Accepted, Answered, Offer};
pub use answers::Segment;
pub(crate) use answers::with_note;
pub use pieces::{Piece, Pieces};
pub use threads::Thread;
pub use uploads::NewUpload;

/// The database.
#[derive(Clone, Debug)]
pub struct Store {
    pool: SqlitePool,
    /// Held as long as the database is open: answers that one process is writing must not be taken
    /// for interrupted ones of a crash.
    lock: Arc<File>,
    /// Folder of the files that users sent; made with the first one.
    uploads: PathBuf,
    drafts: Arc<Drafts>,
}

impl Store {
    /// Opens the file, makes it and its folder if missing, and brings its tables up to date.
    ///
    /// # Errors
    ///
    /// [`Error::File`], [`Error::InUse`], [`Error::OpenDatabase`] or [`Error::Migration`].
    pub async fn open(path: &Path) -> Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| Error::File {
                path: folder.to_owned(),
                source,
            })?;
        }
        let lock = Arc::new(lock(path)?);
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
        Ok(Self {
            pool,
            lock,
            uploads: beside(path, ".uploads"),
            drafts: Arc::default(),
        })
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
        if let Err(error) = self.lock.unlock() {
            tracing::warn!(%error, "the database stays locked until this process ends");
        }
    }

    /// Begins a transaction that holds the write lock from its first moment, so that its reads stay
    /// true.
    async fn write(&self) -> Result<Transaction<'static, Sqlite>> {
        Ok(self.pool.begin_with("BEGIN IMMEDIATE").await?)
    }
}

/// Returns `FILE.ending` beside the database file.
fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(ending);
    path.into()
}

/// Locks the lock file beside the database, which shows that it is in use; the lock ends with the
/// process, however that ends.
fn lock(database: &Path) -> Result<File> {
    let path = beside(database, ".lock");
    let unusable = |source| Error::File {
        path: path.clone(),
        source,
    };
    let file = File::create(&path).map_err(unusable)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse {
            path: database.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(unusable(source)),
    }
}
