//! A service for one test: a database file of its own, agents that need no time, and requests as a
//! client makes them.

#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "shared by test programs that each use a part; a failed expectation is a failed test"
)]

pub mod agents;
pub mod asker;
pub mod database;
pub mod desk;
pub mod faults;
pub mod haproxy;
pub mod live;
pub mod log;
pub mod model;
pub mod program;
pub mod providers;
pub mod tool_server;

use std::{
    collections::BTreeSet,
    path::PathBuf,
    process::Command,
    sync::{Arc, Mutex},
};

use assent_protocol::{EventType, SseEvent};
use assent_service::{
    AppState, Settings,
    agents::{Agent, Agents},
    app,
    rules::content::UserContent,
    sentence::Sentence,
    settings::RateLimits,
    settings::keys::ApiKeys,
    store::{
        Acceptance, AcceptedPost, LogEntry, LoggedEvent, OwnedRun, Recovered, ResumedAnswer,
        Storage, Store, ThreadKey, ValidPost,
    },
};
use assent_sse::Decoder;
use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Method, Request, StatusCode},
};
use database::{Raw, TestDatabase, dump, end_leases, on_postgres};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

pub const KEY: &str = "test-key";
pub const USER: &str = "ada";
pub const THREADS: &str = "/api/assistants/threads";
pub const DEMO: &str = "/api/assistants/threads/demo";
pub const INBOX: &str = "/api/assistants/approvals";

/// A folder, with a database of its own, that is gone when the test ends.
pub struct Folder(pub PathBuf, TestDatabase);

impl Folder {
    pub fn new() -> Arc<Self> {
        Self::with(TestDatabase::of_this_run())
    }

    pub fn with(database: TestDatabase) -> Arc<Self> {
        let path = std::env::temp_dir().join(format!("assent-service-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(&path).unwrap();
        Arc::new(Self(path, database))
    }

    /// Returns true if its database is one of PostgreSQL.
    pub fn is_on_postgres(&self) -> bool {
        matches!(self.1, TestDatabase::Cluster { .. })
    }

    /// Returns the path of the database file, for what only SQLite has.
    pub fn database(&self) -> PathBuf {
        self.0.join("test.sqlite")
    }

    /// Returns the places where a service in this folder keeps what it stores.
    pub fn storage(&self) -> Storage {
        self.1.storage(&self.0)
    }

    /// Returns the folder of the files of users.
    pub fn uploads(&self) -> PathBuf {
        self.0.join("test.sqlite.uploads")
    }

    /// Returns the names of the files of users, those that are being received included.
    pub fn kept(&self) -> Vec<String> {
        let Ok(files) = std::fs::read_dir(self.uploads()) else {
            return Vec::new();
        };
        let name = |file: std::fs::DirEntry| file.file_name().into_string().unwrap();
        files.map(|file| name(file.unwrap())).collect()
    }

    /// Returns the options of the program for [`Folder::storage`].
    pub fn storage_options(&self) -> [String; 4] {
        let uploads = self.storage().uploads.to_string();
        let database = self.1.address(&self.0);
        [
            "--database".to_owned(),
            database,
            "--uploads".to_owned(),
            uploads,
        ]
    }

    /// Returns all that the database holds, in whichever form it is kept.
    pub async fn bytes(&self) -> Vec<u8> {
        if on_postgres() {
            dump(&self.1.address(&self.0))
        } else {
            std::fs::read(self.database()).unwrap()
        }
    }

    /// Returns the address of its database of PostgreSQL as a client on this port has it.
    pub fn address_at(&self, port: u16) -> String {
        self.1.address_at(port)
    }

    /// Lets the time pass after which a service that was killed counts as gone.
    pub fn end_leases(&self) {
        if self.is_on_postgres() {
            end_leases(&self.1.address(&self.0));
        }
    }

    /// Connects to the database beside the service.
    pub async fn connect(&self) -> Raw {
        self.1.connect(&self.0).await
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Files that cannot be removed here are in the system's folder for temporary files.
        std::fs::remove_dir_all(&self.0).ok();
    }
}

#[derive(Clone)]
pub struct Service {
    pub state: AppState,
    pub app: Router,
    pub folder: Arc<Folder>,
}

/// The response to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {:?}", self.text))
    }

