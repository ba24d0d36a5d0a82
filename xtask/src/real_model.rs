//! `cargo xtask test --model`: a small model that runs on this machine answers through the service
//! into the widget, and calls a tool that a click approves. Model and test are in `e2e/model/`.

use crate::dev;
use crate::e2e;
use crate::error::Error;
use crate::python;
use crate::servers::{self, Server};
use crate::workspace::Workspace;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

const REQUIREMENTS: &str = "e2e/model/requirements.txt";
const CONFIG: &str = "model/playwright.config.js";
/// Timeout for the start of the model, whose weights are 98 MB and come from a disk that may be
/// busy.
const MODEL_START_TIMEOUT: Duration = Duration::from_secs(120);
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Installs the model and the program that runs it, together 127 MB, and the tool server for files.
pub(crate) fn install(workspace: &Workspace) -> Result<(), Error> {
    dev::install_files_server(workspace)?;
    python::install_packages(workspace, REQUIREMENTS, &folder(workspace))
}

/// A model that was started and takes requests, and the command of the test that uses it.
pub(crate) struct RealModel {
    pub(crate) test: Command,
    /// The running program of the model, which ends when this value is dropped.
    _model: Server,
}

/// Starts the model, waits until it is loaded, and returns it with the command of the test.
pub(crate) fn start(workspace: &Workspace) -> Result<RealModel, Error> {
    let [port] = servers::free_ports()?;
    let python = folder(workspace).join("bin/python");
    let mut command = workspace.command(&python.to_string_lossy());
    command.arg("e2e/model/serve.py").arg(port.to_string());
    let mut model = Server::start("the model", &mut command)?;
    wait_until_loaded(&mut model, port)?;
    let mut test = e2e::playwright_command(workspace, &["--config", CONFIG])?;
    test.env("ASSENT_MODEL_URL", format!("http://127.0.0.1:{port}/v1"));
    Ok(RealModel {
        test,
        _model: model,
    })
}

/// Waits until the program of the model, which listens on `port`, says that the model is loaded.
fn wait_until_loaded(model: &mut Server, port: u16) -> Result<(), Error> {
    let start = Instant::now();
    while start.elapsed() < MODEL_START_TIMEOUT {
        if model.wait_for_status(port, "/health", MODEL_START_TIMEOUT, || false)? == 200 {
            return Ok(());
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    Err(Error::Wrong("the model was not loaded in time".to_owned()))
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target_folder().join("model")
}
