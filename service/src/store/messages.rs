//! Stored messages, read in the order in which they were written.

use std::collections::HashMap;

use assent_protocol::{Role, StoredMessage, StoredToolApproval, Timestamp};
use sqlx::{FromRow, Sqlite, Transaction};

use super::{Store, approvals::ApprovalRow};
use crate::{
    Result,
    generate::{new_id, now},
};

#[derive(FromRow)]
struct Row {
    id: String,
    role: String,
    handle: Option<String>,
    content: String,
    timestamp: String,
}

impl Store {
    /// Returns the messages of a thread, oldest first, with the present status of every approval.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn messages(&self, thread_id: &str) -> Result<Vec<StoredMessage>> {
        let mut reading = self.pool.begin().await?;
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT id, role, handle, content, timestamp FROM messages \
             WHERE thread_id = ? ORDER BY seq",
        )
        .bind(thread_id)
        .fetch_all(&mut *reading)
        .await?;
        let mut approvals: HashMap<String, Vec<StoredToolApproval>> = HashMap::new();
        for row in ApprovalRow::of_thread(&mut reading, thread_id).await? {
            let message_id = row.message_id.clone();
            approvals.entry(message_id).or_default().push(row.stored()?);
        }
        reading.commit().await?;
        let messages = rows.into_iter().map(|row| StoredMessage {
            tool_execution_human_approval_request: approvals.remove(&row.id).unwrap_or_default(),
            id: row.id.as_str().into(),
            role: match row.role.as_str() {
                "user" => Role::User,
                _ => Role::Assistant,
            },
            handle: row.handle,
            content: row.content,
            timestamp: Timestamp(row.timestamp),
        });
        Ok(messages.collect())
    }
}

/// Appends a message (of the user if there is no handle), moves its thread to the top, and returns
/// the message's id.
pub(super) async fn append(
    writing: &mut Transaction<'static, Sqlite>,
    thread_id: &str,
    handle: Option<&str>,
    content: &str,
) -> Result<String> {
    let id = new_id();
    let time = now();
    let role = if handle.is_some() {
        "assistant"
    } else {
        "user"
    };
    sqlx::query(
        "INSERT INTO messages (id, thread_id, role, handle, content, timestamp) \
         VALUES (?, ?, ?, ?, ?, ?)",
    )
    .bind(&id)
    .bind(thread_id)
    .bind(role)
    .bind(handle)
    .bind(content)
    .bind(&time)
    .execute(&mut **writing)
    .await?;
    sqlx::query("UPDATE threads SET last_message_time = ? WHERE id = ?")
        .bind(&time)
        .bind(thread_id)
        .execute(&mut **writing)
        .await?;
    Ok(id)
}
