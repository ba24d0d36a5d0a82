//! Paths inside the repository, and commands that run in its root with the right environment.

use crate::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the environment variable with the key of the demo's model. Of all programs that are
/// started, only the service gets the variable.
pub(crate) const MODEL_KEY_VARIABLE: &str = "ASSENT_MODEL_KEY";

/// The repository that this xtask belongs to.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Returns the repository of this program: the folder above the crate, which Cargo names at run
    /// time.
    pub(crate) fn locate() -> Result<Workspace, Error> {
        let crate_folder = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        match crate_folder.parent() {
            Some(root) => Ok(Workspace {
                root: root.to_path_buf(),
            }),
            None => Err(Error::Wrong("xtask must lie inside the repository".into())),
        }
    }

    /// Returns the repository that a test made in the folder `root`.
    #[cfg(test)]
    pub(crate) fn at(root: PathBuf) -> Workspace {
        Workspace { root }
    }

    /// Returns the absolute path of `relative`, a path inside the repository.
    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Returns a command that runs a program in the repository's root. The installed tools are
    /// first on its PATH, it does not get the model's key, and Cargo uses the same target folder in
    /// all commands.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.root)
            .env("PATH", self.path_variable())
            .env_remove(MODEL_KEY_VARIABLE)
            .env("CARGO_TARGET_DIR", self.target_folder());
        command
    }

    /// Returns a command that runs Cargo in the repository's root.
    pub(crate) fn cargo(&self) -> Command {
        self.command("cargo")
    }

    /// Returns the folder that Cargo builds into: `target`, or the value of `CARGO_TARGET_DIR`.
    pub(crate) fn target_folder(&self) -> PathBuf {
        let chosen = std::env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty());
        self.root.join(chosen.unwrap_or_else(|| "target".into()))
    }

    /// Returns the folder that development tools are installed into.
    pub(crate) fn tools_folder(&self) -> PathBuf {
        self.target_folder().join("tools")
    }

    fn path_variable(&self) -> OsString {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(self.tools_folder().join("bin"))
            .chain(std::env::split_paths(&inherited));
        // A PATH that cannot be joined holds a separator inside a name: then the inherited one is
        // used.
        std::env::join_paths(folders).unwrap_or(inherited)
    }
}
