//! Rate limits: the requests of each user and of each key, in a minute and at the same time, and the
//! answers that this process writes at the same time.
//!
//! All counts are in the memory of this process, and a user who sends no requests takes none of it.
//! Several replicas count each for itself; the answers of one user are counted in the database.

use std::{
    collections::HashMap,
    hash::Hash,
    num::NonZeroUsize,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::NoOpMiddleware,
    state::keyed::HashMapStateStore,
};

use crate::{Error, Result, settings::RateLimits, settings::keys::KeyNumber};

/// The least number of checks of a limit between two removals of the keys whose quota is unused
/// again.
const CHECKS_BETWEEN_SWEEPS: usize = 1024;

/// The limits of all users and keys, and who has used how much of them.
#[derive(Debug)]
pub(crate) struct Rates {
    users: Option<Limit<String>>,
    keys: Option<Limit<KeyNumber>>,
    open_of_users: Slots<String>,
    open_of_keys: Slots<KeyNumber>,
    all_answers: Slots<()>,
}

/// An answer that is being written, as it counts for the limit of this process. It counts no more when
/// this is dropped.
#[derive(Debug)]
pub(crate) struct AnswerSlot {
    _all: Slot<()>,
}

/// A request that is being answered, as it counts for the limits of its user and of its key. It
/// counts no more when this is dropped.
#[derive(Debug)]
pub(crate) struct OpenRequest {
    _user: Slot<String>,
    _key: Option<Slot<KeyNumber>>,
}

impl Rates {
    /// Creates the limits of a service that accepts `connections` at the same time. Where open
    /// requests are limited, one user has a quarter of these at most, and one key three quarters.
    pub(crate) fn new(limits: RateLimits, connections: usize) -> Self {
        let per_minute = Quota::per_minute;
        let quarter = (connections / 4).max(1);
        let open =
            |limit: Option<NonZeroUsize>, most: usize| limit.map(|limit| most.min(limit.into()));
        Self {
            users: limits.user.map(per_minute).map(Limit::new),
            keys: limits.key.map(per_minute).map(Limit::new),
            open_of_users: Slots::new(open(limits.open_user, quarter)),
            open_of_keys: Slots::new(open(limits.open_key, 3 * quarter)),
            all_answers: Slots::new(limits.all_answers.map(Into::into)),
        }
    }

    /// Counts a request towards the requests per minute of its user, and of its key if it has one.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyRequests`].
    pub(crate) fn count_request(&self, user: &str, key: Option<KeyNumber>) -> Result<()> {
        // The user first: what one of them is refused is not taken from the others.
        if let Some(users) = &self.users {
            users.check(&user.to_owned())?;
        }
        match (&self.keys, key) {
            (Some(keys), Some(key)) => keys.check(&key),
            _ => Ok(()),
        }
    }

    /// Counts a request as open for its user, and for its key if it has one, until the returned
    /// value is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyOpen`].
    pub(crate) fn hold_request(&self, user: &str, key: Option<KeyNumber>) -> Result<OpenRequest> {
        let too_many = |limit| Error::TooManyOpen { limit };
        let of_user = self.open_of_users.take(user.to_owned());
        let of_key = key.map(|key| self.open_of_keys.take(key)).transpose();
        Ok(OpenRequest {
            _user: of_user.map_err(too_many)?,
            _key: of_key.map_err(too_many)?,
        })
    }

    /// Counts an answer as being written by this process until the returned value is dropped. Those of
    /// one user are counted in the database.
    ///
    /// # Errors
    ///
    /// [`Error::Crowded`].
    pub(crate) fn hold_answer(&self) -> Result<AnswerSlot> {
        let all = self.all_answers.take(()).map_err(|_| Error::Crowded)?;
        Ok(AnswerSlot { _all: all })
    }
}

/// A quota of requests in a minute for each of many keys, which are users or API keys.
#[derive(Debug)]
struct Limit<K: Clone + Eq + Hash, C: Clock = DefaultClock> {
    limiter: RateLimiter<K, HashMapStateStore<K>, C, NoOpMiddleware<C::Instant>>,
    clock: C,
    checks: AtomicUsize,
}

impl<K: Clone + Eq + Hash> Limit<K> {
    fn new(quota: Quota) -> Self {
        Self::with_clock(quota, DefaultClock::default())
    }
}

impl<K: Clone + Eq + Hash, C: Clock + Clone> Limit<K, C> {
    fn with_clock(quota: Quota, clock: C) -> Self {
        Self {
            limiter: RateLimiter::new(quota, HashMapStateStore::default(), clock.clone()),
            clock,
            checks: AtomicUsize::default(),
        }
    }

