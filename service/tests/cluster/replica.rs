//! A replica as a process of its own, whose connections to the database go through a proxy.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, Command, Stdio},
    sync::Arc,
};

use crate::common::{Folder, database::socket_of_cluster};
use crate::{proxy::Proxy, random::moment};

pub struct Replica {
    pub proxy: Proxy,
    folder: Arc<Folder>,
    child: Child,
    pub address: String,
}

impl Replica {
    /// Starts one that listens on an address of its own, which no connection of others can take while
    /// it is away.
    pub async fn start(folder: &Arc<Folder>, address: String) -> Self {
        let proxy = Proxy::start(socket_of_cluster()).await;
        let child = launch(folder, &proxy, &address).await;
        Self {
            proxy,
            folder: Arc::clone(folder),
            child,
            address,
        }
    }

    pub async fn start_again(&mut self) {
        self.child = launch(&self.folder, &self.proxy, &self.address).await;
    }

    /// Ends it as a crash does.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as an operator does, and starts it again.
    pub async fn stop(&mut self) {
        self.signal("TERM");
        self.wait().await;
        self.start_again().await;
    }

    pub async fn end(mut self) {
        self.signal("TERM");
        self.wait().await;
    }

    async fn wait(&mut self) {
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            moment().await;
        }
    }

    /// Lets it stand still until the others have counted it as gone.
    pub async fn stand_still(&mut self, folder: &Folder) {
        self.signal("STOP");
        let mut database = folder.connect().await;
        while database.number("SELECT COUNT(*) FROM replicas").await >= crate::REPLICAS as i64 {
            moment().await;
        }
        database.close().await;
        self.signal("CONT");
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &id]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        // It has usually ended by now.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Starts the program until it listens; the database may be away.
async fn launch(folder: &Arc<Folder>, proxy: &Proxy, address: &str) -> Child {
    let address = address.to_owned();
    let (folder, database) = (Arc::clone(folder), folder.address_at(proxy.port));
    let started = tokio::task::spawn_blocking(move || {
        loop {
            let mut child = Command::new(env!("CARGO_BIN_EXE_assent-service"))
                .args(["--listen", &address, "--api-key", "k", "--pace", "0.05"])
                .args(["--database", &database, "--user-rate", "0", "--lease"])
                .arg(crate::LEASE.as_secs().to_string())
                .args(["--shutdown-grace", "1", "--uploads"])
                .arg(folder.0.join("uploads"))
                .arg("--agents")
                .arg(folder.0.join("agents"))
                .env_remove("ASSENT_API_KEYS")
                .env("NO_COLOR", "1")
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let mut log = BufReader::new(child.stderr.take().unwrap());
            let mut line = String::new();
            while log.read_line(&mut line).unwrap() > 0 {
                if line.contains("listening on http://") {
                    // What it logs from here on nobody reads, and it must not wait for that.
                    std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
                    return child;
                }
                line.clear();
            }
            child.wait().unwrap();
        }
    });
    started.await.unwrap()
}
