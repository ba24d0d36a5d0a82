//! PostgreSQL: a server, which several services and commands may use at the same time.

use std::time::Duration;

use sqlx::{
    ConnectOptions as _, Connection as _, Executor as _, PgConnection, PgPool,
    error::DatabaseError,
    postgres::{PgConnectOptions, PgDatabaseError, PgPoolOptions},
};
use tokio::time::{Instant, sleep};

use super::{ACQUIRE_TIMEOUT, Database};
use crate::{Error, Result};

/// What a connection that writes begins with: a statement waits as long for a lock as with SQLite, and
/// a transaction whose service stands still does not hold its locks for long; one that was only slow
/// runs again.
const WRITING: &str = "SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '2s'";

/// What a connection that reads begins with: nobody waits for it. The statements are repeated by nobody,
/// whatever the isolation is by default.
const READING: &str = "SET default_transaction_read_only = on; \
                       SET default_transaction_isolation = 'read committed'; \
                       SET idle_in_transaction_session_timeout = '60s'";

/// What the connection for the rows of replicas begins with, which has no transactions.
const KEEPING: &str = "SET lock_timeout = '50ms'; \
                       SET default_transaction_isolation = 'read committed'";

/// The pause before a server that does not answer is asked again.
const SERVER_PAUSE: Duration = Duration::from_millis(100);

/// What the connections of a pool are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Purpose {
    /// Everything that is written.
    Writing,
    /// What is only read.
    Reading,
    /// The rows of replicas and the owners of runs: who meets somebody else there comes again later.
    Keeping,
}

/// Connects connections of the process with the id `process`.
pub(in crate::store) async fn connect(
    options: &PgConnectOptions,
    process: &str,
    connections: u32,
    purpose: Purpose,
) -> Result<PgPool> {
    let options = options.clone().application_name(&application_name(process));
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .after_connect(move |connection, _| Box::pin(begin_session(connection, purpose)))
        .connect_with(options.clone())
        .await;
    pool.map_err(|source| cannot_open(&options, source))
}

/// Returns the name that the connections of a process have on the server.
pub(in crate::store) fn application_name(process: &str) -> String {
    format!("assent/{process}")
}

fn cannot_open(options: &PgConnectOptions, source: sqlx::Error) -> Error {
    Error::OpenDatabase {
        database: Database::Server(Box::new(options.clone())).to_string(),
        source,
    }
}

async fn begin_session(connection: &mut PgConnection, purpose: Purpose) -> sqlx::Result<()> {
    let session = match purpose {
        Purpose::Writing => WRITING,
        Purpose::Reading => READING,
        Purpose::Keeping => KEEPING,
    };
    connection.execute(session).await?;
    if purpose == Purpose::Reading {
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

/// Waits for a server that does not answer yet: it may have been started together with the service.
/// A pool would only say that it waited too long.
pub(in crate::store) async fn wait_for(options: &PgConnectOptions) -> Result<()> {
    let since = Instant::now();
    let mut told = false;
    loop {
        match options.connect().await {
            Ok(connection) => {
                connection.close().await.ok();
                return Ok(());
            }
            Err(source) if is_away(&source) && since.elapsed() < ACQUIRE_TIMEOUT => {
                if !told {
                    tracing::warn!(error = %source, "the database server is waited for");
                    told = true;
                }
                sleep(SERVER_PAUSE).await;
            }
            Err(source) => return Err(cannot_open(options, source)),
        }
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

/// Returns true for the error of a statement that met another transaction, or waited for it in vain.
pub(in crate::store) fn met_another(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => {
            let code = code(error.as_ref());
            code.is_some_and(|code| code == "55P03" || has_to_repeat(code))
        }
        _ => false,
    }
}

/// Returns true for an error that says that the transaction met another one, or that the server ended
/// it because it stood still.
pub(super) fn has_to_repeat(code: &str) -> bool {
    // A serialization failure, a deadlock, and the timeout of a transaction that is idle.
    matches!(code, "40001" | "40P01" | "25P03")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_is_tried_again_and_what_does_not_pass_is_not() {
        for code in [
            "08006", "53100", "57P01", "57P03", "55P03", "40001", "40P01", "25P03",
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
