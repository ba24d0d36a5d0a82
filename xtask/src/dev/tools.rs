//! The tools of the page, which are compiled beside the service and the page: one of Trunk's crates
//! takes a minute on one processor, and the last crates of each build wait for each other.

use crate::error::Error;
use crate::servers::Server;
use crate::tools;
use crate::workspace::Workspace;
use std::fs::{self, File};
use std::path::PathBuf;

/// What the installation prints, so that its lines do not mix with those of the builds beside it.
const LOG: &str = "target/dev/tools.log";

/// An installation on its way, or nothing where all tools are there. It ends with this value.
pub(super) struct Installation {
    running: Option<Server>,
    log: PathBuf,
}

impl Installation {
    /// Starts to install what is missing.
    pub(super) fn start(workspace: &Workspace) -> Result<Installation, Error> {
        let log = workspace.path(LOG);
        if missing(workspace).is_empty() {
            let running = None;
            return Ok(Installation { running, log });
        }
        if let Some(folder) = log.parent() {
            fs::create_dir_all(folder).map_err(Error::file(folder))?;
        }
        let file = File::create(&log).map_err(Error::file(&log))?;
        let same = file.try_clone().map_err(Error::file(&log))?;
        // Not `cargo xtask`: Cargo would wait for the lock of the builds that it is to run beside.
        let xtask = std::env::current_exe().map_err(Error::file("xtask".as_ref()))?;
        let mut command = workspace.command(&xtask.to_string_lossy());
        command.arg("tools").stdout(file).stderr(same);
        let running = Some(Server::start("the installation of tools", &mut command)?);
        Ok(Installation { running, log })
    }

    /// Returns true until the tools are there, or have failed.
    pub(super) fn is_running(&mut self) -> bool {
        let running = self.running.as_mut();
        running.is_some_and(|running| running.check_running().is_ok())
    }

    /// Waits for its end, and prints what it said where it failed.
    pub(super) fn wait(mut self, interrupted: &dyn Fn() -> bool) -> Result<(), Error> {
        let Some(mut running) = self.running.take() else {
            return Ok(());
        };
        if running.ends_well(interrupted)? {
            return Ok(());
        }
        if interrupted() {
            return Err(Error::Wrong("stopped".into()));
        }
        let said = fs::read(&self.log).map_err(Error::file(&self.log))?;
        println!("{}", String::from_utf8_lossy(&said));
        Err(Error::Wrong(
            "the tools could not be installed: mend the error above, and run `cargo xtask dev` again"
                .into(),
        ))
    }
}

/// The sentence of the stage that starts it.
pub(super) fn sentence(workspace: &Workspace) -> String {
    let missing = missing(workspace);
    if missing.is_empty() {
        return "Tools: wasm-bindgen and Trunk are there.".to_owned();
    }
    format!(
        "Tools: {} are installed beside the next stages, once; their lines are in {LOG}.",
        missing.join(" and ")
    )
}

fn missing(workspace: &Workspace) -> Vec<String> {
    let mut missing = Vec::new();
    if !tools::has_wasm_bindgen(workspace) {
        missing.push(format!("wasm-bindgen {}", tools::WASM_BINDGEN));
    }
    if !tools::has_trunk(workspace) {
        missing.push(format!("Trunk {}", tools::TRUNK));
    }
    missing
}
