//! `cargo xtask site`: the documentation as HTML in `dist-site/`, by the npm packages and the
//! configuration in `site/`.

use crate::error::Error;
use crate::process;
use crate::tools::{self, NODE, NPM};
use crate::workspace::Workspace;
use std::process::Command;

/// Builds `dist-site/` anew. A dead link, a dead anchor, and a page of `docs/` that the table of
/// contents does not have are errors.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Error> {
    install_packages(workspace)?;
    process::run(npm_command(workspace).args(["run", "--silent", "build"]))
}

/// Installs the packages of `site/package-lock.json`, unless they are there.
pub(crate) fn install_packages(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&NODE, &NPM])?;
    if process::standard_output(npm_command(workspace).arg("ls")).is_some() {
        return Ok(());
    }
    process::run(npm_command(workspace).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
}

/// Returns a command that runs npm in the folder `site/`.
pub(crate) fn npm_command(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("site"));
    command
}
