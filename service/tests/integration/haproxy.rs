//! `deploy/haproxy.cfg` in front of servers that stand for replicas: what is sent where, and what is
//! sent again.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{Method, StatusCode},
    response::{IntoResponse as _, Response},
};
use futures_util::StreamExt as _;
use tokio::{net::TcpListener, sync::mpsc};

use crate::common::{Folder, haproxy::HaProxy, until};

/// A server that stands for a replica.
#[derive(Clone)]
struct Replica {
    name: &'static str,
    address: String,
    is_ready: Arc<AtomicBool>,
    /// True if it answers 503 to all but the question whether it is ready.
    fails: Arc<AtomicBool>,
    requests: Arc<Mutex<Vec<String>>>,
    /// What its streams say.
    stream: Arc<Mutex<Option<mpsc::Receiver<&'static str>>>>,
}

impl Replica {
    async fn start(name: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let replica = Self {
            name,
            address: listener.local_addr().unwrap().to_string(),
            is_ready: Arc::new(AtomicBool::new(true)),
            fails: Arc::default(),
            requests: Arc::default(),
            stream: Arc::default(),
        };
        let app = Router::new().fallback(answer).with_state(replica.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        replica
    }

    fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }
}

async fn answer(State(replica): State<Replica>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    if path == "/readyz" {
        return match replica.is_ready.load(Ordering::SeqCst) {
            true => StatusCode::OK.into_response(),
            false => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        };
    }
    let line = format!("{} {path}", request.method());
    replica.requests.lock().unwrap().push(line);
    if replica.fails.load(Ordering::SeqCst) {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let stream = replica.stream.lock().unwrap().take();
    match stream {
        Some(pieces) if path.ends_with("/stream") => {
            let pieces = futures_util::stream::unfold(pieces, async |mut pieces| {
                let piece = pieces.recv().await?;
                Some((Ok::<_, std::convert::Infallible>(piece), pieces))
            });
            Body::from_stream(pieces).into_response()
        }
        _ => replica.name.into_response(),
    }
}

/// HAProxy in front of the replicas of a test.
struct Proxy(HaProxy);

impl Proxy {
    fn start(folder: &Folder, replicas: &[&Replica]) -> Self {
        let servers = replicas.iter().map(|it| (it.name, &*it.address));
        Self(HaProxy::start(folder, servers))
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.0.address)
    }

    async fn send(&self, method: Method, path: &str) -> (StatusCode, String) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let response = client.request(method, self.url(path)).send().await.unwrap();
        (response.status(), response.text().await.unwrap())
    }

    /// Returns the names of the replicas that answer, of many conversations.
    async fn answering(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for number in 0..40 {
            let path = format!("/api/assistants/threads/{number}/messages");
            let Ok(response) = reqwest::get(self.url(&path)).await else {
                return BTreeSet::new();
            };
            let status = response.status();
            names.insert(match response.text().await {
                Ok(name) if status.is_success() => name,
                _ => status.to_string(),
            });
        }
        names
    }

    async fn answers_by(&self, names: &[&str]) {
        let names: BTreeSet<String> = names.iter().map(|&name| name.to_owned()).collect();
        until(async || self.answering().await == names).await;
    }
}

async fn behind_a_proxy() -> (Proxy, [Replica; 3], Arc<Folder>) {
    let folder = Folder::new();
    let replicas = [
        Replica::start("a").await,
        Replica::start("b").await,
        Replica::start("c").await,
    ];
    let proxy = Proxy::start(&folder, &replicas.each_ref());
    proxy.answers_by(&["a", "b", "c"]).await;
    for replica in &replicas {
        replica.requests();
    }
    (proxy, replicas, folder)
}

#[tokio::test]
async fn a_conversation_stays_at_its_replica_while_others_come_and_go() {
    let (proxy, replicas, _folder) = behind_a_proxy().await;
    let mut at = Vec::new();
    for number in 0..30 {
        let thread = format!("/api/assistants/threads/{number}");
        let (_, name) = proxy.send(Method::GET, &thread).await;
        for rest in ["/messages", "/messages/stream?after=1", "/cancel"] {
            let (_, other) = proxy.send(Method::POST, &format!("{thread}{rest}")).await;
            assert_eq!(other, name, "{thread}{rest}");
        }
        at.push((thread, name));
    }
    let away = replicas.iter().find(|it| it.name == "b").unwrap();
    away.is_ready.store(false, Ordering::SeqCst);
    proxy.answers_by(&["a", "c"]).await;
    for (thread, before) in &at {
        let (_, name) = proxy.send(Method::GET, thread).await;
        assert!(
            name == *before || before == "b",
            "{thread}: {before}, {name}"
        );
    }
    away.is_ready.store(true, Ordering::SeqCst);
    proxy.answers_by(&["a", "b", "c"]).await;
    for (thread, before) in &at {
        assert_eq!(proxy.send(Method::GET, thread).await.1, *before);
    }
}

#[tokio::test]
async fn pieces_of_a_stream_come_at_once_and_a_replica_that_drains_finishes_them() {
    let (proxy, replicas, _folder) = behind_a_proxy().await;
    let path = "/api/assistants/threads/1/messages/stream";
    let (_, name) = proxy.send(Method::GET, path).await;
    let replica = replicas.iter().find(|it| it.name == name).unwrap();
    let (pieces, stream) = mpsc::channel(1);
    *replica.stream.lock().unwrap() = Some(stream);
    let response = reqwest::get(proxy.url(path)).await.unwrap();
    let mut read = response.bytes_stream();
    pieces.send("one").await.unwrap();
    assert_eq!(read.next().await.unwrap().unwrap(), "one");
    replica.is_ready.store(false, Ordering::SeqCst);
    let others: Vec<&str> = replicas.iter().map(|it| it.name).collect();
    let others: Vec<&str> = others.into_iter().filter(|it| *it != name).collect();
    proxy.answers_by(&others).await;
    pieces.send("two").await.unwrap();
    assert_eq!(read.next().await.unwrap().unwrap(), "two");
    drop(pieces);
    assert!(read.next().await.is_none());
}

#[tokio::test]
async fn what_may_have_happened_is_not_sent_twice() {
    let (proxy, replicas, _folder) = behind_a_proxy().await;
    let path = "/api/assistants/threads/1/messages";
    let (_, name) = proxy.send(Method::GET, path).await;
    let replica = replicas.iter().find(|it| it.name == name).unwrap();
    replica.fails.store(true, Ordering::SeqCst);
    replica.requests();
    let (status, _) = proxy.send(Method::POST, path).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(replica.requests(), [format!("POST {path}")]);
    for other in replicas.iter().filter(|it| it.name != name) {
        let requests = other.requests();
        assert!(
            !requests.iter().any(|it| it.starts_with("POST")),
            "{requests:?}"
        );
    }
    // A question may be asked again, and another replica knows the answer.
    let (status, other) = proxy.send(Method::GET, path).await;
    assert_eq!(status, StatusCode::OK);
    assert_ne!(other, name);
}
