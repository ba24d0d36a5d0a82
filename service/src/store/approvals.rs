//! Approvals as rows: the request as it was streamed, and its status.

use assent_protocol::{ApprovalRequest, ApprovalStatus, StoredToolApproval};
use sqlx::{FromRow, Sqlite, SqliteConnection, Transaction};

use crate::{Result, approval::Approval};

#[derive(FromRow)]
pub(super) struct ApprovalRow {
    pub(super) message_id: String,
    pub(super) memory_id: String,
    request: String,
    status: String,
}

impl ApprovalRow {
    /// Reads all approvals of a thread, in the order in which they were asked.
    pub(super) async fn of_thread(
        connection: &mut SqliteConnection,
        thread_id: &str,
    ) -> Result<Vec<Self>> {
        let rows = sqlx::query_as(
            "SELECT message_id, memory_id, request, status FROM approvals WHERE thread_id = ? ORDER BY seq",
        )
        .bind(thread_id)
        .fetch_all(connection)
        .await?;
        Ok(rows)
    }

    pub(super) fn approval(&self) -> Result<Approval> {
        Ok(Approval {
            request: serde_json::from_str(&self.request)?,
            status: ApprovalStatus::from(self.status.as_str()),
        })
    }

    /// Returns the form that a stored message carries.
    pub(super) fn stored(&self) -> Result<StoredToolApproval> {
        let Approval { request, status } = self.approval()?;
        Ok(StoredToolApproval {
            tool_id: request.tool_id,
            name: request.tool_name,
            provider: request.tool_provider,
            category: request.tool_category,
            tool_execution_id: request.tool_execution_id,
            execution_batch_id: request.tool_execution_batch_id,
            tool_arguments: Some(request.tool_arguments),
            status,
        })
    }
}

pub(super) async fn insert(
    writing: &mut Transaction<'static, Sqlite>,
    thread_id: &str,
    message_id: &str,
    request: &ApprovalRequest,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO approvals (thread_id, message_id, execution_id, memory_id, request) VALUES (?, ?, ?, ?, ?)",
    )
    .bind(thread_id)
    .bind(message_id)
    .bind(request.tool_execution_id.as_str())
    .bind(&request.tool_memory_id)
    .bind(serde_json::to_string(request)?)
    .execute(&mut **writing)
    .await?;
    Ok(())
}

/// Writes the status of a decided approval.
pub(super) async fn settle(
    writing: &mut Transaction<'static, Sqlite>,
    approval: &Approval,
) -> Result<()> {
    sqlx::query("UPDATE approvals SET status = ? WHERE execution_id = ?")
        .bind(approval.status.as_str())
        .bind(approval.execution_id())
        .execute(&mut **writing)
        .await?;
    Ok(())
}
