//! One replica of the service, which is started again when it was killed.

use super::ClusterOptions;
use super::database::Database;
use crate::error::Error;
use crate::servers::Server;
use crate::workspace::{MODEL_KEY_VARIABLE, Workspace};
use std::fmt::{self, Display, Formatter};
use std::os::unix::process::ExitStatusExt as _;
use std::process::Command;

/// A replica: a service on a port of its own, with its metrics on another one.
pub(super) struct Replica {
    /// Its number, from 1 on.
    pub(super) number: usize,
    pub(super) port: u16,
    /// The port of `/metrics`.
    metrics: u16,
    command: Command,
    server: Server,
}

impl Replica {
    /// Starts a replica on the first of these ports, with its metrics on the second.
    pub(super) fn start(
        workspace: &Workspace,
        options: &ClusterOptions<'_>,
        database: &Database,
        number: usize,
        ports: &[u16],
    ) -> Result<Replica, Error> {
        let &[port, metrics] = ports else {
            return Err(Error::Wrong("a replica has two ports".into()));
        };
        let mut command = workspace.command(&options.program.to_string_lossy());
        command
            .args(["--listen", &format!("127.0.0.1:{port}")])
            .args(["--admin-listen", &format!("127.0.0.1:{metrics}")])
            .args(["--database", &database.address(), "--uploads"])
            .arg(database.folder().join("uploads"))
            .args(options.service);
        // By the environment alone: arguments can be read by every program of the machine.
        if let Some(key) = std::env::var_os(MODEL_KEY_VARIABLE) {
            command.env(MODEL_KEY_VARIABLE, key);
        }
        let server = Server::start(&name(number), &mut command)?;
        Ok(Replica {
            number,
            port,
            metrics,
            command,
            server,
        })
    }

    /// Returns the id of its process.
    pub(super) fn process(&self) -> u32 {
        self.server.process()
    }

    pub(super) fn wait_until_ready(&mut self, was_stopped: &dyn Fn() -> bool) -> Result<(), Error> {
        self.server.wait_until_ready(self.port, was_stopped)
    }

    /// Starts it again if somebody ended it, and returns true then. It is an error if it ended
    /// with an error of its own, which would come again.
    pub(super) fn revive(&mut self) -> Result<bool, Error> {
        match self.server.end()? {
            None => Ok(false),
            Some(status) if status.success() || status.signal().is_some() => {
                self.server = Server::start(&name(self.number), &mut self.command)?;
                Ok(true)
            }
            Some(_) => self.server.check_running().map(|()| false),
        }
    }
}

/// Where it is, as a line without its end.
impl Display for Replica {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        let Replica {
            number,
            port,
            metrics,
            ..
        } = self;
        let process = self.process();
        write!(
            text,
            "replica {number}, process {process}: http://127.0.0.1:{port}, http://127.0.0.1:{metrics}/metrics"
        )
    }
}

fn name(number: usize) -> String {
    format!("replica {number}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process;

    fn replica(script: &str) -> Replica {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Replica {
            number: 2,
            port: 3,
            metrics: 4,
            server: Server::start("replica 2", &mut command).unwrap(),
            command,
        }
    }

    #[test]
    fn one_that_was_killed_is_started_again() {
        let mut replica = replica("exec sleep 600");
        assert!(!replica.revive().unwrap());
        let before = replica.to_string();
        let killed = replica.server.process().to_string();
        process::run(Command::new("kill").args(["-9", &killed])).unwrap();
        while !replica.revive().unwrap() {
            std::thread::yield_now();
        }
        assert!(!replica.revive().unwrap());
        assert_ne!(replica.to_string(), before);
    }

    #[test]
    fn one_that_failed_by_itself_is_an_error() {
        let mut replica = replica("exit 7");
        let error = loop {
            match replica.revive() {
                Ok(again) => assert!(!again),
                Err(error) => break error.to_string(),
            }
        };
        assert_eq!(error, "replica 2 ended: exit status: 7");
    }
}
