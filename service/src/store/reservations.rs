//! Tokens of users that their requests to models may take while these are under way: in memory,
//! since a request does not outlive its process either.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The number of tokens that are reserved, by user. A user without any takes no memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Reservations(Arc<Mutex<HashMap<String, u64>>>);

/// Tokens of a user that one request to a model may take. They are free again when this is dropped,
/// which is after the tokens are recorded that the request took.
#[derive(Debug)]
pub struct Reservation {
    user_id: String,
    tokens: u64,
    all: Reservations,
}

impl Reservations {
    /// Reserves tokens of a user, and returns the number that was reserved for the user before.
    pub(super) fn take(&self, user_id: &str, tokens: u64) -> (Reservation, u64) {
        let reservation = Reservation {
            user_id: user_id.to_owned(),
            tokens,
            all: self.clone(),
        };
        let mut all = self.lock();
        let reserved = all.entry(user_id.to_owned()).or_default();
        let before = *reserved;
        *reserved = before.saturating_add(tokens);
        (reservation, before)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if let Some(reserved) = all.get_mut(&self.user_id) {
            *reserved = reserved.saturating_sub(self.tokens);
            if *reserved == 0 {
                all.remove(&self.user_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reservations;

    #[test]
    fn each_sees_what_the_same_user_reserved_before_and_nothing_stays() {
        let all = Reservations::default();
        let (first, before) = all.take("ada", 5);
        assert_eq!(before, 0);
        let (second, before) = all.take("ada", 7);
        assert_eq!(before, 5);
        assert_eq!(all.take("bob", 1).1, 0);
        drop(first);
        assert_eq!(all.take("ada", 1).1, 7);
        drop(second);
        assert!(all.lock().is_empty());
    }
}
