//! Requests on their way: sent by a page, and taken by the service.

use assent_conversation::{ConversationKey, Failure, FailureKind, Input};
use assent_protocol::{Dialect, PostMessage, SessionThread};
use axum::http::Method;
use serde_json::{Value, json};

use super::{Call, Event, Exchange, REQUEST_TIMEOUT, STALL_TIMEOUT, World};
use crate::{
    agent::AGENT,
    common::{THREADS, events, messages_of},
    history::marks,
    mutant::Mutant,
    network::{self, of_status},
    server::Flow,
};

impl World {
    pub(super) fn begin_read(
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
    pub(super) fn is_outdated(&self, tab: usize, call: &Call) -> bool {
        let reads = &self.tabs[tab].reads;
        match call {
            Call::List(serial) => reads.get(&None) != Some(serial),
            Call::Load(serial, key, ..) => reads.get(&Some(*key)) != Some(serial),
            _ => false,
        }
    }

    pub(super) fn send(&mut self, tab: usize, call: Call, attempt: usize) {
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
    pub(super) async fn arrive(&mut self, at: usize, is_second: bool) {
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

    pub(super) fn look_for_leaks(&mut self, user: usize, text: &str) {
        let own = format!("§{user}.");
        let text = text.replace(['"', ',', '\\'], " ");
        let foreign = marks(&text).into_iter().filter(|it| !it.starts_with(&own));
        let leaks: Vec<String> = foreign.map(|it| format!("user {user} got {it}")).collect();
        self.history.leaks.extend(leaks);
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
            let mut database = self.server.service.folder.connect().await;
            let loss =
                format!("DELETE FROM messages WHERE thread_id = '{thread}' AND role = 'user'");
            database.execute(loss).await.unwrap();
            database.close().await;
        }
    }
}
