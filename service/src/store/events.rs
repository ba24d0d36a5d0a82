//! The log of events: what the answers of the last minutes have streamed, so that any reader can go
//! on after the last event that it has.
//!
//! Events of many runs are appended together. There is no foreign key from an event to its run: on
//! PostgreSQL it would lock the row of each run at each append. Whoever deletes a run deletes its
//! events.

use assent_protocol::{Agent, EventType, RawApprovalRequest, ToolImage, Words};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::{
    Isolation, OwnedRun, Pool, Probe, Store, ThreadKey, Transaction,
    database::{ScalarQuery, Sql, has_to_repeat, query, query_as, query_scalar},
    retries::{MAX_REPEATS, random_pause},
};
use crate::{Error, Result};

/// The most rows of the log that are read at once.
const ROWS_AT_ONCE: i64 = 50;

/// The most runs whose events are removed in one transaction, so that nobody waits long for it.
const RUNS_AT_ONCE: i64 = 10;

/// An event as the log keeps it: without what all events of a run have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedEvent {
    /// The type of the event.
    #[serde(rename = "type")]
    pub event_type: EventType,
    /// The text of the event.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// The agent that speaks, if it is not the thread's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Agent>,
    /// The id of the collaboration in which `agent` speaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collaboration_id: Option<String>,
    /// The requests for approval, if the event asks for some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<Vec<RawApprovalRequest>>,
    /// The sentences of the service in `content`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<Words>,
    /// The images that a tool made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_images: Vec<ToolImage>,
    /// The id of the grant by which a tool runs; empty where it does not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub grant_id: String,
    /// The time of the event.
    pub timestamp: String,
}

impl LoggedEvent {
    /// Makes an event with neither text nor anything else to it.
    #[must_use]
    pub fn new(event_type: EventType, timestamp: String) -> Self {
        Self {
            event_type,
            content: String::new(),
            agent: None,
            collaboration_id: None,
            requests: None,
            words: Vec::new(),
            tool_images: Vec::new(),
            grant_id: String::new(),
            timestamp,
        }
    }
}

/// Events of one run that follow each other; they are numbered from 1 in each run.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// The number of the first event.
    pub first: i64,
    /// The number of the last event.
    pub last: i64,
    /// The events as JSON, as [`LogEntry::new`] writes them.
    pub(super) body: String,
}

impl LogEntry {
    /// Makes an entry of events of which the first one has the number `first`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Stored`] for events that cannot be written, which none are.
    pub fn new<'a>(
        first: i64,
        events: impl ExactSizeIterator<Item = &'a LoggedEvent>,
    ) -> Result<Self> {
        let last = first + i64::try_from(events.len()).unwrap_or(i64::MAX) - 1;
        let events: Vec<_> = events.collect();
        Ok(Self {
            first,
            last,
            body: serde_json::to_string(&events)?,
        })
    }

    /// Returns the events with their numbers.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Stored`].
    pub fn events(&self) -> Result<Vec<(i64, LoggedEvent)>> {
        let events: Vec<LoggedEvent> = serde_json::from_str(&self.body)?;
        Ok((self.first..).zip(events).collect())
    }
}

