//! Several replicas on one database: each answer has one owner, whoever asks finds it anywhere, and
//! what a replica that is gone has left is gone on with.

use std::{
    io::BufRead as _,
    num::NonZeroUsize,
    sync::Arc,
    time::{Duration, Instant},
};

use assent_protocol::SseEvent;
use assent_service::{
    Settings,
    agents::Agent,
    store::{Hint, RunKey, Store},
    transcript::{Call, Claim, Item},
};
use axum::http::Method;
use tokio::time::timeout;

use crate::{
    common::{
        Folder, Service, THREADS, USER, accept_text,
        agents::Gate,
        chunk, content,
        database::TestDatabase,
        live::{End, Live, Reader},
        messages_of,
        program::{self, HELLO, Running, TYPED, start},
        recover, request, service_in, settings, soon, text, until,
    },
    meet,
};

/// Long enough for a beat to come in time on a busy machine.
const LEASE: Duration = Duration::from_secs(2);

fn folder() -> Arc<Folder> {
    Folder::with(TestDatabase::postgres(""))
}

/// A replica that listens.
struct Replica {
    service: Service,
    live: Live,
}

impl Replica {
    async fn start(folder: &Arc<Folder>, agents: Vec<Arc<dyn Agent>>) -> Self {
        Self::with(folder, agents, settings()).await
    }

    async fn with(folder: &Arc<Folder>, agents: Vec<Arc<dyn Agent>>, settings: Settings) -> Self {
        let settings = Settings {
            lease: LEASE,
            ..settings
        };
        let service = service_in(Arc::clone(folder), settings, agents).await;
        let live = service.listen().await;
        Self { service, live }
    }

    async fn resume(&self, thread: &str, after: &str) -> Reader {
        let path = format!("{}/stream?after={after}", messages_of(thread));
        let reader = self
            .live
            .send(request(Method::GET, &path, USER, None))
            .await;
        assert_eq!(reader.status, 200);
        reader
    }
}

fn ids(events: &[SseEvent]) -> Vec<&str> {
    events.iter().map(|event| event.event_id.as_str()).collect()
}

#[tokio::test]
async fn an_answer_is_read_at_another_replica_as_it_is_written() {
    let folder = folder();
    let gate = Gate::new();
    let a = Replica::start(&folder, vec![gate.clone()]).await;
    let b = Replica::start(&folder, Vec::new()).await;
    let thread = a.service.thread("gate").await;
    let mut posted = a.live.post(&messages_of(&thread), USER, &text("go")).await;
    let first = posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let run = first.request_id.clone();
    let mut reader = b.resume(&thread, &format!("{run}/0")).await;
    let mut read = Vec::new();
    while read
        .last()
        .is_none_or(|event: &SseEvent| event.event_id != first.event_id)
    {
        read.push(reader.next().await.unwrap());
    }
    // Two at once have the same log.
    let mut second = b.resume(&thread, first.event_id.as_str()).await;
    gate.open.add_permits(1);
    let (rest, end) = reader.rest().await;
    assert_eq!(end, End::Clean);
    assert_eq!(content(&rest, "AGENT_RESPONSE_COMPLETE"), "first second");
    assert_eq!(ids(&second.rest().await.0), ids(&rest));
    assert_eq!(ids(&posted.rest().await.0), ids(&rest));
    // Whoever has read the end can post anywhere.
    let again = b.service.post(&messages_of(&thread), &text("again")).await;
    assert_eq!(
        again.status, 404,
        "b does not have the agent: {}",
        again.text
    );
    a.live.stop().await;
    b.live.stop().await;
}

#[tokio::test]
async fn while_one_replica_writes_an_answer_no_other_accepts_a_post() {
    let folder = folder();
    let gate = Gate::new();
    let a = Replica::start(&folder, vec![gate.clone()]).await;
    let b = Replica::start(&folder, vec![Gate::new()]).await;
    let thread = a.service.thread("gate").await;
    let mut posted = a.live.post(&messages_of(&thread), USER, &text("go")).await;
    posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let refused = b.service.post(&messages_of(&thread), &text("more")).await;
    let said = refused.failure(400)["message"].to_string();
    assert!(said.contains("still being written"), "{said}");
    gate.open.add_permits(1);
    posted.rest().await;
    a.live.stop().await;
    b.live.stop().await;
}

