//! `cargo xtask bench scale`: replicas behind HAProxy on a PostgreSQL that waits for the disk, and the
//! clients of `service/benches/scale`, which are a program of their own.

use crate::cluster::{Cluster, ClusterOptions};
use crate::error::Error;
use crate::process;
use crate::servers;
use crate::workspace::Workspace;

/// The key that the replicas take.
const KEY: &str = "load";

/// What is measured together, with the number of replicas: what one part leaves behind would disturb
/// one of the next.
const CLUSTERS: [(usize, &[&str]); 6] = [
    (1, &["events"]),
    (2, &["events"]),
    (3, &["events"]),
    (3, &["posts", "large"]),
    (3, &["idle"]),
    (3, &["moves"]),
];

/// The part that needs no cluster.
const FILE: &str = "file";

/// Builds the service and the bench, and runs all parts, or those that the words name.
pub(super) fn run(workspace: &Workspace, words: &[&str]) -> Result<(), Error> {
    let (options, parts): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.starts_with("--"));
    let known = CLUSTERS.iter().flat_map(|(_, parts)| *parts);
    let known: Vec<&str> = known.chain([&FILE]).copied().collect();
    if let Some(unknown) = parts.iter().find(|part| !known.contains(part)) {
        return Err(Error::Usage(format!(
            "`{unknown}` is no part of this bench: there are {}",
            known.join(", ")
        )));
    }
    let is_wanted = |part: &str| parts.is_empty() || parts.contains(&part);
    let build = [
        "bench",
        "-p",
        "assent-service",
        "--bench",
        "scale",
        "--no-run",
    ];
    process::run(workspace.cargo().args(build))?;
    servers::until_stopped(|was_stopped| {
        for (replicas, parts) in CLUSTERS {
            let parts: Vec<&str> = parts.iter().copied().filter(|it| is_wanted(it)).collect();
            if parts.is_empty() || was_stopped() {
                continue;
            }
            let [port] = servers::free_ports()?;
            let cluster = start(workspace, replicas, port, was_stopped)?;
            let description = cluster.description(port, KEY)?.to_string();
            for part in parts {
                println!("\n{part}, replicas: {replicas}\n");
                measure(workspace, &[&[part, &description], &options[..]].concat())?;
            }
        }
        match is_wanted(FILE) && !was_stopped() {
            true => measure(workspace, &[&[FILE], &options[..]].concat()),
            false => Ok(()),
        }
    })
}

fn start(
    workspace: &Workspace,
    replicas: usize,
    port: u16,
    was_stopped: &dyn Fn() -> bool,
) -> Result<Cluster, Error> {
    let agents = workspace.path("service/benches/load/agents");
    let agents = agents.to_string_lossy();
    let mut service = vec!["--api-key", KEY, "--agents", &agents];
    for limit in [
        "--user-rate",
        "--key-rate",
        "--user-requests",
        "--key-requests",
        "--user-answers",
        "--answers",
    ] {
        service.extend([limit, "0"]);
    }
    let options = ClusterOptions {
        program: &workspace.target_folder().join("release/assent-service"),
        replicas,
        port,
        is_durable: true,
        service: &service,
    };
    Cluster::start(workspace, &options, was_stopped)
}

fn measure(workspace: &Workspace, words: &[&str]) -> Result<(), Error> {
    let bench = [
        "bench",
        "-q",
        "-p",
        "assent-service",
        "--bench",
        "scale",
        "--",
    ];
    let mut command = workspace.cargo();
    let status = command.args(bench).args(words).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Error::Failed(format!("the part {}", words.join(" ")))),
        Err(source) => Err(Error::NotStarted {
            command: process::command_line(&command),
            source,
        }),
    }
}
