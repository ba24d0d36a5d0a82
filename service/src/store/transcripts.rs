//! Transcripts of models, and the tools that were started for them.

use sqlx::FromRow;

use super::{Store, Transaction, audit, standing, threads};
use crate::{
    Result,
    approval::Verdict,
    audit::{Decision, Entry, Place, Source},
    generate::now,
    transcript::{Call, CallEnd, CallResult, Effect, Item, Note, Transcript},
};

#[derive(FromRow)]
struct ItemRow {
    body: String,
}

#[derive(FromRow)]
struct CallRow {
    id: String,
    tool: String,
    arguments: String,
    definition: String,
    effect: String,
    agent_id: String,
}

/// A call with what the service knows of it.
pub(super) struct KnownCall {
    pub(super) call: Call,
    pub(super) effect: Effect,
    /// The agent that works with the tool.
    pub(super) agent_id: String,
}

/// A run in a thread.
#[derive(Clone, Debug)]
pub struct RunPlace {
    /// The thread.
    pub thread_id: String,
    /// The run of a colleague; empty for that of the thread's agent.
    pub run: String,
    /// The agent whose run it is.
    pub agent_id: String,
}

impl CallRow {
    fn known(self) -> KnownCall {
        let effect = match self.effect.as_str() {
            "read" => Effect::Read,
            "idempotent" => Effect::Idempotent,
            _ => Effect::Write,
        };
        let call = Call {
            id: self.id,
            tool: self.tool,
            arguments: self.arguments,
            definition: self.definition,
        };
        KnownCall {
            call,
            effect,
            agent_id: self.agent_id,
        }
    }
}

impl Store {
    /// Returns the transcript of a run.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn transcript(&self, run: &RunPlace) -> Result<Transcript> {
        let mut reading = self.read().await?;
        let transcript = read(&mut reading, &run.thread_id, &run.run).await;
        reading.end(transcript).await
    }

    /// Appends entries to the transcript of a run, and the decisions in them to the audit; they are
    /// durable once this returns.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn append_to_transcript(
        &self,
        run: &RunPlace,
        items: &[Item],
        decisions: &[Entry],
    ) -> Result<()> {
        let mut writing = self.write().await?;
        let done = append(&mut writing, run, items, decisions).await;
        writing.end(done).await
    }

    /// Records that a tool is about to be run; false if it may not run, or was started before by
    /// whomever.
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
    pub async fn finish_call(
        &self,
        run: &RunPlace,
        result: &CallResult,
        decisions: &[Entry],
    ) -> Result<()> {
        let mut writing = self.write().await?;
        let items = [Item::Result(result.clone())];
        let done = append(&mut writing, run, &items, decisions).await;
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
    let started: Vec<String> = sqlx::query_scalar(
        "SELECT id FROM tool_calls WHERE thread_id = $1 AND state IN ('running', 'unknown')",
    )
    .bind(thread_id)
    .fetch_all(&mut *reading)
    .await?;
    transcript.started = started
        .into_iter()
        .filter(|id| !transcript.has_result(id))
        .collect();
    let before: Option<i64> = sqlx::query_scalar(
        "SELECT (SELECT COUNT(*) FROM transcript_items i WHERE i.thread_id = p.thread_id \
         AND i.run = $2 AND i.ordinal <= p.items_before) \
         FROM answers_in_progress p WHERE p.thread_id = $1",
    )
    .bind(thread_id)
    .bind(run)
    .fetch_optional(reading)
    .await?;
    transcript.before = before.map_or(transcript.items.len(), |before| {
        usize::try_from(before).unwrap_or_default()
    });
    Ok(transcript)
}

async fn append(
    writing: &mut Transaction,
    run: &RunPlace,
    items: &[Item],
    decisions: &[Entry],
) -> Result<()> {
    let thread_id = &run.thread_id;
    let mut place = audit::place(writing, thread_id).await?;
    place.agent_id.clone_from(&run.agent_id);
    for entry in decisions {
        propose(writing, &place, entry).await?;
    }
    audit::append(writing, &place, decisions).await?;
    for item in items {
        let body = serde_json::to_string(item)?;
        sqlx::query(
            "INSERT INTO transcript_items (user_id, thread_id, ordinal, body, run) \
             SELECT $1, $2, COALESCE(MAX(ordinal), 0) + 1, $3, $4 \
             FROM transcript_items WHERE user_id = $1 AND thread_id = $2",
        )
        .bind(&place.user_id)
        .bind(thread_id)
        .bind(&body)
        .bind(&run.run)
        .execute(&mut *writing)
        .await?;
        threads::grow(writing, thread_id, body.len()).await?;
        match item {
            Item::Result(result) => end(writing, &place.user_id, result).await?,
            Item::Model { tokens, .. } | Item::Note(Note::Inquiry { tokens }) => {
                standing::spend(writing, &place.user_id, *tokens).await?;
            }
            Item::User { .. } | Item::Feedback { .. } | Item::Note(_) => {}
        }
    }
    Ok(())
}

/// Records a call that may run, or that a person is asked about.
async fn propose(writing: &mut Transaction, place: &Place, entry: &Entry) -> Result<()> {
    let state = match entry.decision {
        Decision::Allowed => "allowed",
        Decision::Asked => "asked",
        // The others cannot be claimed, and what a person decided is recorded with the message.
        _ => return Ok(()),
    };
    sqlx::query(
        "INSERT INTO tool_calls \
         (user_id, id, thread_id, agent_id, tool, arguments, definition, effect, state) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) \
         ON CONFLICT (user_id, id) DO UPDATE SET state = excluded.state, effect = excluded.effect \
         WHERE tool_calls.state IN ('allowed', 'asked')",
    )
    .bind(&place.user_id)
    .bind(&entry.call.id)
    .bind(&place.thread_id)
    .bind(&place.agent_id)
    .bind(&entry.call.tool)
    .bind(&entry.call.arguments)
    .bind(&entry.call.definition)
    .bind(entry.effect.as_str())
    .bind(state)
    .execute(writing)
    .await?;
    Ok(())
}

