//! `cargo xtask bench <name>`: measurements of the widget in a browser, and of the service under
//! load. The measurements are in `e2e/bench/<name>` and `service/benches/load`; this builds what
//! they load.

use crate::dist;
use crate::e2e;
use crate::error::Error;
use crate::process;
use crate::tools::{self, CHROMIUM, NODE, NPM};
use crate::workspace::Workspace;

/// Names of the measurements of the widget in a browser; `cargo bench` runs those of single crates.
const MEASUREMENTS: [&str; 5] = ["streaming", "history", "start", "threads", "large"];

/// Runs the measurement `name`, with the options passed on to it.
pub(crate) fn run(workspace: &Workspace, name: &str, options: &[&str]) -> Result<(), Error> {
    if name == "load" {
        return run_load_test(workspace, options);
    }
    if !MEASUREMENTS.contains(&name) {
        return Err(Error::Usage(format!(
            "unknown measurement `{name}`: there are {}, load",
            MEASUREMENTS.join(", ")
        )));
    }
    measure_in_browser(workspace, name, options)
}

/// Runs the load test of the service. Its clients are a process of their own, so that their memory
/// is not counted as the service's.
fn run_load_test(workspace: &Workspace, options: &[&str]) -> Result<(), Error> {
    // The tools of the agent with a model.
    let tools = [
        "build",
        "--release",
        "-p",
        "assent-service",
        "--example",
        "notes",
    ];
    process::run(workspace.cargo().args(tools))?;
    let bench = ["bench", "-p", "assent-service", "--bench", "load", "--"];
    process::run(workspace.cargo().args(bench).args(options))
}

/// Builds `dist/`, unless `ASSENT_DIST` names another one, and runs a measurement in a browser.
fn measure_in_browser(workspace: &Workspace, name: &str, options: &[&str]) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&CHROMIUM, &NODE, &NPM])?;
    if std::env::var_os("ASSENT_DIST").is_none() {
        dist::build(workspace)?;
    }
    if !workspace.path("e2e/node_modules/@playwright").exists() {
        e2e::install_packages(workspace)?;
    }
    let mut command = workspace.command("node");
    command
        .arg(workspace.path("e2e/bench").join(name).join("run.mjs"))
        .args(options);
    process::run(tools::pass_browsers(workspace, &mut command))
}
