//! The connections of all clients: accepted up to a bound, served, and closed where no request
//! comes.
//!
//! Where there are as many as allowed, a new one takes the place of the one that has waited longest
//! for a request, so that connections without requests keep nobody out.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    pin::pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Error, Router,
    body::{Body, HttpBody},
    http::{Request, Response},
    serve::Listener,
};
use http_body_util::BodyExt as _;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit as Place, Semaphore},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt as _;

use crate::{
    Settings, http::bounded_socket::BoundedSocket, http::drained_body::UnreadBody,
    settings::ConnectionLimits,
};

/// The greatest length of a request's head, and of what is read ahead of a body, in bytes.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Serves the connections of a listener until `stop`, and returns when all connections have ended:
/// those without a request at once, the others after their answer.
pub(crate) async fn serve(
    mut listener: TcpListener,
    app: Router,
    settings: &Settings,
    stop: CancellationToken,
) {
    let limits = settings.connections;
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(MAX_HEAD_BYTES);
    let clients = Clients::new(limits.max_connections);
    let connections = TaskTracker::new();
    loop {
        let (socket, place) = tokio::select! {
            accepted = clients.accept(&mut listener) => accepted,
            () = stop.cancelled() => break,
        };
        let socket = TokioIo::new(BoundedSocket::new(socket, settings.slow_client_timeout));
        let client = clients.add(stop.child_token());
        let (http, app) = (http.clone(), app.clone());
        connections.spawn(async move {
            let _place = place;
            let service =
                service_fn(|request| answer_request(app.clone(), client.clone(), limits, request));
            let mut connection = pin!(http.serve_connection(socket, service));
            // A client that breaks off or is too slow is no fault of the service.
            tokio::select! {
                _ = connection.as_mut() => return,
                () = client.dropped.cancelled() => return,
                () = client.ending.cancelled() => connection.as_mut().graceful_shutdown(),
            }
            connection.await.ok();
        });
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// Answers one request. The client counts as busy until the answer has been read to its end. While
/// the service reads what it did not need of the request, the client counts as waiting, so that
/// this keeps nobody out.
async fn answer_request(
    app: Router,
    client: Arc<ClientConnection>,
    limits: ConnectionLimits,
    request: Request<Incoming>,
) -> Result<Response<impl HttpBody<Data = axum::body::Bytes, Error = Error>>, Infallible> {
    let ending = client.ending.clone();
    let busy = BusyClient::new(client);
    let (request, unread) = UnreadBody::lend(request.map(Body::new));
    let response = app.oneshot(request).await?;
    if let Some(unread) = unread {
        let draining = unread.drain(limits);
        tokio::spawn(ending.run_until_cancelled_owned(draining));
    }
    Ok(response.map(|body| {
        body.map_err(move |error| {
            let _until_its_end = &busy;
            error
        })
    }))
}

/// All connections: the permits for those that may be open, and those that wait for a request.
#[derive(Clone)]
struct Clients {
    places: Arc<Semaphore>,
    queue: Arc<Mutex<WaitingClients>>,
}

/// The connections on which no request is being answered.
#[derive(Default)]
struct WaitingClients {
    /// The tokens that close these connections, by numbers that grow in the order in which they
    /// began to wait.
    waiting: BTreeMap<u64, CancellationToken>,
    /// The latest number that was given in `waiting`; 0 before the first.
    last: u64,
    /// True while a new connection waits for a permit and a request is being answered on all
    /// others.
    is_crowded: bool,
}

impl Clients {
    fn new(max_connections: usize) -> Self {
        Self {
            places: Arc::new(Semaphore::new(max_connections)),
            queue: Arc::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, WaitingClients> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next connection with its permit, once fewer are open than are allowed.
    async fn accept(&self, listener: &mut TcpListener) -> (TcpStream, Option<Place>) {
        let (socket, _) = Listener::accept(listener).await;
        if self.places.available_permits() == 0 {
            self.close_oldest();
        }
        // Without a place only if the semaphore were closed, which it never is.
        let place = Arc::clone(&self.places).acquire_owned().await.ok();
        self.lock().is_crowded = false;
        (socket, place)
    }

    /// Closes the connection that has waited longest for a request. If none waits, the first one on
    /// which an answer ends is closed then.
    fn close_oldest(&self) {
        let mut queue = self.lock();
        match queue.waiting.pop_first() {
            Some((_, dropped)) => dropped.cancel(),
            None => queue.is_crowded = true,
        }
    }

    /// Adds a client that waits for its first request.
    fn add(&self, ending: CancellationToken) -> Arc<ClientConnection> {
        let client = Arc::new(ClientConnection {
            clients: self.clone(),
            number: AtomicU64::new(0),
            dropped: CancellationToken::new(),
            ending,
        });
        client.begin_wait();
        client
    }
}

/// One connection, and its number among those that wait for a request.
struct ClientConnection {
    clients: Clients,
    /// The connection's number in `WaitingClients::waiting`, or the last that it had there.
    number: AtomicU64,
    /// Cancelled to close the connection at once.
    dropped: CancellationToken,
    /// Cancelled to close the connection after its answer.
    ending: CancellationToken,
}

impl ClientConnection {
    fn begin_wait(&self) {
        let mut queue = self.clients.lock();
        if queue.is_crowded {
            queue.is_crowded = false;
            self.ending.cancel();
        } else {
            queue.last += 1;
            self.number.store(queue.last, Ordering::Relaxed);
            let last = queue.last;
            queue.waiting.insert(last, self.dropped.clone());
        }
    }

    fn end_wait(&self) {
        let number = self.number.load(Ordering::Relaxed);
        self.clients.lock().waiting.remove(&number);
    }
}

impl Drop for ClientConnection {
    fn drop(&mut self) {
        self.end_wait();
    }
}

/// A client whose request is being answered; when this is dropped the client waits for its next
/// request.
struct BusyClient(Arc<ClientConnection>);

impl BusyClient {
    fn new(client: Arc<ClientConnection>) -> Self {
        client.end_wait();
        Self(client)
    }
}

impl Drop for BusyClient {
    fn drop(&mut self) {
        self.0.begin_wait();
    }
}
