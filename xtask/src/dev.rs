//! `cargo xtask dev`: from a bare machine to a page on which a person talks to the service.
//! The page is built and served by Trunk, which passes `/api/` on to the service.

use crate::error::Error;
use crate::process;
use crate::scripts;
use crate::servers::{self, Server};
use crate::shrink;
use crate::tools;
use crate::workspace::Workspace;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The key that the demo page carries; the service of this command listens on loopback only.
pub(crate) const DEV_KEY: &str = "dev-key";
const DEFAULT_PAGE_PORT: u16 = 8080;
/// Trunk.toml passes `/api/` on to this port.
const SERVICE_PORT: u16 = 8787;
const SERVICE_START: Duration = Duration::from_secs(30);
/// The first build of the page compiles every dependency.
const PAGE_START: Duration = Duration::from_secs(1800);

/// Reads `--port N`, the port of the page.
pub(crate) fn page_port(words: &[&str]) -> Result<u16, Error> {
    match words {
        [] => Ok(DEFAULT_PAGE_PORT),
        ["--port", value] => value
            .parse()
            .map_err(|_| Error::Usage(format!("`{value}` is not a port number"))),
        other => Err(Error::Usage(format!(
            "`cargo xtask dev` takes --port N, not `{}`",
            other.join(" ")
        ))),
    }
}

/// Installs, builds, serves, and stays until Ctrl-C.
pub(crate) fn run(workspace: &Workspace, port: u16) -> Result<(), Error> {
    let stopped = stop_on_signal()?;
    servers::check_free(
        port,
        "or choose another one with `cargo xtask dev --port N`",
    )?;
    servers::check_free(SERVICE_PORT, "which may be another `cargo xtask dev`")?;
    tools::ensure_wasm_target(workspace)?;
    tools::ensure_wasm_bindgen(workspace)?;
    tools::ensure_trunk(workspace)?;
    shrink::install(workspace)?;
    scripts::HIGHLIGHT.install(workspace)?;
    scripts::DEVICE.install(workspace)?;
    let database = workspace.path("target/dev/assent.sqlite");
    let mut service = start_service(workspace, SERVICE_PORT, &database, &[])?;
    let mut page = Server::start(
        "the page server",
        workspace
            .command("trunk")
            // Trunk reads this variable and stops at values other than true and false.
            .env_remove("NO_COLOR")
            .args(["serve", "--port", &port.to_string()]),
    )?;
    let was_stopped = || stopped.load(Ordering::Relaxed);
    match page.wait_until_it_answers(port, "/", PAGE_START, was_stopped) {
        Err(_) if was_stopped() => return Ok(()),
        other => other?,
    }
    println!("{}", welcome(port));
    while !was_stopped() {
        service.check_running()?;
        page.check_running()?;
        std::thread::sleep(Duration::from_millis(200));
    }
    println!("Stopping the page and the service.");
    Ok(())
}

/// Builds the service, starts it, and waits until it answers.
pub(crate) fn start_service(
    workspace: &Workspace,
    port: u16,
    database: &Path,
    more: &[&str],
) -> Result<Server, Error> {
    process::run(workspace.cargo().args(["build", "-p", "assent-service"]))?;
    if let Some(folder) = database.parent() {
        std::fs::create_dir_all(folder).map_err(Error::file(folder))?;
    }
    let program = workspace.path("target/debug/assent-service");
    let mut command = workspace.command(&program.to_string_lossy());
    command.args([
        "--listen",
        &format!("127.0.0.1:{port}"),
        "--api-key",
        DEV_KEY,
        // Less than a server that was asked to end may take.
        "--shutdown-grace",
        "2",
        "--database",
    ]);
    command.arg(database).args(more);
    let mut service = Server::start("the service", &mut command)?;
    service.wait_until_it_answers(port, "/openapi.json", SERVICE_START, || false)?;
    Ok(service)
}

fn stop_on_signal() -> Result<Arc<AtomicBool>, Error> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .map_err(|error| Error::Wrong(format!("Ctrl-C cannot be watched for: {error}")))?;
    Ok(stopped)
}

fn welcome(port: u16) -> String {
    format!(
        "
  Assent is running: http://127.0.0.1:{port}/

  Open that page and type `help`: the agent answers with everything it can show,
  from a long answer to actions that need your approval.
  Change a file under src/, style/ or loader/ and the page rebuilds itself.
  Ctrl-C stops both servers; conversations are kept in target/dev/assent.sqlite.
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_of_the_page_has_a_default_and_can_be_chosen() {
        assert_eq!(page_port(&[]).unwrap(), 8080);
        assert_eq!(page_port(&["--port", "9000"]).unwrap(), 9000);
    }

    #[test]
    fn wrong_options_are_named() {
        for (words, named) in [
            (vec!["--prot", "1"], "`--prot 1`"),
            (vec!["--port", "http"], "`http`"),
        ] {
            let error = page_port(&words).unwrap_err();
            assert!(error.to_string().contains(named), "{error}");
        }
    }
}
