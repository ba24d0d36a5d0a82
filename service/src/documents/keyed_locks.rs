//! Work of which each user has one piece at a time: the next one waits for its turn, and nobody else
//! does.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Locks by key: each key has one holder at a time. A key that nobody holds or waits for takes no
/// memory.
#[derive(Clone, Debug)]
pub(crate) struct KeyedLocks<K>(Arc<Mutex<HashMap<K, Arc<Semaphore>>>>);

impl<K> Default for KeyedLocks<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// The lock of one key; the next one that waits for the key gets it when this is dropped.
#[derive(Debug)]
pub(crate) struct KeyedLock<K: Eq + Hash> {
    key: K,
    turns: KeyedLocks<K>,
    /// The permit of the key's semaphore; `None` while the permit is waited for.
    permit: Option<OwnedSemaphorePermit>,
}

impl<K: Clone + Eq + Hash> KeyedLocks<K> {
    /// Waits until nobody else holds the lock of `key`, and returns that lock.
    pub(crate) async fn take(&self, key: K) -> KeyedLock<K> {
        let turn = self
            .lock()
            .entry(key.clone())
            .or_insert_with(new_lock)
            .clone();
        // From here on, so that one who stops waiting leaves nothing behind.
        let mut taken = KeyedLock {
            key,
            turns: self.clone(),
            permit: None,
        };
        taken.permit = turn.acquire_owned().await.ok();
        taken
    }
}

impl<K> KeyedLocks<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, Arc<Semaphore>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn new_lock() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(1))
}

impl<K: Eq + Hash> Drop for KeyedLock<K> {
    fn drop(&mut self) {
        self.permit = None;
        let mut turns = self.turns.lock();
        // Whoever waits holds the semaphore, too.
        if turns
            .get(&self.key)
            .is_some_and(|turn| Arc::strong_count(turn) == 1)
        {
            turns.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::KeyedLocks;

    #[tokio::test]
    async fn one_has_a_turn_at_a_time_and_others_are_not_in_its_way() {
        let turns = KeyedLocks::default();
        let first = turns.take("ada").await;
        let mut second = Box::pin(turns.take("ada"));
        let mut given_up = Box::pin(turns.take("ada"));
        assert!(second.as_mut().now_or_never().is_none());
        assert!(given_up.as_mut().now_or_never().is_none());
        assert!(turns.take("bob").now_or_never().is_some());
        drop((first, given_up));
        let second = second.now_or_never();
        assert!(second.is_some() && turns.take("ada").now_or_never().is_none());
        drop(second);
        assert!(turns.lock().is_empty());
    }
}
