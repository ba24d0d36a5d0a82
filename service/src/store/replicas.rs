//! The services that share a database: each has a row for as long as it lives, and owns the answers
//! that it writes for as long as the row is there.
//!
//! A row has a lease, on the clock of the database, which its service renews. Whoever finds one that
//! is over removes the row; from then on nothing that the former owner writes counts, and its answers
//! are taken over by whoever is first. Nobody has to be told: the database decides each time.
//!
//! With SQLite there is one service, which a lock sees to, and its row never ends.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sqlx::FromRow;

use super::{
    Pool, Store, ThreadKey, Transaction,
    database::{Query, Sql, postgres, query, query_as, query_scalar},
    threads,
};
use crate::{Error, Result, generate::new_id};

/// The most answers that are looked for at once.
const RUNS_AT_ONCE: i64 = 200;

/// The lease of a service that does not serve yet.
const FIRST_LEASE: Duration = Duration::from_secs(30);

/// The milliseconds of the database's clock.
macro_rules! now_ms {
    (sqlite) => {
        "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    };
    (postgres) => {
        "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"
    };
}
pub(super) use now_ms;

/// The id of the row that this process has at the moment. A clone shares it.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnReplica(Arc<Mutex<Arc<str>>>);

impl OwnReplica {
    fn set(&self, id: &str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = id.into();
    }

    /// Returns the id; it is empty for a command, which writes no answers.
    pub(super) fn id(&self) -> Arc<str> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The writing of an answer by one owner: what others write of it meanwhile does not count.
#[derive(Clone, Debug)]
pub struct OwnedRun {
    /// The thread that is answered in.
    pub thread: ThreadKey,
    /// The id of the run, which is that of the request that is answered.
    pub id: String,
    /// The id of the replica that owns the run.
    pub(super) owner: Arc<str>,
    /// The number of owners that the run has had.
    pub(super) epoch: i64,
}

/// A run that is not at its end, as its replica finds it in the database.
#[derive(Clone, Debug, FromRow)]
pub struct RunningRun {
    /// The id of the run.
    pub id: String,
    pub(super) user_id: String,
    pub(super) thread_id: String,
    pub(super) epoch: i64,
    /// True once the user does not want the answer any more.
    pub is_cancel_wanted: bool,
}

#[derive(FromRow)]
struct OrphanRow {
    user_id: String,
    thread_id: String,
    id: String,
    owner: String,
    epoch: i64,
}

impl Store {
    /// Gives this process a row of its own, and with it the right to write answers; what it wrote
    /// under an earlier row is not its own any more. With SQLite the rows of earlier starts are
    /// removed, since nobody else has the file open.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn join(&self, lease: Duration) -> Result<()> {
        let id = new_id();
        self.write(|writing| Box::pin(join(writing, &id, &self.process, lease)))
            .await?;
        self.replica.set(&id);
        Ok(())
    }

    pub(super) async fn join_for_now(&self) -> Result<()> {
        self.join(FIRST_LEASE).await
    }

    /// Removes the row of this process: its answers, if there are any, are free for others at once.
    pub(super) async fn leave(&self) {
        let id = self.replica.id();
        if id.is_empty() || !self.is_shared() {
            return;
        }
        let left = query("DELETE FROM replicas WHERE id = $1").bind(&*id);
        if let Err(error) = self.keep(left).await {
            tracing::warn!(%error, "the others wait for the end of this service's lease");
        }
    }

    /// Returns the id of the row of this process.
    #[must_use]
    pub fn replica_id(&self) -> Arc<str> {
        self.replica.id()
    }

    /// Returns true if several services may share the database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.writer, Pool::Postgres(_))
    }

    /// Renews the lease of this process. Returns false if its row is gone: others have taken over
    /// its answers, and it has to [`Store::join`] again.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn beat(&self, lease: Duration) -> Result<bool> {
        let renewed = query(Sql::Each {
            sqlite: concat!(
                "UPDATE replicas SET expires_ms = ",
                now_ms!(sqlite),
                " + $2 WHERE id = $1"
            ),
            postgres: concat!(
                "UPDATE replicas SET expires_ms = ",
                now_ms!(postgres),
                " + $2 WHERE id = $1"
            ),
        })
        .bind(&*self.replica.id())
        .bind(milliseconds(lease));
        Ok(self.keep(renewed).await? == 1)
    }

    /// Returns the number of services that use the database, this one among them.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn replica_count(&self) -> Result<usize> {
        let count: i64 = query_scalar("SELECT COUNT(*) FROM replicas")
            .fetch_one(&self.keeper)
            .await?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Removes the rows of services whose lease is over, and returns their number. A row that a
    /// service stands still with, in the middle of a transaction, is left for the next time, and the
    /// connections of that service are ended.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn bury(&self) -> Result<usize> {
        let expired: Vec<(String, String)> = query_as(Sql::Each {
            sqlite: concat!(
                "SELECT id, process FROM replicas WHERE expires_ms < ",
                now_ms!(sqlite)
            ),
            postgres: concat!(
                "SELECT id, process FROM replicas WHERE expires_ms < ",
                now_ms!(postgres)
            ),
        })
        .fetch_all(&self.keeper)
        .await?;
        let mut buried = 0;
        for (id, process) in expired {
            self.end_connections(&id, &process).await;
            let removed = query(Sql::Each {
                sqlite: concat!(
                    "DELETE FROM replicas WHERE id = $1 AND expires_ms < ",
                    now_ms!(sqlite)
                ),
                postgres: concat!(
                    "DELETE FROM replicas WHERE id = $1 AND expires_ms < ",
                    now_ms!(postgres)
                ),
            })
            .bind(id);
            buried += usize::from(self.keep(removed).await.or_else(none_for_now)? == 1);
        }
        Ok(buried)
    }

    /// Ends the connections of a service whose lease is over, as far as the database lets this one:
    /// a transaction in whose middle it stands still holds locks that others wait for.
    async fn end_connections(&self, id: &str, process: &str) {
        if !self.is_shared() {
            return;
        }
        let ended = query(concat!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND application_name = $2 \
             AND EXISTS (SELECT 1 FROM replicas WHERE id = $1 AND expires_ms < ",
            now_ms!(postgres),
            ")"
        ))
        .bind(id)
        .bind(postgres::application_name(process));
        if let Err(error) = ended.execute(&self.keeper).await {
            tracing::debug!(%error, "connections of a service that stands still are not ended");
        }
    }

    /// Takes over answers whose owner is gone; returns those that are this process's from now on.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn take_over(&self) -> Result<Vec<OwnedRun>> {
        let orphans: Vec<OrphanRow> = query_as(
            "SELECT user_id, thread_id, id, owner, epoch FROM runs r WHERE ended_at IS NULL \
             AND NOT EXISTS (SELECT 1 FROM replicas p WHERE p.id = r.owner) \
             ORDER BY user_id, id LIMIT $1",
        )
        .bind(RUNS_AT_ONCE)
        .fetch_all(&self.keeper)
        .await?;
        let me = self.replica.id();
        let mut taken = Vec::new();
        for row in orphans {
            // Never a row for which the look above is repeated: who has waited for another taker
            // would take the run from a living owner.
            let own = query(
                "UPDATE runs SET owner = $1, epoch = epoch + 1 \
                 WHERE user_id = $2 AND id = $3 AND owner = $4 AND epoch = $5 \
                 AND ended_at IS NULL",
            )
            .bind(&*me)
            .bind(&row.user_id)
            .bind(&row.id)
            .bind(&row.owner)
            .bind(row.epoch);
            if self.keep(own).await.or_else(none_for_now)? == 1 {
                taken.push(OwnedRun {
                    thread: ThreadKey {
                        user_id: row.user_id,
                        id: row.thread_id,
                    },
                    id: row.id,
                    owner: Arc::clone(&me),
                    epoch: row.epoch + 1,
                });
            }
        }
        Ok(taken)
    }

    /// Returns the runs that this process owns and that are not at their end.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn own_runs(&self) -> Result<Vec<RunningRun>> {
        let rows = query_as(
            "SELECT id, user_id, thread_id, epoch, cancel_wanted = 1 AS is_cancel_wanted \
             FROM runs WHERE owner = $1 AND ended_at IS NULL",
        )
        .bind(&*self.replica.id())
        .fetch_all(&self.keeper)
        .await?;
        Ok(rows)
    }

    /// Returns true unless the run is this owner's, at its end or not.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn is_lost(&self, run: &OwnedRun) -> Result<bool> {
        let own: bool = query_scalar(
            "SELECT EXISTS (SELECT 1 FROM runs \
             WHERE user_id = $1 AND id = $2 AND owner = $3 AND epoch = $4)",
        )
        .bind(&run.thread.user_id)
        .bind(&run.id)
        .bind(&*run.owner)
        .bind(run.epoch)
        .fetch_one(&self.keeper)
        .await?;
        Ok(!own)
    }

    /// Notes that the user does not want the answer any more that is being written in a thread;
    /// whoever writes it ends it. Returns false if none is being written.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn want_cancel(&self, thread: &ThreadKey) -> Result<bool> {
        let wanted = query(
            "UPDATE runs SET cancel_wanted = 1 \
             WHERE user_id = $1 AND thread_id = $2 AND ended_at IS NULL",
        )
        .bind(&thread.user_id)
        .bind(&thread.id);
        Ok(self.keep(wanted).await? == 1)
    }

    /// Runs one statement by itself: a process that stands still holds no lock afterwards.
    pub(super) async fn keep(&self, statement: Query<()>) -> Result<u64> {
        let _turn = self.turn().await;
        Ok(statement.execute(&self.keeper).await?)
    }
}

