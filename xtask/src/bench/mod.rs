//! `cargo xtask bench <name>`: measurements of the widget in a browser, and of the service under
//! load. The measurements are in `e2e/bench/<name>` and `service/benches`; this builds and starts
//! what they load.

mod before;
mod scale;

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
    match name {
        "load" => return run_load_test(workspace, options),
        "scale" => return scale::run(workspace, options),
        _ => {}
    }
    if !MEASUREMENTS.contains(&name) {
        return Err(Error::Usage(format!(
            "unknown measurement `{name}`: there are {}, load, scale",
            MEASUREMENTS.join(", ")
        )));
    }
    measure_in_browser(workspace, name, options)
}

/// Runs the load test of the service; with `--before REVISION` in turn with the service of that
/// revision. Its clients are a process of their own, so that their memory is not counted as the
/// service's.
fn run_load_test(workspace: &Workspace, options: &[&str]) -> Result<(), Error> {
    let mut command = workspace.cargo();
    command.args(["bench", "-p", "assent-service", "--bench", "load", "--"]);
    if let ["--before", revision, options @ ..] = options {
        let program = before::build_service(workspace, revision)?;
        command.arg("--before").arg(program).args(options);
        return process::run(&mut command);
    }
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
    process::run(command.args(options))
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
