//! The npm packages of the whole-page tests.

use crate::error::Error;
use crate::process;
use crate::workspace::Workspace;
use std::process::Command;

/// Installs the packages of `e2e/package-lock.json`.
pub(crate) fn install(workspace: &Workspace) -> Result<(), Error> {
    process::run(
        npm(workspace)
            // The browsers are Debian's.
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .args(["ci", "--no-audit", "--no-fund"]),
    )
}

/// Returns npm in `e2e/`.
pub(crate) fn npm(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("e2e"));
    command
}
