//! The npm packages of the JavaScript in `web/`, and the bundling of a folder there to one script.

use crate::error::Error;
use crate::process;
use crate::tools::{self, NODE, NPM};
use crate::workspace::Workspace;
use std::path::Path;
use std::process::Command;

/// Installs the npm packages of `web/package-lock.json`, unless they are there. Two builds at the
/// same time would otherwise remove each other's packages.
pub(crate) fn install_packages(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&NODE, &NPM])?;
    if process::standard_output(npm_command(workspace).arg("ls")).is_some() {
        return Ok(());
    }
    process::run(npm_command(workspace).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
}

/// Bundles the folder `asset` of `web/` to the script `file`. The npm packages have to be installed
/// before.
pub(crate) fn bundle_asset(workspace: &Workspace, asset: &str, file: &Path) -> Result<(), Error> {
    process::run(
        npm_command(workspace)
            .args(["run", "--silent", "build", "--"])
            .arg(format!("{asset}/index.js"))
            .arg(format!("--outfile={}", file.display())),
    )
}

/// Returns a command that runs npm in the folder `web/`.
pub(crate) fn npm_command(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("web"));
    command
}
