//! Transcripts of models, and the tools that were started for them.

use sqlx::FromRow;

use super::{Store, Transaction, threads};
use crate::{
    Result,
    generate::now,
    transcript::{Call, CallEnd, CallResult, Item, Transcript},
};

#[derive(FromRow)]
struct ItemRow {
    body: String,
}

impl Store {
    /// Returns the transcript of a run in a thread; `run` is empty for that of the thread's agent.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn transcript(&self, thread_id: &str, run: &str) -> Result<Transcript> {
        let mut reading = self.read().await?;
        let transcript = read(&mut reading, thread_id, run).await;
        reading.end(transcript).await
    }

    /// Appends entries to the transcript of a run; they are durable once this returns.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn append_to_transcript(
        &self,
        thread_id: &str,
        run: &str,
        items: &[Item],
    ) -> Result<()> {
        let mut writing = self.write().await?;
        let done = append(&mut writing, thread_id, run, items).await;
        writing.end(done).await
    }

    /// Records that a tool is about to be run; false if it was started before, by whomever.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn claim_call(&self, thread_id: &str, call: &Call) -> Result<bool> {
        let mut writing = self.write().await?;
        let claimed = claim(&mut writing, thread_id, call).await;
        writing.end(claimed).await
    }

    /// Stores the result of a tool that was started, and that it ended.
    ///
    /// # Errors
    ///
    /// As for [`Store::claim_call`].
    pub async fn finish_call(&self, thread_id: &str, run: &str, result: &CallResult) -> Result<()> {
        let mut writing = self.write().await?;
        let done = finish(&mut writing, thread_id, run, result).await;
        writing.end(done).await
    }
}

async fn read(reading: &mut Transaction, thread_id: &str, run: &str) -> Result<Transcript> {
    let rows: Vec<ItemRow> = sqlx::query_as(
        "SELECT body FROM transcript_items WHERE thread_id = $1 AND run = $2 ORDER BY ordinal",
    )
    .bind(thread_id)
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
    let started: Vec<String> = sqlx::query_scalar("SELECT id FROM tool_calls WHERE thread_id = $1")
        .bind(thread_id)
        .fetch_all(reading)
        .await?;
    transcript.started = started
        .into_iter()
        .filter(|id| !transcript.has_result(id))
        .collect();
    Ok(transcript)
}

async fn append(
    writing: &mut Transaction,
    thread_id: &str,
    run: &str,
    items: &[Item],
) -> Result<()> {
    let user_id = owner(writing, thread_id).await?;
    for item in items {
        let body = serde_json::to_string(item)?;
        sqlx::query(
            "INSERT INTO transcript_items (user_id, thread_id, ordinal, body, run) \
             SELECT $1, $2, COALESCE(MAX(ordinal), 0) + 1, $3, $4 \
             FROM transcript_items WHERE user_id = $1 AND thread_id = $2",
        )
        .bind(&user_id)
        .bind(thread_id)
        .bind(&body)
        .bind(run)
        .execute(&mut *writing)
        .await?;
        threads::grow(writing, thread_id, body.len()).await?;
    }
    Ok(())
}

async fn claim(writing: &mut Transaction, thread_id: &str, call: &Call) -> Result<bool> {
    let user_id = owner(writing, thread_id).await?;
    let inserted = sqlx::query(
        "INSERT INTO tool_calls (user_id, id, thread_id, tool, arguments, state, started_at) \
         VALUES ($1, $2, $3, $4, $5, 'running', $6) ON CONFLICT DO NOTHING",
    )
    .bind(&user_id)
    .bind(&call.id)
    .bind(thread_id)
    .bind(&call.tool)
    .bind(&call.arguments)
    .bind(now())
    .execute(writing)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

async fn finish(
    writing: &mut Transaction,
    thread_id: &str,
    run: &str,
    result: &CallResult,
) -> Result<()> {
    let state = match result.end {
        CallEnd::Succeeded => "succeeded",
        CallEnd::Unknown => "unknown",
        CallEnd::Failed | CallEnd::Refused | CallEnd::Denied | CallEnd::Skipped => "failed",
    };
    sqlx::query("UPDATE tool_calls SET state = $1, ended_at = $2 WHERE thread_id = $3 AND id = $4")
        .bind(state)
        .bind(now())
        .bind(thread_id)
        .bind(&result.call)
        .execute(&mut *writing)
        .await?;
    append(writing, thread_id, run, &[Item::Result(result.clone())]).await
}

/// Marks the tools that a thread's answer left running, whose outcome nobody knows now; returns
/// their names.
pub(super) async fn abandon(writing: &mut Transaction, thread_id: &str) -> Result<Vec<String>> {
    let mut tools: Vec<String> = sqlx::query_scalar(
        "UPDATE tool_calls SET state = 'unknown', ended_at = $1 \
         WHERE thread_id = $2 AND state = 'running' RETURNING tool",
    )
    .bind(now())
    .bind(thread_id)
    .fetch_all(writing)
    .await?;
    tools.sort_unstable();
    Ok(tools)
}

pub(super) async fn owner(reading: &mut Transaction, thread_id: &str) -> Result<String> {
    let user_id: Option<String> = sqlx::query_scalar("SELECT user_id FROM threads WHERE id = $1")
        .bind(thread_id)
        .fetch_optional(reading)
        .await?;
    user_id.ok_or(threads::NO_THREAD)
}
