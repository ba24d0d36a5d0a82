//! PostgreSQL: a server, which several commands may use while one service writes.

use std::time::Duration;

use sqlx::{
    ConnectOptions as _, Connection as _, Executor as _, PgConnection, PgPool,
    error::DatabaseError,
    postgres::{PgConnectOptions, PgDatabaseError, PgPoolOptions},
};
use tokio::{
    sync::Mutex,
    task::JoinSet,
    time::{Instant, sleep},
};

use super::{ACQUIRE_TIMEOUT, Database};
use crate::{Error, Result};

/// What each connection begins with: a statement waits as long for a lock as with SQLite, and a
/// transaction whose service stands still does not hold its locks for ever.
const SESSION: &str = "SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '10s'";

/// The number of the advisory lock that a service holds: "assent" as bytes.
const SERVICE_LOCK: i64 = 0x6173_7365_6e74;

/// The time that a service waits for the lock: a server may take a moment to see that the last
/// service is gone.
const LOCK_TIMEOUT: Duration = Duration::from_secs(5);
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// The time between two looks at the connection that holds the lock.
const LOCK_CHECK: Duration = Duration::from_secs(2);

/// Connects connections that write, or that only read.
pub(in crate::store) async fn connect(
    options: &PgConnectOptions,
    connections: u32,
    writes: bool,
) -> Result<PgPool> {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_connect(move |connection, _| Box::pin(begin_session(connection, writes)))
        .connect_with(options.clone().application_name("assent-service"))
        .await;
    pool.map_err(|source| cannot_open(options, source))
}

fn cannot_open(options: &PgConnectOptions, source: sqlx::Error) -> Error {
    Error::OpenDatabase {
        database: Database::Server(Box::new(options.clone())).to_string(),
        source,
    }
}

async fn begin_session(connection: &mut PgConnection, writes: bool) -> sqlx::Result<()> {
    connection.execute(SESSION).await?;
    if !writes {
        connection
            .execute("SET default_transaction_read_only = on")
            .await?;
        return Ok(());
    }
    let read_only: String = sqlx::query_scalar("SHOW transaction_read_only")
        .fetch_one(connection)
        .await?;
    if read_only == "on" {
        // A standby, or a primary that became one.
        return Err(sqlx::Error::Configuration(
            "the server takes no writes: it is a standby, or set to read only".into(),
        ));
    }
    Ok(())
}

/// The lock that shows that a service has the database open; it ends with this value.
#[derive(Debug)]
pub(in crate::store) struct ServiceLock(Mutex<JoinSet<()>>);

impl ServiceLock {
    /// Gives the lock back: on return the connection that held it is closed.
    pub(in crate::store) async fn release(&self) {
        self.0.lock().await.shutdown().await;
    }
}

/// Takes the lock of a service, or fails because another one has it. A server that does not answer
/// yet is waited for: it may have been started together with the service.
pub(in crate::store) async fn lock(options: &PgConnectOptions) -> Result<PgConnection> {
    let since = Instant::now();
    let mut told = false;
    loop {
        match try_lock(options).await {
            Err(Error::OpenDatabase { source, .. })
                if is_away(&source) && since.elapsed() < ACQUIRE_TIMEOUT =>
            {
                if !told {
                    tracing::warn!(error = %source, "the database server is waited for");
                    told = true;
                }
                sleep(LOCK_PAUSE).await;
            }
            done => return done,
        }
    }
}

/// Watches over the connection that holds the lock. Where it breaks and another service is quicker to
/// take the lock, `writer` is closed: two services would end each other's answers.
pub(in crate::store) fn watch_lock(
    options: &PgConnectOptions,
    mut connection: PgConnection,
    writer: PgPool,
) -> ServiceLock {
    let options = options.clone();
    let mut task = JoinSet::new();
    task.spawn(async move {
        loop {
            sleep(LOCK_CHECK).await;
            if connection.execute("SELECT 1").await.is_ok() {
                continue;
            }
            connection = loop {
                match try_lock(&options).await {
                    Ok(connection) => break connection,
                    Err(error @ Error::InUse { .. }) => {
                        tracing::error!("nothing is written any more: {error}");
                        writer.close().await;
                        return;
                    }
                    Err(error) => tracing::warn!("{error}"),
                }
                sleep(LOCK_CHECK).await;
            };
        }
    });
    ServiceLock(Mutex::new(task))
}

