//! Session threads. Every query names the user: a thread of another user does not exist.

use assent_protocol::{SessionThread, Timestamp};
use sqlx::FromRow;

use super::{
    Store, Transaction,
    database::{At, Sql, query, query_as, query_scalar},
    events, grants, named_uploads, thread_name,
};
use crate::{
    Error, Result,
    generate::{new_id, now},
    profile::Profile,
    rules::audit::AuditedThread,
};

/// The name of a thread without messages.
const UNNAMED: &str = "New conversation";

/// The source of a thread's name, in the column `named`: nothing yet, its first message, or for
/// good, because a person or a model gave it a name.
const NOT_NAMED: i64 = 0;
const NAMED_BY_MESSAGE: i64 = 2;
const NAMED_FOR_GOOD: i64 = 1;

pub(super) const NO_THREAD: Error = Error::NotFound("This conversation does not exist.");

/// The columns of a [`Thread`], by name: one that a later release adds must not break this one.
macro_rules! thread_columns {
    () => {
        "ordinal, id, name, agent_id, agent_name, agent_handle, build_id, last_message_time"
    };
}
pub(super) use thread_columns;

/// The key of a thread, by which all of its rows are found.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ThreadKey {
    /// The id of the thread's user.
    pub user_id: String,
    /// The thread's id.
    pub id: String,
}

/// A session thread.
#[derive(Clone, Debug, FromRow)]
pub struct Thread {
    /// The number of the thread among those of its user, by which threads with the same time are
    /// ordered.
    pub(super) ordinal: i64,
    /// The thread's id.
    pub id: String,
    /// The thread's name, as people see it.
    pub name: String,
    /// The id of the agent that the thread is bound to.
    pub agent_id: String,
    /// The agent's name when the thread was made.
    pub agent_name: String,
    /// The agent's handle when the thread was made.
    pub agent_handle: String,
    /// The id of the agent's build when the thread was made.
    pub build_id: String,
    /// Time of the last stored message; for an empty thread, of its creation.
    pub last_message_time: String,
}

impl From<Thread> for SessionThread {
    fn from(thread: Thread) -> Self {
        Self {
            id: thread.id.as_str().into(),
            thread_name: thread.name,
            agent_id: thread.agent_id.as_str().into(),
            agent_name: thread.agent_name,
            agent_handle: thread.agent_handle,
            root_agent_build_id: thread.build_id,
            last_message_time: Timestamp(thread.last_message_time),
            session_type: "LIVE".to_owned(),
        }
    }
}

impl Store {
    /// Starts a thread of `user` with `agent`.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn create_thread(&self, user: &str, agent: &Profile) -> Result<Thread> {
        self.write(|writing| {
            Box::pin(async move {
                let thread = query_as(concat!(
                    "INSERT INTO threads (user_id, id, agent_id, agent_name, agent_handle, \
                     build_id, name, ordinal, last_message_time) \
                     SELECT $1, $2, $3, $4, $5, $6, $7, COALESCE(MAX(ordinal), 0) + 1, $8 \
                     FROM threads WHERE user_id = $1 RETURNING ",
                    thread_columns!()
                ))
                .bind(user)
                .bind(new_id())
                .bind(&agent.id)
                .bind(&agent.name)
                .bind(&agent.handle)
                .bind(&agent.build_id)
                .bind(UNNAMED)
                .bind(now())
                .fetch_one(writing)
                .await?;
                Ok(thread)
            })
        })
        .await
    }

    /// Returns one thread of `user`.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] or [`Error::Database`].
    pub async fn thread(&self, user: &str, id: &str) -> Result<Thread> {
        query_as(concat!(
            "SELECT ",
            thread_columns!(),
            " FROM threads WHERE user_id = $1 AND id = $2"
        ))
        .bind(user)
        .bind(id)
        .fetch_optional(&self.readers)
        .await?
        .ok_or(NO_THREAD)
    }

    /// Gives a thread another name, which no later message changes.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] or [`Error::Database`].
    pub async fn rename_thread(&self, user: &str, id: &str, name: &str) -> Result<Thread> {
        self.write(|writing| {
            Box::pin(async move {
                query_as(
                concat!("UPDATE threads SET name = $1, named = $2 WHERE user_id = $3 AND id = $4 RETURNING ", thread_columns!()),
            )
            .bind(name)
            .bind(NAMED_FOR_GOOD)
            .bind(user)
            .bind(id)
            .fetch_optional(writing)
            .await?
            .ok_or(NO_THREAD)
            })
        })
        .await
    }

    /// Returns true if a thread is named after its first message, so that a title would be better.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub(crate) async fn wants_title(&self, thread: &ThreadKey) -> Result<bool> {
        let wants = query_scalar(
            "SELECT EXISTS \
             (SELECT 1 FROM threads WHERE user_id = $1 AND id = $2 AND named = $3)",
        )
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(NAMED_BY_MESSAGE)
        .fetch_one(&self.readers)
        .await?;
        Ok(wants)
    }

    /// Gives a thread a title, unless it got a name of its own meanwhile or is gone.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub(crate) async fn set_title(&self, thread: &ThreadKey, title: &str) -> Result<()> {
        self.write(|writing| {
            Box::pin(set_name(
                writing,
                thread,
                title,
                NAMED_BY_MESSAGE,
                NAMED_FOR_GOOD,
            ))
        })
        .await
    }

    /// Returns true if a thread is there.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn has_thread(&self, thread: &ThreadKey) -> Result<bool> {
        exists(&self.readers, thread).await
    }

    /// Deletes a thread with everything in it, and with the files that no other thread names.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] or [`Error::Database`].
    pub async fn delete_thread(&self, thread: &ThreadKey) -> Result<()> {
        let files = self
            .write(|writing| Box::pin(delete(writing, thread)))
            .await?;
        self.files.remove(&files).await;
        self.empty_log();
        Ok(())
    }
}

