//! Generates from bytes what other pages recorded or stored.

use crate::{CachedRequest, Input, Millis, RecordedEnd, RecordedFrame, Recording};

use super::sequence::SequenceCheck;

impl SequenceCheck<'_> {
    /// Generates recordings of another page.
    pub(super) fn recordings(&mut self) -> Vec<Recording> {
        let count = self.byte() % 3;
        (0..count).map(|_| self.recording()).collect()
    }

    fn recording(&mut self) -> Recording {
        let ends = [RecordedEnd::Closed, RecordedEnd::Lost, RecordedEnd::Stopped];
        let frames = (0..self.byte() % 6).map(|at| {
            let is_garbled = self.byte().is_multiple_of(8);
            RecordedFrame {
                at: Millis(i64::from(at)),
                event: (!is_garbled).then(|| Box::new(self.event())),
            }
        });
        Recording {
            frames: frames.collect(),
            question: self.byte().is_multiple_of(4).then(|| self.text()),
            ended: Millis(i64::from(self.byte())),
            end: self.pick(&ends, RecordedEnd::Closed),
        }
    }

    /// Generates requests that another tab left in the storage.
    pub(super) fn any_cached_input(&mut self) -> Input {
        let count = self.byte() % 3;
        let cached = (0..count).filter_map(|_| {
            let (thread, request) = (self.thread(), self.any_request());
            CachedRequest::new(thread, Millis(i64::from(self.byte())), request)
        });
        Input::CachedRequests(cached.collect())
    }
}
