//! The end of a run's log, shared by whoever fills it and all who read it.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::watch;

use super::tail::{Found, Tail};

/// The end of a run's log, and what tells of news in it. A clone is the same.
#[derive(Clone, Debug)]
pub(in crate::answers) struct SharedTail(Arc<State>);

/// A tail that lasts only as long as somebody reads it.
#[derive(Debug)]
pub(super) struct WeakTail(Weak<State>);

#[derive(Debug)]
struct State {
    tail: Mutex<Tail>,
    /// Sends whenever the tail has changed.
    changed: watch::Sender<()>,
}

impl SharedTail {
    /// Makes the tail of a log whose first event will have the number `first`.
    pub(super) fn new(first: i64) -> Self {
        Self(Arc::new(State {
            tail: Mutex::new(Tail::new(first)),
            changed: watch::Sender::new(()),
        }))
    }

    pub(super) fn downgrade(&self) -> WeakTail {
        WeakTail(Arc::downgrade(&self.0))
    }

    /// Returns a receiver that is told whenever there may be something new, and the number of times
    /// that connections were broken.
    pub(in crate::answers) fn subscribe(&self) -> (watch::Receiver<()>, u32) {
        (self.0.changed.subscribe(), self.look(Tail::cuts))
    }

    /// Returns what follows the event with the number `after`, for a reader who came when
    /// connections had been broken `cuts` times.
    pub(in crate::answers) fn after(&self, after: i64, cuts: u32) -> Found {
        self.look(|tail| tail.after(after, cuts))
    }

    /// Returns the number of the last event that is in the log.
    pub(super) fn logged(&self) -> i64 {
        self.look(Tail::logged)
    }

    pub(super) fn look<T>(&self, look: impl FnOnce(&Tail) -> T) -> T {
        look(&self.0.tail.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the tail without telling anybody.
    pub(super) fn change_quietly<T>(&self, change: impl FnOnce(&mut Tail) -> T) -> T {
        change(&mut self.0.tail.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the tail, and wakes all who wait for news.
    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Tail) -> T) -> T {
        let changed = self.change_quietly(change);
        self.0.changed.send_replace(());
        changed
    }

    /// Waits until the tail is as `done` says.
    pub(super) async fn wait_until(&self, mut done: impl FnMut(&Tail) -> bool) {
        let mut changed = self.0.changed.subscribe();
        // It fails only without a sender, which is here.
        while !self.look(&mut done) && changed.changed().await.is_ok() {}
    }
}

impl WeakTail {
    pub(super) fn upgrade(&self) -> Option<SharedTail> {
        self.0.upgrade().map(SharedTail)
    }

    pub(super) fn is_read(&self) -> bool {
        self.0.strong_count() > 0
    }
}
