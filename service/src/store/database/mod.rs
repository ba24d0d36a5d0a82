//! The two databases: SQLite, in one file, and PostgreSQL.
//!
//! The rest of the store is written once, against [`Pool`], [`Connection`] and [`query()`]; what the
//! databases do in their own way is in the files of their names.

mod address;
pub(super) mod postgres;
mod query;
pub(super) mod sqlite;

use std::time::Duration;

use sqlx::{PgPool, Postgres, Sqlite, SqlitePool, pool::PoolConnection};

pub use address::{Database, Storage};
pub(super) use query::{At, Query, ScalarQuery, Sql, query, query_as, query_scalar};

/// The time that a request waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections to the database, which are used in turn. A clone shares them.
#[derive(Clone, Debug)]
pub(super) enum Pool {
    /// Connections to a file.
    Sqlite(SqlitePool),
    /// Connections to a server.
    Postgres(PgPool),
}

impl Pool {
    /// Takes a connection out of the pool, until it is dropped.
    pub(super) async fn acquire(&self) -> sqlx::Result<Connection> {
        Ok(match self {
            Self::Sqlite(pool) => Connection::Sqlite(pool.acquire().await?),
            Self::Postgres(pool) => Connection::Postgres(pool.acquire().await?),
        })
    }

    /// Closes all connections, once each is back in the pool.
    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }

    /// Returns true once the pool is closed.
    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Sqlite(pool) => pool.is_closed(),
            Self::Postgres(pool) => pool.is_closed(),
        }
    }
}

/// A connection to the database, which goes back into its pool once it is dropped.
#[derive(Debug)]
pub(super) enum Connection {
    /// A connection to a file.
    Sqlite(PoolConnection<Sqlite>),
    /// A connection to a server.
    Postgres(PoolConnection<Postgres>),
}

impl Connection {
    /// Lets the connection be closed instead of going back into its pool.
    pub(super) fn close_on_drop(&mut self) {
        match self {
            Self::Sqlite(connection) => connection.close_on_drop(),
            Self::Postgres(connection) => connection.close_on_drop(),
        }
    }
}

/// Returns true for a failure after which the same operation may succeed a little later.
pub(super) fn is_temporary(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => match postgres::code(error.as_ref()) {
            Some(code) => postgres::is_temporary(code),
            None => sqlite::is_temporary(error.code().as_deref()),
        },
        // The one connection that writes is waiting, too.
        sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) | sqlx::Error::WorkerCrashed => true,
        _ => false,
    }
}

/// Returns true if the transaction that failed with `error` has to be run again from its beginning: it
/// met another one. SQLite has one writer at a time, and nothing to repeat.
pub(super) fn has_to_repeat(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => {
            postgres::code(error.as_ref()).is_some_and(postgres::has_to_repeat)
                // Two checkpoints of the audit had one number.
                || error.constraint() == Some("audit_checkpoints_pkey")
        }
        _ => false,
    }
}

/// Returns true if the server itself refused to commit: then nothing was committed for certain.
pub(super) fn is_refusal(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => postgres::code(error.as_ref()).is_some(),
        _ => false,
    }
}
