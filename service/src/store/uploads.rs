//! Files that users sent: a row each, and the bytes in the folder beside the database.

use std::{fs, io::ErrorKind, path::PathBuf};

use super::Store;
use crate::{
    Error, Result,
    content::UserContent,
    generate::{new_id, now},
};

/// The beginning of every id of this service's own uploads. Ids of other uploaders may be anything
/// else.
const PREFIX: &str = "upload-";

/// A file to be kept.
#[derive(Clone, Debug)]
pub struct NewUpload {
    /// The user's own name for it.
    pub name: String,
    /// The type, as far as its first bytes or its sender tell.
    pub media_type: String,
    /// The content.
    pub bytes: Vec<u8>,
}

impl Store {
    /// Stores a file for `user`, and returns its id.
    ///
    /// # Errors
    ///
    /// [`Error::File`] or [`Error::Database`].
    pub async fn add_upload(&self, user: &str, upload: NewUpload) -> Result<String> {
        let id = format!("{PREFIX}{}", new_id());
        let path = self.uploads.join(&id);
        let size = i64::try_from(upload.bytes.len()).unwrap_or(i64::MAX);
        // First the file: a row without one would promise a missing file. A crash in between leaves
        // a file behind.
        let (folder, to) = (self.uploads.clone(), path.clone());
        let writing = tokio::task::spawn_blocking(move || {
            fs::create_dir_all(folder)?;
            fs::write(to, upload.bytes)
        });
        let written = writing.await.map_err(|_| Error::Panicked)?;
        if let Err(source) = written {
            remove(path.clone()).await;
            return Err(Error::File { path, source });
        }
        let row = sqlx::query(
            "INSERT INTO uploads (id, user_id, name, media_type, size, stored_at)
             VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(&id)
        .bind(user)
        .bind(&upload.name)
        .bind(&upload.media_type)
        .bind(size)
        .bind(now())
        .execute(&self.writer)
        .await;
        if let Err(error) = row {
            remove(path).await;
            return Err(error.into());
        }
        Ok(id)
    }

    /// Returns the first file of a message that has the form of this service's ids and is no upload
    /// of `user`.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn foreign_upload(&self, user: &str, said: &UserContent) -> Result<Option<String>> {
        let mut ids: Vec<&String> = said.documents.iter().chain(&said.images).collect();
        ids.retain(|id| id.starts_with(PREFIX));
        for id in ids {
            let own: Option<i64> =
                sqlx::query_scalar("SELECT 1 FROM uploads WHERE id = ? AND user_id = ?")
                    .bind(id)
                    .bind(user)
                    .fetch_optional(&self.readers)
                    .await?;
            if own.is_none() {
                return Ok(Some(id.clone()));
            }
        }
        Ok(None)
    }
}

async fn remove(path: PathBuf) {
    let removing = tokio::task::spawn_blocking(move || fs::remove_file(path)).await;
    if let Ok(Err(error)) = removing
        && error.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%error, "a file that was not taken stays in the folder of uploads");
    }
}
