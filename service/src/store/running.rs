//! The answers that this process is writing. Any other run without an end was
//! left behind, by a failure whose outcome nobody knew.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The requests whose answers are being written.
#[derive(Clone, Debug, Default)]
pub(super) struct RunningRequests(Arc<Mutex<HashSet<String>>>);

/// The mark of an answer that is being written, which lasts until this is dropped.
#[derive(Debug)]
pub struct RunningMark {
    running: RunningRequests,
    request_id: String,
}

impl RunningRequests {
    /// Marks the answer to a request as being written, until the ticket is dropped.
    pub(super) fn add(&self, request_id: &str) -> RunningMark {
        self.requests().insert(request_id.to_owned());
        RunningMark {
            running: self.clone(),
            request_id: request_id.to_owned(),
        }
    }

    pub(super) fn contains(&self, request_id: &str) -> bool {
        self.requests().contains(request_id)
    }

    fn requests(&self) -> MutexGuard<'_, HashSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningMark {
    fn drop(&mut self) {
        self.running.requests().remove(&self.request_id);
    }
}