    /// Returns the body of a failure, which always has both texts.
    pub fn failure(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.headers["content-type"], "application/json");
        let body = self.json();
        for field in ["message", "error"] {
            assert!(
                body[field].as_str().is_some_and(|text| !text.is_empty()),
                "{body}"
            );
        }
        body
    }
}

/// No rate limits: tests ask as fast as they can.
/// Writes a file with keys, which nobody else may read.
pub fn key_file(path: &std::path::Path, text: &str) {
    std::fs::write(path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}

pub const UNLIMITED: RateLimits = RateLimits {
    user: None,
    key: None,
    open_user: None,
    open_key: None,
    answers: None,
    all_answers: None,
};

/// Returns the program of an example. It is built first: cargo does not build it for a single test
/// program, and one of an earlier build may be there. Where `ASSENT_EXAMPLES_ARE_BUILT` is set, cargo
/// has just built it with all tests; built here, alone, it would have other features of its
/// dependencies, and these would be compiled once more.
pub fn example(name: &'static str) -> PathBuf {
    static BUILT: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().unwrap().parent().unwrap();
    let program = folder.join("examples").join(name);
    if std::env::var_os("ASSENT_EXAMPLES_ARE_BUILT").is_some() {
        return program;
    }
    let mut built = BUILT.lock().unwrap();
    if !built.contains(name) {
        let profile = match folder.file_name().unwrap().to_str().unwrap() {
            "debug" => "dev",
            other => other,
        };
        let done = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "-p", "assent-service"])
            .args(["--example", name, "--profile", profile, "--target-dir"])
            .arg(folder.parent().unwrap())
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(done.unwrap().success(), "the example {name} is not built");
        built.insert(name);
    }
    program
}

pub fn settings() -> Settings {
    Settings {
        api_keys: ApiKeys::new([KEY.to_owned()]),
        pace: 0.0,
        rates: UNLIMITED,
        ..Settings::default()
    }
}

pub async fn service() -> Service {
    service_with(settings(), Vec::new()).await
}

pub async fn service_with(settings: Settings, agents: Vec<Arc<dyn Agent>>) -> Service {
    service_in(Folder::new(), settings, agents).await
}

pub async fn service_in(
    folder: Arc<Folder>,
    settings: Settings,
    more: Vec<Arc<dyn Agent>>,
) -> Service {
    let store = Store::open(&folder.storage()).await.unwrap();
    service_over(store, folder, settings, more)
}

/// Serves a store that is open already.
pub fn service_over(
    store: Store,
    folder: Arc<Folder>,
    settings: Settings,
    more: Vec<Arc<dyn Agent>>,
) -> Service {
    let mut agents = Agents::load(None).unwrap();
    more.into_iter().for_each(|agent| agents.add(agent));
    let state = AppState::new(store, agents, settings);
    let app = app(state.clone());
    Service { state, app, folder }
}

pub fn request(method: Method, path: &str, user: &str, body: Option<&Value>) -> Request<Body> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-service-user-id", user);
    match body {
        Some(body) => request
            .header("content-type", "application/json")
            .body(Body::from(body.to_string())),
        None => request.body(Body::empty()),
    }
    .unwrap()
}

pub fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

pub fn messages_of(thread: &str) -> String {
    format!("{THREADS}/{thread}/messages")
}

impl Service {
    pub async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    /// Returns true if the answer that is being written has logged so many events.
    pub async fn has_logged(&self, thread: &str, events: i64) -> bool {
        let store = self.state.store();
        let Some(run) = store.running(&key(thread)).await.unwrap() else {
            return false;
        };
        let later = store.entries_after(USER, &run.id, events - 1).await;
        !later.unwrap().is_empty()
    }

    /// Waits until all events of the answer that is being written are in the log.
    pub async fn wait_until_logged(&self, thread: &str) {
        let run = self.state.store().running(&key(thread)).await.unwrap();
        let log = self.state.log().get(&run.unwrap().id).unwrap();
        log.next_number().await.unwrap();
    }

