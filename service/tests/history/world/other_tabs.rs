//! The other tabs of the same browser: what they store together, and streams that they follow.

use assent_conversation::{Input, Intent, StreamId, ThreadId};

use super::{BATCH_DELAY, CHANNEL, Call, Event, Told, World, input_of};

impl World {
    fn others(&self, tab: usize) -> Vec<usize> {
        let device = self.tabs[tab].device;
        let all = self.tabs.iter().enumerate();
        all.filter(|(at, it)| *at != tab && it.device == device && it.is_alive)
            .map(|(at, _)| at)
            .collect()
    }

    pub(super) fn broadcast(&mut self, tab: usize, wait: i64, told: impl Fn() -> Told) {
        for other in self.others(tab) {
            self.after(wait, Event::Tell(other, told()));
        }
    }

    pub(super) fn storage_changed(&mut self, tab: usize) {
        for other in self.others(tab) {
            self.after(BATCH_DELAY, Event::Kept(other));
        }
    }

    /// Asks the other tabs for streams of a thread.
    pub(super) fn find_streams(&mut self, tab: usize, thread: &ThreadId) {
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

    pub(super) fn told(&mut self, tab: usize, told: Told) {
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
    pub(super) fn leave_stream(&mut self, tab: usize, stream: StreamId) {
        if let Some(at) = self.own_exchange(tab, stream)
            && !self.exchanges[at].is_over
        {
            self.over(at);
        }
    }

    pub(super) fn cancel(&mut self, tab: usize, stream: StreamId) {
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
}
