//! Several replicas of the service on this machine: a throw-away PostgreSQL, the replicas, and
//! HAProxy with the file of `deploy/` in front of them. All of it ends with xtask, however that ends.
//! Nothing is built here, and what the replicas serve is the caller's choice.

mod command;
mod database;
mod proxy;
mod replica;

use crate::error::Error;
use crate::servers::{self, Server};
use crate::tools::{self, HAPROXY, POSTGRES};
use crate::workspace::Workspace;
pub(crate) use command::run;
use database::Database;
use replica::Replica;
use serde_json::json;
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// The most replicas that are started: each of them has a dozen connections to the database.
const MOST_REPLICAS: usize = 9;

/// What a cluster is started with.
pub(crate) struct ClusterOptions<'options> {
    /// The program of the service.
    pub(crate) program: &'options Path,
    /// The number of replicas.
    pub(crate) replicas: usize,
    /// The port of HAProxy.
    pub(crate) port: u16,
    /// Whether PostgreSQL waits for the disk, as it does where data has to outlive the machine.
    pub(crate) is_durable: bool,
    /// Options of the service, without those for its addresses, its database and its files.
    pub(crate) service: &'options [&'options str],
}

/// Replicas with what is before and behind them. All of it ends when the value is dropped: HAProxy
/// first, and the database last.
pub(crate) struct Cluster {
    proxy: Server,
    replicas: Vec<Replica>,
    database: Database,
}

impl Cluster {
    /// Starts everything, and waits until requests are answered through HAProxy. Missing programs
    /// are installed or named before.
    pub(crate) fn start(
        workspace: &Workspace,
        options: &ClusterOptions<'_>,
        was_stopped: &dyn Fn() -> bool,
    ) -> Result<Cluster, Error> {
        install(workspace)?;
        let database = Database::start(workspace, options.is_durable)?;
        let ports = servers::free_ports_list(2 * options.replicas)?;
        let mut replicas = Vec::new();
        for (index, ports) in ports.chunks_exact(2).enumerate() {
            // One after the other: the first one makes the tables.
            let mut replica = Replica::start(workspace, options, &database, index + 1, ports)?;
            replica.wait_until_ready(was_stopped)?;
            replicas.push(replica);
        }
        let mut proxy = proxy::start(workspace, options.port, &replicas, database.folder())?;
        proxy.wait_until_ready(options.port, was_stopped)?;
        Ok(Cluster {
            proxy,
            replicas,
            database,
        })
    }

    /// Returns what the bench of the service under load has to know, as it reads it.
    pub(crate) fn description(&self, port: u16, key: &str) -> Result<serde_json::Value, Error> {
        let replicas: Vec<_> = self
            .replicas
            .iter()
            .map(|it| json!({ "name": proxy::server_name(it.number), "process": it.process() }))
            .collect();
        Ok(json!({
            "address": format!("127.0.0.1:{port}"),
            "key": key,
            "replicas": replicas,
            "haproxy": self.proxy.process(),
            "postgres": self.database.process()?,
            "database": self.database.address(),
        }))
    }

    /// Starts those replicas again that somebody ended, and prints where they are now. It is an
    /// error if a replica failed by itself, or if something else ended.
    pub(crate) fn keep_running(&mut self) -> Result<(), Error> {
        self.proxy.check_running()?;
        self.database.check_running()?;
        for replica in &mut self.replicas {
            if replica.revive()? {
                println!("Started again: {replica}");
            }
        }
        Ok(())
    }
}

/// One line for each replica.
impl Display for Cluster {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.replicas.iter().map(ToString::to_string).collect();
        text.write_str(&lines.join("\n"))
    }
}

/// Installs PostgreSQL and HAProxy, or names their packages, unless they are there.
pub(crate) fn install(workspace: &Workspace) -> Result<(), Error> {
    tools::ensure_packaged(workspace, &[&POSTGRES, &HAPROXY])
}

/// Returns the number of replicas that `word` asks for.
pub(crate) fn replica_count(word: &str) -> Result<usize, Error> {
    match word.parse() {
        Ok(count @ 1..=MOST_REPLICAS) => Ok(count),
        _ => Err(Error::Usage(format!(
            "`{word}` is no number of replicas: it is 1 to {MOST_REPLICAS}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_replicas_is_a_small_number() {
        assert_eq!(replica_count("1").unwrap(), 1);
        assert_eq!(replica_count("9").unwrap(), 9);
        for word in ["0", "10", "-1", "three", "", "2.5", "99999999999999999999"] {
            let error = replica_count(word).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("`{word}` is no number of replicas: it is 1 to 9")
            );
        }
    }
}
