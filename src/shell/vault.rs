//! Requests for approval that outlive the page, in the browser's storage: one value for each tool run.
//!
//! The request is kept as the text it came as, because the answer has to echo it.
//! How long one is kept is decided in the core; here is how many and how large they may become.

use assent_conversation::{BatchId, Claim, ExecutionId, KeptRequest, Millis, ThreadId};
use assent_protocol::{FromJson, Json, RawApprovalRequest, quoted};

use super::connection::escaped;
use super::{KeyValue, Scoped};

/// What all keys of the widget begin with.
const EVERYBODY: &str = "assent:";

/// What the keys begin with, after the prefix of service, agent and user.
const PREFIX: &str = "approval:";

/// The shape of the records. Those of a later version are left alone: a newer widget may run in another tab.
const VERSION: u32 = 1;

/// So many requests are kept for one service, agent and user.
const MOST_REQUESTS: usize = 100;

/// So much text all of them may have, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// Later than any date that a browser can hold, in milliseconds.
const END_OF_TIME: i64 = 8_640_000_000_000_000;

/// The kept requests of one service, agent and user. A clone is the same one.
#[derive(Clone)]
pub struct Vault {
    storage: Scoped,
}

/// What a stored value turns out to be.
enum Record {
    Kept(KeptRequest),
    /// Written by a later version of the widget.
    Later,
    Broken,
}

impl Vault {
    /// The requests in this part of the storage.
    #[must_use]
    pub fn new(storage: Scoped) -> Self {
        Self { storage }
    }

    /// What the keys begin with, within the storage of service, agent and user.
    #[must_use]
    pub fn prefix() -> &'static str {
        PREFIX
    }

    /// Forgets what is expired, of any service, agent and user: they may never come back to do it.
    pub fn sweep(storage: &dyn KeyValue, now: Millis) {
        let keys = storage.keys(EVERYBODY).into_iter();
        for key in keys.filter(|key| key.contains(PREFIX)) {
            let value = storage.get(&key).unwrap_or_default();
            if let Record::Kept(kept) = read(&value)
                && kept.is_expired(now)
            {
                storage.remove(&key);
            }
        }
    }

    /// All requests, oldest first. What cannot be read is removed.
    #[must_use]
    pub fn all(&self) -> Vec<KeptRequest> {
        let mut all: Vec<KeptRequest> = Vec::new();
        for key in self.storage.keys(PREFIX) {
            let value = self.storage.get(&key).unwrap_or_default();
            match read(&value) {
                Record::Kept(kept) if key_of(&kept) == key => {
                    let place = all.partition_point(|other| other.at <= kept.at);
                    all.insert(place, kept);
                }
                Record::Later => {}
                Record::Kept(_) | Record::Broken => self.storage.remove(&key),
            }
        }
        all
    }

    /// Keeps these, each in place of what is there for its run. The oldest make room, but none of the same batches.
    pub fn keep(&self, requests: &[KeptRequest]) {
        let mut others = self.all();
        others.retain(|other| !requests.iter().any(|it| key_of(it) == key_of(other)));
        let mut count = requests.len() + others.len();
        let mut bytes: usize = requests.iter().chain(&others).map(size).sum();
        for other in others {
            if count <= MOST_REQUESTS && bytes <= MOST_BYTES {
                break;
            }
            if requests.iter().all(|it| it.batch != other.batch) {
                count -= 1;
                bytes -= size(&other);
                self.storage.remove(&key_of(&other));
            }
        }
        for request in requests {
            self.storage.set(&key_of(request), &written(request));
        }
    }

    /// Forgets these.
    pub fn forget(&self, requests: &[KeptRequest]) {
        for request in requests {
            self.storage.remove(&key_of(request));
        }
    }

    /// True where every request that the answer decides is still there. Reads the storage, which all tabs share.
    #[must_use]
    pub fn holds(&self, answer: &Claim) -> bool {
        let mut decisions = answer.decisions.iter();
        decisions.all(|decision| {
            let key = key(&answer.batch, &decision.execution);
            self.storage.get(&key).is_some()
        })
    }
}

fn key_of(kept: &KeptRequest) -> String {
    key(&kept.batch, &kept.execution)
}

fn key(batch: &BatchId, execution: &ExecutionId) -> String {
    let [batch, execution] = [batch.as_str(), execution.as_str()].map(escaped);
    format!("{PREFIX}{batch}|{execution}")
}

fn size(kept: &KeptRequest) -> usize {
    kept.request.as_str().len()
}

fn written(kept: &KeptRequest) -> String {
    let thread = quoted(kept.thread.as_str());
    let (Millis(at), request) = (kept.at, kept.request.as_str());
    format!(r#"{{"version":{VERSION},"thread":{thread},"at":{at},"request":{request}}}"#)
}

fn read(value: &str) -> Record {
    let Some(record) = Json::new(value).and_then(Json::object) else {
        return Record::Broken;
    };
    let number = |name: &str| record.get(name)?.as_str().parse::<i64>().ok();
    match number("version") {
        Some(version) if version > i64::from(VERSION) => return Record::Later,
        Some(version) if version == i64::from(VERSION) => {}
        _ => return Record::Broken,
    }
    let at = number("at").filter(|at| (0..END_OF_TIME).contains(at));
    let request = record
        .get("request")
        .and_then(RawApprovalRequest::from_json);
    let kept = at.zip(request).and_then(|(at, request)| {
        KeptRequest::new(ThreadId(record.text("thread")), Millis(at), request)
    });
    kept.map_or(Record::Broken, Record::Kept)
}
