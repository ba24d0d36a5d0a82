//! A value that components follow.

use std::sync::{Arc, PoisonError, RwLock};

use leptos::{
    prelude::{Notify, Track},
    reactive::signal::ArcTrigger,
};

/// A value that components follow. Cloning it clones a handle; it belongs to no owner.
///
/// It does what `ArcRwSignal` does, with the reactive part compiled once instead of once for each type of value:
/// every copy is bytes that every visitor pays for.
pub struct Watched<T>(Arc<Inner<T>>);

struct Inner<T> {
    trigger: ArcTrigger,
    value: RwLock<T>,
}

impl<T> Watched<T> {
    /// Starts with `value`.
    pub fn new(value: T) -> Self {
        Self(Arc::new(Inner {
            trigger: ArcTrigger::new(),
            value: RwLock::new(value),
        }))
    }

    /// Reads, and follows what is read.
    pub fn with<U>(&self, read: impl FnOnce(&T) -> U) -> U {
        self.0.trigger.track();
        self.peek(read)
    }

    /// Reads without following.
    pub fn peek<U>(&self, read: impl FnOnce(&T) -> U) -> U {
        // A panic ends the whole module, so that a poisoned lock is never seen; its value would be good all the same.
        read(&self.0.value.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the value and tells who follows it.
    pub fn update(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.0.value.write().unwrap_or_else(PoisonError::into_inner));
        self.0.trigger.notify();
    }
}

impl<T: Clone> Watched<T> {
    /// A copy of the value, followed.
    pub fn get(&self) -> T {
        self.with(T::clone)
    }
}

impl<T: PartialEq> Watched<T> {
    /// Sets the value, and tells who follows it only if it is another one.
    pub fn set(&self, value: T) {
        if self.peek(|before| *before != value) {
            self.update(|it| *it = value);
        }
    }
}

impl<T> Clone for Watched<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}
