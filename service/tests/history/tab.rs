//! One page and one browser, as far as the core notices them.
//!
//! The page is the real core; what is around it in a browser is `crates/client`, which exists only
//! there. What it does is done here by `world.rs` in the same order: it keeps requests and unsent
//! messages, has one lock for each batch, retries reads, and tells other tabs of its streams. Not
//! done here are typing in two tabs at the same time, files, recordings, and storages that fail.

use std::collections::{BTreeMap, BTreeSet};

use assent_conversation::{
    AnswerSummary, CachedRequest, ConversationKey, Draft, State, StreamId, ThreadId, UnsentMessage,
};

/// One page.
pub struct Tab {
    pub user: usize,
    pub device: usize,
    pub state: State,
    pub is_alive: bool,
    /// The last read of each kind.
    pub reads: BTreeMap<Option<ConversationKey>, u64>,
    /// Streams of other tabs that this one shows, by their exchange, with the number of frames.
    pub mirrored: BTreeMap<usize, (StreamId, usize)>,
    pub next_mirrored: u32,
}

/// One browser of a user.
#[derive(Default)]
pub struct Device {
    pub kept: Vec<CachedRequest>,
    /// Batches that a tab is answering.
    pub locks: BTreeSet<String>,
    /// The messages of each tab that are not surely sent.
    pub outbox: BTreeMap<usize, Vec<UnsentMessage>>,
    /// Drafts of closed tabs.
    pub drafts: Vec<Draft>,
    pub remembered: Option<ThreadId>,
}

impl Tab {
    pub fn new(user: usize, device: usize) -> Self {
        Self {
            user,
            device,
            state: State::new(),
            is_alive: true,
            reads: BTreeMap::new(),
            mirrored: BTreeMap::new(),
            next_mirrored: u32::MAX,
        }
    }
}

impl Device {
    /// Keeps requests, each in place of the one of its run.
    pub fn keep(&mut self, requests: Vec<CachedRequest>) {
        for mut request in requests {
            let same = |it: &CachedRequest| is_same(it, &request);
            if let Some(before) = self.kept.iter().find(|it| same(it))
                && before.request == request.request
            {
                request.at = before.at;
            }
            self.kept.retain(|it| !is_same(it, &request));
            self.kept.push(request);
        }
        self.kept.sort_by_key(|it| it.at);
    }

    pub fn forget(&mut self, requests: &[CachedRequest]) {
        let gone = |kept: &CachedRequest| requests.iter().any(|it| is_same(it, kept));
        self.kept.retain(|kept| !gone(kept));
    }

    /// Returns true if the requests that an answer echoes are kept as they came.
    pub fn holds(&self, answer: &AnswerSummary) -> bool {
        let mut requests = answer.requests.iter();
        requests.all(|request| self.kept.iter().any(|kept| kept.request == *request))
    }
}

fn is_same(one: &CachedRequest, other: &CachedRequest) -> bool {
    one.execution == other.execution && one.batch == other.batch
}
