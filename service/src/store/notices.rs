//! What a webhook is to be told of decisions that wait: a row for each batch, written together with
//! its requests, and gone once it is told, decided, or given up.
//!
//! Whoever sends one claims it first, by the database's clock, and holds no lock while it is sent. If
//! that process ends meanwhile, the claim does too, and the same message is sent again.

use std::time::Duration;

use jiff::Timestamp;
use sqlx::FromRow;

use super::{
    Store, ThreadKey, Transaction,
    database::{Sql, query, query_as},
    replicas::{milliseconds, none_for_now, now_ms},
};
use crate::{Result, generate::new_id};

/// A notice that may be sent now, the first of its thread.
#[derive(Clone, Debug, FromRow)]
pub struct Notice {
    /// The id of the user.
    pub user_id: String,
    /// The id of the thread.
    pub thread_id: String,
    /// The id of the batch that waits.
    pub batch_id: String,
    /// The id of the message, the same at each attempt.
    pub id: String,
    /// The number of attempts so far.
    pub attempts: i64,
    /// The milliseconds since the first attempt; 0 before it.
    pub age_ms: i64,
    /// 1 for the reminder before the end of the request, 0 for the first message.
    pub reminds: i64,
}

/// The statement that finds what may be sent; `$now` is the database's clock.
macro_rules! due {
    ($database:ident) => {
        concat!(
            "SELECT user_id, thread_id, batch_id, id, attempts, reminds, \
             CASE WHEN attempts = 0 THEN 0 ELSE ",
            now_ms!($database),
            " - since_ms END AS age_ms FROM notices n WHERE due_ms <= ",
            now_ms!($database),
            " AND NOT EXISTS (SELECT 1 FROM notices e WHERE e.user_id = n.user_id \
             AND e.thread_id = n.thread_id AND e.number < n.number AND e.reminds = n.reminds) \
             ORDER BY due_ms LIMIT $1"
        )
    };
}

macro_rules! claim {
    ($database:ident) => {
        concat!(
            "UPDATE notices SET attempts = attempts + 1, \
             since_ms = CASE WHEN attempts = 0 THEN ",
            now_ms!($database),
            " ELSE since_ms END, due_ms = ",
            now_ms!($database),
            " + $3 WHERE user_id = $1 AND id = $2 AND thread_id = $4 AND batch_id = $5 \
             AND attempts = $6 AND due_ms <= ",
            now_ms!($database)
        )
    };
}

macro_rules! insert {
    ($database:ident) => {
        concat!(
            "INSERT INTO notices (user_id, thread_id, batch_id, number, id, due_ms) \
             SELECT user_id, thread_id, batch_id, MIN(ordinal), $4, ",
            now_ms!($database),
            " + $5 FROM approvals WHERE user_id = $1 AND thread_id = $2 AND batch_id = $3 \
             GROUP BY user_id, thread_id, batch_id \
             ON CONFLICT (user_id, thread_id, batch_id) DO NOTHING"
        )
    };
}

macro_rules! postpone {
    ($database:ident) => {
        concat!(
            "UPDATE notices SET due_ms = ",
            now_ms!($database),
            " + $4 WHERE user_id = $1 AND thread_id = $2 AND batch_id = $3 AND attempts = $5"
        )
    };
}

impl Store {
    /// Lets a webhook be told of batches that wait for longer than `delay`, from now on; `None` tells
    /// nobody.
    #[must_use]
    pub fn with_notices(mut self, delay: Option<Duration>) -> Self {
        self.notice_delay = delay;
        self
    }

    /// Returns at most `limit` of the notices that may be sent now, one of each thread.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn due_notices(&self, limit: i64) -> Result<Vec<Notice>> {
        let due = query_as(Sql::Each {
            sqlite: due!(sqlite),
            postgres: due!(postgres),
        });
        Ok(due.bind(limit).fetch_all(&self.readers).await?)
    }

    /// Claims a notice for the next attempt: for the time `hold` nobody else sends it. Returns false
    /// if somebody else was faster, or nothing is to be told any more.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn claim_notice(&self, notice: &Notice, hold: Duration) -> Result<bool> {
        let claimed = query(Sql::Each {
            sqlite: claim!(sqlite),
            postgres: claim!(postgres),
        })
        .bind(&notice.user_id)
        .bind(&notice.id)
        .bind(milliseconds(hold))
        .bind(&notice.thread_id)
        .bind(&notice.batch_id)
        .bind(notice.attempts);
        Ok(self.keep(claimed).await.or_else(none_for_now)? == 1)
    }

    /// Lets a notice that was claimed be sent again after a pause.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn postpone_notice(&self, notice: &Notice, pause: Duration) -> Result<()> {
        let postponed = query(Sql::Each {
            sqlite: postpone!(sqlite),
            postgres: postpone!(postgres),
        })
        .bind(&notice.user_id)
        .bind(&notice.thread_id)
        .bind(&notice.batch_id)
        .bind(milliseconds(pause))
        .bind(notice.attempts + 1);
        self.keep(postponed).await.or_else(none_for_now)?;
        Ok(())
    }

    /// Makes the reminder of a notice that was sent, which is due at `at` by the clock of this process.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn remind_at(&self, notice: &Notice, at: Timestamp) -> Result<()> {
        let reminding = query(
            "UPDATE notices SET reminds = 1, id = $4, due_ms = $5, attempts = 0, since_ms = 0 \
             WHERE user_id = $1 AND thread_id = $2 AND batch_id = $3 AND id = $6",
        )
        .bind(&notice.user_id)
        .bind(&notice.thread_id)
        .bind(&notice.batch_id)
        .bind(message_id())
        .bind(at.as_millisecond())
        .bind(&notice.id);
        self.keep(reminding).await?;
        Ok(())
    }

    /// Removes a notice that was sent, or is given up.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn end_notice(&self, notice: &Notice) -> Result<()> {
        let ended = query(
            "DELETE FROM notices WHERE user_id = $1 AND thread_id = $2 AND batch_id = $3 \
             AND id = $4",
        )
        .bind(&notice.user_id)
        .bind(&notice.thread_id)
        .bind(&notice.batch_id)
        .bind(&notice.id);
        self.keep(ended).await?;
        Ok(())
    }
}

fn message_id() -> String {
    format!("msg_{}", new_id())
}

/// Adds the notice of a batch whose requests were just stored.
pub(super) async fn insert(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    batch_id: &str,
    delay: Duration,
) -> Result<()> {
    query(Sql::Each {
        sqlite: insert!(sqlite),
        postgres: insert!(postgres),
    })
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(batch_id)
    .bind(message_id())
    .bind(milliseconds(delay))
    .execute(writing)
    .await?;
    Ok(())
}

/// Removes the notices of batches of a thread that do not wait any more: nobody is to be told of
/// them, and those after them are not to wait for them.
pub(super) async fn remove_decided(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<()> {
    query(
        "DELETE FROM notices WHERE user_id = $1 AND thread_id = $2 \
         AND NOT EXISTS (SELECT 1 FROM approvals a WHERE a.user_id = notices.user_id \
         AND a.thread_id = notices.thread_id AND a.batch_id = notices.batch_id \
         AND a.status = 'PENDING_HUMAN_APPROVAL')",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .execute(writing)
    .await?;
    Ok(())
}
