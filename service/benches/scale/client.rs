//! Connections of clients, and readers of answers that see whether something is missing.

use std::error::Error;

use assent_sse::Decoder;
use http_body_util::{BodyExt as _, Full};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    client::conn::http1,
};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use crate::cluster::{Cluster, Person, Server};

pub(crate) type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The text of each piece of an answer (`benches/load/agents/load`).
const PIECE: &str = "word upon word, ";

/// The header in which HAProxy names the replica that has answered.
const REPLICA: &str = "x-replica";

/// A connection, for one request after the other.
pub(crate) struct Connection<'a> {
    server: &'a Server,
    sender: http1::SendRequest<Full<Bytes>>,
}

impl<'a> Connection<'a> {
    pub(crate) async fn open(server: &'a Server) -> Result<Self> {
        let socket = TcpStream::connect(&server.address).await?;
        socket.set_nodelay(true)?;
        let (sender, connection) = http1::handshake(TokioIo::new(socket)).await?;
        tokio::task::spawn_local(async move {
            // Broken connections are seen by their readers.
            connection.await.ok();
        });
        Ok(Self { server, sender })
    }

    /// Sends a request and returns the response, whatever it says.
    pub(crate) async fn send(
        &mut self,
        method: Method,
        user: &str,
        path: &str,
        body: String,
    ) -> Result<Response<Incoming>> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", &self.server.address)
            .header("authorization", format!("Bearer {}", self.server.key))
            .header("x-service-user-id", user)
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(body)))?;
        self.sender.ready().await?;
        Ok(self.sender.send_request(request).await?)
    }

    /// Posts words, and returns the answer.
    pub(crate) async fn post(&mut self, person: &Person, words: &str) -> Result<Stream> {
        let body = format!(r#"{{"content":[{{"type":"text","text":"{words}"}}]}}"#);
        let path = format!("{}/messages", path_of(person, 0));
        let response = self.send(Method::POST, &person.user, &path, body).await?;
        Stream::new(response, Place::default()).await
    }
}

/// Returns the path of a thread, in one of many ways to write it, which HAProxy takes for different
/// ones, and the service does not.
fn path_of(person: &Person, way: usize) -> String {
    let mut path = "/api/assistants/threads/".to_owned();
    for (index, byte) in person.thread.bytes().enumerate() {
        if way == index + 1 {
            path.push_str(&format!("%{byte:02x}"));
        } else {
            path.push(char::from(byte));
        }
    }
    path
}

/// What a reader has of an answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    run: String,
    last: i64,
}

/// An answer as it is read.
pub(crate) struct Stream {
    body: Incoming,
    decoder: Decoder,
    /// The replica that it is read from.
    pub(crate) replica: String,
    pub(crate) place: Place,
}

/// Events that have come together.
#[derive(Debug, Default)]
pub(crate) struct Arrived {
    /// The number of events, those that were joined included.
    pub(crate) events: usize,
    /// From the making of each to its reading, in ms.
    pub(crate) delays: Vec<f64>,
}

impl Stream {
    async fn new(response: Response<Incoming>, place: Place) -> Result<Self> {
        let status = response.status();
        if status != StatusCode::OK {
            let body = response.into_body().collect().await?.to_bytes();
            return Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into());
        }
        let replica = response.headers().get(REPLICA);
        let replica = replica.and_then(|name| name.to_str().ok());
        Ok(Self {
            replica: replica.ok_or("HAProxy names no replica")?.to_owned(),
            body: response.into_body(),
            decoder: Decoder::new(),
            place,
        })
    }

    /// Reads an answer after a place, from the replica that the way leads to.
    pub(crate) async fn follow(
        cluster: &Cluster,
        person: &Person,
        way: usize,
        place: &Place,
    ) -> Result<Self> {
        let mut path = format!("{}/messages/stream", path_of(person, way));
        if place.last > 0 {
            path.push_str(&format!("?after={}/{}", place.run, place.last));
        }
        let mut connection = Connection::open(&cluster.server).await?;
        let sent = connection.send(Method::GET, &person.user, &path, String::new());
        Self::new(sent.await?, place.clone()).await
    }

    /// Reads an answer from its beginning, from another replica than `replica` if there is one;
    /// returns the way there, too.
    pub(crate) async fn follow_elsewhere(
        cluster: &Cluster,
        person: &Person,
        replica: &str,
    ) -> Result<(Self, usize)> {
        for way in 1..=person.thread.len() {
            let stream = Self::follow(cluster, person, way, &Place::default()).await?;
            if stream.replica != replica || cluster.replicas.len() == 1 {
                return Ok((stream, way));
            }
        }
        Err("no way leads to another replica".into())
    }

    /// Reads what comes next; `None` at the end. An event that is missing is an error.
    pub(crate) async fn read(&mut self) -> Result<Option<Arrived>> {
        let Some(frame) = self.body.frame().await else {
            return Ok(None);
        };
        let bytes = frame?.into_data().unwrap_or_default();
        let mut arrived = Arrived::default();
        for frame in self.decoder.push(&bytes) {
            let frame = frame?;
            let events = self.place.move_to(&frame.id, &frame.data)?;
            arrived.events += events;
            arrived.delays.extend(age(&frame.data));
        }
        Ok(Some(arrived))
    }
}

impl Place {
    /// Moves behind an event; returns the number of events that it stands for.
    fn move_to(&mut self, id: &str, data: &str) -> Result<usize> {
        let (run, number) = id.rsplit_once('/').ok_or("an event without an id")?;
        let number: i64 = number.parse()?;
        if self.last == 0 {
            run.clone_into(&mut self.run);
        }
        let events = usize::try_from(number - self.last).unwrap_or(0);
        // Pieces of text that were joined have the id of the last one, and all of their text.
        let is_whole = events == 1 || text(data)?.len() == events * PIECE.len();
        if run != self.run || events == 0 || !is_whole {
            return Err(format!("GAP: {id} after {}/{}: {data}", self.run, self.last).into());
        }
        self.last = number;
        Ok(events)
    }
}

fn text(data: &str) -> Result<String> {
    let event: serde_json::Value = serde_json::from_str(data)?;
    let text = event.pointer("/eventMessage/content");
    Ok(text
        .and_then(|it| it.as_str())
        .unwrap_or_default()
        .to_owned())
}

/// Returns the time since an event was made, in ms.
fn age(data: &str) -> Option<f64> {
    let (_, rest) = data.rsplit_once("\"timestamp\":\"")?;
    let made: jiff::Timestamp = rest.split('"').next()?.parse().ok()?;
    let ago = jiff::Timestamp::now().duration_since(made);
    Some(ago.as_secs_f64() * 1000.0)
}
