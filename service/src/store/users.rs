//! All that is stored of one user: exported a line at a time, or deleted. The audit keeps its lines, which
//! hold hashes of arguments and no texts.

use assent_protocol::SessionThread;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    OwnedGrant, Store, ThreadKey, Transaction,
    database::{query, query_as, query_scalar},
    full_text,
    grants::grant_columns,
    memories,
};
use crate::Result;

/// The numbers of what was deleted of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeletedCounts {
    /// The number of conversations.
    pub threads: usize,
    /// The number of uploaded files.
    pub files: usize,
    /// The number of sentences that agents kept.
    pub memories: u64,
    /// The number of grants.
    pub grants: u64,
}

impl Store {
    /// Passes all that is stored of `user` to `tell`, one JSON object after the other, each with
    /// its `kind`. Files are named; they stand beside the database under their ids.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`], [`crate::Error::Stored`], or what `tell` returns.
    pub async fn export_user(
        &self,
        user: &str,
        mut tell: impl FnMut(&Value) -> Result<()>,
    ) -> Result<()> {
        for id in self.thread_ids(user).await? {
            let key = ThreadKey {
                user_id: user.to_owned(),
                id,
            };
            let Ok(thread) = self.thread(user, &key.id).await else {
                // It was deleted meanwhile.
                continue;
            };
            tell(&exported("thread", None, SessionThread::from(thread))?)?;
            let mut from = None;
            loop {
                let page = self.page(&key, from).await?;
                for message in page.messages {
                    tell(&exported("message", Some(&key.id), message)?)?;
                }
                from = page.next;
                if from.is_none() {
                    break;
                }
            }
        }
        for file in self.uploads(user).await? {
            tell(&json!({
                "kind": "file", "id": file.id, "name": file.name, "mediaType": file.media_type,
                "size": file.size, "storedAt": file.stored_at,
            }))?;
        }
        let memories: Vec<(String, String, String)> = query_as(
            "SELECT agent_id, body, kept_at FROM user_memories WHERE user_id = $1 \
             ORDER BY agent_id, ordinal",
        )
        .bind(user)
        .fetch_all(&self.readers)
        .await?;
        for (agent, text, at) in memories {
            tell(&json!({ "kind": "memory", "agentId": agent, "text": text, "keptAt": at }))?;
        }
        let grants: Vec<OwnedGrant> = query_as(concat!(
            "SELECT ",
            grant_columns!(),
            " FROM grants WHERE user_id = $1 ORDER BY granted_at, id"
        ))
        .bind(user)
        .fetch_all(&self.readers)
        .await?;
        for grant in grants {
            tell(&json!({
                "kind": "grant", "id": grant.id, "agentId": grant.agent_id, "tool": grant.tool,
                "arguments": grant.arguments, "grantedAt": grant.granted_at,
                "revokedAt": grant.revoked_at, "threadId": grant.thread_id, "until": grant.until,
                "uses": grant.uses,
            }))?;
        }
        let tokens: Vec<(String, i64)> =
            query_as("SELECT day, tokens FROM token_use WHERE user_id = $1 ORDER BY day")
                .bind(user)
                .fetch_all(&self.readers)
                .await?;
        for (day, tokens) in tokens {
            tell(&json!({ "kind": "tokens", "day": day, "tokens": tokens }))?;
        }
        Ok(())
    }

    /// Deletes all that is stored of `user` but the lines of the audit. An answer that is being
    /// written for the user ends.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`]; what was deleted until then stays so.
    pub async fn delete_user(&self, user: &str) -> Result<DeletedCounts> {
        let files = self.uploads(user).await?.len();
        let mut threads = 0;
        for id in self.thread_ids(user).await? {
            let thread = ThreadKey {
                user_id: user.to_owned(),
                id,
            };
            if self.delete_thread(&thread).await.is_ok() {
                threads += 1;
            }
        }
        let (left, rest) = self
            .write(|writing| Box::pin(delete_rest(writing, user)))
            .await?;
        self.files.remove(&left).await;
        self.empty_log();
        Ok(DeletedCounts {
            files,
            threads,
            ..rest
        })
    }

    async fn thread_ids(&self, user: &str) -> Result<Vec<String>> {
        let ids = query_scalar("SELECT id FROM threads WHERE user_id = $1 ORDER BY ordinal")
            .bind(user)
            .fetch_all(&self.readers)
            .await?;
        Ok(ids)
    }
}

/// One entry of the export of a user: a resource in the form of the interface, with its kind.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Exported<'a, T> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_id: Option<&'a str>,
    #[serde(flatten)]
    of: T,
}

fn exported(kind: &'static str, thread_id: Option<&str>, of: impl Serialize) -> Result<Value> {
    let exported = Exported {
        kind,
        thread_id,
        of,
    };
    Ok(serde_json::to_value(exported)?)
}

/// Deletes what of a user belongs to no thread; returns the ids of the files, and the numbers of
/// the rest.
async fn delete_rest(
    writing: &mut Transaction<'_>,
    user: &str,
) -> Result<(Vec<String>, DeletedCounts)> {
    let files = query_scalar("DELETE FROM uploads WHERE user_id = $1 RETURNING id")
        .bind(user)
        .fetch_all(&mut *writing)
        .await?;
    let agents: Vec<String> =
        query_scalar("SELECT DISTINCT agent_id FROM user_memories WHERE user_id = $1")
            .bind(user)
            .fetch_all(&mut *writing)
            .await?;
    for agent in agents {
        full_text::remove_some(writing, &memories::mark(user, &agent), usize::MAX).await?;
    }
    let mut count = async |removal: &'static str| -> Result<u64> {
        let removed = query(removal).bind(user).execute(&mut *writing);
        Ok(removed.await?)
    };
    let deleted = DeletedCounts {
        memories: count("DELETE FROM user_memories WHERE user_id = $1").await?,
        grants: count("DELETE FROM grants WHERE user_id = $1").await?,
        ..DeletedCounts::default()
    };
    count("DELETE FROM tool_definitions WHERE user_id = $1").await?;
    count("DELETE FROM token_use WHERE user_id = $1").await?;
    Ok((files, deleted))
}
