//! The service of another revision, to be measured in turn with this one.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::fs;
use std::path::PathBuf;

/// Builds the service of a revision in a worktree of its own, and returns the program.
pub(super) fn build_service(workspace: &Workspace, revision: &str) -> Result<PathBuf, Error> {
    let target = workspace.target_folder();
    let folder = target.join("before");
    let mut git = workspace.command("git");
    if folder.exists() {
        git.arg("-C").arg(&folder).args(["checkout", "--detach"]);
    } else {
        git.args(["worktree", "add", "--detach"]).arg(&folder);
    }
    process::run(git.arg(revision))?;
    // What both have in common is compiled once.
    let mut cargo = workspace.cargo();
    cargo.current_dir(&folder);
    cargo.args(["build", "--release", "-p", "assent-service", "--target-dir"]);
    process::run(cargo.arg(&target))?;
    // The next build puts its own program there.
    let (built, kept) = (
        target.join("release/assent-service"),
        target.join("release/assent-service-before"),
    );
    fs::copy(&built, &kept).map_err(Error::of_file(&built))?;
    Ok(kept)
}
