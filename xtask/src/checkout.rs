//! A revision of the repository in a folder of its own.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;

/// A revision in a folder below the target folder, which is removed when this is dropped.
pub(crate) struct Checkout<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
}

impl<'a> Checkout<'a> {
    /// Checks out `revision` into the folder `name`.
    pub(crate) fn new(workspace: &'a Workspace, name: &str, revision: &str) -> Result<Self, Error> {
        let folder = workspace.target_folder().join(name);
        let checkout = Self { workspace, folder };
        // One of a run that was killed may be there.
        checkout.remove();
        let add = ["worktree", "add", "--quiet", "--detach"];
        let mut git = workspace.command("git");
        process::run(git.args(add).arg(&checkout.folder).arg(revision))?;
        Ok(checkout)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    fn remove(&self) {
        let mut git = self.workspace.command("git");
        git.args(["worktree", "remove", "--force"])
            .arg(&self.folder);
        // There may be none.
        process::standard_output(&mut git);
    }
}

impl Drop for Checkout<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}
