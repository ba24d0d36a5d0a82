//! The room that the files of users take while they are being received: they are on the disk, and
//! have no row.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// The number of bytes of the files that are being received, by user.
#[derive(Clone, Debug, Default)]
pub(super) struct ReceivedBytes(Arc<Mutex<HashMap<String, u64>>>);

/// The room that one file takes while it is being received; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct ReceivingRoom {
    receiving: ReceivedBytes,
    user: String,
    taken: u64,
    /// The greatest number of bytes that all files of the user may take that are being received.
    most: u64,
}

impl ReceivedBytes {
    /// Returns the room for a file of `user`, who may still store `most` bytes.
    pub(super) fn room(&self, user: &str, most: u64) -> ReceivingRoom {
        ReceivingRoom {
            receiving: self.clone(),
            user: user.to_owned(),
            taken: 0,
            most,
        }
    }

    /// Counts a file of `user` with `to` bytes instead of `from`; returns false, and changes nothing,
    /// if the files of the user would have more than `max_bytes` together.
    fn recount_file(&self, user: &str, from: u64, to: u64, max_bytes: u64) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = all.get(user).copied().unwrap_or_default();
        let after = before.saturating_sub(from).saturating_add(to);
        if to > from && after > max_bytes {
            return false;
        }
        if after == 0 {
            all.remove(user);
        } else {
            all.insert(user.to_owned(), after);
        }
        true
    }
}

impl ReceivingRoom {
    /// Reserves room for the first `size` bytes of the file; returns false if there is not enough.
    #[must_use]
    pub(super) fn take(&mut self, size: u64) -> bool {
        let size = size.max(self.taken);
        let fits = self
            .receiving
            .recount_file(&self.user, self.taken, size, self.most);
        if fits {
            self.taken = size;
        }
        fits
    }
}

impl Drop for ReceivingRoom {
    fn drop(&mut self) {
        self.receiving
            .recount_file(&self.user, self.taken, 0, self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::ReceivedBytes;

    #[test]
    fn files_that_are_being_received_share_the_room_of_their_user() {
        let receiving = ReceivedBytes::default();
        let mut one = receiving.room("ada", 10);
        let mut other = receiving.room("ada", 10);
        let mut of_bob = receiving.room("bob", 10);
        assert!(one.take(6) && other.take(4) && of_bob.take(10));
        assert!(!one.take(7) && !other.take(5) && !of_bob.take(11));
        // What was declared is not taken twice.
        assert!(one.take(3));
        drop(other);
        assert!(one.take(10));
        drop((one, of_bob));
        assert!(receiving.0.lock().unwrap().is_empty());
    }
}
