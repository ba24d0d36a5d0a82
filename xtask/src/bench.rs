//! `cargo xtask bench <name>`: measurements in a browser, against references of the same run.
//! What is measured is decided in `bench/<name>/run.mjs`; this builds what it loads.

use crate::dist;
use crate::error::Error;
use crate::process;
use crate::test;
use crate::tools::{self, CHROMIUM, NODE, NPM};
use crate::workspace::Workspace;

/// Measurements that need a browser; those of single crates are run by `cargo bench`.
const NAMES: [&str; 2] = ["streaming", "history"];

/// Builds `dist/`, unless `ASSENT_DIST` names another one, and measures; the options go to the script.
pub(crate) fn run(workspace: &Workspace, name: &str, options: &[&str]) -> Result<(), Error> {
    if !NAMES.contains(&name) {
        return Err(Error::Usage(format!(
            "unknown measurement `{name}`: there are {}",
            NAMES.join(", ")
        )));
    }
    tools::ensure_packaged(workspace, &[&CHROMIUM, &NODE, &NPM])?;
    if std::env::var_os("ASSENT_DIST").is_none() {
        dist::build(workspace)?;
    }
    if !workspace.path("e2e/node_modules/@playwright").exists() {
        test::install_e2e(workspace)?;
    }
    let mut command = workspace.command("node");
    command
        .arg(workspace.path("bench").join(name).join("run.mjs"))
        .args(options);
    process::run(tools::pass_browsers(workspace, &mut command))
}