impl Store {
    /// Appends entries to the log: all of them or none. Returns the ids of the runs that are still
    /// their owner's; the events of the others are not in the log, since their thread is deleted or
    /// another replica goes on with them.
    ///
    /// With SQLite a power failure may take what was appended within the last moments; the end of
    /// this process takes nothing.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn append_events(&self, entries: &[(OwnedRun, LogEntry)]) -> Result<Vec<String>> {
        let rows: Vec<_> = entries
            .iter()
            .map(|(run, entry)| {
                let LogEntry { first, last, body } = entry;
                let key = (&run.thread.user_id, &run.id, &run.owner, run.epoch);
                (key.0, key.1, key.2, key.3, first, last, body)
            })
            .collect();
        let rows = serde_json::to_string(&rows)?;
        let mut repeats = 0;
        loop {
            match self.append(&rows).await {
                Err(Error::Database(error)) if has_to_repeat(&error) && repeats < MAX_REPEATS => {
                    repeats += 1;
                    sleep(random_pause()).await;
                }
                done => return done,
            }
        }
    }

    async fn append(&self, rows: &str) -> Result<Vec<String>> {
        let insert: ScalarQuery<String> = query_scalar(INSERT).bind(rows).bind(&*self.replica.id());
        if let Pool::Sqlite(_) = self.appender {
            let _turn = self.turn().await;
            let mut writing = Transaction::begin_write(
                &self.appender,
                self.probe.clone(),
                &self.chains,
                Isolation::Serializable,
            )
            .await?;
            let done = insert.fetch_all(&mut writing).await.map_err(Error::from);
            return writing.end(done).await?.or_failed();
        }
        // By itself: a service that stands still in the middle of a transaction would hold the row
        // of its replica.
        let probe = self.probe.as_deref();
        probe.map_or(Ok(()), Probe::before_statement)?;
        let runs = insert.fetch_all(&self.appender).await?;
        probe.map_or(Ok(()), Probe::after_commit)?;
        Ok(runs)
    }

    /// Returns entries of a run with events after the one with the number `after`, in order: as many
    /// as are read at once, and none if there are no such events.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn entries_after(
        &self,
        user_id: &str,
        run: &str,
        after: i64,
    ) -> Result<Vec<LogEntry>> {
        let rows: Vec<(i64, i64, String)> = query_as(
            "SELECT first, last, body FROM events \
             WHERE user_id = $1 AND run_id = $2 AND last > $3 ORDER BY last LIMIT $4",
        )
        .bind(user_id)
        .bind(run)
        .bind(after)
        .bind(ROWS_AT_ONCE)
        .fetch_all(&self.readers)
        .await?;
        Ok(entries(rows))
    }

    /// Removes the events of runs that ended before `time`, and runs that ended before
    /// `forgotten`; returns false if there are more. A run without events is known for the key of
    /// its post.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn trim_log(&self, time: &str, forgotten: &str) -> Result<bool> {
        self.write(|writing| {
            Box::pin(async move {
                // One past its last event: nothing follows any event that a reader has.
                let ended: Vec<(String, String)> = query_as(
                    "UPDATE runs SET first_event = stored_event + 2 \
                     WHERE first_event < stored_event + 2 AND (user_id, id) IN \
                     (SELECT user_id, id FROM runs WHERE ended_at < $1 \
                     AND first_event < stored_event + 2 ORDER BY ended_at LIMIT $2) \
                     RETURNING user_id, id",
                )
                .bind(time)
                .bind(RUNS_AT_ONCE)
                .fetch_all(&mut *writing)
                .await?;
                for (user_id, run) in &ended {
                    remove(writing, user_id, run).await?;
                }
                query("DELETE FROM runs WHERE ended_at < $1 AND first_event >= stored_event + 2")
                    .bind(forgotten)
                    .execute(writing)
                    .await?;
                Ok(ended.len() < usize::try_from(RUNS_AT_ONCE).unwrap_or(usize::MAX))
            })
        })
        .await
    }
}

fn entries(rows: Vec<(i64, i64, String)>) -> Vec<LogEntry> {
    let entry = |(first, last, body)| LogEntry { first, last, body };
    rows.into_iter().map(entry).collect()
}

/// Inserts rows, a JSON array of entries, each as an array of its run's and its own fields, as far as
/// their runs are those of the replica `$2`. One that is there already is as it was, from an attempt
/// whose outcome was unknown.
///
/// `CROSS JOIN` has SQLite begin with the entries. It would begin with the runs of the replica, and read
/// all entries once for each: with 500 runs 580 ms instead of 7.
///
/// In PostgreSQL it locks the row of the replica: nobody removes that before the events are there for
/// all to see.
const INSERT: Sql = Sql::Each {
    sqlite: "INSERT INTO events (user_id, run_id, first, last, body) \
             SELECT r.user_id, r.id, e.value ->> 4, e.value ->> 5, e.value ->> 6 \
             FROM json_each($1) e CROSS JOIN runs r \
             ON r.user_id = e.value ->> 0 AND r.id = e.value ->> 1 \
             AND r.owner = $2 AND e.value ->> 2 = $2 AND r.epoch = e.value ->> 3 \
             WHERE r.ended_at IS NULL \
             ON CONFLICT (user_id, run_id, last) DO UPDATE SET body = excluded.body \
             RETURNING run_id",
    postgres: "WITH me AS MATERIALIZED (SELECT id FROM replicas WHERE id = $2 FOR KEY SHARE) \
               INSERT INTO events (user_id, run_id, first, last, body) \
               SELECT r.user_id, r.id, CAST(e.value ->> 4 AS BIGINT), \
               CAST(e.value ->> 5 AS BIGINT), e.value ->> 6 \
               FROM me CROSS JOIN json_array_elements(CAST($1 AS json)) e JOIN runs r \
               ON r.user_id = e.value ->> 0 AND r.id = e.value ->> 1 \
               AND r.owner = me.id AND e.value ->> 2 = me.id \
               AND r.epoch = CAST(e.value ->> 3 AS BIGINT) \
               WHERE r.ended_at IS NULL \
               ON CONFLICT (user_id, run_id, last) DO UPDATE SET body = excluded.body \
               RETURNING run_id",
};

