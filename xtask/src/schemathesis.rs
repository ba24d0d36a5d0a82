//! The test of the service by Schemathesis, a tool that sends requests which `/openapi.json`
//! allows, and others, and checks the responses. Its settings and version are in
//! `service/schemathesis/`.

use crate::dev;
use crate::error::Error;
use crate::process;
use crate::python;
use crate::servers;
use crate::workspace::Workspace;
use std::path::PathBuf;

const REQUIREMENTS: &str = "service/schemathesis/requirements.txt";
const SETTINGS_FILE: &str = "service/schemathesis/schemathesis.toml";
const HOOKS_FILE: &str = "service/schemathesis/hooks.py";
/// The seed of the requests. It is fixed, so that a failure comes from the change that is tested.
const SEED: &str = "1";

/// Installs Schemathesis in the versions that `service/schemathesis/` lists.
pub(crate) fn install(workspace: &Workspace) -> Result<(), Error> {
    python::install_packages(workspace, REQUIREMENTS, &folder(workspace))
}

/// Starts the service with an empty database, and runs Schemathesis against it; each failure and
/// warning of Schemathesis is an error.
pub(crate) fn run(workspace: &Workspace) -> Result<(), Error> {
    let database = folder(workspace).join("data/assent.sqlite");
    if let Some(data) = database.parent().filter(|data| data.exists()) {
        std::fs::remove_dir_all(data).map_err(Error::of_file(data))?;
    }
    let [port] = servers::free_ports()?;
    let _service = dev::start_service(
        workspace,
        port,
        &database,
        &["--pace", "0", "--user-rate", "0"],
    )?;
    let program = folder(workspace).join("bin/schemathesis");
    process::run(
        workspace
            .command(&program.to_string_lossy())
            .current_dir(folder(workspace))
            .env("SCHEMATHESIS_HOOKS", workspace.path(HOOKS_FILE))
            .arg("--config-file")
            .arg(workspace.path(SETTINGS_FILE))
            .arg("run")
            .arg(format!("http://127.0.0.1:{port}/openapi.json"))
            .args(["--seed", SEED, "--header"])
            .arg(format!("Authorization: Bearer {}", dev::DEV_KEY))
            .args(["--header", "X-Service-User-Id: schemathesis"]),
    )
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target_folder().join("schemathesis")
}
