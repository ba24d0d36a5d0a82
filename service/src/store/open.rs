//! Opening of the database: its lock, its connections, and its tables.

use std::sync::{Arc, LazyLock};

use sqlx::migrate::Migrator;

use super::{
    Pool, Store,
    audit_chains::AuditChains,
    database::{Database, Storage, postgres, postgres::Purpose, sqlite},
    replicas::OwnReplica,
    reservations::Reservations,
};
use crate::{
    Error, Result, documents::keyed_locks::KeyedLocks, generate::new_id, settings::StoreLimits,
};

const READERS: u32 = 4;

/// Connections that write to PostgreSQL; SQLite has one writer at a time.
const WRITERS: u32 = 4;

static SQLITE_TABLES: Migrator = sqlx::migrate!("./migrations/sqlite");

static POSTGRES_TABLES: LazyLock<Migrator> = LazyLock::new(|| {
    let mut tables = sqlx::migrate!("./migrations/postgres");
    // While replicas are updated one after the other, one of before may start on the newer tables.
    tables.set_ignore_missing(true);
    tables
});

/// Opens the database of a service. Nobody looks at the files yet: they may be those of another
/// database still.
pub(super) async fn open(storage: &Storage) -> Result<Store> {
    match &storage.database {
        Database::File(path) => {
            let lock = sqlite::prepare(path)?;
            let mut store = connect(storage, true).await?;
            if let Pool::Sqlite(writer) = &store.writer {
                let latest = SQLITE_TABLES.iter().map(|it| it.version).max();
                sqlite::copy_aside(path, writer, latest.unwrap_or_default()).await?;
                SQLITE_TABLES.run(writer).await?;
            }
            store.lock = Some(Arc::new(lock));
            Ok(store)
        }
        Database::Server(options) => {
            postgres::wait_for(options).await?;
            let store = connect(storage, true).await?;
            if let Pool::Postgres(writer) = &store.writer {
                // Services that start together do so one after the other.
                POSTGRES_TABLES.run(writer).await?;
            }
            Ok(store)
        }
    }
}

/// Opens a database that a service may have open.
pub(super) async fn attach(storage: &Storage) -> Result<Store> {
    let database = storage.database.to_string();
    match &storage.database {
        Database::File(path) if !path.exists() => Err(Error::NoDatabase { database }),
        Database::Server(options) if !postgres::has_tables(options).await? => {
            Err(Error::NoTables { database })
        }
        _ => connect(storage, false).await,
    }
}

/// Connects a store; `create` makes a file of SQLite that is missing.
async fn connect(storage: &Storage, create: bool) -> Result<Store> {
    let process = new_id();
    let (writer, appender, keeper, readers, checker) = match &storage.database {
        Database::File(path) => {
            let writer = Pool::Sqlite(sqlite::connect_writer(path, create).await?);
            (
                writer.clone(),
                Pool::Sqlite(sqlite::connect_appender(path).await?),
                writer,
                Pool::Sqlite(sqlite::connect_readers(path, READERS).await?),
                Pool::Sqlite(sqlite::connect_readers(path, 1).await?),
            )
        }
        Database::Server(options) => {
            let connect = async |connections, purpose| {
                let pool = postgres::connect(options, &process, connections, purpose);
                pool.await.map(Pool::Postgres)
            };
            (
                connect(WRITERS, Purpose::Writing).await?,
                connect(1, Purpose::Writing).await?,
                connect(1, Purpose::Keeping).await?,
                connect(READERS, Purpose::Reading).await?,
                connect(1, Purpose::Reading).await?,
            )
        }
    };
    Ok(Store {
        writer,
        appender,
        keeper,
        turn: Arc::default(),
        readers,
        checker,
        lock: None,
        chains: AuditChains::of(&process),
        process,
        replica: OwnReplica::default(),
        files: super::Files::new(storage.uploads.clone())?,
        receiving: super::ReceivedBytes::default(),
        running: super::RunningRequests::default(),
        lists: KeyedLocks::default(),
        reservations: Reservations::default(),
        readiness: Arc::default(),
        erasure: Arc::default(),
        limits: StoreLimits::default(),
        user_answers: None,
        notice_delay: None,
        probe: None,
    })
}
