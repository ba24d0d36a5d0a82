//! All that is stored of one call of a tool, for its user.

use assent_protocol::ApprovalRequest;
use sqlx::FromRow;

use super::{
    Store, ThreadKey, Transaction,
    database::{Sql, query_as, query_scalar},
};
use crate::{
    Result,
    rules::{arguments::exact_arguments, audit::AuditLine, execution::KnownExecution},
    transcript::{CallResult, Item},
};

#[derive(FromRow)]
struct CallRow {
    thread_id: String,
    arguments: String,
    edited_arguments: Option<String>,
    started_at: Option<String>,
    ended_at: Option<String>,
}

#[derive(FromRow)]
struct AskedRow {
    thread_id: String,
    agent_id: String,
    request: String,
    asked_at: String,
}

impl CallRow {
    /// Returns the arguments with which the call runs: what the agent proposed, unless the person changed
    /// it.
    fn effective(&self) -> String {
        let edited = self.edited_arguments.as_ref();
        edited.unwrap_or(&self.arguments).clone()
    }
}

impl Store {
    /// Returns what is known of a call of a tool; `None` if the user has none with this id, or no
    /// conversation any more in which it was made.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn execution(&self, user_id: &str, id: &str) -> Result<Option<KnownExecution>> {
        self.read(|reading| Box::pin(read(reading, user_id, id)))
            .await
    }
}

async fn read(
    reading: &mut Transaction<'_>,
    user_id: &str,
    id: &str,
) -> Result<Option<KnownExecution>> {
    let call: Option<CallRow> = query_as(
        "SELECT thread_id, arguments, edited_arguments, started_at, ended_at FROM tool_calls \
         WHERE user_id = $1 AND id = $2",
    )
    .bind(user_id)
    .bind(id)
    .fetch_optional(&mut *reading)
    .await?;
    let asked: Option<AskedRow> = query_as(
        "SELECT a.thread_id, t.agent_id, a.request, m.timestamp AS asked_at \
         FROM approvals a JOIN threads t ON t.user_id = a.user_id AND t.id = a.thread_id \
         JOIN messages m ON m.user_id = a.user_id AND m.thread_id = a.thread_id \
         AND m.id = a.message_id WHERE a.user_id = $1 AND a.execution_id = $2",
    )
    .bind(user_id)
    .bind(id)
    .fetch_optional(&mut *reading)
    .await?;
    let lines = lines(reading, user_id, id).await?;
    let mut known = KnownExecution {
        id: id.to_owned(),
        ..KnownExecution::default()
    };
    if let Some(asked) = asked {
        let request: ApprovalRequest = serde_json::from_str(&asked.request)?;
        let arguments = exact_arguments(&request.tool_arguments);
        known.thread_id = asked.thread_id;
        known.agent_id = asked.agent_id;
        known.tool = format!("{}/{}", request.tool_provider, request.tool_name);
        // An agent without a model proposes what it shows.
        known.proposed = Some(arguments.clone());
        known.effective = known.proposed.clone();
        known.shown = Some((asked.asked_at, arguments));
    }
    if let Some(line) = lines.first() {
        known.thread_id.clone_from(&line.thread_id);
        known.agent_id.clone_from(&line.agent_id);
        known.tool.clone_from(&line.tool);
    }
    if let Some(call) = call {
        known.effective = Some(call.effective());
        known.proposed = Some(call.arguments);
        known.thread_id = call.thread_id;
        known.started_at = call.started_at;
        known.ended_at = call.ended_at;
    }
    known.lines = lines;
    let thread = ThreadKey {
        user_id: user_id.to_owned(),
        id: known.thread_id.clone(),
    };
    if !is_there(reading, &thread).await? {
        return Ok(None);
    }
    let (arguments, result) = from_transcript(reading, &thread, id).await?;
    known.proposed = known.proposed.or(arguments);
    known.result = result;
    Ok(Some(known))
}

/// Returns the lines of the audit about a call, oldest first.
async fn lines(reading: &mut Transaction<'_>, user_id: &str, id: &str) -> Result<Vec<AuditLine>> {
    let rows: Vec<String> = query_scalar(Sql::Each {
        sqlite: "SELECT line FROM audit WHERE line ->> 'executionId' = $1 ORDER BY chain, ordinal",
        // As the index has it.
        postgres: r#"SELECT line FROM audit
            WHERE substring(line from '"executionId":"([^"]*)"') = $1 ORDER BY chain, ordinal"#,
    })
    .bind(id)
    .fetch_all(reading)
    .await?;
    let lines = rows.iter().map(|line| serde_json::from_str(line));
    let mut lines: Vec<AuditLine> = lines.collect::<serde_json::Result<_>>()?;
    lines.retain(|line| line.user_id == user_id);
    // They may be in several chains.
    lines.sort_by(|one, other| one.at.cmp(&other.at));
    Ok(lines)
}

async fn is_there(reading: &mut Transaction<'_>, thread: &ThreadKey) -> Result<bool> {
    let is_there =
        query_scalar("SELECT EXISTS (SELECT 1 FROM threads WHERE user_id = $1 AND id = $2)")
            .bind(&thread.user_id)
            .bind(&thread.id)
            .fetch_one(reading)
            .await?;
    Ok(is_there)
}

/// Returns the arguments of a call and its result, as far as a transcript of the thread has them: a
/// call that was refused is there alone.
async fn from_transcript(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    id: &str,
) -> Result<(Option<String>, Option<CallResult>)> {
    // The id is one of the service's own: no part of it is a pattern.
    let bodies: Vec<String> = query_scalar(
        "SELECT body FROM transcript_items WHERE user_id = $1 AND thread_id = $2 \
         AND body LIKE '%' || $3 || '%' ORDER BY ordinal",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(id)
    .fetch_all(reading)
    .await?;
    let (mut arguments, mut result) = (None, None);
    for body in bodies {
        match serde_json::from_str(&body)? {
            Item::Model { calls, .. } => {
                let call = calls.into_iter().find(|call| call.id == id);
                arguments = arguments.or(call.map(|call| call.arguments));
            }
            Item::Result(of_call) if of_call.call == id => result = Some(of_call),
            _ => {}
        }
    }
    Ok((arguments, result))
}
