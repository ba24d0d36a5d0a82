//! A replica that stands still in the middle of a transaction, or of a statement, holds up nobody.

use std::sync::Arc;

use assent_service::store::Store;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::UnixStream,
};

use crate::common::{
    Folder, accept_text,
    database::{TestDatabase, socket_of_cluster},
    recover, service_in, settings, soon,
};

/// The name of the connections of a process with the id `gone`.
const GONE: &str = "assent/gone";

/// Somebody else has the row of a replica locked.
#[tokio::test]
async fn a_transaction_that_stands_still_does_not_keep_a_replica_alive() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let store = Store::open(&folder.storage()).await.unwrap();
    let mut paused = folder.connect().await;
    for statement in [
        &format!("SET application_name = '{GONE}'"),
        "INSERT INTO replicas (id, process, expires_ms) VALUES ('r', 'gone', 0)",
        "BEGIN",
        "SELECT 1 FROM replicas WHERE id = 'r' FOR KEY SHARE",
    ] {
        paused.execute(statement).await.unwrap();
    }
    soon(async || store.bury().await.unwrap() == 1).await;
    assert_eq!(store.replica_count().await.unwrap(), 1);
    store.close().await;
}

/// It has the rows of its replica, its thread and its run locked, and the database waits for the rest of
/// what it says: no timeout of transactions counts there.
#[tokio::test]
async fn who_stands_still_between_execute_and_sync_holds_up_nobody() {
    let folder = Folder::with(TestDatabase::postgres(""));
    let former = service_in(Arc::clone(&folder), settings(), Vec::new()).await;
    let thread = former.thread("demo").await;
    drop(accept_text(former.state.store(), &thread, "go").await);
    let mut database = folder.connect().await;
    let gone = "UPDATE replicas SET process = 'gone', expires_ms = 0";
    database.execute(gone).await.unwrap();
    let next = service_in(Arc::clone(&folder), settings(), Vec::new()).await;
    let mut paused = Paused::connect(&folder).await;
    paused.query("BEGIN ISOLATION LEVEL SERIALIZABLE").await;
    paused
        .query("SET LOCAL idle_in_transaction_session_timeout = '2s'")
        .await;
    paused
        .query("SELECT 1 FROM replicas WHERE process = 'gone' FOR KEY SHARE")
        .await;
    paused.query("SELECT 1 FROM threads FOR UPDATE").await;
    paused.execute("SELECT 1 FROM runs FOR NO KEY UPDATE").await;
    let locked = "SELECT 1 FROM runs FOR UPDATE NOWAIT";
    assert!(database.execute(locked).await.is_err(), "the run is locked");

    let store = next.state.store();
    soon(async || store.bury().await.unwrap() == 1).await;
    soon(async || recover(store, &|_| false).await.0 == 1).await;
    next.say(&thread, "again").await;
    store.close().await;
    drop(paused);
}

/// A connection by the protocol of PostgreSQL
/// (<https://www.postgresql.org/docs/current/protocol-message-formats.html>), which stops where it is told.
struct Paused(UnixStream);

impl Paused {
    async fn connect(folder: &Folder) -> Self {
        let mut paused = Self(UnixStream::connect(socket_of_cluster()).await.unwrap());
        let name = folder.address_at(0);
        let name = name.rsplit('/').next().unwrap().split('?').next().unwrap();
        let parameters = ["user", "assent", "database", name, "application_name", GONE];
        let mut body = 196_608_u32.to_be_bytes().to_vec();
        for text in parameters {
            body.extend(text.bytes().chain([0]));
        }
        body.push(0);
        paused.send(None, &body).await;
        paused.read_to(b'Z').await;
        paused
    }

    /// Carries out a statement.
    async fn query(&mut self, statement: &str) {
        self.send(Some(b'Q'), format!("{statement}\0").as_bytes())
            .await;
        self.read_to(b'Z').await;
    }

    /// Lets a statement be carried out, up to the answer to its Execute, and says nothing more.
    async fn execute(&mut self, statement: &str) {
        self.send(Some(b'P'), format!("\0{statement}\0\0\0").as_bytes())
            .await;
        self.send(Some(b'B'), &[0; 8]).await;
        self.send(Some(b'E'), &[0; 5]).await;
        self.send(Some(b'H'), &[]).await;
        self.read_to(b'C').await;
    }

    async fn send(&mut self, kind: Option<u8>, body: &[u8]) {
        let length = u32::try_from(body.len() + 4).unwrap().to_be_bytes();
        let message: Vec<u8> = kind
            .into_iter()
            .chain(length)
            .chain(body.to_vec())
            .collect();
        self.0.write_all(&message).await.unwrap();
    }

    async fn read_to(&mut self, kind: u8) {
        loop {
            let mut head = [0; 5];
            self.0.read_exact(&mut head).await.unwrap();
            let length = u32::from_be_bytes(head[1..].try_into().unwrap());
            let mut body = vec![0; length as usize - 4];
            self.0.read_exact(&mut body).await.unwrap();
            assert_ne!(head[0], b'E', "{}", String::from_utf8_lossy(&body));
            if head[0] == kind {
                return;
            }
        }
    }
}
