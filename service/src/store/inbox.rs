//! What waits for a decision of a user, over all threads, a page at a time.

use assent_protocol::ApprovalRequest;
use sqlx::FromRow;

use super::{Store, ThreadKey, database::query_as};
use crate::Result;

/// A part of what waits for a user, newest first.
#[derive(Clone, Debug)]
pub struct InboxPage {
    /// The batches that wait.
    pub waiting: Vec<Waiting>,
    /// The place after the last of these batches; `None` if no more follow.
    pub next: Option<InboxPosition>,
}

/// A place in the list of what waits for a user: behind a batch, which may be decided meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct InboxPosition {
    /// The time of the message that asks.
    pub asked_at: String,
    /// The number of the thread, by which batches with the same time are ordered.
    pub thread_number: i64,
    /// The number of the batch's first request in its thread.
    pub number: i64,
}

/// A batch that waits for a decision.
#[derive(Clone, Debug, FromRow)]
pub struct Waiting {
    /// The place of the batch in the list, with the time of the message that asks.
    #[sqlx(flatten)]
    pub position: InboxPosition,
    /// The batch's id.
    pub batch_id: String,
    /// The id of the thread that the batch is in.
    pub thread_id: String,
    /// The thread's name.
    pub thread_name: String,
    /// The id of the thread's agent.
    pub agent_id: String,
    /// The agent's name when the thread was made.
    pub agent_name: String,
    /// The agent's handle when the thread was made.
    pub agent_handle: String,
    /// The requests as a JSON array.
    requests: String,
}

impl Waiting {
    /// Returns the requests of the batch, in the order in which they were made.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Stored`].
    pub fn requests(&self) -> Result<Vec<ApprovalRequest>> {
        Ok(serde_json::from_str(&self.requests)?)
    }
}

/// A text that is greater than any time.
const AFTER_ALL_TIMES: &str = "~";

impl Store {
    /// Returns at most `limit` of the batches that wait for a decision of `user`: those behind the
    /// place `before`, or the newest ones. It waits while another list of the same user is read.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn inbox(
        &self,
        user: &str,
        before: Option<&InboxPosition>,
        limit: usize,
    ) -> Result<InboxPage> {
        let _turn = self.lists.take(user.to_owned()).await;
        // The texts of requests are long: they are read for this page only.
        let mut waiting: Vec<Waiting> = query_as(
            "SELECT w.*, (SELECT '[' || string_agg(a.request, ',' ORDER BY a.ordinal) || ']' \
             FROM approvals a WHERE a.user_id = $1 AND a.thread_id = w.thread_id \
             AND a.batch_id = w.batch_id AND a.status = 'PENDING_HUMAN_APPROVAL') AS requests \
             FROM (SELECT MIN(m.timestamp) AS asked_at, t.ordinal AS thread_number, \
             MIN(a.ordinal) AS number, a.batch_id, t.id AS thread_id, t.name AS thread_name, \
             t.agent_id, t.agent_name, t.agent_handle \
             FROM approvals a JOIN threads t ON t.user_id = a.user_id AND t.id = a.thread_id \
             JOIN messages m ON m.user_id = a.user_id AND m.thread_id = a.thread_id \
             AND m.id = a.message_id \
             WHERE a.user_id = $1 AND a.status = 'PENDING_HUMAN_APPROVAL' \
             GROUP BY t.user_id, t.id, a.batch_id \
             HAVING (MIN(m.timestamp), t.ordinal, MIN(a.ordinal)) < ($2, $3, $4) \
             ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT $5) w \
             ORDER BY 1 DESC, 2 DESC, 3 DESC",
        )
        .bind(user)
        .bind(before.map_or(AFTER_ALL_TIMES, |before| &before.asked_at))
        .bind(before.map_or(i64::MAX, |before| before.thread_number))
        .bind(before.map_or(i64::MAX, |before| before.number))
        // One more, to know whether there are more.
        .bind(i64::try_from(limit.saturating_add(1)).unwrap_or(i64::MAX))
        .fetch_all(&self.readers)
        .await?;
        let more = waiting.len() > limit;
        waiting.truncate(limit);
        let next = waiting.last().filter(|_| more);
        let next = next.map(|last| last.position.clone());
        Ok(InboxPage { waiting, next })
    }

    /// Returns what still waits of a batch; `None` if it is decided, or gone with its thread.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn waiting_batch(
        &self,
        thread: &ThreadKey,
        batch_id: &str,
    ) -> Result<Option<Waiting>> {
        let waiting = query_as(
            "SELECT MIN(m.timestamp) AS asked_at, t.ordinal AS thread_number, \
             MIN(a.ordinal) AS number, a.batch_id, t.id AS thread_id, t.name AS thread_name, \
             t.agent_id, t.agent_name, t.agent_handle, \
             '[' || string_agg(a.request, ',' ORDER BY a.ordinal) || ']' AS requests \
             FROM approvals a JOIN threads t ON t.user_id = a.user_id AND t.id = a.thread_id \
             JOIN messages m ON m.user_id = a.user_id AND m.thread_id = a.thread_id \
             AND m.id = a.message_id \
             WHERE a.user_id = $1 AND a.thread_id = $2 AND a.batch_id = $3 \
             AND a.status = 'PENDING_HUMAN_APPROVAL' \
             GROUP BY t.user_id, t.id, a.batch_id",
        )
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(batch_id)
        .fetch_optional(&self.readers)
        .await?;
        Ok(waiting)
    }
}