/// Returns a connection that holds the lock.
async fn try_lock(options: &PgConnectOptions) -> Result<PgConnection> {
    let options = options.clone().application_name("assent-service lock");
    let connect = async || -> sqlx::Result<(PgConnection, bool)> {
        let mut connection = options.connect().await?;
        let since = Instant::now();
        loop {
            let locked: bool = sqlx::query_scalar("SELECT pg_try_advisory_lock($1)")
                .bind(SERVICE_LOCK)
                .fetch_one(&mut connection)
                .await?;
            if locked || since.elapsed() >= LOCK_TIMEOUT {
                return Ok((connection, locked));
            }
            sleep(LOCK_PAUSE).await;
        }
    };
    match connect().await {
        Ok((connection, true)) => Ok(connection),
        Ok((_, false)) => Err(Error::InUse {
            database: Database::Server(Box::new(options.clone())).to_string(),
        }),
        Err(source) => Err(cannot_open(&options, source)),
    }
}

/// Returns true if the database has the tables of the service.
pub(in crate::store) async fn has_tables(options: &PgConnectOptions) -> Result<bool> {
    let look = async || -> sqlx::Result<bool> {
        let mut connection = options.connect().await?;
        let found = sqlx::query_scalar("SELECT to_regclass('threads') IS NOT NULL")
            .fetch_one(&mut connection)
            .await?;
        connection.close().await?;
        Ok(found)
    };
    look().await.map_err(|source| cannot_open(options, source))
}

/// Returns true if nobody answers at the server's address, or the server says that it starts or
/// stops.
fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        sqlx::Error::Database(error) => {
            code(error.as_ref()).is_some_and(|code| code.starts_with("57P"))
        }
        _ => false,
    }
}

/// Returns a text as PostgreSQL can store it: it has no U+0000
/// (<https://www.postgresql.org/docs/current/datatype-character.html>).
pub(super) fn text(text: String) -> String {
    if text.contains('\0') {
        text.replace('\0', "\u{fffd}")
    } else {
        text
    }
}

/// Returns the code of an error that PostgreSQL gave
/// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>); `None` for one of SQLite.
pub(super) fn code(error: &dyn DatabaseError) -> Option<&str> {
    let error = error.try_downcast_ref::<PgDatabaseError>()?;
    Some(error.code())
}

/// Returns true for an error after which the same operation may succeed.
pub(super) fn is_temporary(code: &str) -> bool {
    // A connection, resources (a full disk among them), and the system.
    let classes = ["08", "53", "58"];
    // Shutdown by an operator, a crash, a server that starts; a lock that another one holds; a
    // server that became a standby.
    let codes = ["57P01", "57P02", "57P03", "55P03", "25006"];
    classes.iter().any(|class| code.starts_with(class))
        || codes.contains(&code)
        || has_to_repeat(code)
}

/// Returns true for an error that says that the transaction met another one.
pub(super) fn has_to_repeat(code: &str) -> bool {
    // A serialization failure and a deadlock.
    matches!(code, "40001" | "40P01")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_tried_again_and_what_does_not_pass_is_not() {
        for code in [
            "08006", "53100", "57P01", "57P03", "55P03", "40001", "40P01",
        ] {
            assert!(is_temporary(code), "{code}");
        }
        // A text that cannot be stored, no privilege, a row that exists already: the numbers of
        // these codes look like those of SQLite's passing errors.
        for code in ["22021", "42501", "23505"] {
            assert!(!is_temporary(code), "{code}");
        }
    }

    #[test]
    fn a_text_with_a_zero_can_be_stored() {
        assert_eq!(text("a\0b".to_owned()), "a\u{fffd}b");
    }
}