impl Store {
    /// Deletes a thread if its last message still is older than a time, and no answer is being
    /// written in it; returns false if the thread stays.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn delete_idle_thread(&self, thread: &ThreadKey, time: &str) -> Result<bool> {
        let deleted = self.write(|writing| {
            Box::pin(async move {
                let idle = query_scalar(
                    "SELECT EXISTS (SELECT 1 FROM threads \
                     WHERE user_id = $1 AND id = $2 AND last_message_time < $3 \
                     AND NOT EXISTS (SELECT 1 FROM runs \
                     WHERE user_id = $1 AND thread_id = $2 AND ended_at IS NULL))",
                )
                .bind(&thread.user_id)
                .bind(&thread.id)
                .bind(time)
                .fetch_one(&mut *writing)
                .await?;
                if idle {
                    delete(writing, thread).await.map(Some)
                } else {
                    Ok(None)
                }
            })
        });
        let Some(files) = deleted.await? else {
            return Ok(false);
        };
        self.files.remove(&files).await;
        self.empty_log();
        Ok(true)
    }
}

/// Deletes a thread; returns the ids of the files that only this thread named, whose rows are
/// deleted, too.
async fn delete(writing: &mut Transaction<'_>, thread: &ThreadKey) -> Result<Vec<String>> {
    let files = named_uploads::remove_with_thread(writing, thread).await?;
    events::remove_with_thread(writing, thread).await?;
    grants::end_with_thread(writing, thread).await?;
    let deleted = query("DELETE FROM threads WHERE user_id = $1 AND id = $2")
        .bind(&thread.user_id)
        .bind(&thread.id)
        .execute(writing)
        .await?;
    if deleted == 0 {
        return Err(NO_THREAD);
    }
    Ok(files)
}

/// Adds to the count of the bytes that are stored in a thread.
pub(super) async fn add_stored_bytes(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    bytes: usize,
) -> Result<()> {
    query("UPDATE threads SET stored_bytes = stored_bytes + $3 WHERE user_id = $1 AND id = $2")
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(i64::try_from(bytes).unwrap_or(i64::MAX))
        .execute(writing)
        .await?;
    Ok(())
}

/// Names a thread that has no name yet after a message.
pub(super) async fn name_after_message(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    text: &str,
) -> Result<()> {
    set_name(
        writing,
        thread,
        &thread_name::name_from(text),
        NOT_NAMED,
        NAMED_BY_MESSAGE,
    )
    .await
}

/// Gives a thread a name, if the source of its present name is `from`; `to` is the source of the new
/// one.
async fn set_name(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    name: &str,
    from: i64,
    to: i64,
) -> Result<()> {
    query("UPDATE threads SET name = $3, named = $5 WHERE user_id = $1 AND id = $2 AND named = $4")
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(name)
        .bind(from)
        .bind(to)
        .execute(writing)
        .await?;
    Ok(())
}

/// Fails if a thread is gone.
pub(super) async fn check(reading: &mut Transaction<'_>, thread: &ThreadKey) -> Result<()> {
    if exists(reading, thread).await? {
        Ok(())
    } else {
        Err(NO_THREAD)
    }
}

/// Locks a thread until the transaction ends, or fails if it is gone.
pub(super) async fn lock(writing: &mut Transaction<'_>, thread: &ThreadKey) -> Result<()> {
    let locked: Option<i64> = query_scalar(Sql::Each {
        sqlite: "SELECT 1 FROM threads WHERE user_id = $1 AND id = $2",
        postgres: "SELECT CAST(1 AS BIGINT) FROM threads WHERE user_id = $1 AND id = $2 \
                   FOR NO KEY UPDATE",
    })
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_optional(writing)
    .await?;
    locked.map(|_| ()).ok_or(NO_THREAD)
}

/// Returns true if a thread is there.
pub(super) async fn exists<'a>(reading: impl Into<At<'a>>, thread: &ThreadKey) -> Result<bool> {
    let exists =
        query_scalar("SELECT EXISTS (SELECT 1 FROM threads WHERE user_id = $1 AND id = $2)")
            .bind(&thread.user_id)
            .bind(&thread.id)
            .fetch_one(reading)
            .await?;
    Ok(exists)
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
        agent_id: agent_id.ok_or(NO_THREAD)?,
        thread_id: thread.id.clone(),
    })
}
