//! Generates what a working service tells of the user's threads.

use assent_protocol::ThreadId;

use crate::Input;

use super::sequence::SequenceCheck;

impl SequenceCheck<'_> {
    /// Generates a list of threads; with `latest_first` it may be the newest of them alone.
    pub(super) fn any_list_result(&mut self, latest_first: bool) -> Input {
        let count = self.next_byte() % 4;
        let threads = (0..count).map(|_| self.any_session_thread()).collect();
        if latest_first && self.next_byte().is_multiple_of(2) {
            return Input::LatestThreads(threads);
        }
        Input::Threads(Ok(threads))
    }

    /// Generates threads in which something waits.
    pub(super) fn any_waiting(&mut self) -> Vec<(ThreadId, usize)> {
        let count = self.next_byte() % 3;
        let threads = (0..count).map(|_| self.any_thread());
        threads.map(|thread| (thread, 1)).collect()
    }
}
