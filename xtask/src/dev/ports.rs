//! The choice of ports for the demo page and its service: the usual ones, or the next free ones.

use crate::error::Error;
use crate::servers;
use crate::workspace::Workspace;
use std::fs;
use std::path::PathBuf;

const PAGE_PORT: u16 = 8080;
/// The usual port of the service, to which Trunk.toml passes `/api/` on.
const SERVICE_PORT: u16 = 8787;
/// Number of ports that are tried for the page or the service, from the usual one on.
const TRIED_PORTS: u16 = 100;

/// The port of the page and the port of the service.
#[derive(Debug)]
pub(super) struct Ports {
    pub(super) page: u16,
    pub(super) service: u16,
}

impl Ports {
    /// Returns free ports, and prints those that are not the usual ones. `asked` is the port that a
    /// person wants for the page; it is an error if it is not free.
    pub(super) fn choose(asked: Option<u16>) -> Result<Ports, Error> {
        let page = match asked {
            Some(port) if !servers::is_port_free(port) => {
                return Err(Error::Wrong(format!(
                    "port {port} is taken: stop what listens there, or leave `--port` out"
                )));
            }
            Some(port) => port,
            None => next_free(PAGE_PORT, "page")?,
        };
        let service = next_free(SERVICE_PORT, "service")?;
        Ok(Ports { page, service })
    }

    /// Returns the path of Trunk.toml or, if the service has another port than the usual one, of a
    /// copy beside it that names this port.
    pub(super) fn trunk_config(&self, workspace: &Workspace) -> Result<PathBuf, Error> {
        let path = workspace.path("Trunk.toml");
        if self.service == SERVICE_PORT {
            return Ok(path);
        }
        let text = fs::read_to_string(&path).map_err(Error::of_file(&path))?;
        let copy = workspace.path("Trunk.dev.toml");
        fs::write(&copy, with_service_port(&text, self.service)?).map_err(Error::of_file(&copy))?;
        Ok(copy)
    }
}

fn next_free(usual: u16, what: &str) -> Result<u16, Error> {
    let last = usual.saturating_add(TRIED_PORTS);
    let free = (usual..last).find(|port| servers::is_port_free(*port));
    let port =
        free.ok_or_else(|| Error::Wrong(format!("all ports from {usual} to {last} are taken")))?;
    if port != usual {
        println!("Port {usual} is taken: the {what} takes {port}.");
    }
    Ok(port)
}

fn with_service_port(config: &str, port: u16) -> Result<String, Error> {
    let usual = format!("127.0.0.1:{SERVICE_PORT}");
    match config.matches(&usual).count() {
        1 => Ok(config.replace(&usual, &format!("127.0.0.1:{port}"))),
        _ => Err(Error::Wrong(format!("Trunk.toml must name {usual} once"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};

    #[test]
    fn a_port_that_was_asked_for_and_is_taken_is_refused() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let error = Ports::choose(Some(port)).unwrap_err().to_string();
        assert!(error.contains(&port.to_string()) && error.contains("--port"));
    }

    #[test]
    fn the_next_port_is_taken_where_the_usual_one_is_not_free() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        // The last ports of the range have no next one.
        if port < u16::MAX - TRIED_PORTS {
            assert!(next_free(port, "page").unwrap() > port);
        }
    }

    #[test]
    fn the_configuration_names_the_service_once() {
        let path = Workspace::locate().unwrap().path("Trunk.toml");
        let config = with_service_port(&fs::read_to_string(path).unwrap(), 9).unwrap();
        assert!(config.contains("http://127.0.0.1:9/api/"));
        assert!(with_service_port("[[proxy]]", 9).is_err());
    }
}
