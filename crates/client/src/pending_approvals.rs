//! Approval requests that outlive the page, in the browser's storage: one value for each tool run.
//!
//! The request is kept as the text it came as, because the answer has to echo it. The core decides
//! how long one is kept; the limits of number and size are here.

use assent_conversation::{AnswerSummary, BatchId, CachedRequest, ExecutionId, Millis, ThreadId};
use assent_protocol::{FromJson, Json, RawApprovalRequest, quote};

use super::connection::escaped;
use super::{KeyValueStore, ScopedStorage};

/// Key prefix of all values of the widget, of any service, agent and user.
const WIDGET_PREFIX: &str = "assent:";

/// Key prefix of stored requests, within the storage of service, agent and user.
const REQUEST_PREFIX: &str = "approval:";

/// The version of the record format. Records of a later version are left alone: a newer widget may
/// run in another tab.
const RECORD_VERSION: u32 = 1;

/// Maximum number of requests for one service, agent and user.
const MAX_REQUESTS: usize = 100;

/// Maximum size of all requests for one service, agent and user together, in bytes.
const MAX_REQUESTS_BYTES: usize = 1 << 20;

/// The divisor of the maximum number and size: a batch that takes more than this part of either (a
/// half) removes no other batch to make room.
const LARGE_BATCH_DIVISOR: usize = 2;

/// A time later than any date that a browser can hold, in milliseconds.
const MAX_DATE_MS: i64 = 8_640_000_000_000_000;

/// The stored approval requests of one service, agent and user. A clone shares them.
#[derive(Clone)]
pub struct PendingApprovals {
    storage: ScopedStorage,
}

/// A value of the storage under the key of a request, as it was parsed.
enum StoredValue {
    Request(CachedRequest),
    /// The value was written by a later version of the widget.
    Later,
    Broken,
}

impl PendingApprovals {
    /// Creates the store of requests in this part of the browser's storage.
    #[must_use]
    pub fn new(storage: ScopedStorage) -> Self {
        Self { storage }
    }

