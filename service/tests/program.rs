//! The program as it is started: options, refusals, agents from a folder, and its end.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    reason = "a failed expectation is a failed test"
)]

mod common;

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, ChildStderr, Command, Stdio},
    sync::Arc,
};

use common::Folder;

fn program(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent-service"));
    command
        .args(["--listen", "127.0.0.1:0", "--database"])
        .arg(folder.0.join("made/on/demand.sqlite"))
        .args(arguments)
        .env_remove("ASSENT_API_KEYS")
        .env_remove("RUST_LOG")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// A program that was started and is ended with the test.
struct Running {
    child: Child,
    stderr: BufReader<ChildStderr>,
    log: String,
    address: String,
    _folder: Arc<Folder>,
}

fn start(folder: &Arc<Folder>, mut command: Command) -> Running {
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
        stderr,
        log,
        address,
        _folder: Arc::clone(folder),
    }
}

impl Running {
    fn get(&self, path: &str, headers: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n");
        socket.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Ends it as an operator does and returns its log.
    fn terminate(mut self) -> String {
        let id = self.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &id])
                .status()
                .unwrap()
                .success()
        );
        assert!(self.child.wait().unwrap().success());
        self.stderr.read_to_string(&mut self.log).unwrap();
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

const DEMO: &str = "/api/assistants/threads/demo";

#[test]
fn without_a_key_it_refuses_to_start_and_says_what_to_do() {
    let folder = Folder::new();
    let output = program(&folder, &[]).output().unwrap();
    assert!(!output.status.success());
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(
        log.contains("No API key is configured. Give at least one with --api-key"),
        "{log}"
    );
}

#[test]
fn it_serves_until_it_is_terminated_and_never_logs_a_key() {
    let folder = Folder::new();
    let mut command = program(&folder, &["--api-key", "typed-key"]);
    command
        .env("ASSENT_API_KEYS", "env-key,other-key")
        .env("RUST_LOG", "trace");
    let running = start(&folder, command);
    assert!(running.get("/healthz", "").starts_with("HTTP/1.1 200"));
    for key in ["typed-key", "env-key", "other-key"] {
        let headers = format!("authorization: Bearer {key}\r\nx-service-user-id: ada\r\n");
        assert!(
            running.get(DEMO, &headers).starts_with("HTTP/1.1 200"),
            "{key}"
        );
    }
    assert!(running.get(DEMO, "").starts_with("HTTP/1.1 401"));
    let log = running.terminate();
    assert!(log.contains("stopping"));
    for key in ["typed-key", "env-key", "other-key"] {
        assert!(!log.contains(key), "the key is in the log");
    }
}

#[test]
fn agents_of_a_folder_add_to_the_shipped_ones_and_replace_them() {
    let folder = Folder::new();
    for (id, name) in [("demo", "Mine"), ("tiny", "Tiny")] {
        let path = folder.0.join("agents").join(id);
        std::fs::create_dir_all(&path).unwrap();
        let text = format!(
            "scenarios = []\n[agent]\nname = \"{name}\"\nhandle = \"@{id}\"\nbuild_id = \"1\"\nbuild_type = \"X\"\n\
             [[fallback]]\ndo = \"say\"\ntext = \"hello\"\n"
        );
        std::fs::write(path.join("agent.toml"), text).unwrap();
    }
    let agents = folder.0.join("agents");
    let command = program(
        &folder,
        &["--api-key", "k", "--agents", agents.to_str().unwrap()],
    );
    let running = start(&folder, command);
    assert!(
        running.log.contains("agents: demo, echo, tiny, travel"),
        "{}",
        running.log
    );
    running.terminate();
}

#[test]
fn an_agent_file_that_cannot_be_used_is_named_with_its_fault() {
    for (text, fault) in [
        ("scenarios = [\"gone\"]", "missing field"),
        ("colour = 1", "unknown field"),
        ("not toml", "agent.toml"),
    ] {
        let folder = Folder::new();
        let path = folder.0.join("agents/odd");
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("agent.toml"), text).unwrap();
        let agents = folder.0.join("agents");
        let arguments = ["--api-key", "k", "--agents", agents.to_str().unwrap()];
        let output = program(&folder, &arguments).output().unwrap();
        assert!(!output.status.success());
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(
            log.contains("odd/agent.toml") && log.contains(fault),
            "{text}: {log}"
        );
    }
}

#[test]
fn an_address_in_use_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = Folder::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent-service"));
    command.args(["--api-key", "k", "--listen", &address, "--database"]);
    let output = command.arg(folder.database()).output().unwrap();
    assert!(!output.status.success());
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(
        log.contains(&format!("{address} cannot be listened on")),
        "{log}"
    );
}
