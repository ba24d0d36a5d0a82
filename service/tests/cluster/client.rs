//! A person with one conversation, who asks any replica, asks again after each failure, and remembers
//! what was said.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use assent_protocol::SseEvent;
use assent_sse::Decoder;
use serde_json::{Value, json};

use crate::{
    World,
    common::{THREADS, event, messages_of},
    random::Random,
};

/// What happened to a client, or to all.
#[derive(Debug, Default)]
pub struct Summary {
    pub answers: usize,
    pub repeated: usize,
    pub resumed: usize,
    pub begun_again: usize,
    pub interrupted: usize,
    pub decisions: usize,
    /// The longest time in which a message was not accepted.
    pub longest_wait: Duration,
}

impl Summary {
    pub fn add(&mut self, other: Self) {
        self.answers += other.answers;
        self.repeated += other.repeated;
        self.resumed += other.resumed;
        self.begun_again += other.begun_again;
        self.interrupted += other.interrupted;
        self.decisions += other.decisions;
        self.longest_wait = self.longest_wait.max(other.longest_wait);
    }
}

pub struct Client {
    user: String,
    random: Random,
    world: Arc<World>,
    http: reqwest::Client,
    summary: Summary,
}

/// What a client has read of an answer.
#[derive(Default)]
struct Read {
    run: String,
    last: i64,
    text: String,
    /// The end, once it has come.
    end: Option<SseEvent>,
}

/// The end of a response.
enum Broken {
    /// The connection broke, or the replica could not answer.
    Connection,
    /// The run has begun again: what was read of it does not count.
    BegunAgain,
}

impl Client {
    pub fn new(number: usize, random: Random, world: &Arc<World>) -> Self {
        Self {
            user: format!("person-{number}"),
            random,
            world: Arc::clone(world),
            http: reqwest::Client::builder()
                .read_timeout(Duration::from_secs(20))
                .build()
                .unwrap(),
            summary: Summary::default(),
        }
    }

    /// Talks until the world stops.
    pub async fn talk(mut self) -> Summary {
        while !self.world.stops.load(Ordering::Relaxed) {
            self.converse().await;
        }
        self.summary
    }

    /// Talks in one conversation, until the world stops or nobody can decide there any more; then looks
    /// at all that is stored of it.
    async fn converse(&mut self) {
        let agent = json!({ "agentId": "demo" });
        let created = self.post(THREADS, &agent, "thread").await;
        let Ok(created) = created.json::<Value>().await else {
            return;
        };
        let path = messages_of(created["id"].as_str().unwrap());
        let mut said = Vec::new();
        while !self.world.stops.load(Ordering::Relaxed) {
            let words = ["hello", "long", "approve one"][self.random.below(3)];
            let message = format!("{words} {}", said.len());
            said.push(message.clone());
            let body = json!({ "content": [{ "type": "text", "text": message }] });
            let end = self.ask(&path, &body).await;
            if self.is_asked(&path).await {
                // What the stream alone tells may be lost with it.
                let Some(request) = end.as_ref().and_then(request) else {
                    break;
                };
                let verdict = ["APPROVED", "DENIED"][self.random.below(2)];
                self.ask(&path, &decided(request, verdict)).await;
                self.check_decision(&path, verdict).await;
            }
            self.summary.answers += 1;
            self.world.answers.fetch_add(1, Ordering::Relaxed);
        }
        let stored = self.messages(&path).await;
        let of_user: Vec<&str> = stored
            .iter()
            .filter(|it| it["role"] == "user")
            .map(|it| it["content"].as_str().unwrap())
            .collect();
        assert_eq!(of_user, said, "each message is stored once, in its order");
    }

    /// Posts until that is answered, and reads the answer to its end; checks it with what is stored.
    async fn ask(&mut self, path: &str, body: &Value) -> Option<SseEvent> {
        let key = format!(
            "key-{}-{}",
            self.random.below(usize::MAX),
            self.summary.answers
        );
        let before = self.messages(path).await.len();
        let response = self.post(path, body, &key).await;
        if response.status() == 410 {
            // It was answered, and what was streamed is not there any more.
            self.until_ended(path).await;
            return None;
        }
        assert_eq!(response.status(), 200);
        let mut read = Read::default();
        let mut done = Self::read(response, &mut read).await;
        loop {
            match done {
                Ok(()) => break,
                Err(Broken::BegunAgain) => {
                    self.summary.begun_again += 1;
                    self.until_ended(path).await;
                    return None;
                }
                Err(Broken::Connection) => done = self.resume(path, &mut read).await,
            }
        }
        let stored = self.messages(path).await;
        let answer: Vec<&str> = stored[before..]
            .iter()
            .filter(|it| it["role"] == "assistant")
            .map(|it| it["content"].as_str().unwrap())
            .collect();
        let whole = answer.join("");
        let (run, text) = (&read.run, read.text.trim());
        let common = whole.bytes().zip(text.bytes()).take_while(|(a, b)| a == b);
        let common = common.count();
        let rest = |text: &str| String::from_utf8_lossy(&text.as_bytes()[common..]).into_owned();
        let (more, left) = (rest(text), rest(&whole));
        let end = read.end.as_ref();
        let end = end.map(|end| (end.event_type.name(), &end.event_message.content));
        assert!(
            more.is_empty(),
            "{run} to {} {end:?}: after {common} of {} bytes {more:?} was said, and {left:?} is \
             stored in {} of {stored:?}",
            read.last,
            text.len(),
            answer.len(),
        );
        if read
            .end
            .as_ref()
            .is_some_and(|end| end.event_type.name() == "ERROR")
        {
            self.summary.interrupted += 1;
        } else {
            assert_eq!(left.trim(), "", "{run} to {} {end:?}", read.last);
        }
        read.end
    }

