//! `cargo xtask upgrade REVISION`: the tests of the service of another revision, on PostgreSQL with
//! the tables of this one. That is what happens while replicas are updated one after the other: the
//! tables are new, and some replicas are not.

use std::path::PathBuf;

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;

/// Runs the tests of the service of `revision`.
pub(crate) fn run(workspace: &Workspace, revision: &str) -> Result<(), Error> {
    let build = ["build", "-p", "assent-service"];
    process::run(workspace.cargo().args(build))?;
    let newer = workspace.target_folder().join("debug/assent-service");
    let checkout = Checkout::of(workspace, revision)?;
    let mut tests = workspace.cargo();
    tests
        .current_dir(&checkout.folder)
        .env("CARGO_TARGET_DIR", workspace.target_folder().join("upgrade"))
        .env("ASSENT_TEST_DATABASE", "postgres")
        .env("ASSENT_TEST_NEWER", newer)
        .args(["test", "-p", "assent-service", "--test", "integration"]);
    process::run(&mut tests)
}

/// A revision of the repository in a folder of its own, until this is dropped.
struct Checkout<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
}

impl<'a> Checkout<'a> {
    fn of(workspace: &'a Workspace, revision: &str) -> Result<Self, Error> {
        let folder = workspace.target_folder().join("revision");
        let checkout = Self { workspace, folder };
        // One of a run that was killed may be there.
        checkout.remove();
        let add = ["worktree", "add", "--quiet", "--detach"];
        let mut git = workspace.command("git");
        process::run(git.args(add).arg(&checkout.folder).arg(revision))?;
        Ok(checkout)
    }

    fn remove(&self) {
        let mut git = self.workspace.command("git");
        git.args(["worktree", "remove", "--force"]);
        git.arg(&self.folder).output().ok();
    }
}

impl Drop for Checkout<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}
