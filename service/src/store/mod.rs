//! The database: threads, messages, answers in progress and approvals, in a SQLite file or in
//! PostgreSQL.
//!
//! Everything that must not happen by halves is one transaction. With SQLite it takes the write lock
//! at once, and writes share one connection; with PostgreSQL it locks its thread first, or is
//! serializable and runs again if it met another one. Reads have connections of their own, so that
//! nobody who reads waits for those who write.

mod accept;
mod answers;
mod approvals;
mod audit;
mod audit_chains;
mod calls;
mod copy;
mod database;
mod erasure;
mod events;
mod executions;
mod expiry;
mod files;
mod full_text;
mod grants;
mod handing_on;
mod hints;
mod image_files;
mod inbox;
mod input;
mod knowledge;
mod log_parts;
mod memories;
mod messages;
mod named_uploads;
mod notices;
mod open;
mod orphans;
mod people;
mod posts;
mod private;
mod probe;
mod readiness;
mod receiving;
mod recovery;
mod replicas;
mod reservations;
mod retries;
mod running;
mod runs;
mod standing;
mod thread_list;
mod thread_name;
mod threads;
mod tool_images;
mod transaction;
mod transcripts;
mod uploads;
mod users;

use std::{fs::File, num::NonZeroUsize, sync::Arc, time::Duration};

use tokio::{
    sync::{Mutex, MutexGuard},
    time::sleep,
};

use crate::{Error, Result, documents::keyed_locks::KeyedLocks, settings::StoreLimits};

use {
    audit_chains::AuditChains,
    database::{Pool, has_to_repeat, query},
    erasure::EmptyLogFlag,
    files::Files,
    readiness::Readiness,
    receiving::ReceivedBytes,
    replicas::OwnReplica,
    reservations::Reservations,
    retries::{MAX_REPEATS, random_pause},
    running::RunningRequests,
    transaction::{CommitOutcome, Isolation, Transaction, Work},
};

pub use accept::{Acceptance, AcceptedPost, AnsweredQuestion, ValidPost};
pub use answers::Segment;
pub use copy::{Copied, copy};
pub use database::{Database, Storage};
pub use events::{LogEntry, LoggedEvent};
pub use expiry::ExpiredBatch;
#[cfg(feature = "s3")]
pub use files::Bucket;
pub use files::FilePlace;
pub use grants::OwnedGrant;
pub use handing_on::StateScope;
pub use hints::{Hint, HintListener};
pub use image_files::ImageFile;
pub use inbox::{InboxPage, InboxPosition, Waiting};
pub use knowledge::Knowledge;
pub use log_parts::{LogCursor, LogPart};
pub use memories::Memories;
pub use messages::{EarlierPage, MessageNumber, MessagePage, Position};
pub use named_uploads::Upload;
pub use notices::Notice;
pub use posts::PostKey;
pub use probe::Probe;
pub use recovery::{Recovered, ResumedAnswer};
pub use replicas::{OwnedRun, RunningRun};
pub use reservations::Reservation;
pub use running::RunningMark;
pub use runs::Run;
pub use thread_list::{ThreadPage, ThreadPosition};
pub use threads::{Thread, ThreadKey};
pub use transcripts::{RunKey, StoredRun};
pub use uploads::{IncomingFile, UploadInfo};
pub use users::DeletedCounts;

/// The database, and the files that users sent. A clone shares them.
#[derive(Clone, Debug)]
pub struct Store {
    /// For everything that is written but the log of events: one connection to SQLite, some to
    /// PostgreSQL.
    writer: Pool,
    /// One connection, for what is appended to the log of events. With SQLite its commits do not
    /// wait for the disk, and so they outlive this process, and not a power failure.
    appender: Pool,
    /// One connection, for the rows of replicas; with SQLite it is the one that writes.
    keeper: Pool,
    /// The turn of whoever writes to SQLite: it has one writer at a time, and would let a second one
    /// try again after pauses, in no order.
    turn: Arc<Mutex<()>>,
    readers: Pool,
    /// One connection, for the check whether the database can be read: no reader keeps it waiting.
    checker: Pool,
    /// The locked file beside that of SQLite, which a service holds as long as it has the database
    /// open. `None` for a command, and for PostgreSQL, which several services may use.
    lock: Option<Arc<File>>,
    /// The id of this start of the program, by which its connections are named.
    process: String,
    replica: OwnReplica,
    chains: AuditChains,
    /// The files that users sent.
    files: Files,
    receiving: ReceivedBytes,
    running: RunningRequests,
    lists: KeyedLocks<String>,
    reservations: Reservations,
    readiness: Arc<Readiness>,
    erasure: Arc<EmptyLogFlag>,
    limits: StoreLimits,
    /// Most answers that are written for one user at the same time.
    user_answers: Option<NonZeroUsize>,
    /// The time after which a webhook is told of a batch that waits; `None` without one.
    notice_delay: Option<Duration>,
    probe: Option<Arc<dyn Probe>>,
}

