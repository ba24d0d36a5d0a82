//! `cargo xtask replicas`: a cluster of a service that was built before, until it is stopped.

use super::{Cluster, ClusterOptions, replica_count};
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
    // Replicas run in the folder of the repository, wherever this is typed.
    let program = std::path::absolute(program).map_err(Error::of_file(Path::new(program)))?;
    let [port] = servers::free_ports()?;
    let options = ClusterOptions {
        program: &program,
        replicas: replica_count(count)?,
        port,
        is_durable: false,
        service,
    };
    servers::until_stopped(|was_stopped| {
        let mut cluster = Cluster::start(workspace, &options, was_stopped)?;
        println!("{cluster}");
        println!("HAProxy: http://127.0.0.1:{port}");
        while !was_stopped() {
            cluster.keep_running()?;
            std::thread::sleep(POLL_INTERVAL);
        }
        Ok(())
    })
}