    /// Posts, and returns the events that come, and true if the stream is cut.
    pub async fn send_and_read(&self, path: &str, body: &Value) -> (Vec<SseEvent>, bool) {
        let request = request(Method::POST, path, USER, Some(body));
        let response = self.app.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        let mut body = response.into_body();
        let mut read = Vec::new();
        loop {
            match body.frame().await {
                Some(Ok(frame)) => read.extend_from_slice(&frame.into_data().unwrap()),
                Some(Err(_)) => return (events(&read), true),
                None => return (events(&read), false),
            }
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(request(Method::GET, path, USER, None)).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(request(Method::POST, path, USER, Some(body)))
            .await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Answer {
        self.send(request(Method::PUT, path, USER, Some(body)))
            .await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.send(request(Method::DELETE, path, USER, None)).await
    }

    /// Uploads a file with a name, as it stands in an address, and a declared type.
    pub async fn upload(&self, name: &str, kind: &str, bytes: &[u8]) -> Value {
        let path = format!("/api/assistants/uploads?name={name}");
        let request = Request::post(path)
            .header("authorization", format!("Bearer {KEY}"))
            .header("x-service-user-id", USER)
            .header("content-type", kind);
        let answer = self.send(request.body(Body::from(bytes.to_vec())).unwrap());
        let answer = answer.await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        answer.json()
    }

    /// Starts a thread and returns its id.
    pub async fn thread(&self, agent: &str) -> String {
        let answer = self.post(THREADS, &json!({ "agentId": agent })).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    /// Posts content and reads the stream to its end.
    pub async fn stream(&self, thread: &str, body: &Value) -> Vec<SseEvent> {
        let answer = self.post(&messages_of(thread), body).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        assert_eq!(answer.headers["content-type"], "text/event-stream");
        events(answer.text.as_bytes())
    }

    pub async fn say(&self, thread: &str, words: &str) -> Vec<SseEvent> {
        self.stream(thread, &text(words)).await
    }

    pub async fn messages(&self, thread: &str) -> Vec<Value> {
        let answer = self.get(&messages_of(thread)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        answer.json().as_array().unwrap().clone()
    }

    /// Returns a thread of the demo agent in which `words` asked for approval, and the requests of
    /// each event.
    pub async fn asked(&self, words: &str) -> (String, Vec<Vec<Value>>) {
        let thread = self.thread("demo").await;
        let events = self.say(&thread, words).await;
        (thread, requests(&events))
    }

    /// Returns the statuses of all approvals of a thread, in the order of asking.
    pub async fn statuses(&self, thread: &str) -> Vec<String> {
        let messages = self.messages(thread).await;
        let approvals = messages
            .iter()
            .filter_map(|m| m.get("toolExecutionHumanApprovalRequest"));
        approvals
            .flat_map(|list| list.as_array().unwrap())
            .map(|approval| approval["status"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Returns true if the thread takes a message now, which is answered to its end.
    pub async fn takes_a_post(&self, thread: &str) -> bool {
        let answer = self.post(&messages_of(thread), &text("hello")).await;
        answer.status == StatusCode::OK
            && types(&events(answer.text.as_bytes())).last() == Some(&"AGENT_RESPONSE_COMPLETE")
    }

    /// Waits until no answer is being written in the thread and returns its messages.
    pub async fn settled(&self, thread: &str) -> Vec<Value> {
        until(async || self.state.runs().count() == 0).await;
        self.messages(thread).await
    }
}

/// Waits for a condition, and fails after a minute.
pub async fn until(condition: impl AsyncFn() -> bool) {
    let waiting = async {
        while !condition().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), waiting)
        .await
        .expect("the condition never became true");
}

/// Waits for a condition that has to become true within 8 s, the promise of the service after a
/// failure.
pub async fn soon(condition: impl AsyncFn() -> bool) {
    let waiting = async {
        while !condition().await {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(8), waiting)
        .await
        .expect("the condition was not true within 8 s");
}

/// Decodes a whole stream.
pub fn events(bytes: &[u8]) -> Vec<SseEvent> {
    let frames = Decoder::new().push(bytes);
    frames
        .into_iter()
        .map(|frame| event(&frame.unwrap().data))
        .collect()
}

pub fn event(data: &str) -> SseEvent {
    serde_json::from_str(data).unwrap()
}

pub fn types(events: &[SseEvent]) -> Vec<&str> {
    events.iter().map(|event| event.event_type.name()).collect()
}

/// Returns the text of the first event of a type.
pub fn content<'a>(events: &'a [SseEvent], name: &str) -> &'a str {
    let found = events.iter().find(|event| event.event_type.name() == name);
    &found
        .unwrap_or_else(|| panic!("no {name} in {:?}", types(events)))
        .event_message
        .content
}

/// Returns the approval requests of a stream as the JSON they came as, event by event.
pub fn requests(events: &[SseEvent]) -> Vec<Vec<Value>> {
    events
        .iter()
        .filter_map(|event| event.event_message.tool_execution_approval_request.as_ref())
        .map(|list| {
            list.iter()
                .map(|raw| serde_json::from_str(raw.as_str()).unwrap())
                .collect()
        })
        .collect()
}

/// Returns requests with a decision set in each, as a client sends them back.
pub fn decided(requests: &[Value], decisions: &[&str]) -> Value {
    assert_eq!(requests.len(), decisions.len());
    let results = requests.iter().zip(decisions).map(|(request, decision)| {
        let mut result = request.clone();
        result["approvalResult"] = json!(decision);
        result
    });
    json!({ "type": "tool_approval_result", "toolApprovalResult": results.collect::<Vec<_>>() })
}

/// Returns the key of a thread of [`USER`].
pub fn key(thread: &str) -> ThreadKey {
    ThreadKey {
        user_id: USER.to_owned(),
        id: thread.to_owned(),
    }
}

/// Lets a post be accepted that is no repeated one.
pub async fn accept(store: &Store, post: ValidPost<'_>) -> AcceptedPost {
    match store.accept(post).await.unwrap() {
        Acceptance::New(accepted) => accepted,
        Acceptance::Repeated(run) | Acceptance::HandedOn(run) => panic!("{run} answers it"),
    }
}

/// Goes on with the answers of this store that nobody writes, and with those of stores that were
/// closed; returns the number of those that ended, and those that go on.
pub async fn recover(
    store: &Store,
    can_resume: &(dyn Fn(&str) -> bool + Sync),
) -> (usize, Vec<ResumedAnswer>) {
    let (mut ended, mut resumed) = (0, Vec::new());
    for run in store.abandoned_runs().await.unwrap() {
        let recovered = store.recover(&run, &Sentence::Interrupted, can_resume);
        match recovered.await.unwrap() {
            Recovered::Ended => ended += 1,
            Recovered::Resumed(answer) => resumed.push(*answer),
            Recovered::Gone => {}
        }
    }
    (ended, resumed)
}

/// Accepts a message of [`USER`] in a thread, as its agent is about to answer it.
pub async fn accept_text(store: &Store, thread: &str, text: &str) -> AcceptedPost {
    let content = UserContent {
        text: text.to_owned(),
        ..UserContent::default()
    };
    let post = ValidPost {
        thread: &key(thread),
        handle: "@demo",
        content: &content,
        answer: &[],
        key: None,
        state: None,
        judge: &|_, _| None,
    };
    accept(store, post).await
}

/// Returns an entry of the log with one piece of text, of an agent beside the thread's own if a
/// handle is given.
pub fn chunk(
    run: &OwnedRun,
    number: i64,
    handle: Option<&str>,
    text: &str,
) -> (OwnedRun, LogEntry) {
    let event = LoggedEvent {
        agent: handle.map(|handle| agents::profile(&handle[1..]).event_agent()),
        content: text.to_owned(),
        ..LoggedEvent::new(EventType::AgentResponseChunk, String::new())
    };
    let entry = LogEntry::new(number, [&event].into_iter()).unwrap();
    (run.clone(), entry)
}

pub fn body(items: &[Value]) -> Value {
    json!({ "content": items })
}
