//! `cargo xtask chaos`: seeded sessions in a browser, behind a network that fails, against the real
//! service. Sessions and checks are in `e2e/chaos/`; this builds what they need.

use crate::dist;
use crate::e2e;
use crate::error::Error;
use crate::process;
use crate::servers;
use crate::tools::{self, FIREFOX, HEADLESS_SHELL, NODE, NPM};
use crate::workspace::Workspace;
use std::process::Command;

/// The options for the sessions that every change has to pass. They play the same sessions each
/// time, so that a failure comes from the change.
pub(crate) const TEST_ARGUMENTS: [&str; 4] = ["--sessions", "6", "--seed", "1"];
/// The options for the sessions of a release test.
pub(crate) const LONG_ARGUMENTS: [&str; 4] = ["--sessions", "300", "--seed", "1"];

/// The options for the sessions of a release test in Firefox, where a session takes longer.
pub(crate) const LONG_FIREFOX_ARGUMENTS: [&str; 6] =
    ["--sessions", "40", "--seed", "1", "--browser", "firefox"];

/// Builds the service, and `dist/` unless `ASSENT_DIST` names another one, and plays sessions with
/// them. `options` are passed on to the script that plays them.
pub(crate) fn run(workspace: &Workspace, options: &[&str]) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&HEADLESS_SHELL, &FIREFOX, &NODE, &NPM])?;
    if std::env::var_os("ASSENT_DIST").is_none() {
        dist::build(workspace)?;
    }
    if !workspace.path("e2e/node_modules/@playwright").exists() {
        e2e::install_packages(workspace)?;
    }
    process::run(workspace.cargo().args(["build", "-p", "assent-service"]))?;
    process::run(&mut sessions_command(workspace, options)?)
}

/// Returns the command that plays one session again, with the options `options`. `name` is the
/// session's name in a report, such as `session 7` for the seed 7.
pub(crate) fn session_command(
    workspace: &Workspace,
    options: &[&str],
    name: &str,
) -> Result<Command, Error> {
    let seed = name.trim_start_matches("session ");
    // Of an option that is given twice the first counts.
    sessions_command(
        workspace,
        &[&["--sessions", "1", "--seed", seed], options].concat(),
    )
}

/// Returns the command that plays sessions with a `dist/` and a service that were built before.
pub(crate) fn sessions_command(workspace: &Workspace, options: &[&str]) -> Result<Command, Error> {
    let [page, service] = servers::free_ports()?;
    let mut command = workspace.command("node");
    command
        .current_dir(workspace.path("e2e"))
        .env("ASSENT_PAGE_PORT", page.to_string())
        .env("ASSENT_SERVICE_PORT", service.to_string())
        .arg("chaos/run.js")
        .args(options);
    tools::pass_browsers(workspace, &mut command);
    Ok(command)
}