    /// Reads on after what is read, at any replica.
    async fn resume(&mut self, path: &str, read: &mut Read) -> Result<(), Broken> {
        self.summary.resumed += 1;
        let path = if read.run.is_empty() {
            // Not even the first event came.
            return Err(Broken::BegunAgain);
        } else {
            format!("{path}/stream?after={}/{}", read.run, read.last)
        };
        let Some(response) = self.try_get(&path).await else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            return Err(Broken::Connection);
        };
        match response.status().as_u16() {
            200 => Self::read(response, read).await,
            204 => Ok(()),
            410 => Err(Broken::BegunAgain),
            _ => Err(Broken::Connection),
        }
    }

    async fn read(response: reqwest::Response, read: &mut Read) -> Result<(), Broken> {
        let mut response = response;
        let mut decoder = Decoder::new();
        loop {
            let Ok(Some(bytes)) = response.chunk().await else {
                // A clean end counts only after the event that says so.
                return match read.end {
                    Some(_) => Ok(()),
                    None => Err(Broken::Connection),
                };
            };
            for frame in decoder.push(&bytes) {
                let event = event(&frame.unwrap().data);
                let id = event.event_id.as_str().to_owned();
                let (run, number) = id.rsplit_once('/').unwrap();
                let number: i64 = number.parse().unwrap();
                let is_text = event.event_type.name() == "AGENT_RESPONSE_CHUNK";
                assert!(
                    read.run.is_empty() || read.run == run,
                    "{id} after {}",
                    read.run
                );
                let next = read.last + 1;
                // Pieces of text may come as one, with the id of the last.
                assert!(
                    number == next || number > next && is_text,
                    "{id} after {}",
                    read.last
                );
                run.clone_into(&mut read.run);
                read.last = number;
                if is_text {
                    read.text.push_str(&event.event_message.content);
                }
                let ends = [
                    "AGENT_RESPONSE_COMPLETE",
                    "TOOL_EXECUTION_APPROVAL_REQUEST",
                    "ERROR",
                ];
                if ends.contains(&event.event_type.name()) {
                    read.end = Some(event);
                }
            }
        }
    }

    /// Sends a post to any replica until it is answered with something that is final.
    async fn post(&mut self, path: &str, body: &Value, key: &str) -> reqwest::Response {
        let since = Instant::now();
        for attempt in 0.. {
            let url = self.url(path);
            let sent = self
                .http
                .post(url)
                .json(body)
                .header("authorization", "Bearer k")
                .header("x-service-user-id", &self.user)
                .header("idempotency-key", key)
                .send()
                .await;
            if let Ok(response) = sent {
                let status = response.status();
                if status.is_success() || status == 410 {
                    self.summary.longest_wait = self.summary.longest_wait.max(since.elapsed());
                    self.summary.repeated += usize::from(attempt > 0);
                    return response;
                }
                let said = response.text().await.unwrap_or_default();
                let is_busy = status == 400 && said.contains("still being written");
                assert!(is_busy || status.is_server_error(), "{status}: {said}");
            }
            assert!(
                since.elapsed() < Duration::from_secs(60),
                "a post is not taken"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        unreachable!()
    }

    async fn try_get(&mut self, path: &str) -> Option<reqwest::Response> {
        let url = self.url(path);
        let sent = self
            .http
            .get(url)
            .header("authorization", "Bearer k")
            .header("x-service-user-id", &self.user)
            .send();
        let response = sent.await.ok()?;
        (!response.status().is_server_error()).then_some(response)
    }

    fn url(&mut self, path: &str) -> String {
        let addresses = self.world.addresses.lock().unwrap();
        format!(
            "http://{}{path}",
            addresses[self.random.below(addresses.len())]
        )
    }

    async fn list(&mut self, path: &str) -> (Vec<Value>, bool) {
        loop {
            if let Some(response) = self.try_get(path).await {
                assert_eq!(response.status(), 200);
                let is_running = response.headers().contains_key("assent-answer");
                if let Ok(messages) = response.json().await {
                    return (messages, is_running);
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn messages(&mut self, path: &str) -> Vec<Value> {
        self.list(path).await.0
    }

    async fn until_ended(&mut self, path: &str) {
        while self.list(path).await.1 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Returns true if a request for approval waits.
    async fn is_asked(&mut self, path: &str) -> bool {
        let messages = self.messages(path).await;
        let Some(last) = messages.last() else {
            return false;
        };
        let asked = last["toolExecutionHumanApprovalRequest"].as_array();
        asked.is_some_and(|asked| asked[0]["status"] == "PENDING_HUMAN_APPROVAL")
    }

    /// Checks that the last decision is stored as it was made.
    async fn check_decision(&mut self, path: &str, verdict: &str) {
        let messages = self.messages(path).await;
        let asked = messages.iter().rev().find_map(|it| {
            let asked = it["toolExecutionHumanApprovalRequest"].as_array()?;
            asked.first().cloned()
        });
        assert_eq!(asked.unwrap()["status"], verdict);
        self.summary.decisions += 1;
    }
}

/// Returns the request for approval of an event.
fn request(event: &SseEvent) -> Option<Value> {
    let requests = event
        .event_message
        .tool_execution_approval_request
        .as_ref()?;
    serde_json::from_str(requests.first()?.as_str()).ok()
}

/// Returns a post with a decision about a request.
fn decided(mut request: Value, verdict: &str) -> Value {
    request["approvalResult"] = json!(verdict);
    let decision = json!({ "type": "tool_approval_result", "toolApprovalResult": [request] });
    json!({ "content": [decision] })
}
