//! Memories of a user beyond a thread: a bounded number of sentences for each agent.

use sqlx::FromRow;

use super::{
    Store, ThreadKey, Transaction,
    database::{query, query_as, query_scalar},
    full_text::{self, ShelfMark},
    threads,
};
use crate::{Result, generate::now, transcript::knowledge::Memory};

#[derive(FromRow)]
struct MemoryRow {
    ordinal: i64,
    body: String,
}

/// The memories that agents keep of the user of one thread: a handle that an answer gives to an
/// agent.
#[derive(Clone, Debug)]
pub struct Memories {
    store: Store,
    thread: ThreadKey,
}

impl Store {
    /// Returns the memories of a thread's user.
    #[must_use]
    pub fn memories(&self, thread: &ThreadKey) -> Memories {
        Memories {
            store: self.clone(),
            thread: thread.clone(),
        }
    }
}

impl Memories {
    /// Returns at most `limit` memories of an agent that have any of these words, best first.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn recall(&self, agent: &str, words: &[String], limit: usize) -> Result<Vec<Memory>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        self.store
            .read(|reading| Box::pin(search(reading, &self.thread, agent, words, limit)))
            .await
    }

    /// Keeps a sentence as a memory of an agent, and returns its number. Of more than `most`
    /// memories the oldest are forgotten.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn keep(&self, agent: &str, text: &str, most: usize) -> Result<i64> {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        self.store
            .write(|writing| Box::pin(keep(writing, &self.thread, agent, text, most)))
            .await
    }

    /// Forgets a memory; returns false if there is none with this number.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NotFound`] if the thread was deleted; [`crate::Error::Database`].
    pub async fn forget(&self, agent: &str, number: i64) -> Result<bool> {
        let forgotten = self
            .store
            .write(|writing| Box::pin(forget(writing, &self.thread, agent, number)))
            .await?;
        self.store.empty_log();
        Ok(forgotten)
    }
}

pub(super) fn mark(user_id: &str, agent: &str) -> ShelfMark {
    ShelfMark::of(&["memories", user_id, agent])
}

async fn search(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    agent: &str,
    words: &[String],
    limit: i64,
) -> Result<Vec<Memory>> {
    threads::check(reading, thread).await?;
    let user_id = thread.user_id.as_str();
    let rows: Vec<MemoryRow> =
        query_as("SELECT ordinal, body FROM user_memories WHERE user_id = $1 AND agent_id = $2")
            .bind(user_id)
            .bind(agent)
            .fetch_all(&mut *reading)
            .await?;
    let found = full_text::search(reading, &mark(user_id, agent), words, limit).await?;
    let memory = |number: &i64| rows.iter().find(|row| row.ordinal == *number);
    let found = found.iter().filter_map(memory).map(|row| Memory {
        number: row.ordinal,
        text: row.body.clone(),
    });
    Ok(found.collect())
}

async fn keep(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    agent: &str,
    text: &str,
    most: i64,
) -> Result<i64> {
    threads::check(writing, thread).await?;
    let user_id = thread.user_id.as_str();
    let number: i64 = query_scalar(
        "INSERT INTO user_memories (user_id, agent_id, ordinal, body, kept_at) \
         SELECT $1, $2, COALESCE(MAX(ordinal), 0) + 1, $3, $4 \
         FROM user_memories WHERE user_id = $1 AND agent_id = $2 RETURNING ordinal",
    )
    .bind(user_id)
    .bind(agent)
    .bind(text)
    .bind(now())
    .fetch_one(&mut *writing)
    .await?;
    let mark = mark(user_id, agent);
    full_text::put(writing, &mark, number, text).await?;
    let oldest: Vec<i64> = query_scalar(
        "SELECT ordinal FROM user_memories WHERE user_id = $1 AND agent_id = $2 \
         ORDER BY ordinal DESC LIMIT 1000 OFFSET $3",
    )
    .bind(user_id)
    .bind(agent)
    .bind(most)
    .fetch_all(&mut *writing)
    .await?;
    for number in oldest {
        forget(writing, thread, agent, number).await?;
    }
    Ok(number)
}

async fn forget(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    agent: &str,
    number: i64,
) -> Result<bool> {
    threads::check(writing, thread).await?;
    let user_id = thread.user_id.as_str();
    full_text::remove(writing, &mark(user_id, agent), number).await?;
    let deleted =
        query("DELETE FROM user_memories WHERE user_id = $1 AND agent_id = $2 AND ordinal = $3")
            .bind(user_id)
            .bind(agent)
            .bind(number)
            .execute(writing)
            .await?;
    Ok(deleted == 1)
}