    fn check(&self, key: &K) -> Result<()> {
        self.sweep();
        self.limiter.check_key(key).map_err(|refusal| {
            let wait = refusal.wait_time_from(self.clock.now());
            Error::TooManyRequests {
                // Rounded up: what comes a moment too early is refused again.
                seconds: wait.as_secs() + 1,
            }
        })
    }

    /// Forgets the keys whose quota is unused again, once in many checks, so that a check costs the
    /// same however many keys there are.
    fn sweep(&self) {
        let checks = self.checks.fetch_add(1, Ordering::Relaxed);
        if checks >= self.limiter.len().max(CHECKS_BETWEEN_SWEEPS) {
            self.checks.store(0, Ordering::Relaxed);
            self.limiter.retain_recent();
        }
    }
}

/// The number of open requests or answers of each key, which is a user or an API key, up to a
/// limit; `None` is no limit.
#[derive(Clone, Debug)]
struct Slots<K> {
    limit: Option<usize>,
    taken: OpenCounts<K>,
}

type OpenCounts<K> = Arc<Mutex<HashMap<K, usize>>>;

/// One open request or answer of a key; it counts no more when this is dropped.
#[derive(Debug)]
struct Slot<K: Eq + Hash> {
    key: K,
    taken: OpenCounts<K>,
}

impl<K: Clone + Eq + Hash> Slots<K> {
    fn new(limit: Option<usize>) -> Self {
        Self {
            limit,
            taken: Arc::default(),
        }
    }

    /// Counts one more open request or answer of `key`, which is a user or an API key; the error is
    /// the limit that is reached.
    fn take(&self, key: K) -> Result<Slot<K>, usize> {
        let mut taken = lock(&self.taken);
        let open = taken.get(&key).copied().unwrap_or_default();
        if let Some(limit) = self.limit.filter(|limit| open >= *limit) {
            return Err(limit);
        }
        taken.insert(key.clone(), open + 1);
        Ok(Slot {
            key,
            taken: Arc::clone(&self.taken),
        })
    }
}

impl<K: Eq + Hash> Drop for Slot<K> {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        match taken.get_mut(&self.key) {
            Some(open) if *open > 1 => *open -= 1,
            _ => {
                taken.remove(&self.key);
            }
        }
    }
}

fn lock<K>(taken: &OpenCounts<K>) -> MutexGuard<'_, HashMap<K, usize>> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroU32, time::Duration};

    use governor::{Quota, clock::FakeRelativeClock};

    use super::{CHECKS_BETWEEN_SWEEPS, Limit, Slots};
    use crate::Error;

    fn limit(per_minute: u32) -> (Limit<String, FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        let quota = Quota::per_minute(NonZeroU32::new(per_minute).unwrap());
        (Limit::with_clock(quota, clock.clone()), clock)
    }

    #[test]
    fn after_the_time_that_a_refusal_names_one_more_is_taken() {
        let (limit, clock) = limit(2);
        let ada = "ada".to_owned();
        assert!(limit.check(&ada).is_ok() && limit.check(&ada).is_ok());
        assert!(limit.check(&"bob".to_owned()).is_ok());
        let Err(Error::TooManyRequests { seconds }) = limit.check(&ada) else {
            panic!("a third request was taken");
        };
        assert_eq!(seconds, 31);
        clock.advance(Duration::from_secs(seconds));
        assert!(limit.check(&ada).is_ok());
        assert!(limit.check(&ada).is_err());
    }

    #[test]
    fn who_has_not_asked_for_long_takes_no_memory() {
        let (limit, clock) = limit(2);
        for user in 0..CHECKS_BETWEEN_SWEEPS {
            limit.check(&user.to_string()).unwrap();
        }
        assert_eq!(limit.limiter.len(), CHECKS_BETWEEN_SWEEPS);
        clock.advance(Duration::from_secs(120));
        limit.check(&"ada".to_owned()).unwrap();
        assert_eq!(limit.limiter.len(), 1);
    }

    #[test]
    fn a_slot_is_free_again_when_it_is_dropped() {
        let slots = Slots::new(Some(2));
        let first = slots.take("ada").unwrap();
        let second = slots.take("ada").unwrap();
        assert!(matches!(slots.take("ada"), Err(2)));
        assert!(slots.take("bob").is_ok());
        drop(first);
        let third = slots.take("ada");
        assert!(third.is_ok() && slots.take("ada").is_err());
        drop((second, third));
        assert!(slots.taken.lock().unwrap().is_empty());
    }
}
