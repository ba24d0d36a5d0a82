//! The files of users, as they are listed, and which threads name them: a file that one thread alone
//! names goes with it.

use sqlx::FromRow;

use super::{Store, Transaction};
use crate::{Result, content::UserContent};

/// A file of a user, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Upload {
    /// Its id.
    pub id: String,
    /// The user's own name for it.
    pub name: String,
    /// Its media type, as it was declared, or as its first bytes say.
    pub media_type: String,
    /// Its length in bytes.
    pub size: i64,
    /// The time at which it came.
    pub stored_at: String,
}

impl Store {
    /// Returns the files of `user`, the newest first.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn uploads(&self, user: &str) -> Result<Vec<Upload>> {
        let uploads = sqlx::query_as(
            "SELECT id, name, media_type, size, stored_at FROM uploads WHERE user_id = $1 \
             ORDER BY stored_at DESC, id",
        )
        .bind(user)
        .fetch_all(&self.readers)
        .await?;
        Ok(uploads)
    }
}

/// Notes the files that a message names.
pub(super) async fn name(
    writing: &mut Transaction,
    thread_id: &str,
    content: &UserContent,
) -> Result<()> {
    for id in content.documents.iter().chain(&content.images) {
        // What is no file of the user is no row of the first table.
        sqlx::query(
            "INSERT INTO thread_uploads (thread_id, upload_id) \
             SELECT t.id, u.id FROM threads t JOIN uploads u ON u.user_id = t.user_id \
             WHERE t.id = $1 AND u.id = $2 ON CONFLICT DO NOTHING",
        )
        .bind(thread_id)
        .bind(id)
        .execute(&mut *writing)
        .await?;
    }
    Ok(())
}

/// Removes the rows of the files that only this thread of `user` names, and returns their ids.
pub(super) async fn remove_with(
    writing: &mut Transaction,
    user: &str,
    thread_id: &str,
) -> Result<Vec<String>> {
    let removed = sqlx::query_scalar(
        "DELETE FROM uploads WHERE user_id = $1 AND id IN \
         (SELECT upload_id FROM thread_uploads WHERE thread_id = $2) \
         AND id NOT IN (SELECT upload_id FROM thread_uploads WHERE thread_id <> $2) \
         RETURNING id",
    )
    .bind(user)
    .bind(thread_id)
    .fetch_all(writing)
    .await?;
    Ok(removed)
}
