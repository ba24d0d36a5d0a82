//! What a client sees of an answer, and when it gives up.

use assent_conversation::{Failure, Input, StreamEnd};

use super::{CHANNEL, Call, Event, Exchange, RETRY_DELAYS, STALL_TIMEOUT, Told, World, lost};
use crate::mutant::Mutant;

impl World {
    /// The client sees something of an answer.
    pub(super) fn deliver(&mut self, at: usize, inputs: Vec<Input>, is_last: bool) {
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
    pub(super) fn fail(&mut self, at: usize, failure: Failure) {
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
            .filter(|_| is_read && failure.is_transient())
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
    pub(super) fn watch(&mut self, at: usize) {
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
    pub(super) fn end(&mut self, at: usize, end: &StreamEnd, wait: i64) {
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

    pub(super) fn over(&mut self, at: usize) {
        let exchange = &mut self.exchanges[at];
        exchange.is_over = true;
        if let Some(lock) = exchange.lock.take() {
            let device = self.tabs[exchange.tab].device;
            self.devices[device].locks.remove(&lock);
        }
    }
}