#[tokio::test]
async fn the_answers_of_a_user_are_counted_over_all_replicas() {
    let folder = folder();
    let gate = Gate::new();
    let mut settings = settings();
    settings.rates.answers = NonZeroUsize::new(1);
    let a = Replica::with(&folder, vec![gate.clone()], settings.clone()).await;
    let b = Replica::with(&folder, vec![gate.clone()], settings).await;
    let (thread, other) = (
        a.service.thread("gate").await,
        b.service.thread("gate").await,
    );
    let mut posted = a.live.post(&messages_of(&thread), USER, &text("go")).await;
    posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let refused = b.live.post(&messages_of(&other), USER, &text("go")).await;
    assert_eq!(refused.status, 429);
    gate.open.add_permits(2);
    posted.rest().await;
    b.service.say(&other, "go").await;
    a.live.stop().await;
    b.live.stop().await;
}

#[tokio::test]
async fn an_answer_is_cancelled_and_a_thread_deleted_from_another_replica() {
    let folder = folder();
    let a = Replica::start(&folder, vec![Gate::new()]).await;
    let b = Replica::start(&folder, Vec::new()).await;
    let begin = async || {
        let thread = a.service.thread("gate").await;
        let mut posted = a.live.post(&messages_of(&thread), USER, &text("go")).await;
        posted.read_to("AGENT_RESPONSE_CHUNK").await;
        (thread, posted)
    };
    let (thread, mut posted) = begin().await;
    let cancel = format!("{THREADS}/{thread}/answer");
    assert_eq!(b.service.delete(&cancel).await.status, 202);
    let (rest, end) = posted.rest().await;
    assert_eq!(end, End::Clean);
    let told = content(&rest, "AGENT_RESPONSE_COMPLETE");
    assert!(told.contains("stopped"), "{told}");
    assert_eq!(b.service.delete(&cancel).await.status, 409);

    let (thread, mut posted) = begin().await;
    let deleted = b.service.delete(&format!("{THREADS}/{thread}")).await;
    assert_eq!(deleted.status, 204);
    let (rest, end) = posted.rest().await;
    assert_eq!(end, End::Clean);
    assert_eq!(content(&rest, "ERROR"), "The conversation was deleted.");
    until(async || a.service.state.runs().count() == 0).await;
    a.live.stop().await;
    b.live.stop().await;
}

/// A database that takes hints and passes none on.
#[tokio::test]
async fn without_hints_the_same_is_found_by_looking() {
    let folder = folder();
    let mut database = folder.connect().await;
    let silent = "CREATE SCHEMA silent; \
                  CREATE FUNCTION silent.pg_notify(text, text) RETURNS void LANGUAGE sql AS 'SELECT'; \
                  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, silent, \
                  pg_catalog', current_database()); END $$";
    database.execute(silent).await.unwrap();
    let gate = Gate::new();
    let a = Replica::start(&folder, vec![gate.clone()]).await;
    let b = Replica::start(&folder, Vec::new()).await;
    let thread = a.service.thread("gate").await;
    let mut posted = a.live.post(&messages_of(&thread), USER, &text("go")).await;
    let first = posted.read_to("AGENT_RESPONSE_CHUNK").await;
    let mut reader = b.resume(&thread, first.event_id.as_str()).await;
    gate.open.add_permits(1);
    assert_eq!(
        content(&reader.rest().await.0, "AGENT_RESPONSE_COMPLETE"),
        "first second"
    );
    let mut posted = a.live.post(&messages_of(&thread), USER, &text("go")).await;
    posted.read_to("AGENT_RESPONSE_CHUNK").await;
    assert_eq!(
        b.service
            .delete(&format!("{THREADS}/{thread}/answer"))
            .await
            .status,
        202
    );
    assert_eq!(posted.rest().await.1, End::Clean);
    a.live.stop().await;
    b.live.stop().await;
}

