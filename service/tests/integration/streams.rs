//! Streams over a real socket, read with `assent_sse`: framing, silence, clients that leave or lag,
//! breaks and shutdown.

use std::time::Duration;

use assent_protocol::EventType;
use assent_service::{Settings, sentence::INTERRUPTED, settings::StoreLimits};
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::common::{
    self, KEY, Service, THREADS, USER,
    agents::{Flood, Gate},
    content,
    live::End,
    messages_of, request, requests, service, service_with, settings, text, types, until,
};

/// For answers that are longer than anybody wants to read.
const ROOM: StoreLimits = StoreLimits {
    thread_bytes: u64::MAX,
    user_files: 0,
};

async fn stored(service: &Service, thread: &str) -> String {
    until(async || service.messages(thread).await.len() == 2).await;
    service.messages(thread).await[1]["content"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[tokio::test]
async fn a_stream_arrives_event_by_event_while_it_is_written() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
    assert_eq!(reader.status, 200);
    let chunk = reader.read_to("AGENT_RESPONSE_CHUNK").await;
    assert_eq!(chunk.event_message.content, "first");
    gate.open.add_permits(1);
    let (rest, end) = reader.rest().await;
    assert_eq!(
        types(&rest),
        ["AGENT_RESPONSE_CHUNK", "AGENT_RESPONSE_COMPLETE"]
    );
    assert_eq!(end, End::Clean);
    live.stop().await;
}

#[tokio::test]
async fn once_an_answer_is_complete_the_thread_can_be_read_and_posted_to() {
    let service = service().await;
    let thread = service.thread("echo").await;
    let live = service.listen().await;
    for round in 1..=20 {
        let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
        assert_eq!(reader.status, 200, "round {round}");
        reader.read_to("AGENT_RESPONSE_COMPLETE").await;
        assert_eq!(service.messages(&thread).await.len(), 2 * round);
    }
    live.stop().await;
}

#[tokio::test]
async fn every_line_is_an_id_or_data_or_a_comment() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let live = service.listen().await;
    let mut reader = live
        .post(&messages_of(&thread), USER, &text("unicode"))
        .await;
    let (events, _) = reader.rest().await;
    assert!(content(&events, "AGENT_RESPONSE_COMPLETE").contains("👩‍👩‍👧‍👦"));
    let raw = String::from_utf8(reader.raw.clone()).unwrap();
    assert!(raw.lines().all(|line| line.is_empty()
        || line.starts_with("data: ")
        || line.starts_with("id: ")
        || line.starts_with(':')));
    live.stop().await;
}

#[tokio::test]
async fn odd_characters_of_arguments_arrive_as_they_were_written() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let live = service.listen().await;
    let mut reader = live
        .post(&messages_of(&thread), USER, &text("deceptive"))
        .await;
    let (events, _) = reader.rest().await;
    let batch = &requests(&events)[0];
    let arguments = &batch[0]["toolArguments"];
    assert_eq!(arguments["file"], "invoice_\u{202E}fdp.exe");
    assert_eq!(arguments["to"], "billing@p\u{430}yments.example");
    assert_eq!(arguments["lines"], "one\ntwo\r\n\tthree\u{7}\u{0} end");
    assert!(batch[1]["toolArguments"]["content"].as_str().unwrap().len() > 20_000);
    let raw = events
        .iter()
        .find_map(|e| e.event_message.tool_execution_approval_request.as_ref());
    let names: Vec<_> = raw.unwrap()[0].read().unwrap().tool_arguments;
    let names: Vec<_> = names.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names[..4],
        ["to", "file", "note", "link"],
        "in the order of the file"
    );
    live.stop().await;
}

#[tokio::test]
async fn a_silent_stream_is_kept_alive_by_comments() {
    let gate = Gate::new();
    let settings = Settings {
        keep_alive: Duration::from_millis(20),
        ..settings()
    };
    let service = service_with(settings, vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
    while !String::from_utf8_lossy(&reader.raw).contains("\n: keep-alive\n\n: keep-alive\n\n") {
        reader.read().await.unwrap();
    }
    gate.open.add_permits(1);
    let (events, end) = reader.rest().await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "first second");
    assert_eq!(end, End::Clean);
    live.stop().await;
}

#[test]
fn the_silence_before_a_comment_is_fifteen_seconds() {
    assert_eq!(Settings::default().keep_alive, Duration::from_secs(15));
}

#[tokio::test]
async fn an_answer_is_finished_and_stored_though_its_reader_left() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
    reader.read_to("AGENT_RESPONSE_CHUNK").await;
    reader.leave();
    gate.open.add_permits(1);
    assert_eq!(stored(&service, &thread).await, "first second");
    live.stop().await;
}

