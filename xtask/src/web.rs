//! The JavaScript in `web/`: its packages from npm, and the assets that are bundled with some of
//! them.

use crate::error::Error;
use crate::process;
use crate::tools::{self, NODE, NPM};
use crate::workspace::Workspace;
use std::path::Path;
use std::process::Command;

/// Installs the packages of `web/package-lock.json`, unless they are there: two builds at the same
/// time would remove them for each other.
pub(crate) fn install_packages(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&NODE, &NPM])?;
    if process::standard_output(npm_command(workspace).arg("ls")).is_some() {
        return Ok(());
    }
    process::run(npm_command(workspace).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
}

/// Bundles the asset of this folder of `web/` into `file`. The packages are installed by then.
pub(crate) fn bundle_asset(workspace: &Workspace, asset: &str, file: &Path) -> Result<(), Error> {
    process::run(
        npm_command(workspace)
            .args(["run", "--silent", "build", "--"])
            .arg(format!("{asset}/index.js"))
            .arg(format!("--outfile={}", file.display())),
    )
}

/// Returns the command npm in `web/`.
pub(crate) fn npm_command(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("web"));
    command
}
