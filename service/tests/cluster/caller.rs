//! Requests of a person, which are sent again until they are answered: to HAProxy, or to any replica.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use reqwest::RequestBuilder;
use serde_json::Value;

use crate::{
    World,
    random::{Random, moment},
};

/// The way to the replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// HAProxy chooses.
    Balanced,
    /// The client chooses.
    Direct,
}

#[derive(Clone)]
pub struct Caller {
    pub way: Way,
    user: String,
    random: Random,
    world: Arc<World>,
    http: reqwest::Client,
    /// The posts that were sent more than once.
    pub repeated: usize,
    /// The longest time in which a post was not answered.
    pub longest_wait: Duration,
}

impl Caller {
    pub fn new(user: String, way: Way, random: Random, world: &Arc<World>) -> Self {
        let http = reqwest::Client::builder().read_timeout(Duration::from_secs(20));
        Self {
            way,
            user,
            random,
            world: Arc::clone(world),
            http: http.build().unwrap(),
            repeated: 0,
            longest_wait: Duration::ZERO,
        }
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    pub fn is_at_its_end(&self) -> bool {
        self.world.stops.load(Ordering::Relaxed)
    }

    pub fn count_answer(&self) {
        self.world.answers.fetch_add(1, Ordering::Relaxed);
    }

    /// Sends a post until it is answered with something that is final.
    pub async fn post(&mut self, path: &str, body: &Value, key: &str) -> reqwest::Response {
        let since = Instant::now();
        for attempt in 0.. {
            let url = self.url(path);
            let post = self.http.post(url).json(body);
            let sent = self.signed(post).header("idempotency-key", key).send();
            if let Ok(response) = sent.await {
                let status = response.status();
                if status.is_success() || status == 410 {
                    self.longest_wait = self.longest_wait.max(since.elapsed());
                    self.repeated += usize::from(attempt > 0);
                    return response;
                }
                if status == 400 {
                    let said = response.text().await.unwrap_or_default();
                    if !said.contains("still being written") {
                        return refusal(said);
                    }
                } else {
                    assert!(status.is_server_error(), "{status}");
                }
            }
            assert!(
                since.elapsed() < Duration::from_secs(120),
                "a post is not taken"
            );
            moment().await;
        }
        unreachable!()
    }

    pub async fn try_get(&mut self, path: &str) -> Option<reqwest::Response> {
        let url = self.url(path);
        let get = self.http.get(url);
        let response = self.signed(get).send().await.ok()?;
        (!response.status().is_server_error()).then_some(response)
    }

    fn signed(&self, request: RequestBuilder) -> RequestBuilder {
        request
            .header("authorization", "Bearer k")
            .header("x-service-user-id", &self.user)
    }

    fn url(&mut self, path: &str) -> String {
        let addresses = &self.world.addresses;
        let address = match self.way {
            Way::Balanced => &self.world.balancer,
            Way::Direct => &addresses[self.random.below(addresses.len())],
        };
        format!("http://{address}{path}")
    }

    /// Returns the stored messages, and true if an answer is being written.
    async fn list(&mut self, path: &str) -> (Vec<Value>, bool) {
        loop {
            if let Some(response) = self.try_get(path).await {
                assert_eq!(response.status(), 200);
                let is_running = response.headers().contains_key("assent-answer");
                if let Ok(messages) = response.json().await {
                    return (messages, is_running);
                }
            }
            moment().await;
        }
    }

    pub async fn messages(&mut self, path: &str) -> Vec<Value> {
        self.list(path).await.0
    }

    pub async fn until_ended(&mut self, path: &str) {
        while self.list(path).await.1 {
            moment().await;
        }
    }
}

/// The response of a refusal, whose body was read.
fn refusal(said: String) -> reqwest::Response {
    let response = axum::http::Response::builder().status(400).body(said);
    response.unwrap().into()
}
