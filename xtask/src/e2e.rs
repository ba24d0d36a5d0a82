//! The npm packages of the whole-page tests in `e2e/`, and the commands that run these tests by
//! Playwright.

use crate::error::Error;
use crate::process;
use crate::servers;
use crate::tools;
use crate::workspace::Workspace;
use std::process::Command;

/// The options of Playwright that run the tests which failed in its last run, one after the other.
pub(crate) const RERUN_FAILED: [&str; 2] = ["--last-failed", "--workers=1"];

/// Installs the packages of `e2e/package-lock.json`.
pub(crate) fn install_packages(workspace: &Workspace) -> Result<(), Error> {
    process::run(
        npm_command(workspace)
            // The browsers are Debian's.
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
            .args(["ci", "--no-audit", "--no-fund"]),
    )
}

/// Returns a command that runs npm in the folder `e2e/`.
pub(crate) fn npm_command(workspace: &Workspace) -> Command {
    let mut command = workspace.command("npm");
    command.current_dir(workspace.path("e2e"));
    command
}

/// Returns a command that runs whole-page tests by Playwright, on free ports for page and service.
/// `choice` are Playwright's options that choose the tests.
pub(crate) fn playwright_command(workspace: &Workspace, choice: &[&str]) -> Result<Command, Error> {
    let [page, service] = servers::free_ports()?;
    let mut command = workspace.command("npx");
    command
        .current_dir(workspace.path("e2e"))
        .env("ASSENT_PAGE_PORT", page.to_string())
        .env("ASSENT_SERVICE_PORT", service.to_string())
        .args(["playwright", "test"])
        .args(choice);
    tools::pass_browsers(workspace, &mut command);
    Ok(command)
}
