//! Connections that send no whole request: closed after a while, and in nobody's way until then.
//!
//! On a busy machine a short limit may be over before what a test sends in time is read. Where that
//! would be another case, the request is sent again.

use std::{
    io::Read as _,
    num::{NonZeroU32, NonZeroUsize},
    sync::Arc,
    time::Duration,
};

use assent_service::{
    Settings,
    agents::Agent,
    settings::{ConnectionLimits, RateLimits},
};
use axum::http::Method;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::common::{
    DEMO, KEY, Service, THREADS, UNLIMITED, USER,
    agents::Gate,
    live::{End, Live},
    messages_of, request, service_with, settings, text, types, until,
};

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(3600);

/// Limits that no test reaches.
pub(crate) const PATIENT: ConnectionLimits = ConnectionLimits {
    max_connections: 4096,
    header_timeout: LONG,
    body_idle_timeout: LONG,
    body_timeout: LONG,
    body_rate: NonZeroU32::MIN,
};

pub(crate) async fn service(connections: ConnectionLimits, agents: Vec<Arc<dyn Agent>>) -> Service {
    let settings = Settings {
        connections,
        ..settings()
    };
    service_with(settings, agents).await
}

pub(crate) async fn connect(live: &Live, bytes: &str) -> TcpStream {
    let mut socket = TcpStream::connect(live.address).await.unwrap();
    socket.write_all(bytes.as_bytes()).await.unwrap();
    socket
}

/// Returns all that comes until the service closes the connection.
pub(crate) async fn to_its_end(socket: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    // A connection that is reset has ended, too.
    socket.read_to_end(&mut bytes).await.ok();
    String::from_utf8(bytes).unwrap()
}

pub(crate) fn head(method: &str, path: &str, more: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {KEY}\r\n\
         x-service-user-id: {USER}\r\ncontent-type: application/json\r\n{more}\r\n"
    )
}

