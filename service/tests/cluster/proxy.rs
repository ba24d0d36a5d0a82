//! A proxy between a replica and PostgreSQL, which breaks or stalls a connection at a COMMIT.

use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, UnixStream, tcp, unix},
};

use crate::random::pause;

/// What happens to the next COMMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The connection breaks before the database gets it.
    BeforeCommit,
    /// The database gets it, and its answer is lost with the connection.
    AfterCommit,
    /// It comes to the database after the lease is over.
    Stall,
}

/// The time of a stall: longer than the lease of a replica.
pub const STALL: Duration = Duration::from_secs(3);

pub struct Proxy {
    pub port: u16,
    armed: Arc<Mutex<Option<Fault>>>,
}

impl Proxy {
    pub async fn start(socket: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let armed: Arc<Mutex<Option<Fault>>> = Arc::default();
        let shared = Arc::clone(&armed);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (socket, armed) = (socket.clone(), Arc::clone(&shared));
                tokio::spawn(async move {
                    // Without a server the client is let go.
                    let Ok(server) = UnixStream::connect(&socket).await else {
                        return;
                    };
                    let (from_client, mut to_client) = client.into_split();
                    let (from_server, to_server) = server.into_split();
                    let is_lost = AtomicBool::new(false);
                    tokio::select! {
                        () = pass(from_client, to_server, &armed, &is_lost) => {}
                        () = answer(from_server, &mut to_client, &is_lost) => {}
                    }
                });
            }
        });
        Self { port, armed }
    }

    pub fn arm(&self, fault: Fault) {
        *self.armed.lock().unwrap() = Some(fault);
    }
}

/// Passes on what the client says, message by message, until one of the two is gone.
async fn pass(
    mut client: tcp::OwnedReadHalf,
    mut server: unix::OwnedWriteHalf,
    armed: &Mutex<Option<Fault>>,
    is_lost: &AtomicBool,
) {
    let mut commits = HashSet::new();
    // The first message has no type.
    let mut is_first = true;
    loop {
        let mut head = vec![0; if is_first { 4 } else { 5 }];
        if client.read_exact(&mut head).await.is_err() {
            return;
        }
        let length = u32::from_be_bytes(head[head.len() - 4..].try_into().unwrap());
        let mut body = vec![0; length as usize - 4];
        if client.read_exact(&mut body).await.is_err() {
            return;
        }
        let is_commit = !is_first && is_commit(head[0], &body, &mut commits);
        is_first = is_first && length == 8;
        let fault = is_commit.then(|| armed.lock().unwrap().take()).flatten();
        match fault {
            Some(Fault::BeforeCommit) => return,
            Some(Fault::Stall) => pause(STALL).await,
            Some(Fault::AfterCommit) => is_lost.store(true, Ordering::Release),
            None => {}
        }
        head.extend(body);
        if server.write_all(&head).await.is_err() {
            return;
        }
    }
}

/// Passes on what the server answers, until one of the two is gone or its answer is to be lost.
async fn answer(
    mut server: unix::OwnedReadHalf,
    client: &mut tcp::OwnedWriteHalf,
    is_lost: &AtomicBool,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(read @ 1..) = server.read(&mut bytes).await {
        if is_lost.load(Ordering::Acquire) || client.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

/// Returns true for a message that lets a COMMIT be carried out; prepared ones are known by name.
fn is_commit(kind: u8, body: &[u8], commits: &mut HashSet<Vec<u8>>) -> bool {
    let mut texts = body.split(|byte| *byte == 0);
    let (first, second) = (
        texts.next().unwrap_or_default(),
        texts.next().unwrap_or_default(),
    );
    match kind {
        b'Q' => first == b"COMMIT",
        b'P' => {
            if second == b"COMMIT" {
                commits.insert(first.to_vec());
            }
            false
        }
        b'B' => commits.contains(second),
        _ => false,
    }
}
