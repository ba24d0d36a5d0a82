//! The PostgreSQL of a cluster, in a folder that goes with it.

use crate::error::Error;
use crate::workspace::Workspace;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

/// The script that starts PostgreSQL for the tests of the service, too.
const SCRIPT: &str = "service/tests/common/cluster.sh";

/// A PostgreSQL server that listens on a socket. It ends, and its folder goes, when the value is
/// dropped or xtask is killed: the standard input of the script ends in both cases.
pub(super) struct Database {
    script: Child,
    folder: PathBuf,
}

impl Database {
    /// Starts a server, and waits until it takes connections.
    pub(super) fn start(workspace: &Workspace, is_durable: bool) -> Result<Database, Error> {
        let failed = |source| Error::NotStarted {
            command: format!("sh {SCRIPT}"),
            source,
        };
        let mut script = workspace
            .command("sh")
            .arg(SCRIPT)
            .env("ASSENT_FSYNC", if is_durable { "on" } else { "off" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut folder = String::new();
        if let Some(printed) = script.stdout.take() {
            BufReader::new(printed)
                .read_line(&mut folder)
                .map_err(failed)?;
        }
        let database = Database {
            script,
            folder: folder.trim_end().into(),
        };
        match folder.ends_with('\n') {
            true => Ok(database),
            false => Err(Error::Wrong(
                "PostgreSQL was not started: what it says is above".into(),
            )),
        }
    }

    /// Returns the folder, in which there is room for what goes with the database.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the address as the option `--database` of the service takes it.
    pub(super) fn address(&self) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres:///postgres?host={folder}&user=assent")
    }

    /// Returns the id of the process that has started the others of the server.
    pub(super) fn process(&self) -> Result<u32, Error> {
        let path = self.folder.join("data/postmaster.pid");
        let text = fs::read_to_string(&path).map_err(Error::of_file(&path))?;
        let process = text.lines().next().and_then(|line| line.parse().ok());
        process.ok_or_else(|| Error::Wrong(format!("{} names no process", path.display())))
    }

    /// Returns an error if the script has ended. PostgreSQL itself is not looked at: replicas are
    /// there to be seen without it, too.
    pub(super) fn check_running(&mut self) -> Result<(), Error> {
        match self.script.try_wait() {
            Ok(None) => Ok(()),
            Ok(Some(status)) => Err(Error::Wrong(format!("{SCRIPT} ended: {status}"))),
            Err(error) => Err(Error::Wrong(format!("{SCRIPT} is lost: {error}"))),
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // It waits for this.
        drop(self.script.stdin.take());
        self.script.wait().ok();
    }
}
