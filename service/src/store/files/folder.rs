//! The files of users in a folder: what the interface for all places does not do for one.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use object_store::{ObjectStore, local::LocalFileSystem};

use super::{super::private, PREFIX};
use crate::{Error, Result};

/// What stands between a file's id and a number in the name of a file that is being received.
const UNFINISHED: char = '#';

/// Returns what is asked for the files of a folder; `None` if it is missing.
pub(super) async fn objects(folder: PathBuf) -> Result<Option<Arc<dyn ObjectStore>>> {
    run_blocking(move || {
        if !folder.exists() {
            return Ok(None);
        }
        let objects =
            durable(&folder).map_err(|error| failure(&folder, &io::Error::other(error)))?;
        Ok(Some(Arc::new(objects) as Arc<dyn ObjectStore>))
    })
    .await?
}

/// Returns the files of a folder, each of which is on the disk with its name once it is written.
fn durable(folder: &Path) -> object_store::Result<LocalFileSystem> {
    Ok(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true))
}

/// Makes a folder that is missing, for its owner alone, and waits until its name is on the disk.
pub(super) async fn make(folder: PathBuf) -> Result<()> {
    run_blocking(move || {
        let made = private::make_own_folder(&folder).and_then(|()| sync_name(&folder));
        made.map_err(|source| failure(&folder, &source))
    })
    .await?
}

/// Takes the files of a folder, if there is one, away from everybody but their owner.
pub(super) async fn restrict(folder: PathBuf) -> Result<()> {
    run_blocking(move || {
        private::restrict_to_owner(&folder);
        names(&folder).for_each(|name| private::restrict_to_owner(&folder.join(name)));
    })
    .await
}

/// Takes a file that is being received away from everybody but its owner. The folder keeps others
/// out as well.
pub(super) fn restrict_unfinished(folder: &Path, id: &str) {
    // The number is the first one, since no file had this id before.
    private::restrict_to_owner(&folder.join(format!("{id}{UNFINISHED}1")));
}

/// Removes what was left by a process that ended while it received a file, if it was last written
/// `before` this time, in seconds since 1970.
pub(super) async fn remove_unfinished(folder: PathBuf, before: i64) -> Result<()> {
    run_blocking(move || {
        let before = Duration::from_secs(u64::try_from(before).unwrap_or_default());
        let before = SystemTime::UNIX_EPOCH + before;
        for name in names(&folder).filter(|name| name.contains(UNFINISHED)) {
            let path = folder.join(&name);
            let written = fs::metadata(&path).and_then(|file| file.modified());
            if written.is_ok_and(|written| written < before) {
                tracing::info!(name, "a file that was never completed is removed");
                if let Err(error) = fs::remove_file(&path) {
                    tracing::warn!(%error, name, "a file that was never completed stays");
                }
            }
        }
    })
    .await
}

/// Returns the names of the files of users in a folder, which may be missing.
fn names(folder: &Path) -> impl Iterator<Item = String> {
    let files = fs::read_dir(folder).into_iter().flatten();
    files
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with(PREFIX))
}

async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|_| Error::Panicked)
}

fn failure(path: &Path, source: &io::Error) -> Error {
    Error::FileStore {
        place: path.display().to_string(),
        cause: source.to_string(),
    }
}

/// Waits until the name of a folder is on the disk.
#[cfg(unix)]
fn sync_name(folder: &Path) -> io::Result<()> {
    let around = folder.parent().filter(|it| !it.as_os_str().is_empty());
    fs::File::open(around.unwrap_or(Path::new(".")))?.sync_all()
}

/// Does nothing: on this system a folder's name is on the disk with it.
#[cfg(not(unix))]
fn sync_name(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::durable;

    /// Nothing that a test can see comes of writing to the disk; so it looks at the setting.
    #[test]
    fn the_system_is_asked_to_write_to_the_disk() {
        let files = durable(&std::env::temp_dir()).unwrap();
        assert!(format!("{files:?}").contains("fsync: true"), "{files:?}");
    }
}
