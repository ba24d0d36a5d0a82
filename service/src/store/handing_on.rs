//! The replica that has the working state of a conversation: tool servers with a process or a session
//! for each thread or user keep it there, so a post that comes to another replica is handed on. That
//! one accepts it, in the other's name; the other finds it as it finds an answer that nobody writes,
//! and begins it.
//!
//! No replica is asked, and none has to answer: one that does not come to it is counted as gone after
//! its lease, and whoever goes on with its answers begins this one.

use std::sync::Arc;

use super::{
    Store, ThreadKey, Transaction,
    database::{query, query_scalar},
    replicas::now_ms,
};
use crate::Result;

/// The turns that share working state, which one replica keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StateScope {
    /// Those of a thread.
    Thread,
    /// Those of a user with one agent.
    User,
}

impl Store {
    /// Tells the others that this replica is about to end: nothing is handed on to it any more.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn drain(&self) -> Result<()> {
        let draining = query("UPDATE replicas SET draining = 1 WHERE id = $1");
        self.keep(draining.bind(&*self.replica_id())).await?;
        Ok(())
    }
}

/// Returns the replica that wrote the last answer with this state, if it is another one than `me`, and
/// lives.
pub(super) async fn holder(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    scope: StateScope,
    me: &str,
) -> Result<Option<Arc<str>>> {
    let last = match scope {
        StateScope::Thread => query_scalar(
            "SELECT owner FROM runs WHERE user_id = $1 AND thread_id = $2 \
             ORDER BY ended_at DESC LIMIT 1",
        ),
        // One that is being written first.
        StateScope::User => query_scalar(
            "SELECT r.owner FROM runs r JOIN threads t ON t.user_id = r.user_id AND t.id = r.thread_id \
             WHERE r.user_id = $1 AND t.agent_id = (SELECT agent_id FROM threads \
             WHERE user_id = $1 AND id = $2) \
             ORDER BY r.ended_at IS NULL DESC, r.ended_at DESC LIMIT 1",
        ),
    };
    let last: Option<String> = last
        .bind(&thread.user_id)
        .bind(&thread.id)
        .fetch_optional(&mut *reading)
        .await?;
    let Some(last) = last.filter(|last| last != me) else {
        return Ok(None);
    };
    let lives = query_scalar(concat!(
        "SELECT EXISTS (SELECT 1 FROM replicas WHERE id = $1 AND draining = 0 AND expires_ms > ",
        now_ms!(postgres),
        ")"
    ));
    let lives: bool = lives.bind(&last).fetch_one(reading).await?;
    Ok(lives.then(|| last.into()))
}
