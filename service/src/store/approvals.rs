//! Approvals as rows: the request as it was streamed, and its status.

use assent_protocol::{ApprovalRequest, ApprovalStatus, StoredToolApproval};
use sqlx::FromRow;

use super::{
    ThreadKey, Transaction,
    database::{query, query_as, query_scalar},
    threads,
};
use crate::{
    Result,
    rules::{approval::Approval, arguments::Arguments},
};

/// What decided where the time of a request was over.
const BY_TIMEOUT: &str = "timeout";

#[derive(FromRow)]
pub(super) struct ApprovalRow {
    ordinal: i64,
    pub(super) message_id: String,
    pub(super) memory_id: String,
    request: String,
    status: String,
    decided_by: String,
    /// The arguments that a person approved in place of those of the request.
    edited_arguments: Option<String>,
    /// The time of the message that asks.
    pub(super) asked_at: String,
}

impl ApprovalRow {
    /// Reads all approvals of the questions that one of these batches belongs to, in the order in
    /// which they were asked.
    pub(super) async fn of_batches(
        reading: &mut Transaction<'_>,
        thread: &ThreadKey,
        batches: &[&str],
    ) -> Result<Vec<Self>> {
        let mut memories: Vec<String> = Vec::new();
        for batch_id in batches {
            let of_batch: Vec<String> = query_scalar(
                "SELECT DISTINCT memory_id FROM approvals \
                 WHERE user_id = $1 AND thread_id = $2 AND batch_id = $3",
            )
            .bind(&thread.user_id)
            .bind(&thread.id)
            .bind(*batch_id)
            .fetch_all(&mut *reading)
            .await?;
            memories.extend(of_batch);
        }
        memories.sort_unstable();
        memories.dedup();
        let mut rows: Vec<Self> = Vec::new();
        for memory_id in memories {
            rows.extend(Self::of_memory(reading, thread, &memory_id).await?);
        }
        rows.sort_by_key(|row| row.ordinal);
        Ok(rows)
    }

    /// Reads all approvals of one question, in the order in which they were asked.
    pub(super) async fn of_memory(
        reading: &mut Transaction<'_>,
        thread: &ThreadKey,
        memory_id: &str,
    ) -> Result<Vec<Self>> {
        let rows = query_as(
            "SELECT a.ordinal, a.message_id, a.memory_id, a.request, a.status, \
             a.decided_by, c.edited_arguments, m.timestamp AS asked_at \
             FROM approvals a JOIN messages m ON m.user_id = a.user_id \
             AND m.thread_id = a.thread_id AND m.id = a.message_id \
             LEFT JOIN tool_calls c ON c.user_id = a.user_id AND c.id = a.execution_id \
             WHERE a.user_id = $1 AND a.memory_id = $2 ORDER BY a.ordinal",
        )
        .bind(&thread.user_id)
        .bind(memory_id)
        .fetch_all(reading)
        .await?;
        Ok(rows)
    }

    /// Reads the approvals of those messages of a thread whose numbers are above `after`, up to
    /// `last`.
    pub(super) async fn of_messages(
        reading: &mut Transaction<'_>,
        thread: &ThreadKey,
        after: i64,
        last: i64,
    ) -> Result<Vec<Self>> {
        let rows = query_as(
            "SELECT a.ordinal, a.message_id, a.memory_id, a.request, a.status, \
             a.decided_by, c.edited_arguments, m.timestamp AS asked_at \
             FROM messages m JOIN approvals a ON a.user_id = m.user_id \
             AND a.thread_id = m.thread_id AND a.message_id = m.id \
             LEFT JOIN tool_calls c ON c.user_id = a.user_id AND c.id = a.execution_id \
             WHERE m.user_id = $1 AND m.thread_id = $2 AND m.ordinal > $3 AND m.ordinal <= $4 \
             ORDER BY a.ordinal",
        )
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(after)
        .bind(last)
        .fetch_all(reading)
        .await?;
        Ok(rows)
    }

