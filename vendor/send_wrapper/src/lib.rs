//! A value that counts as `Send` and `Sync`, for pages that have one thread.
//!
//! The crate of this name checks the thread at each access, which Leptos does at nearly every node;
//! all of that would be a part of the first download (`Cargo.toml` of the workspace has the
//! figure). Elsewhere than in WebAssembly without threads this package is empty, so that nothing
//! compiles that relies on it.
#![cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]

use std::ops::{Deref, DerefMut};

#[cfg(feature = "futures")]
mod futures;

/// A value on the only thread.
#[derive(Clone, Debug)]
pub struct SendWrapper<T>(T);

// There is no other thread that it could be sent to, or shared with.
#[expect(unsafe_code, reason = "one thread")]
unsafe impl<T> Send for SendWrapper<T> {}
#[expect(unsafe_code, reason = "one thread")]
unsafe impl<T> Sync for SendWrapper<T> {}

impl<T> SendWrapper<T> {
    /// Wraps `value`.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// Returns true if the value can be used: always.
    pub fn valid(&self) -> bool {
        true
    }

    /// Returns the value.
    pub fn take(self) -> T {
        self.0
    }
}

impl<T> Deref for SendWrapper<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for SendWrapper<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
