//! Generates from bytes what other pages recorded or stored.

use crate::{CachedRequest, Input, Millis, RecordedEnd, RecordedFrame, Recording};

use super::sequence::SequenceCheck;

impl SequenceCheck<'_> {
    /// Generates recordings of another page.
    pub(super) fn any_recordings(&mut self) -> Vec<Recording> {
        let count = self.next_byte() % 3;
        (0..count).map(|_| self.any_recording()).collect()
    }

    fn any_recording(&mut self) -> Recording {
        let ends = [RecordedEnd::Closed, RecordedEnd::Lost, RecordedEnd::Stopped];
        let frames = (0..self.next_byte() % 6).map(|at| {
            let is_garbled = self.next_byte().is_multiple_of(8);
            RecordedFrame {
                at: Millis(i64::from(at)),
                event: (!is_garbled).then(|| Box::new(self.any_event())),
            }
        });
        Recording {
            frames: frames.collect(),
            question: self.next_byte().is_multiple_of(4).then(|| self.any_text()),
            ended: Millis(i64::from(self.next_byte())),
            end: self.pick(&ends, RecordedEnd::Closed),
        }
    }

    /// Generates requests that another tab left in the storage.
    pub(super) fn any_cached_input(&mut self) -> Input {
        let count = self.next_byte() % 3;
        let cached = (0..count).filter_map(|_| {
            let (thread, request) = (self.any_thread(), self.any_request());
            CachedRequest::new(thread, Millis(i64::from(self.next_byte())), request)
        });
        Input::CachedRequests(cached.collect())
    }
}