/// Returns zero rows for a statement that met somebody else: it is tried again at the next beat.
pub(super) fn none_for_now(error: Error) -> Result<u64> {
    match error {
        Error::Database(error) if postgres::met_another(&error) => Ok(0),
        error => Err(error),
    }
}

async fn join(
    writing: &mut Transaction<'_>,
    id: &str,
    process: &str,
    lease: Duration,
) -> Result<()> {
    let insert = if writing.is_of_sqlite() {
        query("DELETE FROM replicas").execute(&mut *writing).await?;
        query("INSERT INTO replicas (id, process, expires_ms) VALUES ($1, $2, $3)")
            .bind(id)
            .bind(process)
            .bind(i64::MAX)
    } else {
        query(concat!(
            "INSERT INTO replicas (id, process, expires_ms) VALUES ($1, $2, ",
            now_ms!(postgres),
            " + $3)"
        ))
        .bind(id)
        .bind(process)
        .bind(milliseconds(lease))
    };
    insert.execute(writing).await?;
    Ok(())
}

/// Begins to write of a run: it stays this owner's until the transaction ends. The thread first,
/// everywhere: two that lock both do not wait for each other.
///
/// # Errors
///
/// [`Error::NotFound`] if the thread is deleted; [`Error::TakenOver`] if the run is another owner's,
/// or at its end.
pub(super) async fn hold(writing: &mut Transaction<'_>, run: &OwnedRun) -> Result<()> {
    threads::lock(writing, &run.thread).await?;
    let held: Option<i64> = query_scalar(Sql::Each {
        sqlite: "SELECT 1 FROM runs WHERE user_id = $1 AND id = $2 AND owner = $3 AND epoch = $4 \
                 AND ended_at IS NULL",
        postgres: "SELECT CAST(1 AS BIGINT) FROM runs \
                   WHERE user_id = $1 AND id = $2 AND owner = $3 AND epoch = $4 \
                   AND ended_at IS NULL FOR NO KEY UPDATE",
    })
    .bind(&run.thread.user_id)
    .bind(&run.id)
    .bind(&*run.owner)
    .bind(run.epoch)
    .fetch_optional(writing)
    .await?;
    held.map(|_| ()).ok_or(Error::TakenOver)
}

pub(super) fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
