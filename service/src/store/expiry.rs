//! Requests for approval whose time is over without a decision.

use sqlx::FromRow;

use super::{
    Store, ThreadKey,
    database::{query_as, query_scalar},
};
use crate::{
    Result,
    generate::now,
    rules::approval::{SubmittedDecision, Verdict},
};

/// The most batches that are looked for at once.
const BATCHES_AT_ONCE: i64 = 100;

/// A batch that waits for a decision, and whose time is over.
#[derive(Clone, Debug, FromRow)]
pub struct ExpiredBatch {
    user_id: String,
    thread_id: String,
    batch_id: String,
    /// The id of the thread's agent.
    pub agent_id: String,
}

impl ExpiredBatch {
    /// Returns the thread that the batch is in.
    #[must_use]
    pub fn thread(&self) -> ThreadKey {
        ThreadKey {
            user_id: self.user_id.clone(),
            id: self.thread_id.clone(),
        }
    }
}

impl Store {
    /// Returns batches that wait for a decision although their time is over, those first that ended
    /// first, after so many others.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn expired_batches(&self, after: i64) -> Result<Vec<ExpiredBatch>> {
        let expired = query_as(
            "SELECT a.user_id, a.thread_id, a.batch_id, t.agent_id \
             FROM approvals a JOIN threads t ON t.user_id = a.user_id AND t.id = a.thread_id \
             WHERE a.status = 'PENDING_HUMAN_APPROVAL' AND a.expires_at <= $1 \
             GROUP BY a.user_id, a.thread_id, a.batch_id, t.agent_id \
             ORDER BY MIN(a.expires_at), a.batch_id LIMIT $2 OFFSET $3",
        )
        .bind(now())
        .bind(BATCHES_AT_ONCE)
        .bind(after)
        .fetch_all(&self.readers)
        .await?;
        Ok(expired)
    }

    /// Returns the decisions that end the waiting of a batch.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn end_of(&self, batch: &ExpiredBatch) -> Result<Vec<SubmittedDecision>> {
        let executions: Vec<String> = query_scalar(
            "SELECT execution_id FROM approvals \
             WHERE user_id = $1 AND thread_id = $2 AND batch_id = $3 ORDER BY ordinal",
        )
        .bind(&batch.user_id)
        .bind(&batch.thread_id)
        .bind(&batch.batch_id)
        .fetch_all(&self.readers)
        .await?;
        let ended = executions
            .into_iter()
            .map(|execution_id| SubmittedDecision {
                execution_id,
                batch_id: batch.batch_id.clone(),
                verdict: Verdict::Expired,
                accepts_definition: false,
                grant: None,
                edited: None,
                echo: serde_json::Map::new(),
            });
        Ok(ended.collect())
    }
}