#[tokio::test]
async fn a_connection_without_a_whole_head_is_closed() {
    let limits = ConnectionLimits {
        header_timeout: SHORT,
        ..PATIENT
    };
    let live = service(limits, Vec::new()).await.listen().await;
    for beginning in ["", "GET /heal", "GET /healthz HTTP/1.1\r\nhost: x\r\n"] {
        let mut socket = connect(&live, beginning).await;
        assert_eq!(to_its_end(&mut socket).await, "", "{beginning:?}");
    }
    // A head that always has one more byte is no whole one either. It is closed long before it is
    // too long, which would be answered.
    let (mut reading, mut writing) = connect(&live, "GET / HTTP/1.1\r\na: ").await.into_split();
    let trickle = tokio::spawn(async move {
        while writing.write_all(b"b").await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    // Reset, if a byte was still on its way.
    assert_eq!(reading.read(&mut [0]).await.unwrap_or(0), 0);
    trickle.await.unwrap();
    live.stop().await;
}

#[tokio::test]
async fn a_connection_is_closed_where_no_request_follows_an_answer() {
    let limits = ConnectionLimits {
        header_timeout: SHORT,
        ..PATIENT
    };
    let live = service(limits, Vec::new()).await.listen().await;
    until(async || {
        let mut socket = connect(&live, &head("GET", "/healthz", "")).await;
        to_its_end(&mut socket).await.starts_with("HTTP/1.1 200 OK")
    })
    .await;
    live.stop().await;
}

#[tokio::test]
async fn a_body_that_falls_silent_is_refused() {
    let limits = ConnectionLimits {
        body_idle_timeout: SHORT,
        ..PATIENT
    };
    let service = service(limits, Vec::new()).await;
    let thread = service.thread("demo").await;
    let live = service.listen().await;
    let messages = messages_of(&thread);
    for (method, path) in [
        ("POST", THREADS),
        ("PUT", &format!("{THREADS}/{thread}")),
        ("POST", &messages),
        ("POST", "/api/assistants/uploads"),
    ] {
        for (framing, beginning) in [
            ("content-length: 9\r\n", "{\"a"),
            ("transfer-encoding: chunked\r\n", "3\r\n{\"a\r\n"),
        ] {
            let request = head(method, path, framing) + beginning;
            let answer = to_its_end(&mut connect(&live, &request).await).await;
            assert!(answer.starts_with("HTTP/1.1 408 "), "{path}: {answer}");
            assert!(answer.contains("The request body was not sent in time."));
        }
    }
    assert_eq!(service.messages(&thread).await.len(), 0);
    live.stop().await;
}

#[tokio::test]
async fn a_body_without_end_is_refused_although_it_is_never_silent() {
    for limits in [
        ConnectionLimits {
            body_timeout: SHORT,
            ..PATIENT
        },
        // A byte now and then is too slow, too.
        ConnectionLimits {
            body_idle_timeout: SHORT,
            body_rate: NonZeroU32::MAX,
            ..PATIENT
        },
    ] {
        a_trickle_is_refused(limits).await;
    }
}

async fn a_trickle_is_refused(limits: ConnectionLimits) {
    let live = service(limits, Vec::new()).await.listen().await;
    let request = head(
        "POST",
        "/api/assistants/uploads",
        "content-length: 10000000\r\n",
    );
    let (mut reading, mut writing) = connect(&live, &request).await.into_split();
    let trickle = tokio::spawn(async move {
        while writing.write_all(b"x").await.is_ok() {
            tokio::task::yield_now().await;
        }
    });
    let mut status = [0; 12];
    reading.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 408");
    trickle.await.unwrap();
    live.stop().await;
}

#[tokio::test]
async fn a_body_that_always_has_more_is_refused_at_its_deadline() {
    let limits = ConnectionLimits {
        body_timeout: Duration::ZERO,
        ..PATIENT
    };
    let service = service(limits, Vec::new()).await;
    let mut upload = request(Method::POST, "/api/assistants/uploads", USER, None);
    // All of it is there at once, as from a sender that is faster than the disk.
    *upload.body_mut() = vec![b'x'; 100].into();
    let answer = service.send(upload).await;
    let failure = answer.failure(408);
    assert_eq!(failure["message"], "The request body was not sent in time.");
}

#[tokio::test]
async fn a_body_that_nobody_wants_holds_no_connection() {
    let limits = ConnectionLimits {
        body_idle_timeout: SHORT,
        ..PATIENT
    };
    let service = service(limits, Vec::new()).await;
    let live = service.listen().await;
    let unread = "content-length: 9\r\n";
    let anonymous = format!("POST {THREADS} HTTP/1.1\r\nhost: x\r\n{unread}\r\n");
    for (request, status) in [
        (head("GET", "/healthz", unread), "200"),
        (head("DELETE", &format!("{THREADS}/none"), unread), "404"),
        (anonymous, "401"),
    ] {
        let answer = to_its_end(&mut connect(&live, &request).await).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
    }
    live.stop().await;
}

#[tokio::test]
async fn an_answer_may_take_longer_than_all_limits() {
    let gate = Gate::new();
    let limits = ConnectionLimits {
        header_timeout: SHORT,
        body_idle_timeout: SHORT,
        body_timeout: SHORT,
        ..PATIENT
    };
    let service = service(limits, vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let post = text("go");
    let mut answer = loop {
        let post = request(Method::POST, &messages_of(&thread), USER, Some(&post));
        match live.try_send(post).await {
            Ok(answer) if answer.status == 200 => break answer,
            _was_late => {}
        }
    };
    answer.read_to("AGENT_RESPONSE_CHUNK").await;
    // Each of these takes one limit.
    for request in [
        String::new(),
        head("POST", THREADS, "content-length: 9\r\n"),
    ] {
        to_its_end(&mut connect(&live, &request).await).await;
    }
    gate.open.add_permits(1);
    let (events, end) = answer.rest().await;
    assert_eq!(types(&events).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    assert_eq!(end, End::Clean);
    live.stop().await;
}

#[tokio::test]
async fn a_new_connection_takes_the_place_of_the_one_that_has_waited_longest() {
    let limits = ConnectionLimits {
        max_connections: 2,
        ..PATIENT
    };
    let service = service(limits, Vec::new()).await;
    let live = service.listen().await;
    let mut first = connect(&live, "GET").await;
    let mut second = connect(&live, &head("GET", "/healthz", "")).await;
    // Answered, so that both are known to the service, and the second one waits again.
    second.read_u8().await.unwrap();
    let third = live
        .send(request(Method::GET, "/healthz", USER, None))
        .await;
    assert_eq!(third.status, 200);
    assert_eq!(to_its_end(&mut first).await, "");
    second
        .write_all(head("GET", "/nowhere", "connection: close\r\n").as_bytes())
        .await
        .unwrap();
    assert!(to_its_end(&mut second).await.contains("HTTP/1.1 404"));
    live.stop().await;
}

#[tokio::test]
async fn where_every_connection_is_being_answered_a_new_one_waits_for_an_end() {
    let gate = Gate::new();
    let limits = ConnectionLimits {
        max_connections: 1,
        ..PATIENT
    };
    let service = service(limits, vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut answer = live.post(&messages_of(&thread), USER, &text("go")).await;
    answer.read_to("AGENT_RESPONSE_CHUNK").await;
    let mut other = connect(&live, &head("GET", "/healthz", "connection: close\r\n")).await;
    gate.open.add_permits(1);
    let (events, end) = answer.rest().await;
    assert_eq!(types(&events).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    assert_eq!(end, End::Clean);
    assert!(to_its_end(&mut other).await.starts_with("HTTP/1.1 200 OK"));
    live.stop().await;
}

/// Opens this many requests of a user whose bodies never come.
async fn hold(live: &Live, user: &str, count: usize) -> Vec<TcpStream> {
    let head = head("POST", THREADS, "content-length: 9\r\n").replace(USER, user);
    let mut sockets = Vec::new();
    for _ in 0..count {
        sockets.push(connect(live, &head).await);
    }
    sockets
}

#[tokio::test]
async fn one_user_who_never_ends_a_request_keeps_nobody_out() {
    let limits = ConnectionLimits {
        max_connections: 40,
        ..PATIENT
    };
    let settings = Settings {
        connections: limits,
        rates: RateLimits {
            open_user: NonZeroUsize::new(100),
            open_key: NonZeroUsize::new(100),
            ..UNLIMITED
        },
        ..settings()
    };
    let service = service_with(settings, Vec::new()).await;
    let live = service.listen().await;
    let _of_ada = hold(&live, "ada", 60).await;
    let list = |user| service.send(request(Method::GET, DEMO, user, None));
    until(async || list("ada").await.status == 429).await;
    let refused = list("ada").await;
    assert_eq!(refused.headers["retry-after"], "1");
    let sentence = "10 of your requests are being answered already. Try again in a moment.";
    assert_eq!(refused.failure(429)["message"], sentence);
    assert_eq!(list("bob").await.status, 200);
    // Nor do many of them who share a key.
    let mut others = Vec::new();
    for user in ["bob", "cleo", "dan"] {
        others.extend(hold(&live, user, 10).await);
    }
    until(async || list("eve").await.status == 429).await;
    for path in ["/healthz", "/nowhere"] {
        let answer = live.send(request(Method::GET, path, USER, None)).await;
        assert_ne!(answer.status, 429);
    }
    drop(others);
    until(async || list("eve").await.status == 200).await;
    live.stop().await;
}

/// True if the other side has not closed the connection.
fn is_open(socket: TcpStream) -> bool {
    // It does not block: it comes from a runtime.
    let read = socket.into_std().unwrap().read(&mut [0]);
    read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
}

#[tokio::test(flavor = "multi_thread")]
async fn while_5000_connections_never_end_their_requests_others_are_served() {
    const COUNT: usize = 5_000;
    // Both ends of each connection are open files of this process.
    let files = rlimit::increase_nofile_limit(11_000).unwrap();
    assert!(
        files >= 11_000,
        "this test needs 11,000 open files: ulimit -Hn says {files}"
    );
    let service = service(PATIENT, Vec::new()).await;
    let thread = service.thread("demo").await;
    let live = service.listen().await;
    let without_body = head("POST", THREADS, "content-length: 9\r\n").replace(USER, "bob");
    let beginnings = ["", "GET /healthz HTTP/1.1\r\nhost: x\r\n", &without_body];
    let mut sockets = Vec::new();
    for beginning in beginnings.iter().cycle().take(COUNT) {
        sockets.push(connect(&live, beginning).await);
    }
    let list = live
        .send(request(Method::GET, &format!("{THREADS}/demo"), USER, None))
        .await;
    assert_eq!(list.status, 200);
    let mut answer = live.post(&messages_of(&thread), USER, &text("hello")).await;
    let (events, end) = answer.rest().await;
    assert_eq!(types(&events).last(), Some(&"AGENT_RESPONSE_COMPLETE"));
    assert_eq!(end, End::Clean);
    let open = sockets
        .into_iter()
        .map(is_open)
        .filter(|open| *open)
        .count();
    assert!((4_000..=PATIENT.max_connections).contains(&open), "{open}");
    live.stop().await;
}
