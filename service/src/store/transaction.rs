//! Transactions, and the one place where the statements of a transaction run.
//!
//! After some errors, a full disk among them, SQLite rolls a transaction back by itself; the
//! driver's own transactions then count it as open for ever, and refuse every later one on the same
//! connection. Here a connection whose transaction did not end in order is closed instead of used
//! again, which rolls back in any case.

use std::{fmt, fs::File, future::ready, io, marker::PhantomData, sync::Arc};

use futures_util::{
    StreamExt as _,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use sqlx::{
    Describe, Either, Execute, Executor, SqlStr, Sqlite,
    pool::PoolConnection,
    sqlite::{SqlitePool, SqliteQueryResult, SqliteRow, SqliteStatement, SqliteTypeInfo},
};

use crate::{Error, Result};

/// What tests put into a store to see what is written and in which order, and to let it fail.
pub trait Probe: fmt::Debug + Send + Sync {
    /// Runs before each statement; an error is that of the statement, which does not run.
    ///
    /// # Errors
    ///
    /// The error that the statement is to have.
    fn before_statement(&self) -> sqlx::Result<()> {
        Ok(())
    }

    /// Runs after each commit; an error is that of the commit, although it happened.
    ///
    /// # Errors
    ///
    /// The error that the commit is to have.
    fn after_commit(&self) -> sqlx::Result<()> {
        Ok(())
    }

    /// Runs after a file, or the names in a folder, were written to the disk; an error is that of
    /// writing, although it happened.
    ///
    /// # Errors
    ///
    /// The error that writing is to have.
    fn after_sync(&self, _: &File) -> io::Result<()> {
        Ok(())
    }
}

/// The outcome of a transaction that was to be committed, with the value of its work.
#[derive(Debug)]
pub(super) enum CommitOutcome<T> {
    /// The commit happened.
    Committed(T),
    /// The commit failed, and may have happened all the same.
    InDoubt(T, Error),
}

impl<T> CommitOutcome<T> {
    /// Returns the value if the commit happened; a commit that failed counts as one that did not
    /// happen, and its error is returned.
    pub(super) fn or_failed(self) -> Result<T> {
        match self {
            Self::Committed(value) => Ok(value),
            Self::InDoubt(_, error) => Err(error),
        }
    }
}

/// Statements that belong into one transaction, and run more than once if that has to be repeated.
///
/// Their future is boxed because the compiler cannot see yet that those of async closures are `Send`
/// where they borrow (<https://github.com/rust-lang/rust/issues/110338>).
pub(super) trait Work<'env, T>:
    for<'t> Fn(&'t mut Transaction<'env>) -> BoxFuture<'t, Result<T>>
{
}

impl<'env, T, F> Work<'env, T> for F where
    F: for<'t> Fn(&'t mut Transaction<'env>) -> BoxFuture<'t, Result<T>>
{
}

/// A transaction of the database, which is rolled back if it is dropped without an end.
///
/// What its [`Work`] borrows lives for `'env`, as with [`std::thread::Scope`].
#[derive(Debug)]
pub(super) struct Transaction<'env> {
    connection: PoolConnection<Sqlite>,
    probe: Option<Arc<dyn Probe>>,
    /// True until the transaction has ended for certain.
    open: bool,
    env: PhantomData<&'env ()>,
}

impl Transaction<'_> {
    /// Begins a transaction that holds the write lock from its first moment, so that its reads stay
    /// true.
    pub(super) async fn begin_write(
        pool: &SqlitePool,
        probe: Option<Arc<dyn Probe>>,
    ) -> Result<Self> {
        Self::begin(pool, probe, "BEGIN IMMEDIATE").await
    }

    /// Begins a transaction whose reads all see the same state.
    pub(super) async fn begin_read(pool: &SqlitePool) -> Result<Self> {
        Self::begin(pool, None, "BEGIN").await
    }

    async fn begin(
        pool: &SqlitePool,
        probe: Option<Arc<dyn Probe>>,
        begin: &'static str,
    ) -> Result<Self> {
        let mut transaction = Self {
            connection: pool.acquire().await?,
            probe,
            open: true,
            env: PhantomData,
        };
        sqlx::query(begin).execute(&mut transaction).await?;
        Ok(transaction)
    }

    /// Commits if `done` is a success; otherwise rolls back and returns the error of `done`.
    pub(super) async fn end<T>(mut self, done: Result<T>) -> Result<CommitOutcome<T>> {
        match done {
            Ok(value) => Ok(match self.commit().await {
                Ok(()) => CommitOutcome::Committed(value),
                Err(error) => CommitOutcome::InDoubt(value, error),
            }),
            Err(error) => {
                let rolled_back = sqlx::query("ROLLBACK").execute(&mut self).await;
                self.open = rolled_back.is_err();
                Err(error)
            }
        }
    }

    async fn commit(&mut self) -> Result<()> {
        sqlx::query("COMMIT").execute(&mut *self).await?;
        self.open = false;
        if let Some(probe) = &self.probe {
            probe.after_commit()?;
        }
        Ok(())
    }

    fn probed(&self) -> sqlx::Result<()> {
        self.probe
            .as_ref()
            .map_or(Ok(()), |probe| probe.before_statement())
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.open {
            self.connection.close_on_drop();
        }
    }
}

impl<'c> Executor<'c> for &'c mut Transaction<'_> {
    type Database = Sqlite;

    fn fetch_many<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxStream<'e, sqlx::Result<Either<SqliteQueryResult, SqliteRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        match self.probed() {
            Ok(()) => self.connection.fetch_many(query),
            Err(error) => stream::once(ready(Err(error))).boxed(),
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(
        self,
        query: E,
    ) -> BoxFuture<'e, sqlx::Result<Option<SqliteRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Sqlite>,
    {
        match self.probed() {
            Ok(()) => self.connection.fetch_optional(query),
            Err(error) => Box::pin(ready(Err(error))),
        }
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [SqliteTypeInfo],
    ) -> BoxFuture<'e, sqlx::Result<SqliteStatement>>
    where
        'c: 'e,
    {
        self.connection.prepare_with(sql, parameters)
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, sqlx::Result<Describe<Sqlite>>>
    where
        'c: 'e,
    {
        self.connection.describe(sql)
    }
}
