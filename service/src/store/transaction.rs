//! Transactions: their beginning, and their end in each case.
//!
//! After some errors, a full disk among them, SQLite rolls a transaction back by itself; the
//! driver's own transactions then count it as open for ever, and refuse every later one on the same
//! connection. Here a connection whose transaction did not end in order is closed instead of used
//! again, which rolls back in any case.

use std::{marker::PhantomData, sync::Arc};

use futures_util::future::BoxFuture;

use super::{
    Probe,
    audit_chains::AuditChains,
    database::{At, Connection, Pool, Sql, is_refusal, query},
};
use crate::{Error, Result, rules::audit::ChainHead};

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

/// What a transaction keeps others from, on PostgreSQL; SQLite has one writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Isolation {
    /// It runs as if alone: one that made another one's reads untrue is repeated.
    Serializable,
    /// Its first statement locks a thread ([`super::threads::lock`]), and its reads are of that thread:
    /// they stay true without more. As serializable ones, the posts of different users would be
    /// repeated for each other, since their rows are neighbours in small indexes: of 30 posts a
    /// second, 11 were taken.
    ByThread,
}

/// A transaction of the database, which is rolled back if it is dropped without an end.
///
/// What its [`Work`] borrows lives for `'env`, as with [`std::thread::Scope`].
#[derive(Debug)]
pub(super) struct Transaction<'env> {
    connection: Connection,
    probe: Option<Arc<dyn Probe>>,
    /// The chains of the audit; `None` where there is only one, or nothing is written.
    chains: Option<AuditChains>,
    /// The chain of the audit that this transaction has taken.
    taken: Option<TakenChain>,
    /// True until the transaction has ended for certain.
    open: bool,
    env: PhantomData<&'env ()>,
}

/// A chain of the audit that a transaction extends.
#[derive(Debug)]
struct TakenChain {
    /// Its head before the transaction.
    before: ChainHead,
    /// Its head if the transaction commits.
    now: ChainHead,
}

impl Transaction<'_> {
    /// Begins a transaction that writes. With SQLite it holds the write lock from its first moment, so
    /// that its reads stay true.
    pub(super) async fn begin_write(
        pool: &Pool,
        probe: Option<Arc<dyn Probe>>,
        chains: &AuditChains,
        isolation: Isolation,
    ) -> Result<Self> {
        let begin = Sql::Each {
            sqlite: "BEGIN IMMEDIATE",
            postgres: match isolation {
                Isolation::Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
                // As the database has it: some have nothing less than serializable.
                Isolation::ByThread => "BEGIN",
            },
        };
        let mut writing = Self::begin(pool, probe, begin).await?;
        writing.chains = (!writing.is_of_sqlite()).then(|| chains.clone());
        Ok(writing)
    }

    /// Begins a transaction whose reads all see the same state.
    pub(super) async fn begin_read(pool: &Pool) -> Result<Self> {
        let begin = Sql::Each {
            sqlite: "BEGIN",
            postgres: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        Self::begin(pool, None, begin).await
    }

    async fn begin(pool: &Pool, probe: Option<Arc<dyn Probe>>, begin: Sql) -> Result<Self> {
        let mut transaction = Self {
            connection: pool.acquire().await?,
            probe,
            chains: None,
            taken: None,
            open: true,
            env: PhantomData,
        };
        query(begin).execute(&mut transaction).await?;
        Ok(transaction)
    }

    /// Commits if `done` is a success; otherwise rolls back and returns the error of `done`.
    pub(super) async fn end<T>(mut self, done: Result<T>) -> Result<CommitOutcome<T>> {
        match done {
            Ok(value) => match self.commit().await {
                Ok(()) => {
                    self.give_chain_back(true);
                    Ok(CommitOutcome::Committed(value))
                }
                Err(Error::Database(error)) if is_refusal(&error) => {
                    self.give_chain_back(false);
                    Err(error.into())
                }
                Err(error) => Ok(CommitOutcome::InDoubt(value, error)),
            },
            Err(error) => {
                let rolled_back = query("ROLLBACK").execute(&mut self).await;
                self.open = rolled_back.is_err();
                if !self.open {
                    self.give_chain_back(false);
                }
                Err(error)
            }
        }
    }

    /// Returns true if the database is SQLite, for what the databases do in their own way.
    pub(super) fn is_of_sqlite(&self) -> bool {
        matches!(self.connection, Connection::Sqlite(_))
    }

    /// Returns the head of the chain that this transaction extends; `None` where the database has only
    /// one.
    pub(super) fn audit_chain(&mut self) -> Option<&ChainHead> {
        let chains = self.chains.as_ref()?;
        let taken = self.taken.get_or_insert_with(|| {
            let head = chains.take();
            TakenChain {
                before: head.clone(),
                now: head,
            }
        });
        Some(&taken.now)
    }

    /// Sets the head of the chain that this transaction extends.
    pub(super) fn extend_audit_chain(&mut self, head: ChainHead) {
        if let Some(taken) = &mut self.taken {
            taken.now = head;
        }
    }

    /// Gives the chain back for the next transaction. A transaction whose end is in doubt keeps it:
    /// nobody knows where it ends.
    fn give_chain_back(&mut self, is_committed: bool) {
        if let (Some(chains), Some(TakenChain { before, now })) = (&self.chains, self.taken.take())
        {
            match is_committed {
                true => chains.give_back_grown(now),
                false => chains.give_back(before),
            }
        }
    }

    async fn commit(&mut self) -> Result<()> {
        query("COMMIT").execute(&mut *self).await?;
        self.open = false;
        if let Some(probe) = &self.probe {
            probe.after_commit()?;
        }
        Ok(())
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.open {
            self.connection.close_on_drop();
        }
    }
}

impl<'a> From<&'a mut Transaction<'_>> for At<'a> {
    fn from(transaction: &'a mut Transaction<'_>) -> Self {
        Self::Transaction(&mut transaction.connection, transaction.probe.as_deref())
    }
}
