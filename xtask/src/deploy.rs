//! `cargo xtask deploy`: the check of `deploy/` by the programs that read such files, or by their
//! schemas where these need a machine of their own. Nothing of it is started here: no container
//! engine and no cluster is needed, and what they would find out is not found out. That the options
//! of the service are there is a test of the service.

use crate::error::Error;
use crate::process;
use crate::python;
use crate::tools;
use crate::workspace::Workspace;
use std::fs;
use std::path::PathBuf;

const REQUIREMENTS: &str = "deploy/check/requirements.txt";
const PROXY: &str = "deploy/haproxy.cfg";
const COMPOSE: &str = "deploy/compose.yaml";
const DOCKERFILE: &str = "deploy/Dockerfile";
const UNIT: &str = "deploy/systemd/assent@.service";
const KUBERNETES: &str = "deploy/kubernetes";
/// The file of a kind that Kubernetes does not have by itself: no schema is at hand for it.
const OF_AN_OPERATOR: &str = "database.yaml";
/// The program of the unit, which `systemd-analyze` wants to be there.
const PROGRAM: &str = "/usr/local/bin/assent-service";

/// Installs HAProxy and the Python packages that check the other files.
pub(crate) fn install(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&tools::HAPROXY])?;
    python::install_packages(workspace, REQUIREMENTS, &folder(workspace))
}

/// Checks each file of `deploy/`.
pub(crate) fn check(workspace: &Workspace) -> Result<(), Error> {
    let proxy = tools::locate(workspace, "haproxy").unwrap_or_else(|| "haproxy".to_owned());
    process::run(workspace.command(&proxy).args(["-c", "-f", PROXY]))?;
    let python = |program: &str| {
        let program = folder(workspace).join("bin").join(program);
        workspace.command(&program.to_string_lossy())
    };
    process::run(python("check-jsonschema").args([
        "--builtin-schema",
        "vendor.compose-spec",
        COMPOSE,
    ]))?;
    process::run(
        python("kubernetes-validate")
            .arg("--strict")
            .args(manifests(workspace)?),
    )?;
    process::run(python("hadolint").arg(DOCKERFILE))?;
    check_unit(workspace)
}

/// Returns the paths of the files for Kubernetes that have a schema.
fn manifests(workspace: &Workspace) -> Result<Vec<PathBuf>, Error> {
    let folder = workspace.path(KUBERNETES);
    let files = fs::read_dir(&folder).map_err(Error::of_file(&folder))?;
    let files = files.filter_map(|file| Some(file.ok()?.path()));
    let mut files: Vec<PathBuf> = files
        .filter(|file| !file.ends_with(OF_AN_OPERATOR))
        .collect();
    files.sort();
    Ok(files)
}

/// Lets systemd check the unit, where systemd is, with a program that is there.
fn check_unit(workspace: &Workspace) -> Result<(), Error> {
    let path = workspace.path(UNIT);
    let unit = fs::read_to_string(&path).map_err(Error::of_file(&path))?;
    if !unit.contains(PROGRAM) {
        return Err(Error::Wrong(format!("{UNIT} does not start {PROGRAM}")));
    }
    let Some(analyze) = tools::locate(workspace, "systemd-analyze") else {
        println!("{UNIT} is not checked: there is no systemd on this machine");
        return Ok(());
    };
    let copy = folder(workspace).join("assent@.service");
    fs::write(&copy, unit.replace(PROGRAM, "/bin/true")).map_err(Error::of_file(&copy))?;
    let mut verify = workspace.command(&analyze);
    let verified = process::run_and_keep(verify.arg("verify").arg(&copy))?;
    // Of a line that it does not understand systemd says that it ignores it, and is content.
    if verified.success && !verified.output.contains("assent@") {
        return Ok(());
    }
    Err(Error::Failed(process::command_line(&verify)))
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target_folder().join("deploy")
}