#[tokio::test]
async fn a_reader_that_lags_holds_up_nobody_and_gets_all_of_it() {
    let settings = Settings {
        limits: ROOM,
        ..settings()
    };
    // Far more than sockets hold: twice 12 MB.
    let service = service_with(settings, vec![Flood::new(120, 100_000)]).await;
    let thread = service.thread("flood").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
    reader.read_to("CONNECTION_ESTABLISHED").await;
    assert_eq!(stored(&service, &thread).await.len(), 12_000_000);
    let (events, end) = reader.rest().await;
    assert_eq!(end, End::Clean);
    let said = events
        .iter()
        .filter(|event| event.event_type == EventType::AgentResponseChunk)
        .map(|event| event.event_message.content.len());
    assert_eq!(said.sum::<usize>(), 12_000_000);
    assert_eq!(
        content(&events, "AGENT_RESPONSE_COMPLETE").len(),
        12_000_000
    );
    live.stop().await;
}

#[tokio::test]
async fn the_connection_of_a_reader_that_never_reads_is_broken() {
    let settings = Settings {
        slow_client_timeout: Duration::from_millis(100),
        limits: ROOM,
        ..settings()
    };
    let service = service_with(settings, vec![Flood::new(200, 100_000)]).await;
    let thread = service.thread("flood").await;
    let live = service.listen().await;
    let mut socket = TcpStream::connect(live.address).await.unwrap();
    let body = text("go").to_string();
    let head = format!(
        "POST {} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {KEY}\r\nx-service-user-id: {USER}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        messages_of(&thread),
        body.len()
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    until(async || socket.take_error().unwrap().is_some()).await;
    assert_eq!(stored(&service, &thread).await.len(), 20_000_000);
    live.stop().await;
}

#[tokio::test]
async fn a_reader_that_keeps_up_with_a_flood_gets_all_of_it() {
    let service = service_with(settings(), vec![Flood::new(2_000, 1_000)]).await;
    let thread = service.thread("flood").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
    let (events, end) = reader.rest().await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE").len(), 2_000_000);
    assert_eq!(end, End::Clean);
    live.stop().await;
}

#[tokio::test]
async fn a_cut_breaks_the_connection_and_the_rest_is_stored() {
    let service = service().await;
    let thread = service.thread("demo").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("cut")).await;
    let (events, end) = reader.rest().await;
    assert_eq!(end, End::Broken);
    assert_eq!(types(&events).last(), Some(&"AGENT_RESPONSE_CHUNK"));
    let stored = stored(&service, &thread).await;
    assert!(stored.ends_with("written after the connection broke."));
    live.stop().await;
}

#[tokio::test]
async fn shutdown_lets_a_running_answer_end() {
    let gate = Gate::new();
    let service = service_with(settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let mut live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
    reader.read_to("AGENT_RESPONSE_CHUNK").await;
    live.tell_to_stop();
    // New connections are refused from here on.
    until(async || TcpStream::connect(live.address).await.is_err()).await;
    gate.open.add_permits(1);
    let (events, end) = reader.rest().await;
    assert_eq!(content(&events, "AGENT_RESPONSE_COMPLETE"), "first second");
    assert_eq!(end, End::Clean);
    live.stopped().await;
}

#[tokio::test]
async fn shutdown_interrupts_an_answer_that_does_not_end_and_says_so() {
    let gate = Gate::new();
    let settings = Settings {
        shutdown_grace: Duration::from_millis(50),
        ..settings()
    };
    let service = service_with(settings.clone(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
    reader.read_to("AGENT_RESPONSE_CHUNK").await;
    let (_, (events, end)) = tokio::join!(live.stop(), reader.rest());
    assert_eq!(types(&events), ["ERROR"]);
    assert!(content(&events, "ERROR").contains("being stopped"));
    assert_eq!(end, End::Clean);

    let service = common::service_in(service.folder.clone(), settings, vec![gate]).await;
    let said = service.messages(&thread).await[1]["content"].clone();
    assert_eq!(said, format!("first\n\n{INTERRUPTED}"));
}

#[tokio::test]
async fn shutdown_does_not_wait_for_a_reader_that_never_reads() {
    let settings = Settings {
        limits: ROOM,
        shutdown_grace: Duration::from_millis(50),
        ..settings()
    };
    let service = service_with(settings, vec![Flood::new(400, 100_000)]).await;
    let thread = service.thread("flood").await;
    let live = service.listen().await;
    let mut reader = live.post(&messages_of(&thread), USER, &text("go")).await;
    reader.read_to("CONNECTION_ESTABLISHED").await;
    live.stop().await;
    drop(reader);
}

#[tokio::test]
async fn short_requests_work_over_the_socket_too() {
    let service = service().await;
    let live = service.listen().await;
    let mut list = request(
        axum::http::Method::GET,
        &format!("{THREADS}/demo"),
        USER,
        None,
    );
    list.headers_mut()
        .insert("host", "localhost".parse().unwrap());
    let mut reader = live.send(list).await;
    assert_eq!(reader.status, 200);
    while reader.read().await.is_ok() {}
    assert_eq!(reader.raw, b"[]");
    live.stop().await;
}
