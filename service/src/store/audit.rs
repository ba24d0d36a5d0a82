//! The audit as a table that only grows: triggers refuse to change or remove a line, and no line goes
//! away with its thread.

use sqlx::FromRow;

use super::{
    Store, ThreadKey, Transaction,
    database::{query, query_as, query_scalar},
    threads,
};
use crate::{
    Result,
    generate::now,
    rules::audit::{AuditEntry, AuditLine, AuditedThread},
};

/// The number of lines that are read at once.
const LINES_PER_READ: i64 = 500;

#[derive(FromRow)]
struct LineRow {
    line: String,
}

impl Store {
    /// Returns all lines of the audit, oldest first.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn audit(&self) -> Result<Vec<AuditLine>> {
        let rows: Vec<LineRow> = query_as("SELECT line FROM audit ORDER BY ordinal")
            .fetch_all(&self.readers)
            .await?;
        let lines = rows.iter().map(|row| serde_json::from_str(&row.line));
        Ok(lines.collect::<std::result::Result<_, _>>()?)
    }
}

impl Store {
    /// Returns the lines of the audit after the one with this number, oldest first: at most as many
    /// as are read at once, and none at the end.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn audit_after(&self, ordinal: i64) -> Result<Vec<AuditLine>> {
        let rows: Vec<LineRow> =
            query_as("SELECT line FROM audit WHERE ordinal > $1 ORDER BY ordinal LIMIT $2")
                .bind(ordinal)
                .bind(LINES_PER_READ)
                .fetch_all(&self.readers)
                .await?;
        let lines = rows.iter().map(|row| serde_json::from_str(&row.line));
        Ok(lines.collect::<std::result::Result<_, _>>()?)
    }
}

/// Appends a line for each entry, in the transaction of what the entries are about.
pub(super) async fn append(
    writing: &mut Transaction<'_>,
    place: &AuditedThread,
    entries: &[AuditEntry],
) -> Result<()> {
    for entry in entries {
        let last: Option<(i64, String)> =
            query_as("SELECT ordinal, hash FROM audit ORDER BY ordinal DESC LIMIT 1")
                .fetch_optional(&mut *writing)
                .await?;
        let line = AuditLine::after(last, now(), place, entry.clone());
        query("INSERT INTO audit (ordinal, hash, line) VALUES ($1, $2, $3)")
            .bind(line.ordinal)
            .bind(&line.hash)
            .bind(serde_json::to_string(&line)?)
            .execute(&mut *writing)
            .await?;
    }
    Ok(())
}

/// Returns a thread with its agent, for lines of the audit.
pub(super) async fn audited_thread(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<AuditedThread> {
    let agent_id: Option<String> =
        query_scalar("SELECT agent_id FROM threads WHERE user_id = $1 AND id = $2")
            .bind(&thread.user_id)
            .bind(&thread.id)
            .fetch_optional(reading)
            .await?;
    Ok(AuditedThread {
        user_id: thread.user_id.clone(),
        agent_id: agent_id.ok_or(threads::NO_THREAD)?,
        thread_id: thread.id.clone(),
    })
}