impl Store {
    /// Opens the database of a service (a file that is missing is made), brings its tables up to
    /// date, and looks whether the place of the files can be used.
    ///
    /// # Errors
    ///
    /// [`crate::Error::File`], [`crate::Error::FileStore`], [`crate::Error::InUse`], [`crate::Error::OpenDatabase`],
    /// [`crate::Error::Migration`] or [`crate::Error::Database`].
    pub async fn open(storage: &Storage) -> Result<Self> {
        let store = open::open(storage).await?;
        store.files.prepare().await?;
        store.join_for_now().await?;
        Ok(store)
    }

    /// Brings the tables of a database up to date, and nothing else.
    ///
    /// # Errors
    ///
    /// As for [`Store::open`].
    pub async fn migrate(storage: &Storage) -> Result<()> {
        open::open(storage).await?.close().await;
        Ok(())
    }

    /// Opens the database of a service that may be running, to look at it or to change grants.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NoDatabase`] or [`crate::Error::NoTables`]: there has to be one already;
    /// [`crate::Error::OpenDatabase`].
    pub async fn attach(storage: &Storage) -> Result<Self> {
        open::attach(storage).await
    }

    /// Sets the bounds on what is stored from now on.
    #[must_use]
    pub fn with_limits(mut self, limits: StoreLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the most answers that are written for one user at the same time from now on; `None` is no
    /// bound.
    #[must_use]
    pub fn with_user_answers(mut self, most: Option<NonZeroUsize>) -> Self {
        self.user_answers = most;
        self
    }

    /// Lets `probe` see each statement that writes, and make it fail.
    #[must_use]
    pub fn with_probe(mut self, probe: Arc<dyn Probe>) -> Self {
        self.probe = Some(probe);
        self
    }

    /// Fails unless the database can be read.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn ping(&self) -> Result<()> {
        query("SELECT 1").execute(&self.checker).await?;
        Ok(())
    }

    /// Returns the number of requests for approval that wait for a decision.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn pending_approvals(&self) -> Result<i64> {
        self.read(|reading| Box::pin(approvals::count_all_pending(reading)))
            .await
    }

    /// Writes everything out and closes the file.
    pub async fn close(&self) {
        if let Err(error) = self.checkpoint().await {
            tracing::warn!(%error, "the last lines of the audit are in no checkpoint yet");
        }
        self.leave().await;
        self.readers.close().await;
        self.checker.close().await;
        self.appender.close().await;
        self.keeper.close().await;
        // The last one: it empties the write-ahead log.
        self.writer.close().await;
        // The store may be shared still.
        if let Some(Err(error)) = self.lock.as_ref().map(|lock| lock.unlock()) {
            tracing::warn!(%error, "the database stays locked until this process ends");
        }
    }

    /// Returns true once the database is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.writer.is_closed()
    }

    /// Returns the error for a thread that has no room for more text.
    pub(crate) fn thread_full_error(&self) -> Error {
        Error::ThreadFull {
            limit: self.limits.thread_bytes,
        }
    }

    /// Writes in one transaction, all of `work` or nothing, and as if nobody else wrote meanwhile.
    ///
    /// `work` may run more than once, so it keeps nothing of a run but what it returns.
    async fn write<'env, T>(&self, work: impl Work<'env, T>) -> Result<T> {
        let written = self.write_in_doubt(Isolation::Serializable, work);
        written.await?.or_failed()
    }

    /// Writes like [`Store::write`], for work that begins with the lock of a thread, and reads of that
    /// thread alone.
    async fn write_by_thread<'env, T>(&self, work: impl Work<'env, T>) -> Result<T> {
        let written = self.write_in_doubt(Isolation::ByThread, work);
        written.await?.or_failed()
    }

    /// Writes, for a caller that finds out whether a commit that failed happened all the same.
    async fn write_in_doubt<'env, T>(
        &self,
        isolation: Isolation,
        work: impl Work<'env, T>,
    ) -> Result<CommitOutcome<T>> {
        let mut repeats = 0;
        loop {
            let turn = self.turn().await;
            let mut writing =
                Transaction::begin_write(&self.writer, self.probe.clone(), &self.chains, isolation)
                    .await?;
            let done = work(&mut writing).await;
            let ended = writing.end(done).await;
            drop(turn);
            match ended {
                Err(Error::Database(error)) if has_to_repeat(&error) => {
                    if repeats == MAX_REPEATS {
                        tracing::warn!(%error, "a transaction met others each time");
                        return Err(Error::Busy);
                    }
                    repeats += 1;
                    sleep(random_pause()).await;
                }
                ended => return ended,
            }
        }
    }

    /// Waits for the turn of a writer; PostgreSQL has no turns.
    async fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        match self.writer {
            Pool::Sqlite(_) => Some(self.turn.lock().await),
            Pool::Postgres(_) => None,
        }
    }

    /// Reads in one transaction, whose reads all see the same state.
    async fn read<'env, T>(&self, work: impl Work<'env, T>) -> Result<T> {
        let mut reading = Transaction::begin_read(&self.readers).await?;
        let done = work(&mut reading).await;
        reading.end(done).await?.or_failed()
    }
}
