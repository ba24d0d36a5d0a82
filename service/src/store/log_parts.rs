//! What follows in the logs of several runs, read at once: for those that another replica writes and
//! that are read here.

use std::collections::{HashMap, HashSet};

use sqlx::FromRow;

use super::{
    LogEntry, Store, Transaction,
    database::{Sql, query_as, query_scalar},
};
use crate::Result;

/// The most rows that are read at once of the logs of several runs.
const ROWS_OF_ALL_AT_ONCE: i64 = 500;

/// The place in the log of a run from which it is read on.
#[derive(Clone, Debug)]
pub struct LogCursor {
    /// The user whose thread is answered in.
    pub user_id: String,
    /// The id of the run.
    pub run: String,
    /// The number of the event before.
    pub after: i64,
}

/// A part of the log of a run.
#[derive(Clone, Debug)]
pub struct LogPart {
    /// The id of the run.
    pub run: String,
    /// The entries, in order.
    pub entries: Vec<LogEntry>,
    /// True if more entries may be there already.
    pub is_partial: bool,
    /// True until the answer is at its end; false if its thread is deleted.
    pub is_running: bool,
}

#[derive(FromRow)]
struct PartRow {
    run_id: String,
    first: i64,
    last: i64,
    body: String,
}

impl Store {
    /// Returns for each cursor what follows it; all of it is of one moment.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn parts_after(&self, cursors: &[LogCursor]) -> Result<Vec<LogPart>> {
        let rows: Vec<_> = cursors
            .iter()
            .map(|it| (&it.user_id, &it.run, it.after))
            .collect();
        let rows = serde_json::to_string(&rows)?;
        self.read(|reading| Box::pin(parts_after(reading, cursors, &rows)))
            .await
    }
}

/// Returns what follows the cursors, which `rows` has as a JSON array, each as an array of its fields.
async fn parts_after(
    reading: &mut Transaction<'_>,
    cursors: &[LogCursor],
    rows: &str,
) -> Result<Vec<LogPart>> {
    let running: Vec<String> = query_scalar(Sql::Each {
        sqlite: "SELECT r.id FROM json_each($1) c JOIN runs r \
                 ON r.user_id = c.value ->> 0 AND r.id = c.value ->> 1 WHERE r.ended_at IS NULL",
        postgres: "SELECT r.id FROM json_array_elements(CAST($1 AS json)) c JOIN runs r \
                   ON r.user_id = c.value ->> 0 AND r.id = c.value ->> 1 WHERE r.ended_at IS NULL",
    })
    .bind(rows)
    .fetch_all(&mut *reading)
    .await?;
    let found: Vec<PartRow> = query_as(Sql::Each {
        sqlite: "SELECT e.run_id, e.first, e.last, e.body FROM json_each($1) c JOIN events e \
                 ON e.user_id = c.value ->> 0 AND e.run_id = c.value ->> 1 \
                 AND e.last > c.value ->> 2 ORDER BY e.run_id, e.last LIMIT $2",
        postgres: "SELECT e.run_id, e.first, e.last, e.body \
                   FROM json_array_elements(CAST($1 AS json)) c JOIN events e \
                   ON e.user_id = c.value ->> 0 AND e.run_id = c.value ->> 1 \
                   AND e.last > CAST(c.value ->> 2 AS BIGINT) \
                   ORDER BY e.run_id, e.last LIMIT $2",
    })
    .bind(rows)
    .bind(ROWS_OF_ALL_AT_ONCE)
    .fetch_all(reading)
    .await?;
    let running: HashSet<String> = running.into_iter().collect();
    let is_partial = i64::try_from(found.len()).is_ok_and(|rows| rows >= ROWS_OF_ALL_AT_ONCE);
    let mut entries: HashMap<String, Vec<LogEntry>> = HashMap::new();
    for row in found {
        let entry = LogEntry {
            first: row.first,
            last: row.last,
            body: row.body,
        };
        entries.entry(row.run_id).or_default().push(entry);
    }
    let part = |cursor: &LogCursor| LogPart {
        entries: entries.remove(&cursor.run).unwrap_or_default(),
        is_partial,
        is_running: running.contains(&cursor.run),
        run: cursor.run.clone(),
    };
    Ok(cursors.iter().map(part).collect())
}
