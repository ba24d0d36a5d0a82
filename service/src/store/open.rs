//! Opening of the database: its lock, its connections, and its tables.

use std::{
    ffi::OsString,
    fs::{File, TryLockError},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use sqlx::{
    SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions},
};

use super::{Store, private, reservations::Reservations};
use crate::{Error, Result, documents::keyed_locks::KeyedLocks, settings::StoreLimits};

/// The time that a statement waits for another process that holds the database's lock.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The time that a request waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

const READER_CONNECTIONS: u32 = 4;

pub(super) async fn open(path: &Path) -> Result<Store> {
    if let Some(folder) = path.parent() {
        private::make_folder(folder)?;
    }
    let lock = Arc::new(lock(path)?);
    // SQLite gives the files of its write-ahead log the mode of the database.
    private::open_file(path)?;
    for ending in ["-wal", "-shm"] {
        private::restrict_to_owner(&path_beside(path, ending));
    }
    let writer = connect(path, 1, options(path).create_if_missing(true)).await?;
    sqlx::migrate!("./migrations").run(&writer).await?;
    let store = make_store(path, writer, Some(lock)).await?;
    store.remove_orphans().await?;
    Ok(store)
}

/// Opens a database that a service may have open.
pub(super) async fn attach(path: &Path) -> Result<Store> {
    if !path.exists() {
        let path = path.to_owned();
        return Err(Error::NoDatabase { path });
    }
    let writer = connect(path, 1, options(path)).await?;
    make_store(path, writer, None).await
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .foreign_keys(true)
        // What was deleted is overwritten with zeros.
        .pragma("secure_delete", "on")
        .busy_timeout(BUSY_TIMEOUT)
}

async fn make_store(path: &Path, writer: SqlitePool, lock: Option<Arc<File>>) -> Result<Store> {
    let reading = || options(path).pragma("query_only", "on");
    let readers = connect(path, READER_CONNECTIONS, reading()).await?;
    let checker = connect(path, 1, reading()).await?;
    Ok(Store {
        writer,
        readers,
        checker,
        lock,
        uploads: path_beside(path, ".uploads"),
        receiving: super::ReceivedBytes::default(),
        drafts: Arc::default(),
        running: super::RunningRequests::default(),
        lists: KeyedLocks::default(),
        reservations: Reservations::default(),
        readiness: Arc::default(),
        erasure: Arc::default(),
        limits: StoreLimits::default(),
        probe: None,
    })
}

async fn connect(
    path: &Path,
    connections: u32,
    options: SqliteConnectOptions,
) -> Result<SqlitePool> {
    let pool = SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .connect_with(options)
        .await;
    pool.map_err(|source| Error::OpenDatabase {
        path: path.to_owned(),
        source,
    })
}

/// Returns the path of the database file with `ending` appended.
fn path_beside(database: &Path, ending: &str) -> PathBuf {
    let mut path = OsString::from(database);
    path.push(ending);
    path.into()
}

/// Locks the lock file beside the database, which shows that the database is in use; the lock ends
/// with the process, however that ends.
fn lock(database: &Path) -> Result<File> {
    let path = path_beside(database, ".lock");
    let file = private::open_file(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::InUse {
            path: database.to_owned(),
        }),
        Err(TryLockError::Error(source)) => Err(Error::File { path, source }),
    }
}
