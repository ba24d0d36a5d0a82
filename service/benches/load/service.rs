//! The service that is measured: a process of its own, and the system's counters of it.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::process::Process;

/// The only key of the measured service.
pub(crate) const KEY: &str = "load";

/// The agents of the measured service.
#[derive(Clone, Copy)]
pub(crate) enum Agents<'a> {
    /// Those beside this file, which play scenarios.
    Scenarios,
    /// The agent `desk`, with the model at this address and the tools of the example `notes`.
    Model(&'a str),
}

/// A service that ends when this value is dropped, and its database with it.
pub(crate) struct Service {
    program: PathBuf,
    child: Child,
    folder: PathBuf,
    agents: PathBuf,
    /// The address that it listens on.
    pub(crate) address: String,
    given_up: Arc<AtomicUsize>,
}

impl Service {
    /// Starts the service of this revision with these agents on an empty database.
    pub(crate) fn start(agents: Agents<'_>) -> Result<Self, String> {
        Self::start_program(env!("CARGO_BIN_EXE_assent-service").as_ref(), agents)
    }

    /// Starts a program of the service with these agents on an empty database.
    pub(crate) fn start_program(program: &Path, agents: Agents<'_>) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("assent-load-{}", std::process::id()));
        let agents = match agents {
            Agents::Scenarios => Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/load/agents"),
            Agents::Model(url) => {
                let agents = folder.join("agents");
                write_agent(&agents.join("desk"), url).map_err(|error| error.to_string())?;
                agents
            }
        };
        let given_up = Arc::default();
        let (child, address) = run(program, &folder, &agents, &given_up)?;
        Ok(Self {
            program: program.to_owned(),
            child,
            folder,
            agents,
            address,
            given_up,
        })
    }

    /// Kills the service and starts it again on the same database.
    pub(crate) fn restart(&mut self) -> Result<(), String> {
        self.stop();
        let started = run(&self.program, &self.folder, &self.agents, &self.given_up);
        (self.child, self.address) = started?;
        Ok(())
    }

    /// Kills the service.
    pub(crate) fn stop(&mut self) {
        self.child.kill().and_then(|()| self.child.wait()).ok();
    }

    /// Returns the system's counters of it.
    pub(crate) fn process(&self) -> Process {
        Process(self.child.id())
    }

    /// Returns the number of clients whose connection it broke because they did not read.
    pub(crate) fn given_up(&self) -> usize {
        self.given_up.load(Ordering::Relaxed)
    }

    /// Returns the file of the database.
    pub(crate) fn database_file(&self) -> PathBuf {
        self.folder.join("load.sqlite")
    }

    /// Returns the bytes of the database with its log.
    pub(crate) fn database(&self) -> u64 {
        let files = ["load.sqlite", "load.sqlite-wal"];
        let sizes = files
            .iter()
            .map(|name| fs::metadata(self.folder.join(name)));
        sizes.filter_map(Result::ok).map(|data| data.len()).sum()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.stop();
        // Files that remain after this are in the system's folder for temporary files.
        fs::remove_dir_all(&self.folder).ok();
    }
}

/// Writes the agent file of an agent with a model.
fn write_agent(folder: &Path, url: &str) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let notes = Path::new(env!("CARGO_BIN_EXE_assent-service")).with_file_name("examples");
    let file = format!(
        "[agent]\nname = \"Desk\"\nhandle = \"@desk\"\nbuild_id = \"1\"\nbuild_type = \"LOAD\"\n\
         [model]\nbase_url = {url:?}\nname = \"load\"\n\
         [[mcp]]\nid = \"load\"\ncommand = [{:?}, \"notes.txt\"]\n\
         [policy]\ntrust_read_only = [\"load\"]\n[titles]\nenabled = false\n",
        notes.join("notes"),
    );
    fs::write(folder.join("agent.toml"), file)
}

/// Starts the program, and returns it with its address once it listens.
fn run(
    program: &Path,
    folder: &Path,
    agents: &Path,
    given_up: &Arc<AtomicUsize>,
) -> Result<(Child, String), String> {
    let mut child = Command::new(program)
        .args(["--listen", "127.0.0.1:0", "--api-key", KEY, "--agents"])
        .arg(agents)
        .args(["--user-rate", "0", "--key-rate", "0", "--user-answers", "0"])
        .args([
            "--user-requests",
            "0",
            "--key-requests",
            "0",
            "--answers",
            "0",
        ])
        .arg("--database")
        .arg(folder.join("load.sqlite"))
        .env_remove("RUST_LOG")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let log = child.stderr.take().ok_or("it has no log")?;
    let mut lines = BufReader::new(log).lines();
    let address = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, rest) = line.split_once("listening on http://")?;
        rest.split(';').next().map(str::to_owned)
    });
    let count = Arc::clone(given_up);
    // To the end, so that the service never waits for a reader of its log.
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if line.contains("does not keep up") || line.contains("does not read") {
                count.fetch_add(1, Ordering::Relaxed);
            } else if !line.contains(" INFO ") {
                eprintln!("{line}");
            }
        }
    });
    let address = address.ok_or("the service did not start")?;
    Ok((child, address))
}