/// Adds an entry to the log of a run that is held.
pub(super) async fn append(
    writing: &mut Transaction<'_>,
    run: &OwnedRun,
    entry: &LogEntry,
) -> Result<()> {
    query("INSERT INTO events (user_id, run_id, first, last, body) VALUES ($1, $2, $3, $4, $5)")
        .bind(&run.thread.user_id)
        .bind(&run.id)
        .bind(entry.first)
        .bind(entry.last)
        .bind(&entry.body)
        .execute(writing)
        .await?;
    Ok(())
}

/// Returns true if this very entry is in the log.
pub(super) async fn is_logged(
    reading: &mut Transaction<'_>,
    run: &OwnedRun,
    entry: &LogEntry,
) -> Result<bool> {
    let body: Option<String> =
        query_scalar("SELECT body FROM events WHERE user_id = $1 AND run_id = $2 AND last = $3")
            .bind(&run.thread.user_id)
            .bind(&run.id)
            .bind(entry.last)
            .fetch_optional(reading)
            .await?;
    Ok(body.as_ref() == Some(&entry.body))
}

/// Returns the number of the last event of a run, if it has one.
pub(super) async fn last(
    reading: &mut Transaction<'_>,
    user_id: &str,
    run: &str,
) -> Result<Option<i64>> {
    let last = query_scalar("SELECT MAX(last) FROM events WHERE user_id = $1 AND run_id = $2")
        .bind(user_id)
        .bind(run)
        .fetch_one(reading)
        .await?;
    Ok(last)
}

/// Returns all events of a run after the one with the number `after`.
pub(super) async fn events_after(
    reading: &mut Transaction<'_>,
    user_id: &str,
    run: &str,
    after: i64,
) -> Result<Vec<LoggedEvent>> {
    let rows = query_as(
        "SELECT first, last, body FROM events \
         WHERE user_id = $1 AND run_id = $2 AND first > $3 ORDER BY last",
    )
    .bind(user_id)
    .bind(run)
    .bind(after)
    .fetch_all(reading)
    .await?;
    let mut events = Vec::new();
    for entry in entries(rows) {
        events.extend(entry.events()?.into_iter().map(|(_, event)| event));
    }
    Ok(events)
}

/// Removes all events of a run.
pub(super) async fn remove(writing: &mut Transaction<'_>, user_id: &str, run: &str) -> Result<()> {
    query("DELETE FROM events WHERE user_id = $1 AND run_id = $2")
        .bind(user_id)
        .bind(run)
        .execute(writing)
        .await?;
    Ok(())
}

/// Removes the events of all runs of a thread, before that is deleted.
pub(super) async fn remove_with_thread(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<()> {
    query(
        "DELETE FROM events WHERE user_id = $1 AND run_id IN \
         (SELECT id FROM runs WHERE user_id = $1 AND thread_id = $2)",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .execute(writing)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate::new_id, store::Database};

    #[tokio::test]
    async fn an_append_reads_its_entries_once_and_finds_the_run_of_each_by_its_key() {
        let folder = std::env::temp_dir().join(format!("assent-plan-{}", new_id()));
        let database = Database::File(folder.join("a.sqlite"));
        let store = Store::open(&database.into()).await.unwrap();
        let Pool::Sqlite(pool) = &store.readers else {
            panic!("SQLite was opened")
        };
        let explain = format!("EXPLAIN QUERY PLAN {}", INSERT.sqlite());
        let plan: Vec<(i64, i64, i64, String)> = sqlx::query_as(sqlx::AssertSqlSafe(explain))
            .bind("[]")
            .bind("replica")
            .fetch_all(pool)
            .await
            .unwrap();
        let steps: Vec<&str> = plan.iter().map(|(.., step)| step.as_str()).collect();
        let [first, second] = steps.as_slice() else {
            panic!("{steps:?}")
        };
        assert!(first.starts_with("SCAN e "), "{first}");
        assert!(second.starts_with("SEARCH r USING"), "{second}");
        assert!(second.ends_with("(user_id=? AND id=?)"), "{second}");
        drop(store);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
