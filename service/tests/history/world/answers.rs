//! Answers on their way: read from the service, and passed on by a network that spoils them.

use assent_conversation::{Failure, FailureKind, Input, StreamEnd, ThreadId};
use assent_protocol::SseEvent;

use super::{Call, Event, World, input_of, lost};
use crate::{network::Spoiled, server::Rest};

impl World {
    /// Reads an answer up to its next pause, and passes its frames on.
    pub(super) async fn read(&mut self, flow: usize) {
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
    pub(super) async fn read_of_deleted(&mut self, thread: &ThreadId) {
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
}
