//! Files that users sent: a row each, and the bytes at their place beside the database.
//!
//! A row is written after its file is at its place, and removed before it: whatever happens in
//! between leaves a file without a row, which is removed some days later.

use object_store::PutPayload;

use super::{
    CommitOutcome, Isolation, Store, Transaction,
    database::{query, query_as, query_scalar},
    files::{Incoming, PREFIX},
    receiving::ReceivingRoom,
};
use crate::{
    Error, Result,
    generate::{new_id, now},
    rules::content::UserContent,
};

/// The data about a file besides its content.
#[derive(Clone, Debug)]
pub struct UploadInfo {
    /// The user's own name for the file.
    pub name: String,
    /// The media type, as far as the file's first bytes or its sender tell.
    pub media_type: String,
}

/// A file that is being received; it is removed when this is dropped, unless it is kept.
#[derive(Debug)]
pub struct IncomingFile {
    file: Incoming,
    row: NewRow,
    /// The room for the file: what its user may still store, less what comes at the same time.
    room: ReceivingRoom,
}

/// What a row says of a file that is being received.
#[derive(Clone, Debug)]
struct NewRow {
    id: String,
    size: u64,
    /// The greatest number of bytes of all files of the user.
    limit: u64,
}

impl IncomingFile {
    /// Writes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`] if its user's files would take too much; [`Error::FileStore`].
    pub async fn write(&mut self, bytes: impl Into<PutPayload>) -> Result<()> {
        let bytes = bytes.into();
        let row = &mut self.row;
        let length = u64::try_from(bytes.content_length()).unwrap_or(u64::MAX);
        row.size = row.size.saturating_add(length);
        if !self.room.take(row.size) {
            return Err(Error::NoRoom { limit: row.limit });
        }
        self.file.write(bytes).await
    }
}

impl Store {
    /// Begins to receive a file of `user`, of this length if that is known.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`], [`Error::FileStore`] or [`Error::Database`].
    pub async fn begin_upload(&self, user: &str, length: Option<u64>) -> Result<IncomingFile> {
        let used = self
            .read(|reading| Box::pin(used_bytes(reading, user)))
            .await?;
        let limit = self.limits.user_files;
        let free_bytes = limit.saturating_sub(used);
        let mut room = self.receiving.room(user, free_bytes);
        if free_bytes == 0 || !room.take(length.unwrap_or_default()) {
            return Err(Error::NoRoom { limit });
        }
        let id = format!("{PREFIX}{}", new_id());
        let file = self.files.begin(&id).await?;
        let row = NewRow { id, size: 0, limit };
        Ok(IncomingFile { file, row, room })
    }

    /// Keeps a file that was received to its end, and returns its id.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`], [`Error::FileStore`] or [`Error::Database`].
    pub async fn keep_upload(
        &self,
        user: &str,
        mut file: IncomingFile,
        info: UploadInfo,
    ) -> Result<String> {
        file.file.complete().await?;
        if let Some(probe) = &self.probe {
            probe.after_file()?;
        }
        let row = file.row.clone();
        let written = self.write_in_doubt(Isolation::Serializable, |writing| {
            Box::pin(insert(writing, user, &row, &info))
        });
        if let CommitOutcome::InDoubt((), error) = written.await? {
            match self.owns_upload(user, &row.id).await {
                Ok(true) => {}
                Ok(false) => return Err(error),
                Err(_) => {
                    file.file.keep();
                    return Err(error);
                }
            }
        }
        file.file.keep();
        Ok(row.id)
    }

    /// Removes a file of `user`.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] or [`Error::Database`].
    pub async fn remove_upload(&self, user: &str, id: &str) -> Result<()> {
        self.write(|writing| {
            Box::pin(async move {
                let deleted = query("DELETE FROM uploads WHERE user_id = $1 AND id = $2")
                    .bind(user)
                    .bind(id)
                    .execute(writing)
                    .await?;
                if deleted == 0 {
                    return Err(Error::NotFound("This file does not exist."));
                }
                Ok(())
            })
        })
        .await?;
        self.files.remove(&[id.to_owned()]).await;
        self.empty_log();
        Ok(())
    }

    /// Returns the id of the first file of a message that has the form of this service's ids and is
    /// no upload of `user`; `None` if there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Database`].
    pub async fn foreign_upload(&self, user: &str, said: &UserContent) -> Result<Option<String>> {
        let mut ids: Vec<&String> = said.documents.iter().chain(&said.images).collect();
        ids.retain(|id| id.starts_with(PREFIX));
        for id in ids {
            if !self.owns_upload(user, id).await? {
                return Ok(Some(id.clone()));
            }
        }
        Ok(None)
    }

    /// Returns a file of `user`, without its content if that is longer than
    /// `max_bytes` or gone; `None` if the user has no such file.
    ///
    /// # Errors
    ///
    /// [`Error::FileStore`] or [`Error::Database`].
    pub async fn read_upload(
        &self,
        user: &str,
        id: &str,
        max_bytes: u64,
    ) -> Result<Option<(UploadInfo, Option<Vec<u8>>)>> {
        let found: Option<(String, String, i64)> =
            query_as("SELECT name, media_type, size FROM uploads WHERE user_id = $1 AND id = $2")
                .bind(user)
                .bind(id)
                .fetch_optional(&self.readers)
                .await?;
        let Some((name, media_type, size)) = found else {
            return Ok(None);
        };
        let content = if u64::try_from(size).is_ok_and(|size| size <= max_bytes) {
            self.files.read(id).await?
        } else {
            None
        };
        Ok(Some((UploadInfo { name, media_type }, content)))
    }

    pub(super) async fn owns_upload(&self, user: &str, id: &str) -> Result<bool> {
        let own =
            query_scalar("SELECT EXISTS (SELECT 1 FROM uploads WHERE user_id = $1 AND id = $2)")
                .bind(user)
                .bind(id)
                .fetch_one(&self.readers)
                .await?;
        Ok(own)
    }
}

async fn insert(
    writing: &mut Transaction<'_>,
    user: &str,
    row: &NewRow,
    info: &UploadInfo,
) -> Result<()> {
    // Others may have come since this one began.
    if used_bytes(writing, user).await?.saturating_add(row.size) > row.limit {
        return Err(Error::NoRoom { limit: row.limit });
    }
    query(
        "INSERT INTO uploads (id, user_id, name, media_type, size, stored_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&row.id)
    .bind(user)
    .bind(&info.name)
    .bind(&info.media_type)
    .bind(i64::try_from(row.size).unwrap_or(i64::MAX))
    .bind(now())
    .execute(writing)
    .await?;
    Ok(())
}

/// Returns the number of bytes that the stored files of a user take.
async fn used_bytes(reading: &mut Transaction<'_>, user: &str) -> Result<u64> {
    let used: i64 = query_scalar(
        "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM uploads WHERE user_id = $1",
    )
    .bind(user)
    .fetch_one(reading)
    .await?;
    Ok(u64::try_from(used).unwrap_or_default())
}
