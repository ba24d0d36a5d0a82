//! `cargo xtask replicas`: a cluster of a service that was built before, until it is stopped.

use super::{Cluster, ClusterOptions, Replica, replica_count};
use crate::error::Error;
use crate::servers;
use crate::workspace::Workspace;
use std::path::Path;
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Starts replicas of a program, as the words of the command line say: their number, the program,
/// and options for it. It prints where they are, and returns once it is stopped.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<(), Error> {
    let [count, program, service @ ..] = words else {
        return Err(Error::Usage(
            "`cargo xtask replicas` takes a number of replicas, a program of the service, and options for that"
                .into(),
        ));
    };
    let [port] = servers::free_ports()?;
    let options = ClusterOptions {
        program: Path::new(program),
        replicas: replica_count(count)?,
        port,
        is_durable: false,
        service,
    };
    servers::until_stopped(|was_stopped| {
        let mut cluster = Cluster::start(workspace, &options, was_stopped)?;
        for replica in cluster.replicas() {
            println!("{}", line(replica));
        }
        println!("HAProxy: http://127.0.0.1:{port}");
        while !was_stopped() {
            for number in cluster.keep_running()? {
                println!("Replica {number} has ended and is started again.");
                let again = cluster.replicas().iter().find(|it| it.number == number);
                again.into_iter().for_each(|it| println!("{}", line(it)));
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    })
}

/// Returns the line that says where a replica is.
pub(super) fn line(replica: &Replica) -> String {
    let Replica {
        number,
        port,
        metrics,
        ..
    } = replica;
    let process = replica.process();
    format!(
        "Replica {number}: process {process}, http://127.0.0.1:{port}, metrics http://127.0.0.1:{metrics}/metrics"
    )
}
