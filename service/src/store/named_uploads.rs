//! The files of users, as they are listed, and which threads and messages name them: a file that
//! one thread alone names is deleted with that thread.

use std::collections::HashMap;

use assent_protocol::StoredFile;
use sqlx::FromRow;

use super::{
    Store, ThreadKey, Transaction,
    database::{query, query_as, query_scalar},
};
use crate::{Result, rules::content::UserContent};

/// A file of a user, as the list of the user's files shows it.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct Upload {
    /// The file's id.
    pub id: String,
    /// The user's own name for the file.
    pub name: String,
    /// The file's media type, as it was declared, or as its first bytes say.
    pub media_type: String,
    /// The file's length in bytes.
    pub size: i64,
    /// The time at which the file was stored.
    pub stored_at: String,
}

impl Store {
    /// Returns the files of `user`, the newest first.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Database`].
    pub async fn uploads(&self, user: &str) -> Result<Vec<Upload>> {
        let uploads = query_as(
            "SELECT id, name, media_type, size, stored_at FROM uploads WHERE user_id = $1 \
             ORDER BY stored_at DESC, id",
        )
        .bind(user)
        .fetch_all(&self.readers)
        .await?;
        Ok(uploads)
    }
}

/// Records that a thread names the files of a post.
pub(super) async fn name_files(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    content: &UserContent,
) -> Result<()> {
    for id in content.documents.iter().chain(&content.images) {
        // What is no file of the user is no row of the first table.
        query(
            "INSERT INTO thread_uploads (user_id, thread_id, upload_id) \
             SELECT t.user_id, t.id, u.id FROM threads t JOIN uploads u ON u.user_id = t.user_id \
             WHERE t.user_id = $1 AND t.id = $2 AND u.id = $3 ON CONFLICT DO NOTHING",
        )
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(id)
        .execute(&mut *writing)
        .await?;
    }
    Ok(())
}

/// Records the files that a stored message came with.
pub(super) async fn attach(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
    message_id: &str,
    content: &UserContent,
) -> Result<()> {
    let documents = content.documents.iter().map(|id| (id, false));
    for (id, is_image) in documents.chain(content.images.iter().map(|id| (id, true))) {
        query(
            "INSERT INTO message_uploads \
             (user_id, thread_id, message_id, ordinal, upload_id, is_image) \
             SELECT $1, $2, $3, COALESCE((SELECT MAX(ordinal) FROM message_uploads \
             WHERE user_id = $1 AND thread_id = $2 AND message_id = $3), 0) + 1, id, $5 \
             FROM uploads WHERE user_id = $1 AND id = $4 ON CONFLICT DO NOTHING",
        )
        .bind(&thread.user_id)
        .bind(&thread.id)
        .bind(message_id)
        .bind(id)
        .bind(is_image)
        .execute(&mut *writing)
        .await?;
    }
    Ok(())
}

#[derive(FromRow)]
struct Attached {
    message_id: String,
    id: String,
    is_image: bool,
    name: String,
    media_type: String,
    size: i64,
}

/// Returns the files of those messages of a thread whose numbers are above `after`, up to `last`,
/// by the ids of the messages. Files that were removed are left out.
pub(super) async fn files_of_messages(
    reading: &mut Transaction<'_>,
    thread: &ThreadKey,
    after: i64,
    last: i64,
) -> Result<HashMap<String, Vec<StoredFile>>> {
    let attached: Vec<Attached> = query_as(
        "SELECT a.message_id, u.id, a.is_image, u.name, u.media_type, u.size \
         FROM messages m JOIN message_uploads a ON a.user_id = m.user_id \
         AND a.thread_id = m.thread_id AND a.message_id = m.id \
         JOIN uploads u ON u.user_id = a.user_id AND u.id = a.upload_id \
         WHERE m.user_id = $1 AND m.thread_id = $2 AND m.ordinal > $3 AND m.ordinal <= $4 \
         ORDER BY a.ordinal",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .bind(after)
    .bind(last)
    .fetch_all(reading)
    .await?;
    let mut files: HashMap<String, Vec<StoredFile>> = HashMap::new();
    for row in attached {
        let (image_id, file_id) = if row.is_image {
            (Some(row.id), None)
        } else {
            (None, Some(row.id))
        };
        files.entry(row.message_id).or_default().push(StoredFile {
            file_id,
            image_id,
            name: row.name,
            media_type: row.media_type,
            size: u64::try_from(row.size).unwrap_or_default(),
        });
    }
    Ok(files)
}

/// Removes the rows of the files that only this thread names, and returns their ids.
pub(super) async fn remove_with_thread(
    writing: &mut Transaction<'_>,
    thread: &ThreadKey,
) -> Result<Vec<String>> {
    let removed = query_scalar(
        "DELETE FROM uploads WHERE user_id = $1 AND id IN \
         (SELECT upload_id FROM thread_uploads WHERE user_id = $1 AND thread_id = $2) \
         AND id NOT IN \
         (SELECT upload_id FROM thread_uploads WHERE user_id = $1 AND thread_id <> $2) \
         RETURNING id",
    )
    .bind(&thread.user_id)
    .bind(&thread.id)
    .fetch_all(writing)
    .await?;
    Ok(removed)
}
