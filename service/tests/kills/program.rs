//! The program as a process of its own, and the moment at which it is killed.

use std::{
    ffi::OsString,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    process::{Child, ChildStderr, Command, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    thread::JoinHandle,
};

use crate::common::Folder;

/// The events by which the moments of a kill are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// An event that a client read, of any stream.
    Event,
    /// A post that was written to its connection, not answered yet.
    Post,
    /// The same of a post with decisions.
    Decision,
    /// A statement that the database carried out, inside of a transaction or not.
    Statement,
    /// The list of its tools that a tool server is asked for.
    Listed,
    /// A call that a tool server was told of, and of which it has not done anything yet.
    Called,
    /// A call that a tool server has done, and that it has not answered yet.
    Done,
    /// A call whose answer the service has, while it cannot store anything.
    Answered,
    /// The end of all scripts.
    End,
}

/// The moment of a kill: after so many of these.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub moment: Moment,
    pub count: u32,
}

pub struct Program {
    inner: Arc<Inner>,
    log: Option<JoinHandle<String>>,
    /// `None` if it was killed before it listened.
    pub address: Option<SocketAddr>,
    /// A key of its own: a killed program leaves its address to the next one that listens.
    pub key: String,
}

/// The process, and the moment of its end.
pub struct Inner {
    child: Mutex<Child>,
    place: Place,
    passed: AtomicU32,
    killed: Mutex<bool>,
    kill: Condvar,
}

impl Inner {
    /// Counts an event; returns true if that was the moment of the kill, and the process is gone.
    pub fn pass(&self, moment: Moment) -> bool {
        let due = moment == self.place.moment
            && self.passed.fetch_add(1, Ordering::Relaxed) + 1 == self.place.count;
        if due {
            self.kill();
        }
        due
    }

    /// Returns true if it is to be killed at this event.
    pub fn dies_at(&self, moment: Moment, count: u32) -> bool {
        self.place.moment == moment && self.place.count == count
    }

    /// Waits until the process was killed and is gone.
    pub fn wait(&self) {
        let killed = self.killed.lock().unwrap();
        drop(self.kill.wait_while(killed, |killed| !*killed).unwrap());
        self.child.lock().unwrap().wait().unwrap();
    }

    fn kill(&self) {
        self.child.lock().unwrap().kill().unwrap();
        *self.killed.lock().unwrap() = true;
        self.kill.notify_all();
    }
}

impl Program {
    /// Starts it on the folder's database; returns when it listens or was killed.
    pub fn start(folder: &Folder, pace: f64, place: Place) -> Self {
        folder.end_leases();
        let key = uuid::Uuid::new_v4().to_string();
        let mut child = Command::new(env!("CARGO_BIN_EXE_assent-service"))
            .args(["--listen", "127.0.0.1:0", "--api-key", &key])
            .args(folder.storage_options())
            .args(["--pace", &pace.to_string(), "--user-rate", "0"])
            .args(agents_in(folder))
            .env_remove("ASSENT_API_KEYS")
            // One line for each statement, and for each tool that ended.
            .env(
                "RUST_LOG",
                "info,sqlx::query=debug,assent_service::agents=debug",
            )
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let inner = Arc::new(Inner {
            child: Mutex::new(child),
            place,
            passed: AtomicU32::new(0),
            killed: Mutex::new(false),
            kill: Condvar::new(),
        });
        let (listens, listening) = mpsc::channel();
        let watched = Arc::clone(&inner);
        let log = std::thread::spawn(move || watch(stderr, &watched, listens));
        let address = listening.recv().ok();
        let mut program = Self {
            inner,
            log: Some(log),
            address,
            key,
        };
        if address.is_none() {
            let log = program.ended();
            let killed = place.moment == Moment::Statement;
            assert!(killed && !log.contains("Error"), "it did not start: {log}");
        }
        program
    }

    /// Counts an event; if that is the moment of the kill, the program is gone afterwards.
    pub fn pass(&self, moment: Moment) {
        self.inner.pass(moment);
    }

    pub fn was_killed_in_time(&self) -> bool {
        self.inner.passed.load(Ordering::Relaxed) >= self.inner.place.count
    }

    /// Returns what counts events from other threads.
    pub fn counter(&self) -> Arc<Inner> {
        Arc::clone(&self.inner)
    }

    /// Kills it, if that did not happen yet, and returns its log.
    pub fn kill(mut self) -> String {
        self.inner.kill();
        self.ended()
    }

    fn ended(&mut self) -> String {
        self.inner.child.lock().unwrap().wait().unwrap();
        self.log
            .take()
            .map_or_else(String::new, |log| log.join().unwrap())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It has usually ended by now.
        let mut child = self.inner.child.lock().unwrap();
        child.kill().ok();
        child.wait().ok();
    }
}

/// Returns the option for the agents in the folder, if there are any.
fn agents_in(folder: &Folder) -> Vec<OsString> {
    let agents = folder.0.join("agents");
    if agents.is_dir() {
        vec!["--agents".into(), agents.into()]
    } else {
        Vec::new()
    }
}

/// Reads the log to its end; statements are counted, all else is kept.
fn watch(
    stderr: BufReader<ChildStderr>,
    program: &Inner,
    listens: mpsc::Sender<SocketAddr>,
) -> String {
    let mut listens = Some(listens);
    let mut kept = String::new();
    for line in stderr.lines() {
        let line = line.unwrap();
        if line.contains("sqlx::query") {
            program.pass(Moment::Statement);
            continue;
        }
        if line.contains("a tool ended") {
            program.pass(Moment::Answered);
        }
        if let Some((_, rest)) = line.split_once("listening on http://") {
            let address = rest.split(';').next().unwrap().parse().unwrap();
            // Nothing waits any more if the test failed.
            listens.take().map(|listens| listens.send(address).ok());
        }
        kept += &line;
        kept.push('\n');
    }
    kept
}
