//! The runs: each is the writing of one answer, and at most one of a thread is not at its end.

use sqlx::FromRow;

use super::{
    OwnedRun, Store, ThreadKey, Transaction,
    database::{At, query, query_as, query_scalar},
    events,
};
use crate::{Result, generate::now};

/// A run as a reader of its log finds it.
#[derive(Clone, Debug, FromRow)]
pub struct Run {
    /// The id, which is that of the request that is answered.
    pub id: String,
    /// The number of the first event that the log has, or will have.
    pub first_event: i64,
    /// The number of the last event whose text is among the stored messages.
    pub stored_event: i64,
    /// True until the answer is at its end.
    pub is_running: bool,
    pub(super) owner: String,
    pub(super) epoch: i64,
    /// True if the owner has not begun it yet, since another replica accepted it.
    pub(super) is_handed_on: bool,
}

/// The columns of a [`Run`].
macro_rules! run_columns {
    () => {
        "id, first_event, stored_event, ended_at IS NULL AS is_running, owner, epoch, \
         handed_on = 1 AS is_handed_on"
    };
}

impl Store {
    /// Returns the run that writes an answer in a thread, if there is one.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn running(&self, thread: &ThreadKey) -> Result<Option<Run>> {
        running(&self.readers, thread).await
    }

    /// Returns a run of a thread; `None` if there was none, or it ended some time ago.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn run(&self, thread: &ThreadKey, id: &str) -> Result<Option<Run>> {
        let run = query_as(concat!(
            "SELECT ",
            run_columns!(),
            " FROM runs WHERE user_id = $1 AND thread_id = $2 AND id = $3"
        ))
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(id)
        .fetch_optional(&self.readers)
        .await?;
        Ok(run)
    }
}

/// Returns the run that writes an answer in a thread, if there is one.
pub(super) async fn running<'a>(
    reading: impl Into<At<'a>>,
    thread: &ThreadKey,
) -> Result<Option<Run>> {
    let run = query_as(concat!(
        "SELECT ",
        run_columns!(),
        " FROM runs WHERE user_id = $1 AND thread_id = $2 AND ended_at IS NULL"
    ))
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_optional(reading)
    .await?;
    Ok(run)
}

/// Returns the number of answers that are being written for a user.
pub(super) async fn count_running(reading: &mut Transaction<'_>, user_id: &str) -> Result<usize> {
    let running: i64 =
        query_scalar("SELECT COUNT(*) FROM runs WHERE user_id = $1 AND ended_at IS NULL")
            .bind(user_id)
            .fetch_one(reading)
            .await?;
    Ok(usize::try_from(running).unwrap_or_default())
}

/// Ends a run with its last event; its events stay for those who read them still.
pub(super) async fn end(
    writing: &mut Transaction<'_>,
    run: &OwnedRun,
    last_event: i64,
) -> Result<()> {
    query(
        "UPDATE runs SET ended_at = $3, stored_event = $4, input = '' \
         WHERE user_id = $1 AND id = $2",
    )
    .bind(&run.thread.user_id)
    .bind(&run.id)
    .bind(now())
    .bind(last_event)
    .execute(writing)
    .await?;
    Ok(())
}

/// Lets a run begin again: nothing that it has logged counts. One that was handed on begins for the
/// first time. The number after its last event is left
/// out, so that whoever has the old events is told that they do not go on. Returns the number of the
/// first event to come.
pub(super) async fn begin_again(writing: &mut Transaction<'_>, run: &OwnedRun) -> Result<i64> {
    let user_id = &run.thread.user_id;
    let last = events::last(writing, user_id, &run.id).await?;
    let first_event = last.map_or(1, |last| last + 2);
    events::remove(writing, user_id, &run.id).await?;
    query(
        "UPDATE runs SET resumed = 1 - handed_on, handed_on = 0, first_event = $3, stored_event = $3 - 1 \
         WHERE user_id = $1 AND id = $2",
    )
    .bind(user_id)
    .bind(&run.id)
    .bind(first_event)
    .execute(writing)
    .await?;
    Ok(first_event)
}
