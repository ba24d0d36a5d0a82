//! Bodies of requests that are answered without them: read to their end behind the answer, so that
//! whoever sends them, a proxy or a browser, can read it.

use std::slice;

use assent_service::{Settings, settings::ConnectionLimits};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::{
    common::{Service, THREADS, service_with, settings},
    connections::{PATIENT, connect, head, service, to_its_end},
};

/// More than the service reads at once.
const LENGTH: usize = 200_000;
const UPLOADS: &str = "/api/assistants/uploads";

/// Reads one response, whose length is declared, and returns its status.
async fn status_of_next(socket: &mut TcpStream) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        let mut byte = 0;
        socket.read_exact(slice::from_mut(&mut byte)).await.unwrap();
        head.push(char::from(byte));
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.unwrap().parse().unwrap()];
    socket.read_exact(&mut body).await.unwrap();
    head.split(' ').nth(1).unwrap().to_owned()
}

/// A request without a key that announces a body, and sends none.
fn anonymous() -> String {
    format!("POST {THREADS} HTTP/1.1\r\nhost: x\r\ncontent-length: {LENGTH}\r\n\r\n")
}

#[tokio::test]
async fn a_connection_stays_open_where_a_request_is_refused_before_its_body_comes() {
    let live = service(PATIENT, Vec::new()).await.listen().await;
    let declared = format!("content-length: {LENGTH}\r\n");
    let as_text = head("POST", THREADS, &declared).replace("application/json", "text/plain");
    let from_elsewhere = declared.clone() + "sec-fetch-site: cross-site\r\n";
    for (request, status) in [
        (anonymous(), "401"),
        (head("POST", UPLOADS, &from_elsewhere), "403"),
        (head("POST", "/nowhere", &declared), "404"),
        (head("PATCH", THREADS, &declared), "405"),
        (as_text, "415"),
        (head("GET", "/healthz", &declared), "200"),
    ] {
        let mut socket = connect(&live, &request).await;
        assert_eq!(status_of_next(&mut socket).await, status);
        socket.write_all(&[b'x'; LENGTH]).await.unwrap();
        let next = head("GET", "/healthz", "");
        socket.write_all(next.as_bytes()).await.unwrap();
        assert_eq!(status_of_next(&mut socket).await, "200", "after {status}");
    }
    live.stop().await;
}

#[tokio::test]
async fn whoever_sends_a_file_that_is_too_long_to_its_end_reads_why_it_is_refused() {
    /// More than the buffers of both sockets hold.
    const FILE: usize = 64 * 1024 * 1024;
    let settings = Settings {
        connections: PATIENT,
        upload_limit: 10,
        ..settings()
    };
    let service: Service = service_with(settings, Vec::new()).await;
    let live = service.listen().await;
    let chunk = format!("{FILE:x}\r\n");
    for (framing, before, after) in [
        (format!("content-length: {FILE}\r\n"), "", ""),
        (
            "transfer-encoding: chunked\r\n".to_owned(),
            chunk.as_str(),
            "\r\n0\r\n\r\n",
        ),
    ] {
        let mut socket = connect(&live, &head("POST", UPLOADS, &framing)).await;
        socket.write_all(before.as_bytes()).await.unwrap();
        socket.write_all(&vec![b'x'; FILE]).await.unwrap();
        socket.write_all(after.as_bytes()).await.unwrap();
        assert_eq!(status_of_next(&mut socket).await, "413", "{framing}");
    }
    live.stop().await;
}

#[tokio::test]
async fn a_connection_whose_body_nobody_needs_gives_way_to_a_new_one() {
    let limits = ConnectionLimits {
        max_connections: 1,
        ..PATIENT
    };
    let live = service(limits, Vec::new()).await.listen().await;
    let mut first = connect(&live, &anonymous()).await;
    assert_eq!(status_of_next(&mut first).await, "401");
    let mut second = connect(&live, &head("GET", "/healthz", "")).await;
    assert_eq!(status_of_next(&mut second).await, "200");
    assert_eq!(to_its_end(&mut first).await, "");
    live.stop().await;
}

#[tokio::test]
async fn a_body_that_nobody_needs_is_not_waited_for_when_the_service_stops() {
    let mut live = service(PATIENT, Vec::new()).await.listen().await;
    let mut socket = connect(&live, &anonymous()).await;
    assert_eq!(status_of_next(&mut socket).await, "401");
    live.tell_to_stop();
    assert_eq!(to_its_end(&mut socket).await, "");
    live.stopped().await;
}
