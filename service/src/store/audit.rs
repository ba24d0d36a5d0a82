//! The audit as tables that only grow: triggers refuse to change or remove a line, and no line goes
//! away with its thread.

use serde::de::DeserializeOwned;
use sqlx::FromRow;

use super::{
    Store, Transaction,
    database::{query, query_as},
};
use crate::{
    Result,
    generate::now,
    rules::audit::{Audit, AuditEntry, AuditLine, AuditedThread, ChainHead, Checkpoint},
};

/// The number of lines that are read at once.
const LINES_PER_READ: i64 = 500;

#[derive(FromRow)]
struct LineRow {
    line: String,
}

fn parse<T: DeserializeOwned>(rows: &[LineRow]) -> Result<Vec<T>> {
    let lines = rows.iter().map(|row| serde_json::from_str(&row.line));
    Ok(lines.collect::<std::result::Result<_, _>>()?)
}

impl Store {
    /// Returns the whole audit.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn audit(&self) -> Result<Audit> {
        // The checkpoints first: lines that come meanwhile are in none of them.
        let checkpoints = self.checkpoints().await?;
        let lines: Vec<LineRow> = query_as("SELECT line FROM audit ORDER BY chain, ordinal")
            .fetch_all(&self.readers)
            .await?;
        Ok(Audit {
            lines: parse(&lines)?,
            checkpoints,
        })
    }

    /// Returns the lines of the audit after this one, those of a chain after each other: at most as
    /// many as are read at once, and none at the end.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn audit_after(&self, last: &ChainHead) -> Result<Vec<AuditLine>> {
        let rows: Vec<LineRow> = query_as(
            "SELECT line FROM audit WHERE (chain, ordinal) > ($1, $2) \
             ORDER BY chain, ordinal LIMIT $3",
        )
        .bind(&last.chain)
        .bind(last.ordinal)
        .bind(LINES_PER_READ)
        .fetch_all(&self.readers)
        .await?;
        parse(&rows)
    }

    /// Returns all checkpoints of the audit, oldest first.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn checkpoints(&self) -> Result<Vec<Checkpoint>> {
        let rows: Vec<LineRow> = query_as("SELECT line FROM audit_checkpoints ORDER BY ordinal")
            .fetch_all(&self.readers)
            .await?;
        parse(&rows)
    }

    /// Appends a checkpoint with these heads.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn append_checkpoint(&self, heads: &[ChainHead]) -> Result<Checkpoint> {
        self.write(|writing| {
            Box::pin(async move {
                let last: Option<(i64, String)> = query_as(
                    "SELECT ordinal, hash FROM audit_checkpoints ORDER BY ordinal DESC LIMIT 1",
                )
                .fetch_optional(&mut *writing)
                .await?;
                let checkpoint = Checkpoint::after(last, now(), heads.to_vec());
                query("INSERT INTO audit_checkpoints (ordinal, hash, line) VALUES ($1, $2, $3)")
                    .bind(checkpoint.ordinal)
                    .bind(&checkpoint.hash)
                    .bind(serde_json::to_string(&checkpoint)?)
                    .execute(writing)
                    .await?;
                Ok(checkpoint)
            })
        })
        .await
    }

    /// Appends a checkpoint if chains of this process have grown since its last one.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn checkpoint(&self) -> Result<()> {
        let heads = self.chains.take_grown();
        if heads.is_empty() {
            return Ok(());
        }
        let appended = self.append_checkpoint(&heads).await;
        if appended.is_err() {
            self.chains.note_grown(heads);
        }
        appended.map(|_| ())
    }
}

/// Appends a line for each entry, in the transaction of what the entries are about.
pub(super) async fn append(
    writing: &mut Transaction<'_>,
    place: &AuditedThread,
    entries: &[AuditEntry],
) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut head = match writing.audit_chain() {
        Some(head) => head.clone(),
        None => last_line(writing).await?,
    };
    for entry in entries {
        let line = AuditLine::after(&head, now(), place, entry.clone());
        query("INSERT INTO audit (chain, ordinal, hash, line) VALUES ($1, $2, $3, $4)")
            .bind(&line.chain)
            .bind(line.ordinal)
            .bind(&line.hash)
            .bind(serde_json::to_string(&line)?)
            .execute(&mut *writing)
            .await?;
        head = line.head();
    }
    writing.extend_audit_chain(head);
    Ok(())
}

/// Returns the head of the only chain.
async fn last_line(writing: &mut Transaction<'_>) -> Result<ChainHead> {
    let last: Option<(i64, String)> =
        query_as("SELECT ordinal, hash FROM audit WHERE chain = '' ORDER BY ordinal DESC LIMIT 1")
            .fetch_optional(writing)
            .await?;
    let (ordinal, hash) = last.unwrap_or_default();
    Ok(ChainHead {
        chain: String::new(),
        ordinal,
        hash,
    })
}
