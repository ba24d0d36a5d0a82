//! The tests of the service with a model's server and tool servers that others wrote, in
//! `service/peers/`, and the npm packages of these programs.

use crate::error::Error;
use crate::process;
use crate::tools::{self, NODE, NPM};
use crate::workspace::Workspace;
use std::process::Command;

/// Installs the packages of `service/peers/package-lock.json`, unless they are there.
pub(crate) fn install_packages(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&NODE, &NPM])?;
    if process::standard_output(npm_command(workspace).arg("ls")).is_some() {
        return Ok(());
    }
    // The package of the later Node has a script that does nothing else than what is in it.
    process::run(npm_command(workspace).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
}

/// Returns the command that runs the tests in `service/peers/`; the service has to be built before.
pub(crate) fn tests_command(workspace: &Workspace) -> Command {
    let mut command = npm_command(workspace);
    command
        .env("CARGO_TARGET_DIR", workspace.target_folder())
        .arg("test");
    command
}

fn npm_command(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("service/peers"));
    command
}
