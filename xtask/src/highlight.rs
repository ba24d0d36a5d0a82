//! The asset that highlights code: JavaScript from npm, bundled into one file.

use crate::error::Error;
use crate::process;
use crate::tools::{self, NODE, NPM};
use crate::workspace::Workspace;
use std::path::Path;
use std::process::Command;

/// Installs the packages of `highlight/package-lock.json`, unless they are there: two builds at once would take them from each other.
pub(crate) fn install(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&NODE, &NPM])?;
    if process::answer(npm(workspace).arg("ls")).is_some() {
        return Ok(());
    }
    process::run(npm(workspace).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
}

/// Writes the bundle.
pub(crate) fn bundle(workspace: &Workspace, file: &Path) -> Result<(), Error> {
    install(workspace)?;
    process::run(
        npm(workspace)
            .args(["run", "--silent", "build", "--"])
            .arg(format!("--outfile={}", file.display())),
    )
}

/// The tests of the bundle; its packages are installed by then.
pub(crate) fn tests(workspace: &Workspace) -> Command {
    let mut command = npm(workspace);
    command.arg("test");
    command
}

fn npm(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("highlight"));
    command
}
