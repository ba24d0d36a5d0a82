//! Opening of the database: its lock, its connections, and its tables.

use std::{fs::File, sync::Arc};

use sqlx::migrate::Migrator;

use super::{
    Pool, Store,
    database::{Database, Storage, postgres, sqlite},
    reservations::Reservations,
};
use crate::{Error, Result, documents::keyed_locks::KeyedLocks, settings::StoreLimits};

const READERS: u32 = 4;

static SQLITE_TABLES: Migrator = sqlx::migrate!("./migrations/sqlite");
static POSTGRES_TABLES: Migrator = sqlx::migrate!("./migrations/postgres");

/// The lock that one service holds on a database.
#[derive(Debug)]
pub(super) enum Lock {
    /// A locked file beside the database.
    File(File),
    /// A lock of the server.
    Server(postgres::ServiceLock),
}

impl Lock {
    /// Gives the lock back, although the store may be shared still.
    pub(super) async fn release(&self) {
        match self {
            Self::File(file) => {
                if let Err(error) = file.unlock() {
                    tracing::warn!(%error, "the database stays locked until this process ends");
                }
            }
            Self::Server(lock) => lock.release().await,
        }
    }
}

/// Opens the database of a service. Nobody looks at the files yet: they may be those of another
/// database still.
pub(super) async fn open(storage: &Storage) -> Result<Store> {
    let (writer, lock) = match &storage.database {
        Database::File(path) => {
            let lock = Lock::File(sqlite::prepare(path)?);
            let writer = sqlite::connect_writer(path, true).await?;
            let latest = SQLITE_TABLES.iter().map(|it| it.version).max();
            sqlite::copy_aside(path, &writer, latest.unwrap_or_default()).await?;
            SQLITE_TABLES.run(&writer).await?;
            (Pool::Sqlite(writer), lock)
        }
        Database::Server(options) => {
            // First by itself: a pool would only say that it waited too long.
            let lock = postgres::lock(options).await?;
            let writer = postgres::connect(options, 1, true).await?;
            POSTGRES_TABLES.run(&writer).await?;
            let lock = postgres::watch_lock(options, lock, writer.clone());
            (Pool::Postgres(writer), Lock::Server(lock))
        }
    };
    make_store(storage, writer, Some(lock)).await
}

/// Opens a database that a service may have open.
pub(super) async fn attach(storage: &Storage) -> Result<Store> {
    let database = &storage.database;
    let writer = match database {
        Database::File(path) if !path.exists() => {
            let database = database.to_string();
            return Err(Error::NoDatabase { database });
        }
        Database::File(path) => Pool::Sqlite(sqlite::connect_writer(path, false).await?),
        Database::Server(options) => {
            if !postgres::has_tables(options).await? {
                let database = database.to_string();
                return Err(Error::NoTables { database });
            }
            Pool::Postgres(postgres::connect(options, 1, true).await?)
        }
    };
    make_store(storage, writer, None).await
}

async fn make_store(storage: &Storage, writer: Pool, lock: Option<Lock>) -> Result<Store> {
    let database = &storage.database;
    let appender = match database {
        Database::File(path) => Pool::Sqlite(sqlite::connect_appender(path).await?),
        Database::Server(_) => writer.clone(),
    };
    Ok(Store {
        writer,
        appender,
        turn: Arc::default(),
        readers: connect_readers(database, READERS).await?,
        checker: connect_readers(database, 1).await?,
        lock: lock.map(Arc::new),
        files: super::Files::new(storage.uploads.clone())?,
        receiving: super::ReceivedBytes::default(),
        running: super::RunningRequests::default(),
        lists: KeyedLocks::default(),
        reservations: Reservations::default(),
        readiness: Arc::default(),
        erasure: Arc::default(),
        limits: StoreLimits::default(),
        probe: None,
    })
}

async fn connect_readers(database: &Database, connections: u32) -> Result<Pool> {
    Ok(match database {
        Database::File(path) => Pool::Sqlite(sqlite::connect_readers(path, connections).await?),
        Database::Server(options) => {
            Pool::Postgres(postgres::connect(options, connections, false).await?)
        }
    })
}
