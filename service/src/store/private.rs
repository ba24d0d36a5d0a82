//! Files and folders that only their owner can read, where the system knows owners (Unix).

use std::{
    fs::{DirBuilder, File, OpenOptions},
    io,
    path::Path,
};

use crate::{Error, Result};

/// Opens a file for writing, makes it if it is missing, and takes everybody else's permissions
/// away.
pub(super) fn open_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    let file = open(&mut options, path).map_err(|source| unusable(path, source))?;
    restrict_to_owner(path);
    Ok(file)
}

/// Makes a file that is not there yet, for its owner alone.
pub(super) fn new_file(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().write(true).create_new(true), path)
}

/// Makes a folder, and those around it, if it is missing. A folder that is there stays as it is: it
/// may have more in it than this service's files.
pub(super) fn make_folder(path: &Path) -> Result<()> {
    create_folder(path).map_err(|source| unusable(path, source))
}

/// Makes a folder of this service alone, if it is missing, and takes everybody else's permissions
/// away.
pub(super) fn make_own_folder(path: &Path) -> io::Result<()> {
    create_folder(path)?;
    restrict_to_owner(path);
    Ok(())
}

/// Restricts a file or folder, if it is there, to its owner.
#[cfg(unix)]
pub(super) fn restrict_to_owner(path: &Path) {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    let made_private = fs::metadata(path).and_then(|metadata| {
        let mode = if metadata.is_dir() { 0o700 } else { 0o600 };
        if metadata.permissions().mode() & 0o777 == mode {
            return Ok(());
        }
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    });
    match made_private {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!(%error, "others may be able to read {}", path.display());
        }
        _ => {}
    }
}

/// Restricts a file or folder, if it is there, to its owner.
#[cfg(not(unix))]
pub(super) fn restrict_to_owner(_: &Path) {}

#[cfg(unix)]
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;

    options.mode(0o600).open(path)
}

#[cfg(not(unix))]
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

#[cfg(unix)]
fn create_folder(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;

    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
fn create_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).create(path)
}

fn unusable(path: &Path, source: io::Error) -> Error {
    Error::File {
        path: path.to_owned(),
        source,
    }
}
