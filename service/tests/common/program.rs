//! The program as it is started, with requests as they are on the wire.

use std::{
    collections::BTreeSet,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, Command, Stdio},
    sync::Arc,
};

use assent_service::store::{Database, Storage};

use super::{Folder, THREADS, messages_of};

/// Returns the places where the program keeps what it stores: a file in a folder that it makes, or a
/// database of PostgreSQL.
pub fn storage(folder: &Folder) -> Storage {
    if folder.is_on_postgres() {
        folder.storage()
    } else {
        Database::File(folder.0.join(DATABASE)).into()
    }
}

pub fn program(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent-service"));
    if folder.is_on_postgres() {
        command.args(folder.storage_options());
    } else {
        command.arg("--database").arg(folder.0.join(DATABASE));
    }
    if !arguments.contains(&"--listen") {
        command.args(["--listen", "127.0.0.1:0"]);
    }
    command
        .args(arguments)
        .env_remove("ASSENT_API_KEYS")
        .env_remove("RUST_LOG")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// Returns the programs that run in a folder, by their places in `/proc`.
pub fn programs_in(folder: &Path) -> BTreeSet<PathBuf> {
    let folder = folder.canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap();
    processes
        .filter_map(|process| Some(process.ok()?.path()))
        .filter(|process| std::fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == folder))
        .collect()
}

/// A program that was started and is ended with the test.
pub struct Running {
    pub child: Child,
    /// `None`: its log is not read any more.
    pub stderr: Option<BufReader<ChildStderr>>,
    pub log: String,
    pub address: String,
    _folder: Arc<Folder>,
}

pub fn start(folder: &Arc<Folder>, mut command: Command) -> Running {
    let mut child = command.spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut log = String::new();
    let address = loop {
        let start = log.len();
        assert_ne!(stderr.read_line(&mut log).unwrap(), 0, "it ended: {log}");
        if let Some((_, rest)) = log[start..].split_once("listening on http://") {
            break rest.split(';').next().unwrap().to_owned();
        }
    };
    Running {
        child,
        stderr: Some(stderr),
        log,
        address,
        _folder: Arc::clone(folder),
    }
}

impl Running {
    pub fn get(&self, path: &str, headers: &str) -> String {
        self.send("GET", path, headers, "")
    }

    /// Sends a request and returns the whole answer as it came.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let mut answer = String::new();
        let mut socket = self.open(method, path, headers, body);
        socket.read_to_string(&mut answer).unwrap();
        answer
    }

    pub fn open(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        socket.write_all(head.as_bytes()).unwrap();
        socket
    }

    /// Starts a thread of the demo agent; returns the address of its messages.
    pub fn thread(&self, headers: &str) -> String {
        self.thread_of("demo", headers)
    }

    /// The same with another agent.
    pub fn thread_of(&self, agent: &str, headers: &str) -> String {
        let body = format!(r#"{{"agentId":{agent:?}}}"#);
        let thread = self.send("POST", THREADS, headers, &body);
        let body = thread.split_once("\r\n\r\n").unwrap().1;
        let thread: serde_json::Value = serde_json::from_str(body).unwrap();
        messages_of(thread["id"].as_str().unwrap())
    }

    /// Posts a message and returns the connection once the agent speaks.
    pub fn listen_to(&self, messages: &str, headers: &str) -> BufReader<TcpStream> {
        let mut reader = BufReader::new(self.open("POST", messages, headers, HELLO));
        let mut stream = String::new();
        while !stream.contains("AGENT_RESPONSE_CHUNK") {
            assert_ne!(reader.read_line(&mut stream).unwrap(), 0, "{stream}");
        }
        reader
    }

    /// Reads the log until a line has these words, and returns that line.
    pub fn logged(&mut self, words: &str) -> String {
        let stderr = self.stderr.as_mut().unwrap();
        loop {
            let start = self.log.len();
            let read = stderr.read_line(&mut self.log).unwrap();
            assert_ne!(read, 0, "it ended: {}", self.log);
            let line = &self.log[start..];
            if line.contains(words) {
                return line.to_owned();
            }
        }
    }

    /// Sends it a signal, such as `HUP`.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
    }

    /// Ends it as an operator does and returns its log.
    pub fn terminate(mut self) -> String {
        self.signal("TERM");
        assert!(self.child.wait().unwrap().success());
        if let Some(stderr) = &mut self.stderr {
            stderr.read_to_string(&mut self.log).unwrap();
        }
        std::mem::take(&mut self.log)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has usually ended by now.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

pub const DATABASE: &str = "made/on/demand.sqlite";

pub const HELLO: &str = r#"{"content":[{"type":"text","text":"hello"}]}"#;
pub const TYPED: &str = "authorization: Bearer k\r\nx-service-user-id: ada\r\n";
