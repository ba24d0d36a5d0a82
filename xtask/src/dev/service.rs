//! The service that the demo page talks to: one on a SQLite file, or replicas.

use crate::cluster::{Cluster, ClusterOptions};
use crate::error::Error;
use crate::process;
use crate::servers::Server;
use crate::workspace::{MODEL_KEY_VARIABLE, Workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The API key that the demo page sends to its service, which listens on loopback only.
pub(crate) const DEV_KEY: &str = "dev-key";
const SERVICE_START_TIMEOUT: Duration = Duration::from_secs(30);
/// Endings of the files that SQLite keeps for a database: the database itself, and two beside it.
const DATABASE_ENDINGS: [&str; 3] = ["", "-wal", "-shm"];

/// Options of each service. An order to end has less time than a server gets before it is killed.
const OPTIONS: [&str; 4] = ["--api-key", DEV_KEY, "--shutdown-grace", "2"];

/// What the page talks to.
pub(super) enum Service {
    One(Server),
    Replicas(Cluster),
}

impl Service {
    /// Starts a service with the database that earlier runs of the demo left.
    pub(super) fn start_one(
        workspace: &Workspace,
        port: u16,
        more: &[&str],
    ) -> Result<Service, Error> {
        start_with_kept_database(workspace, port, more).map(Service::One)
    }

    /// Starts replicas behind HAProxy, which has the port.
    pub(super) fn start_replicas(
        workspace: &Workspace,
        port: u16,
        count: usize,
        more: &[&str],
        was_stopped: &dyn Fn() -> bool,
    ) -> Result<Service, Error> {
        let options = ClusterOptions {
            program: &program_path(workspace),
            replicas: count,
            port,
            is_durable: false,
            service: &[&OPTIONS, more].concat(),
        };
        Cluster::start(workspace, &options, was_stopped).map(Service::Replicas)
    }

    /// Returns an error if it ended by itself; replicas that were killed are started again.
    pub(super) fn keep_running(&mut self) -> Result<(), Error> {
        match self {
            Service::One(server) => server.check_running(),
            Service::Replicas(cluster) => cluster.keep_running(),
        }
    }

    /// Returns what a person is told of it.
    pub(super) fn about(&self) -> String {
        match self {
            Service::One(_) => {
                "Ctrl-C stops both servers; conversations are kept in target/dev/assent.sqlite."
                    .to_owned()
            }
            Service::Replicas(cluster) => format!(
                "Kill a replica with `kill -9` and the number of its process: it is started again.
  An answer that it wrote goes on if a model gives it; a scene ends with a sentence.

    {}

  Ctrl-C stops all servers; the conversations go with the database.",
                cluster.to_string().replace('\n', "\n    ")
            ),
        }
    }
}

/// Returns the path of the service's program, which [`build`] makes.
pub(super) fn program_path(workspace: &Workspace) -> PathBuf {
    workspace.target_folder().join("debug/assent-service")
}

/// Builds the service's program for debugging.
pub(super) fn build(workspace: &Workspace) -> Result<(), Error> {
    process::run(workspace.cargo().args(["build", "-p", "assent-service"]))
}

/// Builds the service, starts it with the database file `database` and the options `more`, and
/// waits until it answers requests.
pub(crate) fn start_service(
    workspace: &Workspace,
    port: u16,
    database: &Path,
    more: &[&str],
) -> Result<Server, Error> {
    build(workspace)?;
    start(workspace, port, database, more)
}

/// Starts the service with the database that earlier runs of the demo left. If this version cannot
/// open it, the file is renamed, a message says so, and the service starts with a new database.
fn start_with_kept_database(
    workspace: &Workspace,
    port: u16,
    more: &[&str],
) -> Result<Server, Error> {
    let database = workspace.path("target/dev/assent.sqlite");
    let was_there = database.exists();
    let error = match start(workspace, port, &database, more) {
        Err(error) if was_there => error,
        other => return other,
    };
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let aside = database.with_file_name(format!("assent-{seconds}.sqlite"));
    move_database(&database, &aside)?;
    match start(workspace, port, &database, more) {
        Ok(service) => {
            println!(
                "The conversations in {} could not be opened, as the error above says: they are in {} now, and new ones begin.",
                database.display(),
                aside.display()
            );
            Ok(service)
        }
        Err(_) => {
            move_database(&aside, &database)?;
            Err(error)
        }
    }
}

fn start(
    workspace: &Workspace,
    port: u16,
    database: &Path,
    more: &[&str],
) -> Result<Server, Error> {
    if let Some(folder) = database.parent() {
        fs::create_dir_all(folder).map_err(Error::of_file(folder))?;
    }
    let mut command = workspace.command(&program_path(workspace).to_string_lossy());
    command
        .args(["--listen", &format!("127.0.0.1:{port}"), "--database"])
        .arg(database)
        .args(OPTIONS)
        .args(more);
    // By the environment alone: arguments can be read by every program of the machine.
    if let Some(key) = std::env::var_os(MODEL_KEY_VARIABLE) {
        command.env(MODEL_KEY_VARIABLE, key);
    }
    let mut service = Server::start("the service", &mut command)?;
    match service.wait_for_status(port, "/openapi.json", SERVICE_START_TIMEOUT, || false)? {
        200 => Ok(service),
        status => Err(Error::Wrong(format!(
            "what answers on port {port} is not the service: status {status}"
        ))),
    }
}

fn move_database(from: &Path, to: &Path) -> Result<(), Error> {
    let companion = |path: &Path, suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    for suffix in DATABASE_ENDINGS {
        let (from, to) = (companion(from, suffix), companion(to, suffix));
        // The database of a failed start is in the way of the one that comes back.
        if to.exists() {
            fs::remove_file(&to).map_err(Error::of_file(&to))?;
        }
        if from.exists() {
            fs::rename(&from, &to).map_err(Error::of_file(&from))?;
        }
    }
    Ok(())
}
