//! Transcripts of models.

use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::FromRow;

use super::{
    OwnedRun, Store, ThreadKey, Transaction, audit, calls,
    database::{query, query_as, query_scalar},
    replicas, standing, threads,
};
use crate::{
    Result,
    rules::audit::AuditEntry,
    transcript::{CallResult, Item, Note, Transcript},
};

/// The time in which storing the result of a tool is tried again. It is long enough for a `VACUUM`,
/// which holds the database.
const RESULT_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(FromRow)]
struct ItemRow {
    body: String,
}

/// The key of an agent's run in a thread, which has a transcript of its own.
#[derive(Clone, Debug)]
pub struct RunKey {
    /// The run that writes the answer.
    pub answer: OwnedRun,
    /// The id of a colleague's run; empty for the run of the thread's agent.
    pub run: String,
    /// The id of the agent whose run it is.
    pub agent_id: String,
}

/// A handle to what is stored of an agent's run in a thread.
#[derive(Clone, Debug)]
pub struct StoredRun {
    pub(super) store: Store,
    pub(super) place: RunKey,
}

impl StoredRun {
    pub(crate) fn run_key(&self) -> &RunKey {
        &self.place
    }

    /// Returns the transcript of the run.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn transcript(&self) -> Result<Transcript> {
        let RunKey { answer, run, .. } = &self.place;
        self.store.transcript(&answer.thread, run).await
    }
}

impl Store {
    /// Returns a handle to what is stored of a run.
    #[must_use]
    pub fn stored_run(&self, place: RunKey) -> StoredRun {
        StoredRun {
            store: self.clone(),
            place,
        }
    }

    /// Returns the transcript of an agent's run in a thread; `run` is as in a [`RunKey`].
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn transcript(&self, thread: &ThreadKey, run: &str) -> Result<Transcript> {
        self.read(|reading| Box::pin(read(reading, thread, run)))
            .await
    }

    /// Appends entries to the transcript of a run, and the decisions in them to the audit. Both are
    /// durable once this returns.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::TakenOver`] if the
    /// answer is another replica's; [`crate::Error::Database`].
    pub async fn append_to_transcript(
        &self,
        run: &RunKey,
        items: &[Item],
        decisions: &[AuditEntry],
    ) -> Result<()> {
        self.write_by_thread(|writing| Box::pin(append(writing, run, items, decisions)))
            .await
    }

    /// Stores the result of a call that was started, and that the call ended. If the database fails
    /// that is tried again for a minute: what the tool answered is known here alone.
    ///
    /// # Errors
    ///
    /// As for [`Store::claim_call`].
    pub async fn finish_call(
        &self,
        run: &RunKey,
        result: &CallResult,
        decisions: &[AuditEntry],
    ) -> Result<()> {
        let write = |again| -> BoxFuture<'_, _> {
            Box::pin(async move {
                self.write_by_thread(|writing| {
                    Box::pin(finish(writing, run, result, decisions, again))
                })
                .await
            })
        };
        self.with_retries("the result of a tool", RESULT_TIMEOUT, write)
            .await
    }
}

async fn finish(
    writing: &mut Transaction<'_>,
    run: &RunKey,
    result: &CallResult,
    decisions: &[AuditEntry],
    again: bool,
) -> Result<()> {
    // What was in doubt is there, or comes to nothing, once the thread is locked.
    replicas::hold(writing, &run.answer).await?;
    if again
        && read(writing, &run.answer.thread, &run.run)
            .await?
            .has_result(&result.call)
    {
        return Ok(());
    }
    let items = [Item::Result(result.clone())];
    append(writing, run, &items, decisions).await
}

pub(super) async fn read(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    run: &str,
) -> Result<Transcript> {
    let rows: Vec<ItemRow> = query_as(
        "SELECT body FROM transcript_items \
         WHERE user_id = $1 AND thread_id = $2 AND run = $3 ORDER BY ordinal",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(run)
    .fetch_all(&mut *reading)
    .await?;
    let items = rows
        .iter()
        .map(|row| serde_json::from_str(&row.body).map_err(crate::Error::from))
        .collect::<Result<Vec<_>>>()?;
    let mut transcript = Transcript {
        items,
        ..Transcript::default()
    };
    let started: Vec<String> = query_scalar(
        "SELECT id FROM tool_calls \
         WHERE user_id = $1 AND thread_id = $2 AND state IN ('running', 'unknown')",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_all(&mut *reading)
    .await?;
    transcript.started = started
        .into_iter()
        .filter(|id| !transcript.has_result(id))
        .collect();
    let before: Option<i64> = query_scalar(
        "SELECT (SELECT COUNT(*) FROM transcript_items i WHERE i.user_id = $1 \
         AND i.thread_id = r.thread_id AND i.run = $3 AND i.ordinal <= r.items_before) \
         FROM runs r WHERE r.user_id = $1 AND r.thread_id = $2 AND r.ended_at IS NULL",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(run)
    .fetch_optional(reading)
    .await?;
    transcript.before = before.map_or(transcript.items.len(), |before| {
        usize::try_from(before).unwrap_or_default()
    });
    Ok(transcript)
}

pub(super) async fn append(
    writing: &mut Transaction<'_>,
    run: &RunKey,
    items: &[Item],
    decisions: &[AuditEntry],
) -> Result<()> {
    replicas::hold(writing, &run.answer).await?;
    let thread = &run.answer.thread;
    let mut place = threads::audited_thread(writing, thread).await?;
    place.agent_id.clone_from(&run.agent_id);
    for entry in decisions {
        calls::propose(writing, &place, entry).await?;
    }
    audit::append(writing, &place, decisions).await?;
    for item in items {
        let body = serde_json::to_string(item)?;
        query(
            "INSERT INTO transcript_items (user_id, thread_id, ordinal, body, run) \
             SELECT $1, $2, COALESCE(MAX(ordinal), 0) + 1, $3, $4 \
             FROM transcript_items WHERE user_id = $1 AND thread_id = $2",
        )
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(&body)
        .bind(&run.run)
        .execute(&mut *writing)
        .await?;
        threads::add_stored_bytes(writing, thread, body.len()).await?;
        match item {
            Item::Result(result) => calls::end(writing, &thread.user_id, result).await?,
            Item::Model { tokens, .. }
            | Item::Note(Note::Inquiry { tokens } | Note::Summary { tokens, .. }) => {
                standing::spend(writing, &thread.user_id, *tokens).await?;
            }
            Item::User { .. } | Item::Feedback { .. } | Item::Images { .. } | Item::Note(_) => {}
        }
    }
    Ok(())
}

/// Returns true if colleagues have worked in the answer that began when the thread's transcript had
/// `before` entries.
pub(super) async fn has_colleagues(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    before: i64,
) -> Result<bool> {
    let colleagues = query_scalar(
        "SELECT EXISTS (SELECT 1 FROM transcript_items \
         WHERE user_id = $1 AND thread_id = $2 AND ordinal > $3 AND run <> '')",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(before)
    .fetch_one(reading)
    .await?;
    Ok(colleagues)
}

/// Returns the number of entries of a thread's transcript.
pub(super) async fn length(reading: &mut Transaction<'_>, thread: &ThreadKey) -> Result<i64> {
    let length =
        query_scalar("SELECT COUNT(*) FROM transcript_items WHERE user_id = $1 AND thread_id = $2")
            .bind(&thread.user_id)
            .bind(&thread.id)
            .fetch_one(reading)
            .await?;
    Ok(length)
}
