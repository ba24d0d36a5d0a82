//! Lists of a user's threads, newest last message first: whole, or a page at a time.

use std::collections::HashMap;

use super::{
    Store,
    database::{Sql, query_as, query_scalar},
    threads::{Thread, ThreadKey, thread_columns},
};
use crate::Result;

/// A part of a user's threads with an agent, newest last message first.
#[derive(Clone, Debug)]
pub struct ThreadPage {
    /// The threads.
    pub threads: Vec<Thread>,
    /// The place after the last of these threads; `None` if no more follow.
    pub next: Option<ThreadPosition>,
}

/// A place in a list of threads: behind a thread, where that stood when it was read. The place
/// stays where it is when the thread moves to the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadPosition {
    /// The time of the thread's last message when the thread was read.
    pub time: String,
    /// The number of the thread, by which threads with the same time are ordered.
    pub number: i64,
}

/// A text that is greater than any time.
const AFTER_ALL_TIMES: &str = "~";

impl Store {
    /// Returns the numbers of all threads of `user` with an agent, newest last message first, for
    /// [`Store::threads_at`]. It waits while another list of the same user is read.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn thread_numbers(&self, user: &str, agent_id: &str) -> Result<Vec<i64>> {
        let _turn = self.lists.take(user.to_owned()).await;
        let numbers = query_scalar(
            "SELECT ordinal FROM threads WHERE user_id = $1 AND agent_id = $2 \
             ORDER BY last_message_time DESC, ordinal DESC",
        )
        .bind(user)
        .bind(agent_id)
        .fetch_all(&self.readers)
        .await?;
        Ok(numbers)
    }

    /// Returns the threads of `user` with an agent that have these numbers, in their order. Those
    /// that were deleted meanwhile are left out; a new thread may have the number of one.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`] or [`crate::Error::Stored`].
    pub async fn threads_at(
        &self,
        user: &str,
        agent_id: &str,
        numbers: &[i64],
    ) -> Result<Vec<Thread>> {
        let threads: Vec<Thread> = query_as(Sql::Each {
            sqlite: concat!(
                "SELECT ",
                thread_columns!(),
                " FROM threads WHERE user_id = $1 AND agent_id = $2 \
                 AND ordinal IN (SELECT value FROM json_each($3))"
            ),
            postgres: concat!(
                "SELECT ",
                thread_columns!(),
                " FROM threads WHERE user_id = $1 AND agent_id = $2 AND ordinal IN \
                 (SELECT CAST(json_array_elements_text(CAST($3 AS json)) AS BIGINT))"
            ),
        })
        .bind(user)
        .bind(agent_id)
        .bind(serde_json::to_string(numbers)?)
        .fetch_all(&self.readers)
        .await?;
        let mut by_number: HashMap<i64, Thread> = threads
            .into_iter()
            .map(|thread| (thread.ordinal, thread))
            .collect();
        Ok(numbers
            .iter()
            .filter_map(|number| by_number.remove(number))
            .collect())
    }

    /// Returns at most `limit` threads of `user` with an agent: those behind the place `before`, or
    /// the newest ones.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn thread_page(
        &self,
        user: &str,
        agent_id: &str,
        before: Option<&ThreadPosition>,
        limit: usize,
    ) -> Result<ThreadPage> {
        let mut threads: Vec<Thread> = query_as(concat!(
            "SELECT ",
            thread_columns!(),
            " FROM threads WHERE user_id = $1 AND agent_id = $2 \
             AND (last_message_time, ordinal) < ($3, $4) \
             ORDER BY last_message_time DESC, ordinal DESC LIMIT $5"
        ))
        .bind(user)
        .bind(agent_id)
        .bind(before.map_or(AFTER_ALL_TIMES, |before| &before.time))
        .bind(before.map_or(i64::MAX, |before| before.number))
        // One more, to know whether there are more.
        .bind(i64::try_from(limit.saturating_add(1)).unwrap_or(i64::MAX))
        .fetch_all(&self.readers)
        .await?;
        let more = threads.len() > limit;
        threads.truncate(limit);
        let next = threads.last().filter(|_| more).map(|last| ThreadPosition {
            time: last.last_message_time.clone(),
            number: last.ordinal,
        });
        Ok(ThreadPage { threads, next })
    }

    /// Returns the threads whose last message came before a time, without those
    /// that are being answered: as many as are read at once.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn threads_idle_since(&self, time: &str) -> Result<Vec<ThreadKey>> {
        let threads = query_as(
            "SELECT user_id, id FROM threads WHERE last_message_time < $1 \
             AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.user_id = threads.user_id \
             AND r.thread_id = threads.id AND r.ended_at IS NULL) \
             ORDER BY last_message_time LIMIT 500",
        )
        .bind(time)
        .fetch_all(&self.readers)
        .await?;
        Ok(threads)
    }

    /// Returns true if `user` has a thread with an agent, which may be gone.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn has_threads(&self, user: &str, agent_id: &str) -> Result<bool> {
        let exists = query_scalar(
            "SELECT EXISTS (SELECT 1 FROM threads WHERE user_id = $1 AND agent_id = $2)",
        )
        .bind(user)
        .bind(agent_id)
        .fetch_one(&self.readers)
        .await?;
        Ok(exists)
    }
}
