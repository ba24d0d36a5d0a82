//! Rate limits: the requests of each user and of each key, and the answers that are written for a
//! user at the same time.
//!
//! All of it is in the memory of this process, and a user who asks for nothing takes no place in it.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::NoOpMiddleware,
    state::keyed::HashMapStateStore,
};

use crate::{Error, Result, keys::KeyNumber, settings::RateLimits};

/// Checks between two removals of those who have not asked for long: at least this many.
const CHECKS_BETWEEN_SWEEPS: usize = 1024;

/// The limits of all users and keys, and who has used how much of them.
#[derive(Debug)]
pub(crate) struct Rates {
    users: Option<Limit<String>>,
    keys: Option<Limit<KeyNumber>>,
    answers: OpenAnswers,
}

impl Rates {
    pub(crate) fn new(limits: RateLimits) -> Self {
        let per_minute = Quota::per_minute;
        Self {
            users: limits.user.map(per_minute).map(Limit::new),
            keys: limits.key.map(per_minute).map(Limit::new),
            answers: OpenAnswers::new(limits.answers.map(Into::into)),
        }
    }

    /// Counts a request of a user, who may have come with a key.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyRequests`].
    pub(crate) fn request(&self, user: &str, key: Option<KeyNumber>) -> Result<()> {
        // The user first: what one of them is refused is not taken from the others.
        if let Some(users) = &self.users {
            users.check(&user.to_owned())?;
        }
        match (&self.keys, key) {
            (Some(keys), Some(key)) => keys.check(&key),
            _ => Ok(()),
        }
    }

    /// Takes a place for an answer that is to be written for a user.
    ///
    /// # Errors
    ///
    /// [`Error::TooManyAnswers`].
    pub(crate) fn answer(&self, user: &str) -> Result<AnswerPlace> {
        self.answers.take(user)
    }
}

/// A limit for each of many keys.
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

    /// Forgets those whose limit is whole again, every so often: a check costs the same however many
    /// they are.
    fn sweep(&self) {
        let checks = self.checks.fetch_add(1, Ordering::Relaxed);
        if checks >= self.limiter.len().max(CHECKS_BETWEEN_SWEEPS) {
            self.checks.store(0, Ordering::Relaxed);
            self.limiter.retain_recent();
        }
    }
}

/// The number of answers that are being written for each user.
#[derive(Clone, Debug)]
struct OpenAnswers {
    limit: Option<usize>,
    by_user: Arc<Mutex<HashMap<String, usize>>>,
}

/// The place of one answer; it is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct AnswerPlace {
    user: String,
    by_user: Arc<Mutex<HashMap<String, usize>>>,
}

impl OpenAnswers {
    fn new(limit: Option<usize>) -> Self {
        Self {
            limit,
            by_user: Arc::default(),
        }
    }

    fn take(&self, user: &str) -> Result<AnswerPlace> {
        let mut by_user = self.by_user.lock().unwrap_or_else(PoisonError::into_inner);
        let open = by_user.get(user).copied().unwrap_or_default();
        if let Some(limit) = self.limit.filter(|limit| open >= *limit) {
            return Err(Error::TooManyAnswers { limit });
        }
        by_user.insert(user.to_owned(), open + 1);
        Ok(AnswerPlace {
            user: user.to_owned(),
            by_user: Arc::clone(&self.by_user),
        })
    }
}

impl Drop for AnswerPlace {
    fn drop(&mut self) {
        let mut by_user = self.by_user.lock().unwrap_or_else(PoisonError::into_inner);
        let open = by_user.get(&self.user).copied().unwrap_or_default();
        if open > 1 {
            by_user.insert(self.user.clone(), open - 1);
        } else {
            by_user.remove(&self.user);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroU32, time::Duration};

    use governor::{Quota, clock::FakeRelativeClock};

    use super::{CHECKS_BETWEEN_SWEEPS, Limit, OpenAnswers};
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
    fn a_place_is_free_again_when_its_answer_ends() {
        let open = OpenAnswers::new(Some(2));
        let first = open.take("ada").unwrap();
        let second = open.take("ada").unwrap();
        assert!(matches!(
            open.take("ada"),
            Err(Error::TooManyAnswers { limit: 2 })
        ));
        assert!(open.take("bob").is_ok());
        drop(first);
        let third = open.take("ada");
        assert!(third.is_ok() && open.take("ada").is_err());
        drop((second, third));
        assert!(open.by_user.lock().unwrap().is_empty());
    }
}
