//! HAProxy in front of the replicas, with `deploy/haproxy.cfg`.

use super::Replica;
use crate::error::Error;
use crate::servers::Server;
use crate::tools;
use crate::workspace::Workspace;
use std::fs;
use std::path::Path;

const CONFIG: &str = "deploy/haproxy.cfg";

/// Starts HAProxy on `port`; its file is written into `folder`.
pub(super) fn start(
    workspace: &Workspace,
    port: u16,
    replicas: &[Replica],
    folder: &Path,
) -> Result<Server, Error> {
    let path = workspace.path(CONFIG);
    let text = fs::read_to_string(&path).map_err(Error::of_file(&path))?;
    let ports: Vec<u16> = replicas.iter().map(|replica| replica.port).collect();
    let own = folder.join("haproxy.cfg");
    fs::write(&own, config(&text, port, &ports)?).map_err(Error::of_file(&own))?;
    let program = tools::locate(workspace, "haproxy").unwrap_or_else(|| "haproxy".to_owned());
    let mut command = workspace.command(&program);
    Server::start("HAProxy", command.args(["-q", "-db", "-f"]).arg(&own))
}

/// Returns the name of the replica with this number.
pub(super) fn server_name(number: usize) -> String {
    format!("replica-{number}")
}

/// Names the replica that has answered, for whoever measures or looks.
const NAMING: &str = "    http-response set-header x-replica %s\n";

/// Returns the file of `deploy/` with replicas on these ports of this machine, whose names it does
/// not have to look up, and without a line for each request.
fn config(text: &str, port: u16, replicas: &[u16]) -> Result<String, Error> {
    let servers: String = replicas
        .iter()
        .enumerate()
        .map(|(index, port)| format!("    server {} 127.0.0.1:{port}\n", server_name(index + 1)))
        .collect();
    let mut own = text.to_owned();
    for (from, to) in [
        ("bind :8787\n", format!("bind 127.0.0.1:{port}\n")),
        (
            "    server-template assent 8 assent:8787\n",
            format!("{NAMING}{servers}"),
        ),
        (" resolvers docker init-addr none\n", "\n".to_owned()),
        ("    log stdout format raw local0\n", String::new()),
    ] {
        if own.matches(from).count() != 1 {
            let line = from.trim();
            return Err(Error::Wrong(format!("{CONFIG} must have `{line}` once")));
        }
        own = own.replace(from, &to);
    }
    Ok(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_deploy_names_the_replicas_of_this_machine() {
        let path = Workspace::locate().unwrap().path(CONFIG);
        let text = fs::read_to_string(path).unwrap();
        let own = config(&text, 5, &[6, 7]).unwrap();
        assert!(own.contains("    bind 127.0.0.1:5\n"), "{own}");
        assert!(
            own.ends_with("    server replica-1 127.0.0.1:6\n    server replica-2 127.0.0.1:7\n"),
            "{own}"
        );
        assert!(!own.contains("8787"), "{own}");
        let error = config("", 5, &[6]).unwrap_err().to_string();
        assert!(error.contains("`bind :8787` once"), "{error}");
    }
}
