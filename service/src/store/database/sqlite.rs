//! SQLite: one file, of one process.

use std::{
    ffi::OsString,
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{
    Row as _, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{super::private, ACQUIRE_TIMEOUT};
use crate::{Error, Result};

/// The time that a statement waits for another process that holds the database's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The time that writers wait at most for somebody who reads from the log.
const READER_TIMEOUT: Duration = Duration::from_millis(100);

/// Makes the file of a service and its folder if they are missing, and takes the lock that shows that
/// the file is in use. All files are the owner's alone.
pub(in crate::store) fn prepare(path: &Path) -> Result<File> {
    if let Some(folder) = path.parent() {
        private::make_folder(folder)?;
    }
    let lock = lock(path)?;
    // SQLite gives the files of its write-ahead log the mode of the database.
    private::open_file(path)?;
    for ending in ["-wal", "-shm"] {
        private::restrict_to_owner(&path_beside(path, ending));
    }
    Ok(lock)
}

/// Connects the one connection that writes; `create` makes a file that is missing.
pub(in crate::store) async fn connect_writer(path: &Path, create: bool) -> Result<SqlitePool> {
    connect(path, 1, options(path).create_if_missing(create)).await
}

/// Connects the one connection that appends to the log of events: its commits do not wait until they
/// are on the disk (<https://sqlite.org/pragma.html#pragma_synchronous>).
pub(in crate::store) async fn connect_appender(path: &Path) -> Result<SqlitePool> {
    connect(
        path,
        1,
        options(path).synchronous(SqliteSynchronous::Normal),
    )
    .await
}

/// Connects connections that only read.
pub(in crate::store) async fn connect_readers(path: &Path, connections: u32) -> Result<SqlitePool> {
    let reading = options(path).pragma("query_only", "on");
    connect(path, connections, reading).await
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
        database: path.display().to_string(),
        source,
    })
}

/// Returns the path of the database file with `ending` appended.
pub(super) fn path_beside(database: &Path, ending: &str) -> PathBuf {
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
            database: database.display().to_string(),
        }),
        Err(TryLockError::Error(source)) => Err(Error::File { path, source }),
    }
}

/// Copies a database of an older service into a file beside it, before its tables are brought up to
/// `latest`, the version of this service's tables.
pub(in crate::store) async fn copy_aside(
    path: &Path,
    writer: &SqlitePool,
    latest: i64,
) -> Result<()> {
    let has_versions: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '_sqlx_migrations')",
    )
    .fetch_one(writer)
    .await?;
    if !has_versions {
        return Ok(());
    }
    let version: Option<i64> = sqlx::query_scalar("SELECT MAX(version) FROM _sqlx_migrations")
        .fetch_one(writer)
        .await?;
    if version.is_none_or(|version| version >= latest) {
        return Ok(());
    }
    let aside = path_beside(path, &format!(".before-{latest}"));
    let unusable = |source| Error::File {
        path: aside.clone(),
        source,
    };
    // An attempt that was cut off may have left a part. SQLite writes into a file that is empty.
    match std::fs::remove_file(&aside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unusable(error)),
        _ => drop(private::new_file(&aside).map_err(unusable)?),
    }
    sqlx::query("VACUUM INTO $1")
        .bind(aside.display().to_string())
        .execute(writer)
        .await?;
    tracing::warn!(
        "the tables of {} are brought up to date; as it was, it is kept in {}: remove that file \
         when all is well, since it keeps what users delete from now on",
        path.display(),
        aside.display()
    );
    Ok(())
}

/// Empties the write-ahead log; returns false if somebody reads from it.
pub(in crate::store) async fn empty_log(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    let busy_timeout =
        |time: Duration| sqlx::AssertSqlSafe(format!("PRAGMA busy_timeout = {}", time.as_millis()));
    sqlx::query(busy_timeout(READER_TIMEOUT))
        .execute(&mut *connection)
        .await?;
    let row = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(&mut *connection)
        .await?;
    sqlx::query(busy_timeout(BUSY_TIMEOUT))
        .execute(&mut *connection)
        .await?;
    let busy: i64 = row.try_get(0)?;
    Ok(busy == 0)
}

/// Returns true for an error after which the same operation may succeed, by the primary result code
/// (<https://sqlite.org/rescode.html>).
pub(super) fn is_temporary(code: Option<&str>) -> bool {
    let code: Option<i32> = code.and_then(|code| code.parse().ok());
    // SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN.
    matches!(code.map(|code| code & 0xff), Some(5 | 6 | 7 | 10 | 13 | 14))
}