async fn claim(writing: &mut Transaction, thread_id: &str, call: &Call) -> Result<bool> {
    let place = audit::place(writing, thread_id).await?;
    let claimed = sqlx::query(
        "UPDATE tool_calls SET state = 'running', attempts = attempts + 1, started_at = $1 \
         WHERE user_id = $2 AND id = $3 AND thread_id = $4 AND state IN ('allowed', 'approved')",
    )
    .bind(now())
    .bind(&place.user_id)
    .bind(&call.id)
    .bind(thread_id)
    .execute(writing)
    .await?;
    Ok(claimed.rows_affected() == 1)
}

/// Records how a call ended; what is not known stays so.
async fn end(writing: &mut Transaction, user_id: &str, result: &CallResult) -> Result<()> {
    let state = match result.end {
        CallEnd::Succeeded => "succeeded",
        CallEnd::Failed => "failed",
        CallEnd::Unknown => "unknown",
        CallEnd::Refused => "refused",
        CallEnd::Denied => "denied",
        CallEnd::Skipped => "skipped",
    };
    sqlx::query(
        "UPDATE tool_calls SET state = $1, ended_at = $2 \
         WHERE user_id = $3 AND id = $4 \
         AND state IN ('allowed', 'asked', 'approved', 'denied', 'running')",
    )
    .bind(state)
    .bind(now())
    .bind(user_id)
    .bind(&result.call)
    .execute(writing)
    .await?;
    Ok(())
}

/// Records what a person decided about a call that was asked about: only what is approved can be
/// claimed. Returns the call, if a model made it.
pub(super) async fn settle(
    writing: &mut Transaction,
    user_id: &str,
    id: &str,
    verdict: Verdict,
) -> Result<Option<KnownCall>> {
    let state = match verdict {
        Verdict::Approved => "approved",
        Verdict::Denied => "denied",
        Verdict::Aborted => "skipped",
    };
    let row: Option<CallRow> = sqlx::query_as(
        "UPDATE tool_calls SET state = $1 WHERE user_id = $2 AND id = $3 AND state = 'asked' \
         RETURNING id, tool, arguments, definition, effect, agent_id",
    )
    .bind(state)
    .bind(user_id)
    .bind(id)
    .fetch_optional(writing)
    .await?;
    Ok(row.map(CallRow::known))
}

/// Marks the tools that a thread's answer left running, whose outcome nobody knows now; returns
/// their names.
pub(super) async fn abandon(writing: &mut Transaction, thread_id: &str) -> Result<Vec<String>> {
    let rows: Vec<CallRow> = sqlx::query_as(
        "UPDATE tool_calls SET state = 'unknown', ended_at = $1 \
         WHERE thread_id = $2 AND state = 'running' \
         RETURNING id, tool, arguments, definition, effect, agent_id",
    )
    .bind(now())
    .bind(thread_id)
    .fetch_all(&mut *writing)
    .await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut place = audit::place(writing, thread_id).await?;
    let mut tools = Vec::new();
    for known in rows.into_iter().map(CallRow::known) {
        tools.push(known.call.tool.clone());
        place.agent_id = known.agent_id;
        let entry = Entry {
            call: known.call,
            effect: known.effect,
            decision: Decision::Unknown,
            source: Source::Crash,
            rule: String::new(),
        };
        audit::append(writing, &place, &[entry]).await?;
    }
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

/// Returns true if a tool was started of which nobody knows whether it ran, and which must not run
/// again.
pub(super) async fn has_unknown(reading: &mut Transaction, thread_id: &str) -> Result<bool> {
    let unknown = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM tool_calls \
         WHERE thread_id = $1 AND state = 'running' AND effect = 'write')",
    )
    .bind(thread_id)
    .fetch_one(reading)
    .await?;
    Ok(unknown)
}

/// Returns true if colleagues have worked in an answer that began after so many entries.
pub(super) async fn has_colleagues(
    reading: &mut Transaction,
    thread_id: &str,
    before: i64,
) -> Result<bool> {
    let colleagues = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM transcript_items \
         WHERE thread_id = $1 AND ordinal > $2 AND run <> '')",
    )
    .bind(thread_id)
    .bind(before)
    .fetch_one(reading)
    .await?;
    Ok(colleagues)
}

/// Lets tools run again that were running when the service ended, and whose effect allows that.
pub(super) async fn allow_again(writing: &mut Transaction, thread_id: &str) -> Result<()> {
    sqlx::query(
        "UPDATE tool_calls SET state = 'allowed' \
         WHERE thread_id = $1 AND state = 'running' AND effect IN ('read', 'idempotent')",
    )
    .bind(thread_id)
    .execute(writing)
    .await?;
    Ok(())
}

/// Returns the number of entries of a thread's transcript.
pub(super) async fn length(reading: &mut Transaction, thread_id: &str) -> Result<i64> {
    let length = sqlx::query_scalar("SELECT COUNT(*) FROM transcript_items WHERE thread_id = $1")
        .bind(thread_id)
        .fetch_one(reading)
        .await?;
    Ok(length)
}
