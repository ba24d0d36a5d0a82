//! The time in which the conversation of a replica that is killed takes a message again.

use std::time::{Duration, Instant};

use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::{
    LEASE,
    common::{THREADS, messages_of, text},
    random::moment,
};

/// The promise: the lease, and the beats of two tasks and what they do.
const PROMISE: Duration = Duration::from_secs(LEASE.as_secs() + 2);

/// What is asserted: a machine that is busy with other programs keeps no promise.
const BOUND: Duration = Duration::from_secs(LEASE.as_secs() * 5);

/// The longest time for anything, with the database out of reach.
const WAIT: Duration = Duration::from_secs(120);

/// The times that it took.
#[derive(Debug, Default)]
pub struct Takeovers {
    pub measured: usize,
    /// Those of them that took no longer than [`PROMISE`].
    pub kept: usize,
    pub longest: Duration,
    /// The longest one after an outage of the database, which is no part of the promise.
    pub longest_disturbed: Duration,
}

impl Takeovers {
    /// Adds one after a kill; `calm`: since when the database is in nobody's way.
    pub fn add(&mut self, (killed, taken): (Instant, Duration), calm: Instant) {
        if killed < calm {
            self.longest_disturbed = self.longest_disturbed.max(taken);
            return;
        }
        self.measured += 1;
        self.kept += usize::from(taken <= PROMISE);
        self.longest = self.longest.max(taken);
    }

    pub fn check(&self) {
        assert!(self.longest <= BOUND, "{self:?}");
    }
}

/// A conversation whose answer has no end as long as its replica lives.
pub struct Endless {
    http: reqwest::Client,
    path: String,
}

fn signed(request: RequestBuilder) -> RequestBuilder {
    request
        .header("authorization", "Bearer k")
        .header("x-service-user-id", "watcher")
}

impl Endless {
    /// Begins one at a replica, which may fail in between.
    pub async fn begin(address: &str) -> Self {
        let since = Instant::now();
        loop {
            if let Some(begun) = Self::try_begin(address).await {
                return begun;
            }
            assert!(since.elapsed() < WAIT, "{address} answers nothing");
            moment().await;
        }
    }

    async fn try_begin(address: &str) -> Option<Self> {
        let http = reqwest::Client::builder().read_timeout(Duration::from_secs(20));
        let http = http.build().unwrap();
        let url = format!("http://{address}{THREADS}");
        let created = signed(http.post(url)).json(&json!({ "agentId": "desk" }));
        let created: Value = created.send().await.ok()?.json().await.ok()?;
        let path = messages_of(created["id"].as_str()?);
        let url = format!("http://{address}{path}");
        let asked = signed(http.post(url)).json(&text("wait 1"));
        let mut stream = asked.send().await.ok()?;
        let mut read = String::new();
        while !read.contains("TOOL_EXECUTION_INITIATED") {
            read += std::str::from_utf8(&stream.chunk().await.ok()??).unwrap();
        }
        Some(Self { http, path })
    }

    /// Waits until one of these replicas takes a message there.
    pub async fn until_writable(&self, others: &[String]) {
        let since = Instant::now();
        for address in others.iter().cycle() {
            let url = format!("http://{address}{}", self.path);
            let sent = signed(self.http.post(url)).json(&text("hello")).send();
            if sent.await.is_ok_and(|response| response.status() == 200) {
                return;
            }
            assert!(since.elapsed() < WAIT, "{} takes no message", self.path);
            moment().await;
        }
    }
}
