//! A folder of knowledge on the disk: which files it has, whether anything changed, and their
//! passages.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use sha2::{Digest as _, Sha256};

use super::passages::{Format, passages};
use crate::transcript::knowledge::Passage;

/// Most files of a folder of knowledge; further ones are left out.
const MAX_FILES: usize = 2000;
/// Deepest sub-folder whose files are read.
const MAX_DEPTH: usize = 8;
/// Largest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 2 * 1024 * 1024;

/// The version of the reader, a part of the revision: where it changes, everything is read again.
const READER_VERSION: &str = "1";

/// The list of a folder's files at one moment.
#[derive(Debug)]
pub(super) struct Listing {
    files: Vec<(String, PathBuf, Format)>,
    /// A hash that differs whenever the name, the size or the time of change of a file does.
    pub(super) revision: String,
}

impl Listing {
    /// Returns the number of files in the folder.
    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// Reads all files of the list, and returns their passages; a file that cannot be read any more
    /// is left out.
    pub(super) fn passages(&self) -> Vec<Passage> {
        let mut all = Vec::new();
        for (name, path, format) in &self.files {
            match fs::read(path) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes);
                    all.extend(passages(name, *format, &text));
                }
                Err(error) => tracing::warn!(file = %path.display(), %error, "it is not read"),
            }
        }
        all
    }
}

/// Lists the files of a folder. Hidden files are left out, and links are not followed.
pub(super) fn list(folder: &Path) -> io::Result<Listing> {
    let mut found = Vec::new();
    walk(folder, "", 0, &mut found)?;
    found.sort();
    if found.len() > MAX_FILES {
        tracing::warn!(folder = %folder.display(), "only {MAX_FILES} files are read");
        found.truncate(MAX_FILES);
    }
    let mut digest = Sha256::new();
    digest.update(READER_VERSION);
    let mut files = Vec::new();
    for (name, stamp) in found {
        digest.update(format!("{name}\0{stamp}\0"));
        if let Some(format) = Format::of(&name) {
            let path = folder.join(&name);
            files.push((name, path, format));
        }
    }
    let revision = digest.finalize();
    Ok(Listing {
        files,
        revision: revision.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}

fn walk(
    folder: &Path,
    within: &str,
    depth: usize,
    found: &mut Vec<(String, String)>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(within))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') {
            continue;
        }
        let path = if within.is_empty() {
            name
        } else {
            format!("{within}/{name}")
        };
        let meta = entry.metadata()?;
        if meta.is_dir() && depth < MAX_DEPTH {
            walk(folder, &path, depth + 1, found)?;
        } else if meta.is_file() && Format::of(&path).is_some() && meta.len() <= MAX_FILE_BYTES {
            let changed = meta.modified()?.duration_since(UNIX_EPOCH);
            let changed = changed.unwrap_or_default().as_nanos();
            found.push((path, format!("{} {changed}", meta.len())));
        }
    }
    Ok(())
}
