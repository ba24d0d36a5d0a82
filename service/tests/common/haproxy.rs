//! HAProxy with `deploy/haproxy.cfg`, in front of the servers of a test.

use std::{
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
};

use super::Folder;

/// HAProxy, which ends with its test.
pub struct HaProxy {
    child: Child,
    pub address: String,
}

impl HaProxy {
    /// Starts HAProxy with the file of `deploy/`, in which the servers are named.
    pub fn start<'a>(
        folder: &Folder,
        servers: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/haproxy.cfg");
        let mut own = std::fs::read_to_string(path).unwrap();
        // It is free now, and HAProxy takes it in a moment.
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap().to_string();
        drop(free);
        let servers = servers.into_iter();
        let servers = servers.map(|(name, address)| format!("    server {name} {address}\n"));
        for (from, to) in [
            ("bind :8787", format!("bind {address}")),
            (
                "    server-template assent 8 assent:8787\n",
                servers.collect(),
            ),
            (" resolvers docker init-addr none", String::new()),
            ("log stdout format raw local0", String::new()),
        ] {
            assert!(own.contains(from), "{from}");
            own = own.replace(from, &to);
        }
        let file = folder.0.join("haproxy.cfg");
        std::fs::write(&file, own).unwrap();
        let program = ["/usr/sbin/haproxy", "haproxy"];
        let program = program.iter().find(|it| Path::new(it).exists());
        let child = Command::new(program.unwrap_or(&"haproxy"))
            .args(["-q", "-db", "-f"])
            .arg(file)
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("install the package haproxy: {error}"));
        Self { child, address }
    }
}

impl Drop for HaProxy {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