    /// Returns the key prefix of stored requests, within the storage of service, agent and user.
    #[must_use]
    pub fn prefix() -> &'static str {
        REQUEST_PREFIX
    }

    /// Removes expired requests, of any service, agent and user: no page of theirs may come back to
    /// do it.
    pub fn remove_expired(storage: &dyn KeyValueStore, now: Millis) {
        let keys = storage.keys(WIDGET_PREFIX).into_iter();
        for key in keys.filter(|key| key.contains(REQUEST_PREFIX)) {
            let value = storage.get(&key).unwrap_or_default();
            if let StoredValue::Request(cached) = parse_value(&value)
                && cached.is_expired(now)
            {
                storage.remove(&key);
            }
        }
    }

    /// Returns all requests, oldest first. Unreadable ones are removed.
    #[must_use]
    pub fn all(&self) -> Vec<CachedRequest> {
        let mut all: Vec<CachedRequest> = Vec::new();
        for key in self.storage.keys(REQUEST_PREFIX) {
            let value = self.storage.get(&key).unwrap_or_default();
            match parse_value(&value) {
                StoredValue::Request(cached) if key_of(&cached) == key => {
                    let place = all.partition_point(|other| other.at <= cached.at);
                    all.insert(place, cached);
                }
                StoredValue::Later => {}
                StoredValue::Request(_) | StoredValue::Broken => self.storage.remove(&key),
            }
        }
        all
    }

    /// Stores these requests, each in place of the stored one of its run.
    ///
    /// Other batches make room, each as a whole, the oldest first. Requests that take a large part
    /// of the room by themselves displace nothing: where there is no room for them, only this page's
    /// memory has them. Otherwise an agent could take all others off the device with one request.
    pub fn store(&self, requests: &[CachedRequest]) {
        let mut requests = requests.to_vec();
        let (mut ours, mut others) = (Vec::new(), Vec::new());
        for cached in self.all() {
            let same = |it: &&mut CachedRequest| key_of(it) == key_of(&cached);
            if let Some(again) = requests.iter_mut().find(same) {
                if again.request == cached.request {
                    again.at = cached.at;
                }
            } else if !self.storage.is_remembered(&key_of(&cached)) {
                let is_ours = requests.iter().any(|it| it.batch == cached.batch);
                if is_ours { &mut ours } else { &mut others }.push(cached);
            }
        }
        let fits = |others: &[CachedRequest], share: usize| {
            let all = || requests.iter().chain(&ours).chain(others);
            let bytes = all().map(stored_bytes).sum::<usize>();
            all().count() <= MAX_REQUESTS / share && bytes <= MAX_REQUESTS_BYTES / share
        };
        if !fits(&[], LARGE_BATCH_DIVISOR) && !fits(&others, 1) {
            for request in &requests {
                let (key, value) = (key_of(request), to_record(request));
                self.storage.remember(&key, &value);
            }
            return;
        }
        while !fits(&others, 1)
            && let Some(oldest) = others.first().map(|oldest| oldest.batch.clone())
        {
            others.retain(|other| {
                let stays = other.batch != oldest;
                if !stays {
                    self.storage.remove(&key_of(other));
                }
                stays
            });
        }
        for request in &requests {
            self.storage.set(&key_of(request), &to_record(request));
        }
    }

    /// Removes these requests from the storage.
    pub fn forget(&self, requests: &[CachedRequest]) {
        for request in requests {
            self.storage.remove(&key_of(request));
        }
    }

    /// Returns true if another request is stored for a run than the answer echoes. Reads the
    /// storage, which all tabs share: one of them may have been asked something else.
    #[must_use]
    pub fn differ_from(&self, answer: &AnswerSummary) -> bool {
        let differs = |request: &RawApprovalRequest| {
            let run = request.read()?;
            let key = key(&run.tool_execution_batch_id, &run.tool_execution_id);
            match parse_value(&self.storage.get(&key)?) {
                StoredValue::Request(cached) => Some(cached.request != *request),
                StoredValue::Later | StoredValue::Broken => None,
            }
        };
        let mut requests = answer.requests.iter();
        requests.any(|request| differs(request) == Some(true))
    }
}

fn key_of(cached: &CachedRequest) -> String {
    key(&cached.batch, &cached.execution)
}

fn key(batch: &BatchId, execution: &ExecutionId) -> String {
    let [batch, execution] = [batch.as_str(), execution.as_str()].map(escaped);
    format!("{REQUEST_PREFIX}{batch}|{execution}")
}

fn stored_bytes(cached: &CachedRequest) -> usize {
    cached.request.as_str().len()
}

fn to_record(cached: &CachedRequest) -> String {
    let thread = quote(cached.thread.as_str());
    let (Millis(at), request) = (cached.at, cached.request.as_str());
    format!(r#"{{"version":{RECORD_VERSION},"thread":{thread},"at":{at},"request":{request}}}"#)
}

fn parse_value(value: &str) -> StoredValue {
    let Some(record) = Json::new(value).and_then(Json::object) else {
        return StoredValue::Broken;
    };
    let number = |name: &str| record.get(name)?.as_str().parse::<i64>().ok();
    match number("version") {
        Some(version) if version > i64::from(RECORD_VERSION) => return StoredValue::Later,
        Some(version) if version == i64::from(RECORD_VERSION) => {}
        _ => return StoredValue::Broken,
    }
    let at = number("at").filter(|at| (0..MAX_DATE_MS).contains(at));
    let request = record
        .get("request")
        .and_then(RawApprovalRequest::from_json);
    let cached = at.zip(request).and_then(|(at, request)| {
        CachedRequest::new(ThreadId(record.text("thread")), Millis(at), request)
    });
    cached.map_or(StoredValue::Broken, StoredValue::Request)
}
