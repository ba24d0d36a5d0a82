//! The one error type of xtask.
//! Each value reads as a sentence that says what to do next or which command failed.

use std::path::{Path, PathBuf};

/// The reason why a command of xtask stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// The command line was not understood; the text says what it may be.
    #[error("{0}")]
    Usage(String),
    /// The program with this command line ran and reported failure.
    #[error("`{0}` failed")]
    Failed(String),
    /// A program could not be started at all.
    #[error("`{command}` could not be started: {source}")]
    NotStarted {
        command: String,
        source: std::io::Error,
    },
    /// A file or folder could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
    /// Something is missing or wrong; the text says what to do.
    #[error("{0}")]
    Wrong(String),
}

impl Error {
    /// Returns a function for `map_err` that makes an error about the file `path`.
    pub(crate) fn of_file(path: &Path) -> impl FnOnce(std::io::Error) -> Error + use<> {
        let path = path.to_path_buf();
        move |source| Error::File { path, source }
    }
}
