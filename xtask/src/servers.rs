//! Long-running programs that xtask starts and stops: the service, and the server of the demo page.
//! The commands choose what they serve and when they are needed.

use crate::error::Error;
use crate::process;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time that a server has to end after it was asked to, before it is killed.
const GRACE_PERIOD: Duration = Duration::from_secs(5);
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Time that a service may take from its start until it is ready.
const READY_TIMEOUT: Duration = Duration::from_secs(60);

/// What ends a server whose xtask was killed: the standard input of this script is a pipe that ends
/// with xtask. What ends xtask in a terminal reaches the script, too, which has to be there after it.
const GUARD: &str = "trap '' INT TERM HUP
    read -r _
    kill -- \"-$0\"
    for _ in $(seq 50); do kill -s 0 -- \"-$0\" || exit; sleep 0.1; done
    kill -s KILL -- \"-$0\"";

/// A program that runs and listens on a port. It is ended when the value is dropped, and when xtask
/// is killed.
pub(crate) struct Server {
    name: String,
    child: Child,
    _guard: Guard,
}

/// The script that ends a server whose xtask was killed.
struct Guard(Child);

impl Guard {
    /// Starts the script for the group of this process.
    fn start(group: u32) -> std::io::Result<Guard> {
        Command::new("sh")
            .args(["-c", GUARD, &group.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(Guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).ok();
    }
}

impl Server {
    /// Starts a program whose output goes to the terminal. `name`, such as "the service", is for
    /// error messages.
    pub(crate) fn start(name: &str, command: &mut Command) -> Result<Server, Error> {
        let line = process::command_line(command);
        println!("$ {line}");
        let not_started = |source| Error::NotStarted {
            command: line.clone(),
            source,
        };
        // A group of its own: what it has started in turn, such as a compiler, ends with it.
        let started = command.stdin(Stdio::null()).process_group(0).spawn();
        let child = started.map_err(not_started)?;
        let guard = Guard::start(child.id()).map_err(not_started)?;
        Ok(Server {
            name: name.to_owned(),
            child,
            _guard: guard,
        })
    }

    /// Returns the id of its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// Returns how the program ended; `None` while it runs.
    pub(crate) fn end(&mut self) -> Result<Option<ExitStatus>, Error> {
        self.child
            .try_wait()
            .map_err(|error| Error::Wrong(format!("{} is lost: {error}", self.name)))
    }

    /// Returns an error with the server's name if the program has ended by itself.
    pub(crate) fn check_running(&mut self) -> Result<(), Error> {
        match self.end()? {
            None => Ok(()),
            Some(status) => Err(Error::Wrong(format!("{} ended: {status}", self.name))),
        }
    }

    /// Waits until the service on this port says that it is ready. It is an error if that takes too
    /// long, if the program ends, or if `interrupted` returns true.
    pub(crate) fn wait_until_ready(
        &mut self,
        port: u16,
        interrupted: impl Fn() -> bool,
    ) -> Result<(), Error> {
        let start = Instant::now();
        while start.elapsed() < READY_TIMEOUT && !interrupted() {
            self.check_running()?;
            if request_status(port, "/readyz") == Some(200) {
                return Ok(());
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Err(Error::Wrong(format!(
            "{} was not ready on port {port}",
            self.name
        )))
    }

    /// Sends GET requests for `path` until the server responds, and returns the status of the
    /// response. It is an error if that takes longer than `limit`, if the program ends, or if
    /// `interrupted` returns true.
    pub(crate) fn wait_for_status(
        &mut self,
        port: u16,
        path: &str,
        limit: Duration,
        mut interrupted: impl FnMut() -> bool,
    ) -> Result<u16, Error> {
        let start = Instant::now();
        while start.elapsed() < limit && !interrupted() {
            self.check_running()?;
            if let Some(status) = request_status(port, path) {
                return Ok(status);
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        Err(Error::Wrong(format!(
            "{} did not answer on port {port}",
            self.name
        )))
    }
}

impl Drop for Server {
    /// Asks the program and those that it started to end, waits for `GRACE_PERIOD`, and then kills
    /// the program.
    fn drop(&mut self) {
        if self.check_running().is_err() {
            return;
        }
        // The shell's own `kill`: the program of that name is missing on small machines.
        let asked = Command::new("sh")
            .args(["-c", "kill -- \"-$0\"", &self.child.id().to_string()])
            .status();
        let start = Instant::now();
        while asked.is_ok() && start.elapsed() < GRACE_PERIOD {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(POLL_INTERVAL),
                _ => return,
            }
        }
        // It may have ended between the last look and now; then there is nothing left to do.
        self.child.kill().and_then(|()| self.child.wait()).ok();
    }
}

/// Returns true if nothing listens on the port of this machine.
pub(crate) fn is_port_free(port: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok()
}

/// Runs `work` until it ends, or until xtask is told to stop: by Ctrl-C, an order to end, or the end
/// of its terminal. `work` is given a function that returns true from then on; what fails after that
/// is no error, since programs in the same terminal are stopped by the same Ctrl-C.
pub(crate) fn until_stopped(
    work: impl FnOnce(&dyn Fn() -> bool) -> Result<(), Error>,
) -> Result<(), Error> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .map_err(|error| Error::Wrong(format!("Ctrl-C cannot be watched for: {error}")))?;
    let was_stopped = || stopped.load(Ordering::Relaxed);
    match work(&was_stopped) {
        _ if was_stopped() => {
            println!("Stopped.");
            Ok(())
        }
        other => other,
    }
}

/// Returns `COUNT` different ports that nothing listens on at the moment.
pub(crate) fn free_ports<const COUNT: usize>() -> Result<[u16; COUNT], Error> {
    <[u16; COUNT]>::try_from(free_ports_list(COUNT)?).map_err(|_| no_port_error())
}

/// Returns `count` different ports that nothing listens on at the moment. They are below the ports
/// that the system chooses by itself, so that no other program gets one of them by chance.
pub(crate) fn free_ports_list(count: usize) -> Result<Vec<u16>, Error> {
    const FIRST_PORT: u16 = 11_000;
    const PORT_COUNT: u16 = 20_000;
    // The seed of the standard library's maps is a random number of the system.
    let random = RandomState::new().build_hasher().finish() % u64::from(PORT_COUNT);
    let start = u16::try_from(random).unwrap_or_default();
    let all = (0..PORT_COUNT).map(|step| FIRST_PORT + (start + step) % PORT_COUNT);
    let free: Vec<u16> = all.filter(|port| is_port_free(*port)).take(count).collect();
    match free.len() == count {
        true => Ok(free),
        false => Err(no_port_error()),
    }
}

fn no_port_error() -> Error {
    Error::Wrong("no free port on this machine".to_owned())
}

/// Sends a GET request for `path`, and returns the status of the response; `None` if there is none.
fn request_status(port: u16, path: &str) -> Option<u16> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let get = || -> std::io::Result<[u8; 12]> {
        let mut stream = TcpStream::connect_timeout(&address, POLL_INTERVAL)?;
        stream.set_read_timeout(Some(GRACE_PERIOD))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        )?;
        let mut status_line = [0; 12];
        stream.read_exact(&mut status_line)?;
        Ok(status_line)
    };
    let line = get().ok()?;
    std::str::from_utf8(line.get(9..)?).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt as _;

    #[test]
    fn a_program_that_ends_by_itself_is_reported_by_name() {
        let mut server = Server::start("the dummy", &mut Command::new("false")).unwrap();
        let limit = Duration::from_secs(20);
        let error = server
            .wait_for_status(free_ports::<1>().unwrap()[0], "/", limit, || false)
            .unwrap_err();
        assert!(error.to_string().starts_with("the dummy ended"), "{error}");
    }

    #[test]
    fn a_dropped_server_is_gone() {
        let server = Server::start("the dummy", Command::new("sleep").arg("600")).unwrap();
        let id = server.child.id();
        drop(server);
        assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
    }

    #[test]
    fn a_server_ends_when_its_xtask_is_killed() {
        // Who does not heed the order to end is killed.
        for program in [
            "exec sleep 600",
            "trap '' TERM; echo; while :; do sleep 600; done",
        ] {
            let mut command = Command::new("sh");
            command.args(["-c", program]).stdout(Stdio::piped());
            let mut server = Server::start("the dummy", &mut command).unwrap();
            if program.starts_with("trap") {
                let printed = server.child.stdout.as_mut().unwrap();
                printed.read_exact(&mut [0]).unwrap();
            }
            // The system closes it where a process was killed.
            drop(server._guard.0.stdin.take());
            assert!(server.child.wait().unwrap().signal().is_some());
            drop(server);
        }
    }

    #[test]
    fn a_dropped_server_takes_along_what_it_started() {
        let folder = std::env::temp_dir().join(format!("assent-group-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let note = folder.join("id");
        let script = format!("sleep 600 & echo $! > {}; wait", note.display());
        let server = Server::start("the dummy", Command::new("sh").args(["-c", &script])).unwrap();
        let id = loop {
            match std::fs::read_to_string(&note) {
                Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
                _ => std::thread::yield_now(),
            }
        };
        drop(server);
        // It is an orphan now, and the process that adopts it may take a moment to reap it.
        let state = || std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        while !state().is_empty() && !state().contains(") Z ") {
            std::thread::yield_now();
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn free_ports_differ_and_are_not_those_of_the_system() {
        let ports: [u16; 3] = free_ports().unwrap();
        assert!(ports.iter().all(|port| (11_000..31_000).contains(port)));
        let [first, second, third] = ports;
        assert!(first != second && second != third && first != third);
    }

    #[test]
    fn a_taken_port_is_not_free() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        assert!(!is_port_free(listener.local_addr().unwrap().port()));
    }

    #[test]
    fn the_status_of_an_answer_is_read() {
        for (response, expected) in [("HTTP/1.1 200 OK", 200), ("HTTP/1.1 404 Not Found", 404)] {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
            let port = listener.local_addr().unwrap().port();
            let thread = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 16];
                stream.read_exact(&mut request).unwrap();
                // In one piece: the other side may close once it has read the status.
                let response = format!("{response}\r\n\r\n");
                stream.write_all(response.as_bytes()).unwrap();
                stream.read_to_end(&mut Vec::new()).ok();
            });
            assert_eq!(request_status(port, "/"), Some(expected));
            thread.join().unwrap();
        }
    }
}
