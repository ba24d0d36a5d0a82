//! A trial: users, their browsers and tabs, the network and the service, on one clock.
//!
//! Everything happens in one order, which the seed decides: an event is taken, the service or a
//! page reacts, and what follows from it is put on the clock.

use std::collections::{BTreeMap, VecDeque};

use assent_conversation::{
    Command, ContentItem, ConversationKey, Failure, FailureKind, Input, Intent, LoadId, Millis,
    PageEvent, StreamEnd, StreamId, ThreadId, Withheld, step,
};
use assent_protocol::{Dialect, PostMessage, SessionThread, SseEvent};
use axum::http::Method;
use serde_json::{Value, json};

use crate::{
    agent::AGENT,
    common::{THREADS, events, messages_of},
    history::{History, Post, marks},
    mutant::Mutant,
    network::{self, Plan, Spoiled, of_status},
    random::Random,
    server::{Flow, Rest, Server},
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
/// Delay of reading after a storage event (`crates/client/src/runtime.rs`).
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

    // Pages.

    /// Opens a tab.
    pub fn open(&mut self, device: usize, user: usize) -> usize {
        let tab = self.tabs.len();
        self.tabs.push(Tab::new(user, device));
        let kept = self.devices[device].kept.clone();
        self.dispatch(tab, Input::CachedRequests(kept));
        let drafts = std::mem::take(&mut self.devices[device].drafts);
        self.dispatch(tab, Input::Drafts(drafts));
        let tabs = &self.tabs;
        let left = self.devices[device]
            .outbox
            .extract_if(.., |owner, _| !tabs[*owner].is_alive);
        let left: Vec<_> = left.flat_map(|(_, unsent)| unsent).collect();
        if self.mutant != Mutant::ForgetsUnsent {
            self.dispatch(tab, Input::Unsent(left));
        }
        let remembered = self.devices[device].remembered.clone();
        self.dispatch(tab, Input::Intent(Intent::Start { remembered }));
        tab
    }

    pub fn close(&mut self, tab: usize) {
        let drafts = self.tabs[tab].state.drafts();
        let device = self.tabs[tab].device;
        self.devices[device].drafts.extend(drafts);
        self.tabs[tab].is_alive = false;
        for at in 0..self.exchanges.len() {
            if self.exchanges[at].tab == tab && !self.exchanges[at].is_over {
                self.end(at, &StreamEnd::Closed, END_TIMEOUT);
            }
        }
    }

    pub fn intend(&mut self, tab: usize, intent: Intent) {
        self.dispatch(tab, Input::Intent(intent));
    }

    pub fn dispatch(&mut self, tab: usize, input: Input) {
        if !self.tabs[tab].is_alive {
            return;
        }
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            match &input {
                Input::ThreadCreated { result: Ok(_), .. } => {
                    self.broadcast(tab, CHANNEL, || Told::Changed(None));
                }
                Input::ThreadDeleted { thread, result } => {
                    let failure = result.as_ref().err();
                    if failure.is_none_or(|it| it.kind == FailureKind::NotFound) {
                        self.broadcast(tab, CHANNEL, || Told::Changed(Some(thread.clone())));
                    }
                }
                _ => {}
            }
            let state = &mut self.tabs[tab].state;
            let output = step(state, input, Millis(self.now));
            for command in output.commands {
                self.carry_out(tab, command, &mut inputs);
            }
        }
        let unsent = self.tabs[tab].state.unsent();
        let device = self.tabs[tab].device;
        self.devices[device].outbox.insert(tab, unsent);
    }

    fn carry_out(&mut self, tab: usize, command: Command, inputs: &mut VecDeque<Input>) {
        let device = self.tabs[tab].device;
        match command {
            Command::ListThreads => self.begin_read(tab, None, 0, Call::List),
            Command::LoadMessages {
                conversation,
                load,
                thread,
                after,
            } => {
                self.find_streams(tab, &thread);
                let call = |serial| Call::Load(serial, conversation, load, thread);
                self.begin_read(tab, Some(conversation), after.0, call);
            }
            Command::CreateThread { conversation, .. } => {
                self.send(tab, Call::Create(conversation), 0);
            }
            Command::DeleteThread { thread } => self.send(tab, Call::Delete(thread), 0),
            Command::Post {
                stream,
                thread,
                content,
                summary,
                ..
            } => {
                let lock = summary.as_ref().map(|it| it.batch.as_str().to_owned());
                let device = &mut self.devices[device];
                let is_held = lock.as_ref().is_some_and(|it| device.locks.contains(it));
                if is_held || summary.is_some_and(|it| !device.holds(&it)) {
                    let end = StreamEnd::Withheld(Withheld::ForOtherTab);
                    return inputs.push_back(Input::StreamEnded(stream, end));
                }
                device.locks.extend(lock.clone());
                let post = self.note_post(&thread, &content);
                self.send(tab, Call::Post(stream, thread, content, post), 0);
                if let Some(exchange) = self.exchanges.last_mut() {
                    exchange.lock = lock;
                }
            }
            Command::CancelStream(stream) => self.cancel(tab, stream),
            Command::CloseStream(stream) => self.leave_stream(tab, stream),
            Command::Wait(stream, time) => self.after(time.0, Event::Waited(tab, stream)),
            Command::RememberThread(thread) => self.devices[device].remembered = thread,
            Command::KeepRequests(requests) => {
                self.devices[device].keep(requests);
                self.storage_changed(tab);
            }
            Command::ForgetRequests(requests) => {
                self.devices[device].forget(&requests);
                self.storage_changed(tab);
            }
            Command::NotifyPage(event) => self.noted(tab, event),
            Command::RenameThread { .. }
            | Command::LoadRecordings(_)
            | Command::Forget
            | Command::CopyLog
            | Command::Upload(_)
            | Command::CancelUpload(_)
            | Command::Settle(..) => {}
        }
    }

    /// Notes what a page is told.
    fn noted(&mut self, tab: usize, event: PageEvent) {
        match event {
            PageEvent::MessageSent { thread, content } => {
                let text = text_of(&content);
                self.tell(&format!("tab {tab} is told that {text:?} is there"));
                let thread = thread.as_str().to_owned();
                self.history.acknowledged.push((tab, thread, text));
            }
            PageEvent::ApprovalAnswered(summary) => {
                for it in summary.decisions {
                    let run = it.execution.as_str().to_owned();
                    let status = it.status.as_str().to_owned();
                    self.history.settled.push((run, status));
                }
            }
            _ => {}
        }
    }

    fn note_post(&mut self, thread: &ThreadId, content: &[ContentItem]) -> usize {
        let mut decisions = Vec::new();
        for item in content {
            if let ContentItem::ToolApprovalResult(results) = item {
                let results = results.iter().filter_map(|it| it.read());
                decisions.extend(results.map(|it| {
                    let run = it.tool_execution_id.as_str().to_owned();
                    (run, it.approval_result.as_str().to_owned())
                }));
            }
        }
        self.history.posts.push(Post {
            thread: thread.as_str().to_owned(),
            text: text_of(content),
            decisions,
            statuses: Vec::new(),
        });
        self.history.posts.len() - 1
    }

    // Other tabs of the same browser.

    fn others(&self, tab: usize) -> Vec<usize> {
        let device = self.tabs[tab].device;
        let all = self.tabs.iter().enumerate();
        all.filter(|(at, it)| *at != tab && it.device == device && it.is_alive)
            .map(|(at, _)| at)
            .collect()
    }

    fn broadcast(&mut self, tab: usize, wait: i64, told: impl Fn() -> Told) {
        for other in self.others(tab) {
            self.after(wait, Event::Tell(other, told()));
        }
    }

    fn storage_changed(&mut self, tab: usize) {
        for other in self.others(tab) {
            self.after(BATCH_DELAY, Event::Kept(other));
        }
    }

    /// Asks the other tabs for streams of a thread.
    fn find_streams(&mut self, tab: usize, thread: &ThreadId) {
        let others = self.others(tab);
        for at in 0..self.exchanges.len() {
            let it = &self.exchanges[at];
            let is_of = matches!(&it.call, Call::Post(_, of, ..) if of == thread)
                && others.contains(&it.tab);
            if is_of && !it.is_over && !it.frames.is_empty() {
                self.after(2 * CHANNEL, Event::Tell(tab, Told::Frames(at)));
            }
        }
    }

    fn told(&mut self, tab: usize, told: Told) {
        match told {
            Told::Frames(at) => self.mirror(tab, at),
            Told::Stalled(at, is_stalled) => {
                if let Some(stream) = self.mirrored(tab, at) {
                    self.dispatch(tab, Input::StreamStalled(stream, is_stalled));
                }
            }
            Told::Ended(at, end) => {
                self.mirror(tab, at);
                if let Some(stream) = self.mirrored(tab, at) {
                    self.dispatch(tab, Input::StreamEnded(stream, end));
                }
            }
            Told::Stopped(at) => {
                if let Some(stream) = self.mirrored(tab, at) {
                    self.dispatch(tab, Input::StreamStopped(stream));
                } else if let Call::Post(stream, ..) = self.exchanges[at].call
                    && self.exchanges[at].tab == tab
                {
                    self.dispatch(tab, Input::StreamStopped(stream));
                }
            }
            Told::Changed(deleted) => {
                if let Some(thread) = deleted {
                    self.dispatch(tab, Input::ThreadGone(thread));
                }
                self.intend(tab, Intent::RefreshThreads);
            }
        }
    }

    /// Shows the frames of another tab's stream that did not come here yet.
    fn mirror(&mut self, tab: usize, at: usize) {
        let Call::Post(_, thread, content, _) = self.exchanges[at].call.clone() else {
            return;
        };
        let known = self.tabs[tab].mirrored.get(&at).copied();
        let (stream, count) = known.unwrap_or_else(|| {
            let next = self.tabs[tab].next_mirrored;
            self.tabs[tab].next_mirrored -= 1;
            (StreamId(next), 0)
        });
        if known.is_none() {
            self.dispatch(tab, Input::StreamFollowed(stream, thread, content));
            let taken = self.tabs[tab].state.conversation_of_stream(stream);
            if taken.is_none() {
                return;
            }
        }
        let frames = self.exchanges[at].frames.clone();
        self.tabs[tab].mirrored.insert(at, (stream, frames.len()));
        for frame in frames.into_iter().skip(count) {
            self.dispatch(tab, input_of(stream, frame));
        }
    }

    fn mirrored(&self, tab: usize, at: usize) -> Option<StreamId> {
        self.tabs[tab].mirrored.get(&at).map(|(stream, _)| *stream)
    }

    fn own_exchange(&self, tab: usize, stream: StreamId) -> Option<usize> {
        let mut exchanges = self.exchanges.iter();
        exchanges
            .position(|it| it.tab == tab && matches!(it.call, Call::Post(id, ..) if id == stream))
    }

    /// Ends a stream of this tab without telling anybody: others let it be by themselves.
    fn leave_stream(&mut self, tab: usize, stream: StreamId) {
        if let Some(at) = self.own_exchange(tab, stream)
            && !self.exchanges[at].is_over
        {
            self.over(at);
        }
    }

    fn cancel(&mut self, tab: usize, stream: StreamId) {
        if let Some(at) = self.own_exchange(tab, stream) {
            if !self.exchanges[at].is_over {
                self.over(at);
                self.broadcast(tab, CHANNEL, || Told::Stopped(at));
            }
            return;
        }
        let mirrored = self.tabs[tab].mirrored.iter();
        let mut found = mirrored
            .filter(|(_, (id, _))| *id == stream)
            .map(|(at, _)| *at);
        if let Some(at) = found.next_back() {
            for other in self.others(tab) {
                if self.exchanges[at].tab == other || self.tabs[other].mirrored.contains_key(&at) {
                    self.after(CHANNEL, Event::Tell(other, Told::Stopped(at)));
                }
            }
        }
    }

    // Requests.

    fn begin_read(
        &mut self,
        tab: usize,
        key: Option<ConversationKey>,
        wait: i64,
        call: impl FnOnce(u64) -> Call,
    ) {
        self.next += 1;
        self.tabs[tab].reads.insert(key, self.next);
        let call = call(self.next);
        self.after(wait, Event::Send(tab, call, 0));
    }

    /// Returns true if the page does not want the outcome any more.
    fn is_outdated(&self, tab: usize, call: &Call) -> bool {
        let reads = &self.tabs[tab].reads;
        match call {
            Call::List(serial) => reads.get(&None) != Some(serial),
            Call::Load(serial, key, ..) => reads.get(&Some(*key)) != Some(serial),
            _ => false,
        }
    }

    fn send(&mut self, tab: usize, call: Call, attempt: usize) {
        if !self.tabs[tab].is_alive || self.is_outdated(tab, &call) {
            return;
        }
        let posts = matches!(call, Call::Post(..));
        let plan = network::plan(&mut self.random, posts, self.weather);
        let at = self.exchanges.len();
        if posts || matches!(call, Call::Create(_) | Call::Delete(_)) {
            let what = match &call {
                Call::Post(.., post) => {
                    let post = &self.history.posts[*post];
                    format!("post of {:?} {:?}", post.text, post.decisions)
                }
                call => format!("{call:?}"),
            };
            self.tell(&format!("tab {tab}, {at}: {what}: {plan:?}"));
        }
        if let Some(arrives) = plan.arrives {
            self.after(arrives, Event::Arrive(at, false));
        }
        if let Some(again) = plan.again {
            self.after(again, Event::Arrive(at, true));
        }
        if let Some((wait, failure)) = plan.fails.clone() {
            self.after(wait, Event::Fail(at, failure));
        }
        if posts {
            self.after(STALL_TIMEOUT, Event::Watch(at));
        } else {
            let failure = Failure::of(FailureKind::Unreachable);
            self.after(REQUEST_TIMEOUT, Event::Fail(at, failure));
        }
        self.exchanges.push(Exchange {
            tab,
            call,
            attempt,
            plan,
            is_over: false,
            frames: Vec::new(),
            passed: 0,
            last: self.now,
            heard: self.now,
            is_stalled: false,
            lock: None,
        });
    }

    /// A request, or its second copy, reaches the service.
    async fn arrive(&mut self, at: usize, is_second: bool) {
        let Exchange {
            tab, plan, call, ..
        } = &self.exchanges[at];
        let (user, call) = (self.tabs[*tab].user, call.clone());
        let is_shown = plan.fails.is_none() && plan.shows_second == is_second;
        let mut name = self.users[user].clone();
        let is_read = matches!(call, Call::List(_) | Call::Load(..));
        if self.mutant == Mutant::ServesAnybody && is_read {
            name = self.users[(user + 1) % self.users.len()].clone();
        }
        let request = self.request(&call);
        if let Call::Post(_, thread, _, post) = &call {
            let (status, body) = self.server.send(self.now, &name, request.clone()).await;
            self.tell(&format!("{at} arrives: {status}"));
            self.history.posts[*post].statuses.push(status);
            if status != 200 {
                if is_shown {
                    self.after(1, Event::Fail(at, of_status(status)));
                }
                return;
            }
            let thread = thread.as_str().to_owned();
            let text = self.history.posts[*post].text.clone();
            if !text.is_empty() {
                self.history
                    .taken
                    .entry(thread.clone())
                    .or_default()
                    .push(text.clone());
            }
            self.flows.push(Some((Flow::new(body), at, is_shown)));
            self.read(self.flows.len() - 1).await;
            self.spoil_store(&thread, &text, &name, request).await;
            return;
        }
        let (status, text) = self.server.ask(self.now, &name, request).await;
        if let (Call::Delete(thread), 200..=299) = (&call, status) {
            self.history.deleted.insert(thread.as_str().to_owned());
            self.read_of_deleted(thread).await;
        }
        self.look_for_leaks(user, &text);
        if is_shown {
            let input = self.answered(user, &call, status, &text);
            match input {
                Ok(input) => self.after(1, Event::Client(at, vec![input], true)),
                Err(failure) => self.after(1, Event::Fail(at, failure)),
            }
        }
    }

    fn request(&self, call: &Call) -> (Method, String, Option<Value>) {
        match call {
            Call::List(_) => (Method::GET, format!("{THREADS}/{AGENT}"), None),
            Call::Load(.., thread) => (Method::GET, messages_of(thread.as_str()), None),
            Call::Create(_) => (
                Method::POST,
                THREADS.to_owned(),
                Some(json!({ "agentId": AGENT })),
            ),
            Call::Delete(thread) => {
                let path = format!("{THREADS}/{}", thread.as_str());
                (Method::DELETE, path, None)
            }
            Call::Post(_, thread, content, _) => {
                let post = PostMessage {
                    content: content.clone(),
                    dialect: Dialect::Declared,
                };
                let mut body = post.to_json();
                if self.mutant == Mutant::TurnsDecisions {
                    body = body.replace("\"DENIED\"", "\"APPROVED\"");
                }
                let body = serde_json::from_str(&body).unwrap();
                (Method::POST, messages_of(thread.as_str()), Some(body))
            }
        }
    }

    /// Reads an answer that is no stream.
    fn answered(
        &self,
        user: usize,
        call: &Call,
        status: u16,
        text: &str,
    ) -> Result<Input, Failure> {
        if !(200..300).contains(&status) {
            return Err(of_status(status));
        }
        let thread = |mut it: SessionThread| {
            it.last_message_time = self.server.time(&it.last_message_time);
            it
        };
        Ok(match call {
            Call::List(_) => {
                let all: Vec<SessionThread> = assent_protocol::read(text).unwrap();
                Input::Threads(Ok(all.into_iter().map(thread).collect()))
            }
            Call::Load(_, conversation, load, _) => {
                let mut messages = self.server.messages(text);
                if self.mutant == Mutant::ShowsTwice
                    && let Some(mut last) = messages.last().cloned()
                {
                    last.id.0.push('x');
                    messages.push(last);
                }
                Input::Messages {
                    conversation: *conversation,
                    load: *load,
                    result: Ok(messages),
                }
            }
            Call::Create(conversation) => Input::ThreadCreated {
                conversation: *conversation,
                result: Ok(thread(assent_protocol::read(text).unwrap())),
            },
            Call::Delete(thread) => Input::ThreadDeleted {
                thread: thread.clone(),
                result: Ok(()),
            },
            Call::Post(..) => panic!("a stream of user {user}"),
        })
    }

    fn look_for_leaks(&mut self, user: usize, text: &str) {
        let own = format!("§{user}.");
        let text = text.replace(['"', ',', '\\'], " ");
        let foreign = marks(&text).into_iter().filter(|it| !it.starts_with(&own));
        let leaks: Vec<String> = foreign.map(|it| format!("user {user} got {it}")).collect();
        self.history.leaks.extend(leaks);
    }

    /// Reads an answer up to its next pause, and passes its frames on.
    async fn read(&mut self, flow: usize) {
        let Some((mut reading, at, is_shown)) = self.flows[flow].take() else {
            return;
        };
        let (frames, rest) = self.server.read(self.now, &mut reading).await;
        let user = self.tabs[self.exchanges[at].tab].user;
        for data in frames {
            self.look_for_leaks(user, &data);
            let mut event: Option<SseEvent> = assent_protocol::read(&data);
            if let Some(event) = &mut event {
                let message = &mut event.event_message;
                message.timestamp = self.server.time(&message.timestamp);
            }
            if is_shown {
                self.pass_on(at, event.as_ref());
            }
        }
        match rest {
            Rest::Gate(gate) => {
                self.server.waiting += 1;
                let wait = self.random.pick(&[100, 2_000, 20_000]);
                let wait = self.random.time(wait);
                self.flows[flow] = Some((reading, at, is_shown));
                self.after(wait, Event::Go(flow, gate));
            }
            Rest::End(closed) => {
                let end = if closed { StreamEnd::Closed } else { lost() };
                if is_shown {
                    self.close_stream(at, end);
                }
            }
        }
    }

    /// Reads the answers of a deleted thread to their end: it has come.
    async fn read_of_deleted(&mut self, thread: &ThreadId) {
        let is_of = |world: &Self, at: usize| matches!(&world.exchanges[at].call, Call::Post(_, of, ..) if of == thread);
        for flow in 0..self.flows.len() {
            let Some((mut reading, at, is_shown)) = self.flows[flow].take() else {
                continue;
            };
            if !is_of(self, at) {
                self.flows[flow] = Some((reading, at, is_shown));
                continue;
            }
            self.server.waiting -= 1;
            self.server.read(self.now, &mut reading).await;
            if is_shown {
                self.close_stream(at, lost());
            }
        }
    }

    /// Passes a frame on to the client, unless the network spoils it.
    fn pass_on(&mut self, at: usize, event: Option<&SseEvent>) {
        let gap = self.random.time(40);
        let exchange = &mut self.exchanges[at];
        let Call::Post(stream, ..) = exchange.call else {
            return;
        };
        let place = exchange.passed;
        exchange.passed += 1;
        exchange.last = exchange.last.max(self.now) + gap;
        let wait = exchange.last - self.now;
        let input = input_of(stream, event.cloned());
        let (inputs, is_last) = match exchange.plan.body {
            Spoiled::Cut(n) if place == n => (vec![Input::StreamEnded(stream, lost())], true),
            Spoiled::Truncated(n) if place == n => {
                (vec![Input::StreamEnded(stream, StreamEnd::Closed)], true)
            }
            Spoiled::Stalled(n) if place >= n => return,
            Spoiled::Garbled(n) if place == n => (vec![Input::StreamGarbled(stream)], false),
            Spoiled::Twice(n) if place == n => (vec![input.clone(), input], false),
            _ => (vec![input], false),
        };
        let opened = (place == 0).then_some(Input::StreamOpened(stream));
        let inputs = opened.into_iter().chain(inputs).collect();
        self.after(wait, Event::Client(at, inputs, is_last));
    }

    fn close_stream(&mut self, at: usize, end: StreamEnd) {
        let exchange = &self.exchanges[at];
        let Call::Post(stream, ..) = exchange.call else {
            return;
        };
        if matches!(exchange.plan.body, Spoiled::Stalled(n) if exchange.passed > n) {
            return;
        }
        let wait = (exchange.last - self.now).max(0) + 1;
        let inputs = vec![Input::StreamEnded(stream, end)];
        self.after(wait, Event::Client(at, inputs, true));
    }

    /// Ends what hangs: the network is good from now on.
    pub fn heal(&mut self) {
        self.weather = 0;
        self.tell("the network is good");
        for at in 0..self.exchanges.len() {
            let exchange = &self.exchanges[at];
            if matches!(exchange.plan.body, Spoiled::Stalled(_)) && !exchange.is_over {
                self.after(1, Event::Fail(at, Failure::of(FailureKind::Unreachable)));
            }
        }
    }

    /// The client sees something of an answer.
    fn deliver(&mut self, at: usize, inputs: Vec<Input>, is_last: bool) {
        let Exchange { tab, is_over, .. } = self.exchanges[at];
        if is_over || !self.tabs[tab].is_alive {
            return;
        }
        let is_post = matches!(self.exchanges[at].call, Call::Post(..));
        if is_last && !is_post {
            self.exchanges[at].is_over = true;
            if self.is_outdated(tab, &self.exchanges[at].call) {
                return;
            }
        }
        if is_post {
            self.exchanges[at].heard = self.now;
            self.unstall(at);
        }
        for input in inputs {
            match &input {
                Input::StreamEvent(_, event) => {
                    self.exchanges[at].frames.push(Some((**event).clone()));
                }
                Input::StreamGarbled(_) => self.exchanges[at].frames.push(None),
                Input::StreamEnded(_, end) => self.end(at, &end.clone(), CHANNEL),
                _ => {}
            }
            self.dispatch(tab, input);
        }
        if is_post && !self.exchanges[at].is_over {
            self.broadcast(tab, CHANNEL, || Told::Frames(at));
        }
    }

    /// The client sees that a request failed.
    fn fail(&mut self, at: usize, failure: Failure) {
        let Exchange {
            tab,
            is_over,
            attempt,
            ..
        } = self.exchanges[at];
        if is_over || !self.tabs[tab].is_alive {
            return;
        }
        let call = self.exchanges[at].call.clone();
        if let Call::Post(stream, thread, content, _) = call {
            self.tell(&format!("tab {tab}, {at} fails: {:?}", failure.kind));
            if self.mutant == Mutant::PostsAgain && attempt == 0 {
                self.over(at);
                let post = self.note_post(&thread, &content);
                return self.send(tab, Call::Post(stream, thread, content, post), 1);
            }
            let end = StreamEnd::Failed(failure);
            return self.deliver(at, vec![Input::StreamEnded(stream, end)], true);
        }
        self.exchanges[at].is_over = true;
        if self.is_outdated(tab, &call) {
            return;
        }
        let is_read = matches!(call, Call::List(_) | Call::Load(..));
        if let Some(wait) = RETRY_DELAYS
            .get(attempt)
            .filter(|_| is_read && failure.may_pass())
        {
            return self.after(*wait, Event::Send(tab, call, attempt + 1));
        }
        let input = match call {
            Call::List(_) => Input::Threads(Err(failure)),
            Call::Load(_, conversation, load, _) => Input::Messages {
                conversation,
                load,
                result: Err(failure),
            },
            Call::Create(conversation) => Input::ThreadCreated {
                conversation,
                result: Err(failure),
            },
            Call::Delete(thread) => Input::ThreadDeleted {
                thread,
                result: Err(failure),
            },
            Call::Post(..) => return,
        };
        self.dispatch(tab, input);
    }

    /// Reports a stream of which nothing comes.
    fn watch(&mut self, at: usize) {
        let exchange = &mut self.exchanges[at];
        let Call::Post(stream, ..) = exchange.call else {
            return;
        };
        if exchange.is_over {
            return;
        }
        let silence = self.now - exchange.heard;
        if silence < STALL_TIMEOUT {
            return self.after(STALL_TIMEOUT - silence, Event::Watch(at));
        }
        let tab = exchange.tab;
        if !std::mem::replace(&mut exchange.is_stalled, true) {
            self.broadcast(tab, CHANNEL, || Told::Stalled(at, true));
            self.dispatch(tab, Input::StreamStalled(stream, true));
        }
    }

    fn unstall(&mut self, at: usize) {
        let exchange = &mut self.exchanges[at];
        let (tab, was) = (
            exchange.tab,
            std::mem::replace(&mut exchange.is_stalled, false),
        );
        if let (true, Call::Post(stream, ..)) = (was, &exchange.call) {
            let stream = *stream;
            self.dispatch(tab, Input::StreamStalled(stream, false));
            self.broadcast(tab, CHANNEL, || Told::Stalled(at, false));
            self.after(STALL_TIMEOUT, Event::Watch(at));
        }
    }

    /// Ends an exchange at the client, and tells the other tabs.
    fn end(&mut self, at: usize, end: &StreamEnd, wait: i64) {
        self.over(at);
        let exchange = &self.exchanges[at];
        if matches!(exchange.call, Call::Post(..)) && !exchange.frames.is_empty() {
            let is_gone = !self.tabs[exchange.tab].is_alive;
            let end = match end {
                StreamEnd::Closed if !is_gone => StreamEnd::Closed,
                _ => lost(),
            };
            self.broadcast(exchange.tab, wait, || Told::Ended(at, end.clone()));
        }
    }

    fn over(&mut self, at: usize) {
        let exchange = &mut self.exchanges[at];
        exchange.is_over = true;
        if let Some(lock) = exchange.lock.take() {
            let device = self.tabs[exchange.tab].device;
            self.devices[device].locks.remove(&lock);
        }
    }

    /// What a wrong service does after it took a post.
    async fn spoil_store(
        &mut self,
        thread: &str,
        text: &str,
        name: &str,
        request: (Method, String, Option<Value>),
    ) {
        let is_plain = text.contains("plain");
        if self.mutant == Mutant::StoresTwice && is_plain {
            let (_, said) = self.server.ask(self.now, name, request).await;
            events(said.as_bytes());
        }
        if self.mutant == Mutant::LosesAcknowledged && is_plain {
            use sqlx::Connection as _;
            let path = self.server.service.folder.database();
            let address = format!("sqlite://{}", path.display());
            let mut file = sqlx::SqliteConnection::connect(&address).await.unwrap();
            sqlx::query("DELETE FROM messages WHERE thread_id = ? AND role = 'user'")
                .bind(thread)
                .execute(&mut file)
                .await
                .unwrap();
            file.close().await.unwrap();
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
