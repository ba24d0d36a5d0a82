//! The calls of one connection to a server: how many are under way, and when they have ended.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::task::{TaskTracker, task_tracker::TaskTrackerToken};

/// Most calls over one connection to a tool server at the same time; a further one waits before its
/// own time begins.
const MAX_CALLS: usize = 16;

/// Calls in a row without an answer after which a connection is replaced. A single one may be a
/// slow tool.
const MAX_UNANSWERED: usize = 2;

/// The calls that are made over one connection to a tool server.
#[derive(Debug)]
pub(super) struct Calls {
    /// The permits of the calls that are under way.
    permits: Semaphore,
    /// The calls that are under way, and those that wait for a permit.
    all: TaskTracker,
    /// The number of calls in a row that had no answer.
    unanswered: AtomicUsize,
    /// True once a call had an answer.
    was_answered: AtomicBool,
}

/// A call that is under way; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct CallInProgress<'a> {
    _permit: SemaphorePermit<'a>,
    _token: TaskTrackerToken,
}

impl Calls {
    pub(super) fn new() -> Self {
        Self {
            permits: Semaphore::new(MAX_CALLS),
            all: TaskTracker::new(),
            unanswered: AtomicUsize::default(),
            was_answered: AtomicBool::default(),
        }
    }

    /// Begins a call once there is room for it; `None` if the connection is replaced.
    pub(super) async fn begin(&self) -> Option<CallInProgress<'_>> {
        let token = self.all.token();
        let permit = self.permits.acquire().await.ok()?;
        Some(CallInProgress {
            _permit: permit,
            _token: token,
        })
    }

    /// Counts the calls in a row that had no answer; one that `was_answered` sets the count to 0.
    /// Returns true if there are so many that the connection is to be replaced.
    pub(super) fn note_answer(&self, was_answered: bool) -> bool {
        if was_answered {
            self.unanswered.store(0, Ordering::Relaxed);
            return false;
        }
        self.unanswered.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_UNANSWERED
    }

    /// Returns true for the first call that was answered.
    pub(super) fn is_first_answer(&self) -> bool {
        !self.was_answered.swap(true, Ordering::Relaxed)
    }

    /// Lets no further call begin, and waits for the end of those that are under way.
    pub(super) async fn end(&self) {
        self.permits.close();
        self.all.close();
        self.all.wait().await;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::{Calls, MAX_CALLS};

    #[tokio::test]
    async fn where_a_connection_is_replaced_its_calls_end_and_those_that_wait_go_elsewhere() {
        let calls = Calls::new();
        let mut under_way = Vec::new();
        for _ in 0..MAX_CALLS {
            under_way.push(calls.begin().await.unwrap());
        }
        let mut waits = Box::pin(calls.begin());
        assert!(waits.as_mut().now_or_never().is_none());
        let mut end = Box::pin(calls.end());
        assert!(end.as_mut().now_or_never().is_none());
        assert!(waits.await.is_none());
        assert!(calls.begin().await.is_none());
        let last = under_way.pop();
        drop(under_way);
        assert!(end.as_mut().now_or_never().is_none());
        drop(last);
        end.await;
    }
}
