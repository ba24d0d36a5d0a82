//! Crashes in the middle of a collaboration: the program is killed while a colleague works or waits
//! for a person, and started again.

use std::sync::Arc;

use assent_protocol::SseEvent;
use assent_service::sentence::INTERRUPTED;
use serde_json::{Value, json};

use crate::{
    common::{
        Folder, THREADS, body, decided, events, messages_of,
        model::{Model, Reply, begins, calls, says},
        program::{Running, program, start},
        requests, text, until,
    },
    desk::{Desk, Setup},
    rows::{ASKS, AUTO, COLLEAGUES, NOTES, ROUTE, add, kind, setup, tasks},
    said,
};

/// The program with its agents, and a client of it.
struct Service {
    folder: Arc<Folder>,
    models: Vec<Model>,
    running: Running,
    http: reqwest::Client,
}

fn begin(folder: &Arc<Folder>) -> Running {
    let agents = folder.0.join("agents");
    let arguments = ["--api-key", "k", "--agents", agents.to_str().unwrap()];
    start(folder, program(folder, &arguments))
}

impl Service {
    /// A collaboration with `billing`, which has these tables and says this; after it the desk can
    /// answer once more by itself.
    async fn new(policy: &str, billing: Vec<Reply>) -> Self {
        let replies = vec![
            kind("collaboration"),
            tasks(&["billing"]),
            kind("simple"),
            says("Here again."),
        ];
        let (folder, models) = Desk::files(&Setup {
            billing_tables: [NOTES, policy].concat(),
            billing,
            ..setup(&[ROUTE, COLLEAGUES], replies, &[])
        })
        .await;
        Self {
            running: begin(&folder),
            folder,
            models,
            http: reqwest::Client::new(),
        }
    }

    fn crash(&mut self) {
        self.running.child.kill().unwrap();
        self.running.child.wait().unwrap();
        self.folder.end_leases();
        self.running = begin(&self.folder);
    }

    async fn send(&self, path: &str, body: Option<&Value>) -> reqwest::Response {
        let url = format!("http://{}{path}", self.running.address);
        let request = match body {
            Some(body) => self.http.post(url).body(body.to_string()),
            None => self.http.get(url),
        };
        let request = request
            .header("content-type", "application/json")
            .header("authorization", "Bearer k")
            .header("x-service-user-id", "ada");
        request.send().await.unwrap()
    }

    async fn json(&self, path: &str, body: Option<&Value>) -> Value {
        let bytes = self.send(path, body).await.bytes().await.unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    async fn thread(&self) -> String {
        let thread = self
            .json(THREADS, Some(&json!({ "agentId": "desk" })))
            .await;
        messages_of(thread["id"].as_str().unwrap())
    }

    /// Posts, and reads the answer to its end.
    async fn post(&self, messages: &str, body: &Value) -> Vec<SseEvent> {
        let response = self.send(messages, Some(body)).await;
        assert_eq!(response.status(), 200);
        events(&response.bytes().await.unwrap())
    }

    /// Posts, and reads the answer until it has these words.
    async fn post_until(&self, messages: &str, body: &Value, words: &str) {
        let mut response = self.send(messages, Some(body)).await;
        let mut came = String::new();
        while !came.contains(words) {
            let piece = response.chunk().await.unwrap().unwrap();
            came.push_str(&String::from_utf8_lossy(&piece));
        }
    }

    fn notes(&self) -> String {
        std::fs::read_to_string(self.folder.0.join("notes.txt")).unwrap_or_default()
    }

    /// Returns the last message of a thread.
    async fn last(&self, messages: &str) -> String {
        let all = self.json(messages, None).await;
        let last = all.as_array().unwrap().last().unwrap();
        last["content"].as_str().unwrap().to_owned()
    }

    /// The thread takes posts, and the colleague is not asked again.
    async fn goes_on(&self, messages: &str) {
        let asked = self.models[1].requests().len();
        let events = self.post(messages, &text("are you there?")).await;
        assert_eq!(said(&events), ["Here again."]);
        assert_eq!(self.models[1].requests().len(), asked);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_colleague_that_spoke_at_a_crash_ends_with_a_sentence_and_its_tool_ran_once() {
    let mut service = Service::new(AUTO, vec![add("milk"), begins("Milk is")]).await;
    let messages = service.thread().await;
    service
        .post_until(&messages, &text("note milk"), "Milk is")
        .await;
    assert_eq!(service.notes(), "milk\n");
    service.crash();
    let last = service.last(&messages).await;
    assert!(last.ends_with(INTERRUPTED), "{last}");
    service.goes_on(&messages).await;
    assert_eq!(service.notes(), "milk\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tool_of_a_colleague_that_ran_at_a_crash_is_unknown_and_does_not_run_again() {
    let hang = calls("", &[("notes__hang", json!({ "text": "once" }))]);
    let mut service = Service::new(AUTO, vec![hang, says("Hm.")]).await;
    let messages = service.thread().await;
    let post = text("hang");
    tokio::select! {
        _ = service.post(&messages, &post) => panic!("a tool that hangs has no answer"),
        () = until(async || service.notes() == "once\n") => {}
    }
    service.crash();
    let last = service.last(&messages).await;
    let unknown = "*It is not known whether `notes/hang` ran. Check before you ask for it again.*";
    assert_eq!(last, format!("{INTERRUPTED}\n\n{unknown}"));
    service.goes_on(&messages).await;
    assert_eq!(service.notes(), "once\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_of_a_colleague_outlives_a_crash_and_is_decided_once() {
    let mut service = Service::new(ASKS, vec![add("milk"), says("Noted.")]).await;
    let messages = service.thread().await;
    let asked = requests(&service.post(&messages, &text("note milk")).await).remove(0);
    service.crash();
    assert_eq!(service.notes(), "");
    let answer = body(&[decided(&asked, &["APPROVED"])]);
    let events = service.post(&messages, &answer).await;
    assert_eq!(said(&events), ["Noted."]);
    assert_eq!(service.notes(), "milk\n");
    assert_eq!(service.send(&messages, Some(&answer)).await.status(), 400);
    service.goes_on(&messages).await;
    assert_eq!(service.notes(), "milk\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_colleague_that_went_on_with_a_decision_at_a_crash_ends_with_a_sentence() {
    let mut service = Service::new(ASKS, vec![add("milk"), begins("Noted, and")]).await;
    let messages = service.thread().await;
    let asked = requests(&service.post(&messages, &text("note milk")).await).remove(0);
    let answer = body(&[decided(&asked, &["APPROVED"])]);
    service.post_until(&messages, &answer, "Noted, and").await;
    service.crash();
    let last = service.last(&messages).await;
    assert!(last.ends_with(INTERRUPTED), "{last}");
    service.goes_on(&messages).await;
    assert_eq!(service.notes(), "milk\n");
}
