//! Files that users sent: a row each, and the bytes in the folder beside the database.
//!
//! A row is written after its file is on the disk, and removed before it: whatever happens in
//! between leaves a file without a row, which is removed at the next start.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, ErrorKind, Write as _},
    mem,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    CommitOutcome, Probe, Store, Transaction,
    database::{query, query_as, query_scalar},
    private,
    receiving::ReceivingRoom,
};
use crate::{
    Error, Result,
    generate::{new_id, now},
    rules::content::UserContent,
};

/// The beginning of every id of this service's own uploads. Ids of other uploaders may be anything
/// else.
const PREFIX: &str = "upload-";

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
    id: String,
    path: PathBuf,
    file: Arc<File>,
    size: u64,
    /// The room for the file: what its user may still store, less what comes at the same time.
    room: ReceivingRoom,
    limit: u64,
    kept: bool,
    probe: Option<Arc<dyn Probe>>,
}

impl IncomingFile {
    /// Returns the number of bytes received.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Writes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`] if its user's files would take too much; [`Error::File`].
    pub async fn write(&mut self, bytes: impl AsRef<[u8]> + Send + 'static) -> Result<()> {
        let length = u64::try_from(bytes.as_ref().len()).unwrap_or(u64::MAX);
        self.size = self.size.saturating_add(length);
        if !self.room.take(self.size) {
            return Err(Error::NoRoom { limit: self.limit });
        }
        let file = Arc::clone(&self.file);
        self.write_blocking(move || (&*file).write_all(bytes.as_ref()))
            .await
    }

    /// Waits until the file and its name are on the disk.
    async fn sync(&self) -> Result<()> {
        let file = Arc::clone(&self.file);
        let folder = self.path.parent().map(Path::to_owned);
        let probe = self.probe.clone();
        let sync = move |file: &File| sync(file, probe.as_deref());
        self.write_blocking(move || {
            sync(&file)?;
            folder.map_or(Ok(()), |folder| sync_folder(&folder, sync))
        })
        .await
    }

    async fn write_blocking(
        &self,
        work: impl FnOnce() -> io::Result<()> + Send + 'static,
    ) -> Result<()> {
        run_blocking(work).await?.map_err(|source| Error::File {
            path: self.path.clone(),
            source,
        })
    }
}

impl Drop for IncomingFile {
    fn drop(&mut self) {
        if !self.kept {
            remove(&self.path);
        }
    }
}

impl Store {
    /// Begins to receive a file of `user`, of this length if that is known.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`], [`Error::File`] or [`Error::Database`].
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
        let path = self.uploads.join(&id);
        let (folder, to) = (self.uploads.clone(), path.clone());
        let opened = run_blocking(move || {
            private::make_own_folder(&folder)?;
            private::new_file(&to)
        });
        let file = opened.await?.map_err(|source| Error::File {
            path: path.clone(),
            source,
        })?;
        Ok(IncomingFile {
            id,
            path,
            file: Arc::new(file),
            size: 0,
            room,
            limit,
            kept: false,
            probe: self.probe.clone(),
        })
    }

    /// Keeps a file that was received to its end, and returns its id.
    ///
    /// # Errors
    ///
    /// [`Error::NoRoom`], [`Error::File`] or [`Error::Database`].
    pub async fn keep_upload(
        &self,
        user: &str,
        mut file: IncomingFile,
        info: UploadInfo,
    ) -> Result<String> {
        file.sync().await?;
        let written = self.write_in_doubt(|writing| Box::pin(insert(writing, user, &file, &info)));
        if let CommitOutcome::InDoubt((), error) = written.await? {
            match self.owns_upload(user, &file.id).await {
                Ok(true) => {}
                Ok(false) => return Err(error),
                Err(_) => {
                    file.kept = true;
                    return Err(error);
                }
            }
        }
        file.kept = true;
        Ok(mem::take(&mut file.id))
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
        self.remove_files(&[id.to_owned()]).await?;
        self.empty_log();
        Ok(())
    }

    /// Removes files from the disk whose rows are gone. One that stays is removed at the next
    /// start.
    pub(super) async fn remove_files(&self, ids: &[String]) -> Result<()> {
        let paths: Vec<PathBuf> = ids.iter().map(|id| self.uploads.join(id)).collect();
        run_blocking(move || paths.iter().for_each(|path| remove(path))).await
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
    /// [`Error::Database`].
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
        let path = self.uploads.join(id);
        let content = if u64::try_from(size).is_ok_and(|size| size <= max_bytes) {
            run_blocking(move || fs::read(path).ok()).await?
        } else {
            None
        };
        Ok(Some((UploadInfo { name, media_type }, content)))
    }

    /// Removes files without a row, and restricts the others to their owner.
    pub(super) async fn remove_orphans(&self) -> Result<()> {
        let folder = self.uploads.clone();
        let names = run_blocking(move || upload_names_in(&folder)).await?;
        if names.is_empty() {
            return Ok(());
        }
        let known: Vec<String> = query_scalar("SELECT id FROM uploads")
            .fetch_all(&self.readers)
            .await?;
        let known: HashSet<String> = known.into_iter().collect();
        for name in names {
            let path = self.uploads.join(&name);
            if known.contains(&name) {
                private::restrict_to_owner(&path);
            } else {
                tracing::info!(name, "a file that was never completed is removed");
                remove(&path);
            }
        }
        Ok(())
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
    file: &IncomingFile,
    info: &UploadInfo,
) -> Result<()> {
    // Others may have come since this one began.
    if used_bytes(writing, user).await?.saturating_add(file.size) > file.limit {
        return Err(Error::NoRoom { limit: file.limit });
    }
    query(
        "INSERT INTO uploads (id, user_id, name, media_type, size, stored_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(&file.id)
    .bind(user)
    .bind(&info.name)
    .bind(&info.media_type)
    .bind(i64::try_from(file.size).unwrap_or(i64::MAX))
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

/// Returns the names of the uploads in a folder, which may be missing.
fn upload_names_in(folder: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    private::restrict_to_owner(folder);
    files
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with(PREFIX))
        .collect()
}

fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != ErrorKind::NotFound
    {
        tracing::warn!(%error, "a file that was not taken stays in the folder of uploads");
    }
}

/// Waits until a file, or the names in a folder, are on the disk.
fn sync(file: &File, probe: Option<&dyn Probe>) -> io::Result<()> {
    file.sync_all()?;
    probe.map_or(Ok(()), |it| it.after_sync(file))
}

/// Waits until the names in a folder, and the folder's own, are on the disk.
#[cfg(unix)]
fn sync_folder(folder: &Path, sync: impl Fn(&File) -> io::Result<()>) -> io::Result<()> {
    sync(&File::open(folder)?)?;
    let around = folder.parent().filter(|it| !it.as_os_str().is_empty());
    sync(&File::open(around.unwrap_or(Path::new(".")))?)
}

/// Does nothing: on this system the names in a folder are on the disk with the file.
#[cfg(not(unix))]
fn sync_folder(_: &Path, _: impl Fn(&File) -> io::Result<()>) -> io::Result<()> {
    Ok(())
}

async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Error::Panicked)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The system refuses to sync a device, and nothing else that a test can see comes of a sync.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_itself_is_asked_to_write_to_the_disk() {
        let device = File::open("/dev/null").unwrap();
        assert!(sync(&device, None).is_err());
    }
}
