//! A trial: users, their browsers and tabs, the network and the service, on one clock.
//!
//! Everything happens in one order, which the seed decides: an event is taken, the service or a
//! page reacts, and what follows from it is put on the clock.

mod answers;
mod client;
mod other_tabs;
mod pages;
mod requests;

use std::collections::BTreeMap;

use assent_conversation::{
    ContentItem, ConversationKey, Failure, FailureKind, Input, LoadId, StreamEnd, StreamId,
    ThreadId,
};
use assent_protocol::SseEvent;

use crate::{
    history::History,
    mutant::Mutant,
    network::Plan,
    random::Random,
    server::{Flow, Server},
    tab::{Device, Tab},
};

/// Delays of the client's retries of reads (`crates/client/src/runtime/reads.rs`).
const RETRY_DELAYS: [i64; 2] = [1000, 3000];
/// Timeout of a request that is no stream (`crates/client/src/api.rs`).
const REQUEST_TIMEOUT: i64 = 30_000;
/// Time without a byte after which a stream is stalled (`crates/client/src/stream.rs`).
const STALL_TIMEOUT: i64 = 45_000;
/// Time after which a tab takes the owner of a stream for gone (`web/tabs/tabs.js`).
const END_TIMEOUT: i64 = 500;
/// Delay of reading after a storage event (`crates/client/src/runtime/mod.rs`).
const BATCH_DELAY: i64 = 50;
/// Time of a message from tab to tab.
const CHANNEL: i64 = 5;

/// A request of a page, without what all have in common.
#[derive(Clone, Debug)]
pub enum Call {
    List(u64),
    Load(u64, ConversationKey, LoadId, ThreadId),
    Create(ConversationKey),
    Delete(ThreadId),
    /// The number is that of the post in the history.
    Post(StreamId, ThreadId, Vec<ContentItem>, usize),
}

/// A request on its way, and what the client saw of its answer.
struct Exchange {
    tab: usize,
    call: Call,
    attempt: usize,
    plan: Plan,
    is_over: bool,
    /// Frames that the client got; `None`: garbled.
    frames: Vec<Option<SseEvent>>,
    /// Frames that the network passed on so far.
    passed: usize,
    /// The time of the last frame on its way.
    last: i64,
    /// The time of the last byte at the client.
    heard: i64,
    is_stalled: bool,
    lock: Option<String>,
}

/// A message from tab to tab.
enum Told {
    Frames(usize),
    Stalled(usize, bool),
    Ended(usize, StreamEnd),
    Stopped(usize),
    Changed(Option<ThreadId>),
}

enum Event {
    Send(usize, Call, usize),
    Arrive(usize, bool),
    /// What the client sees, and whether that is the last of it.
    Client(usize, Vec<Input>, bool),
    Fail(usize, Failure),
    Go(usize, usize),
    Watch(usize),
    Kept(usize),
    Tell(usize, Told),
    Waited(usize, StreamId),
}

pub struct World {
    pub now: i64,
    pub random: Random,
    pub history: History,
    pub server: Server,
    pub tabs: Vec<Tab>,
    pub devices: Vec<Device>,
    pub users: Vec<String>,
    pub mutant: Mutant,
    /// The chance that a request is spoiled, in percent.
    pub weather: usize,
    events: BTreeMap<(i64, u64), Event>,
    next: u64,
    exchanges: Vec<Exchange>,
    /// Answers that are not read to their end, with their exchange if the client sees them.
    flows: Vec<Option<(Flow, usize, bool)>>,
}

impl World {
    pub async fn new(seed: u64, mutant: Mutant) -> Self {
        let history = History::default();
        let server = Server::new(history.work.clone(), mutant).await;
        Self {
            now: 1_800_000_000_000,
            random: Random::new(seed),
            history,
            server,
            tabs: Vec::new(),
            devices: Vec::new(),
            users: Vec::new(),
            mutant,
            weather: 0,
            events: BTreeMap::new(),
            next: 0,
            exchanges: Vec::new(),
            flows: Vec::new(),
        }
    }

    fn after(&mut self, wait: i64, event: Event) {
        self.next += 1;
        self.events.insert((self.now + wait, self.next), event);
    }

    pub fn tell(&mut self, what: &str) {
        self.history.tell(self.now - 1_800_000_000_000, what);
    }

    /// Lets time pass until `end`, or until nothing happens any more.
    pub async fn run(&mut self, end: i64) {
        while let Some(first) = self.events.first_entry() {
            if first.key().0 > end {
                break;
            }
            let ((at, _), event) = first.remove_entry();
            self.now = self.now.max(at);
            self.happen(event).await;
        }
        if end < i64::MAX {
            self.now = self.now.max(end);
        }
    }

    async fn happen(&mut self, event: Event) {
        match event {
            Event::Send(tab, call, attempt) => self.send(tab, call, attempt),
            Event::Arrive(at, is_second) => self.arrive(at, is_second).await,
            Event::Client(at, inputs, is_last) => self.deliver(at, inputs, is_last),
            Event::Fail(at, failure) => self.fail(at, failure),
            // Its thread may have been deleted.
            Event::Go(flow, _) if self.flows[flow].is_none() => {}
            Event::Go(flow, gate) => {
                self.server.waiting -= 1;
                self.server.worker.open(gate);
                self.read(flow).await;
            }
            Event::Watch(at) => self.watch(at),
            Event::Kept(tab) => {
                let kept = self.devices[self.tabs[tab].device].kept.clone();
                self.dispatch(tab, Input::CachedRequests(kept));
            }
            Event::Tell(tab, told) => self.told(tab, told),
            Event::Waited(tab, stream) => self.dispatch(tab, Input::Waited(stream)),
        }
    }
}

fn lost() -> StreamEnd {
    StreamEnd::Failed(Failure::of(FailureKind::Unreachable))
}

fn input_of(stream: StreamId, event: Option<SseEvent>) -> Input {
    match event {
        Some(event) => Input::StreamEvent(stream, Box::new(event)),
        None => Input::StreamGarbled(stream),
    }
}

/// Returns the text of a post.
fn text_of(content: &[ContentItem]) -> String {
    let texts = content.iter().filter_map(|item| match item {
        ContentItem::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