    pub(super) fn approval(&self) -> Result<Approval> {
        Ok(Approval {
            request: serde_json::from_str(&self.request)?,
            status: ApprovalStatus::from(self.status.as_str()),
            is_expired: self.decided_by == BY_TIMEOUT,
            edited: self.edited_arguments.clone(),
        })
    }

    /// Returns the approval in the form that a stored message carries.
    pub(super) fn stored(&self) -> Result<StoredToolApproval> {
        let Approval {
            request,
            status,
            edited,
            ..
        } = self.approval()?;
        let edited = edited.and_then(|it| Arguments::parse(&it).ok());
        Ok(StoredToolApproval {
            tool_id: request.tool_id,
            name: request.tool_name,
            provider: request.tool_provider,
            category: request.tool_category,
            tool_execution_id: request.tool_execution_id,
            execution_batch_id: request.tool_execution_batch_id,
            tool_arguments: Some(request.tool_arguments),
            status,
            tool_memory_id: Some(request.tool_memory_id),
            reason: request.reason,
            effect: request.effect,
            effect_source: request.effect_source,
            definition_changed: request.definition_changed,
            definition: request.definition,
            accepted_definition: request.accepted_definition,
            grant_scopes: request.grant_scopes,
            grant_max_seconds: request.grant_max_seconds,
            expires_at: request.expires_at,
            editable: request.editable,
            editable_schemas: request.editable_schemas,
            decided_by: self.decided_by.clone(),
            edited_arguments: edited.map_or_else(Vec::new, Arguments::into_display),
            // Whoever reads the message makes it of the rest.
            request: None,
        })
    }
}

pub(super) async fn insert(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    message_id: &str,
    request: &ApprovalRequest,
) -> Result<()> {
    let text = serde_json::to_string(request)?;
    query(
        "INSERT INTO approvals \
         (user_id, thread_id, ordinal, message_id, execution_id, batch_id, memory_id, request, \
         expires_at) \
         SELECT $1, $2, COALESCE(MAX(ordinal), 0) + 1, $3, $4, $5, $6, $7, $8 \
         FROM approvals WHERE user_id = $1 AND thread_id = $2",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(message_id)
    .bind(request.tool_execution_id.as_str())
    .bind(request.tool_execution_batch_id.as_str())
    .bind(&request.tool_memory_id)
    .bind(&text)
    .bind(request.expires_at.as_ref().map(|end| end.0.as_str()))
    .execute(&mut *writing)
    .await?;
    threads::add_stored_bytes(writing, thread, text.len()).await
}

/// Returns the number of a thread's approvals that wait for a decision.
pub(super) async fn count_pending(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<i64> {
    let pending = query_scalar(
        "SELECT COUNT(*) FROM approvals \
         WHERE user_id = $1 AND thread_id = $2 AND status = 'PENDING_HUMAN_APPROVAL'",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_one(reading)
    .await?;
    Ok(pending)
}

/// Returns the number of all approvals that wait for a decision.
pub(super) async fn count_all_pending(reading: &mut Transaction<'_>) -> Result<i64> {
    let pending =
        query_scalar("SELECT COUNT(*) FROM approvals WHERE status = 'PENDING_HUMAN_APPROVAL'")
            .fetch_one(reading)
            .await?;
    Ok(pending)
}

/// Writes the status of a decided approval.
pub(super) async fn save_status(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    approval: &Approval,
) -> Result<()> {
    let by = if approval.is_expired { BY_TIMEOUT } else { "" };
    query("UPDATE approvals SET status = $3, decided_by = $4 WHERE user_id = $1 AND execution_id = $2")
        .bind(&thread.user_id)
        .bind(approval.execution_id())
        .bind(approval.status.as_str())
        .bind(by)
        .execute(writing)
        .await?;
    Ok(())
}