#[tokio::test]
async fn hints_arrive_where_the_database_has_them() {
    let service = service_in(folder(), settings(), Vec::new()).await;
    let store = service.state.store();
    let mut hints = store.listen().await.unwrap().unwrap();
    let many: Vec<String> = (0..450).map(|number| format!("run-{number:032}")).collect();
    store.give_hint(Hint::Events(many.clone())).await;
    let mut heard = Vec::new();
    while heard.len() < many.len() {
        let hint = timeout(Duration::from_secs(20), hints.next()).await;
        match hint.expect("a hint arrives").unwrap() {
            Some(Hint::Events(runs)) => heard.extend(runs),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(heard, many);
}

/// Starts the program as a replica with a short lease.
fn program(folder: &Arc<Folder>, more: &[&str]) -> Running {
    let options = ["--api-key", "k", "--pace", "1", "--lease", "2"];
    start(folder, program::program(folder, &[&options, more].concat()))
}

/// Begins a long answer at a replica; returns the path of its messages, and the id of an event.
fn begin(running: &Running) -> (String, String, std::io::BufReader<std::net::TcpStream>) {
    let messages = running.thread(TYPED);
    let long = HELLO.replace("hello", "long");
    let mut reader = std::io::BufReader::new(running.open("POST", &messages, TYPED, &long));
    let (mut stream, mut id) = (String::new(), String::new());
    while !stream.contains("AGENT_RESPONSE_CHUNK") {
        let from = stream.len();
        assert_ne!(reader.read_line(&mut stream).unwrap(), 0, "{stream}");
        if let Some(named) = stream[from..].strip_prefix("id: ") {
            id = named.trim().to_owned();
        }
    }
    (messages, id, reader)
}

/// Waits until a thread takes a post at a replica; returns the time that it took.
fn writable(running: &Running, messages: &str) -> Duration {
    let since = Instant::now();
    loop {
        let answer = running.send("POST", messages, TYPED, HELLO);
        if answer.starts_with("HTTP/1.1 200") {
            return since.elapsed();
        }
        assert!(since.elapsed() < Duration::from_secs(30), "{answer}");
        std::thread::yield_now();
    }
}

/// Returns the rest of an answer as a replica streams it after an event.
fn rest(running: &Running, messages: &str, after: &str) -> String {
    running.get(&format!("{messages}/stream?after={after}"), TYPED)
}

#[test]
fn after_kill_9_another_replica_goes_on_with_the_answer() {
    let folder = folder();
    let (mut a, b) = (program(&folder, &[]), program(&folder, &[]));
    let (messages, id, _) = begin(&a);
    a.child.kill().unwrap();
    a.child.wait().unwrap();
    // Whoever reads on elsewhere before that waits for it.
    let stream = rest(&b, &messages, &id);
    assert!(stream.contains("ERROR"), "{stream}");
    let reason = r#""content":"This answer was interrupted because the service stopped. "#;
    assert!(stream.contains(reason), "{stream}");
    let taken = writable(&b, &messages);
    assert!(taken < Duration::from_secs(10), "{taken:?}");
    let log = b.terminate();
    assert!(log.contains("replicas are gone"), "{log}");
}

#[test]
fn a_replica_that_stood_still_is_gone_for_the_others_and_comes_back_without_harm() {
    let folder = folder();
    let (mut a, b) = (program(&folder, &[]), program(&folder, &[]));
    let (messages, id, mut stream) = begin(&a);
    a.signal("STOP");
    let told = rest(&b, &messages, &id);
    assert!(told.contains("ERROR"), "{told}");
    writable(&b, &messages);
    let stored = b.get(&messages, TYPED);
    a.signal("CONT");
    a.logged("counted as gone");
    // Its reader was cut off, after what is in the log.
    let mut late = String::new();
    while stream.read_line(&mut late).is_ok_and(|bytes| bytes > 0) {}
    assert!(!late.contains("AGENT_RESPONSE_COMPLETE"), "{late}");
    for line in late.lines().filter_map(|line| line.strip_prefix("id: ")) {
        let (_, number) = line.split_once('/').unwrap();
        let (_, last) = id.split_once('/').unwrap();
        let after = number.parse::<i64>().unwrap() - last.parse::<i64>().unwrap();
        assert!(
            told.contains(&format!("id: {line}")) || after <= 0,
            "{line}: {told}"
        );
    }
    assert_eq!(body_of(&a.get(&messages, TYPED)), body_of(&stored));
    writable(&a, &messages);
    assert!(a.get("/readyz", "").starts_with("HTTP/1.1 200"));
    a.terminate();
    b.terminate();
}

fn body_of(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").unwrap().1
}

#[test]
fn a_replica_that_is_stopped_says_so_first_and_leaves_nothing_to_wait_for() {
    let folder = folder();
    let a = program(&folder, &["--drain-delay", "2", "--shutdown-grace", "0"]);
    let b = program(&folder, &[]);
    let (messages, ..) = begin(&a);
    a.signal("TERM");
    let since = Instant::now();
    while a.get("/readyz", "").starts_with("HTTP/1.1 200") {
        assert!(since.elapsed() < Duration::from_secs(2), "it never says so");
    }
    assert!(
        a.get("/readyz", "")
            .contains("The service is about to stop.")
    );
    assert!(a.get("/livez", "").starts_with("HTTP/1.1 200"));
    // Until then it takes requests.
    assert!(a.get(&messages, TYPED).starts_with("HTTP/1.1 200"));
    let mut a = a;
    assert!(a.child.wait().unwrap().success());
    let rows = async {
        let mut database = folder.connect().await;
        database.number("SELECT COUNT(*) FROM replicas").await
    };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    assert_eq!(runtime.block_on(rows), 1, "its row is gone at once");
    let taken = writable(&b, &messages);
    assert!(taken < LEASE, "nobody waits for its lease: {taken:?}");
    b.terminate();
}

/// The row is gone in a transaction that is not at its end yet: nothing may come into the log before.
#[tokio::test]
async fn an_append_waits_for_whoever_removes_the_row_of_its_replica() {
    let service = service_in(folder(), settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let run = accept_text(store, &thread, "go").await.run;
    let mut other = service.folder.connect().await;
    for statement in ["BEGIN", "DELETE FROM replicas"] {
        other.execute(statement).await.unwrap();
    }
    let events = [chunk(&run, 1, None, "late")];
    let (appended, _) = meet(store.append_events(&events), &mut other, &["COMMIT"]).await;
    assert!(appended.unwrap().is_empty());
    let logged = store.entries_after(USER, &run.id, 0).await.unwrap();
    assert!(logged.is_empty(), "{logged:?}");
}

/// Two that lock both in the same order do not wait for each other.
#[tokio::test]
async fn who_writes_of_a_run_waits_for_its_thread_first() {
    let service = service_in(folder(), settings(), Vec::new()).await;
    let thread = service.thread("demo").await;
    let store = service.state.store();
    let accepted = accept_text(store, &thread, "go").await;
    let mut other = service.folder.connect().await;
    for statement in ["BEGIN", "SELECT 1 FROM threads FOR UPDATE"] {
        other.execute(statement).await.unwrap();
    }
    let call = call();
    // Nobody holds the run.
    let then = ["SELECT 1 FROM runs FOR UPDATE NOWAIT", "COMMIT"];
    let (claimed, waited) = meet(store.claim_call(&accepted.run, &call), &mut other, &then).await;
    assert!(waited);
    assert_eq!(claimed.unwrap(), Claim::Refused, "nobody has asked for it");
}

/// Its beat comes after others have seen that its lease is over.
#[tokio::test]
async fn who_comes_back_in_the_last_moment_is_not_removed() {
    let folder = folder();
    let store = Store::open(&folder.storage()).await.unwrap();
    let mut other = folder.connect().await;
    let expired = "INSERT INTO replicas (id, process, expires_ms) VALUES ('r', 'other', 0)";
    for statement in [
        expired,
        "BEGIN",
        "UPDATE replicas SET expires_ms = 9000000000000 WHERE id = 'r'",
    ] {
        other.execute(statement).await.unwrap();
    }
    let (buried, waited) = meet(store.bury(), &mut other, &["COMMIT"]).await;
    assert_eq!(buried.unwrap(), 0);
    if !waited {
        other.execute("COMMIT").await.unwrap();
    }
    assert_eq!(store.replica_count().await.unwrap(), 2);
    assert_eq!(store.bury().await.unwrap(), 0);
    store.close().await;
}

fn call() -> Call {
    Call {
        id: "call".to_owned(),
        tool: "notes/add".to_owned(),
        arguments: "{}".to_owned(),
        definition: String::new(),
    }
}

#[tokio::test]
async fn of_several_that_take_over_each_run_has_one() {
    let folder = folder();
    let former = service_in(Arc::clone(&folder), settings(), vec![Gate::new()]).await;
    let mut threads = Vec::new();
    for _ in 0..12 {
        let thread = former.thread("demo").await;
        accept_text(former.state.store(), &thread, "go").await;
        threads.push(thread);
    }
    former.state.store().close().await;
    let mut stores = Vec::new();
    for _ in 0..4 {
        stores.push(Store::open(&folder.storage()).await.unwrap());
    }
    let taken = futures_util::future::join_all(stores.iter().map(Store::take_over)).await;
    let mut taken: Vec<String> = taken
        .into_iter()
        .flatten()
        .flatten()
        .map(|it| it.thread.id)
        .collect();
    // One that met another taker is found at the next beat.
    for store in &stores {
        taken.extend(
            store
                .take_over()
                .await
                .unwrap()
                .into_iter()
                .map(|it| it.thread.id),
        );
    }
    taken.sort();
    threads.sort();
    assert_eq!(taken, threads);
    for store in stores {
        store.close().await;
    }
}

/// What the former owner writes after that does not count.
#[tokio::test]
async fn a_former_owner_writes_nothing_any_more() {
    let folder = folder();
    let former = service_in(Arc::clone(&folder), settings(), Vec::new()).await;
    let thread = former.thread("demo").await;
    let store = former.state.store();
    let accepted = accept_text(store, &thread, "go").await;
    let mut database = folder.connect().await;
    database.execute("DELETE FROM replicas").await.unwrap();
    let next = Store::open(&folder.storage()).await.unwrap();
    let taken = next.take_over().await.unwrap();
    assert_eq!(taken.len(), 1);

    let late = chunk(&accepted.run, 1, None, "late");
    assert!(store.append_events(&[late]).await.unwrap().is_empty());
    let call = call();
    let refused = "Another replica of the service goes on with this answer.";
    let claim = store.claim_call(&accepted.run, &call).await;
    assert_eq!(claim.unwrap_err().to_string(), refused);
    let key = RunKey {
        answer: accepted.run.clone(),
        run: String::new(),
        agent_id: "demo".to_owned(),
    };
    let items = [Item::Model {
        text: "late".to_owned(),
        calls: Vec::new(),
        tokens: 0,
    }];
    let appended = store.append_to_transcript(&key, &items, &[]).await;
    assert_eq!(appended.unwrap_err().to_string(), refused);
    // Nor does it begin another one.
    let other = former.thread("demo").await;
    let refused = former.post(&messages_of(&other), &text("go")).await;
    refused.failure(503);
    // The new owner's do.
    let mine = chunk(&taken[0], 1, None, "mine");
    assert_eq!(next.append_events(&[mine]).await.unwrap().len(), 1);
    next.close().await;
    // Under a new id it goes on.
    assert!(!store.beat(LEASE).await.unwrap());
    store.join(LEASE).await.unwrap();
    assert!(store.beat(LEASE).await.unwrap());
    former.say(&other, "go").await;
}

/// What it said last came into no log, and so its end must not be stored: whoever takes over knows
/// nothing of it.
#[tokio::test]
async fn an_answer_whose_events_were_not_taken_is_not_stored_as_complete() {
    let gate = Gate::new();
    let folder = folder();
    let service = service_in(Arc::clone(&folder), settings(), vec![gate.clone()]).await;
    let thread = service.thread("gate").await;
    let posting = async {
        let path = messages_of(&thread);
        service.send_and_read(&path, &text("go")).await
    };
    let removing = async {
        until(async || service.has_logged(&thread, 3).await).await;
        let mut database = folder.connect().await;
        database.execute("DELETE FROM replicas").await.unwrap();
        gate.open.add_permits(1);
    };
    let ((read, is_cut), ()) = tokio::join!(posting, removing);
    assert!(is_cut);
    assert_eq!(content(&read, "AGENT_RESPONSE_CHUNK"), "first");
    assert_eq!(read.len(), 3, "{read:?}");
    until(async || service.state.runs().count() == 0).await;
    let next = Store::open(&folder.storage()).await.unwrap();
    let (ended, _) = recover(&next, &|_| false).await;
    assert_eq!(ended, 1);
    let stored = &service.messages(&thread).await[1]["content"];
    let stored = stored.as_str().unwrap();
    assert!(
        stored.starts_with("first\n\n*This answer was interrupted"),
        "{stored}"
    );
    next.close().await;
}

/// Its task has ended without a word.
#[tokio::test]
async fn an_answer_that_nobody_writes_is_ended_at_the_next_beat() {
    let folder = folder();
    let a = Replica::start(&folder, Vec::new()).await;
    let thread = a.service.thread("demo").await;
    drop(accept_text(a.service.state.store(), &thread, "go").await);
    soon(async || a.service.messages(&thread).await.len() == 2).await;
    let messages = a.service.messages(&thread).await;
    let told = messages[1]["content"].as_str().unwrap();
    assert!(told.contains("was interrupted"), "{told}");
    a.live.stop().await;
}
