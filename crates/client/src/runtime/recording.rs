//! Recording of streams on the device, and replay of those that other pages received.

use std::rc::Rc;

use assent_conversation::{Failure, FailureKind, Input, RecordedEnd, StreamEnd, StreamId};
use js_sys::JsString;
use wasm_bindgen::prelude::*;

use super::{Inner, Runtime};
use crate::KeyValueStore as _;
use crate::history::{FRAME_SEPARATOR, HistoryEvent, HistoryMessage};
use crate::storage;
use crate::stream::{ReceivedFrame, StreamRequest, StreamSource};

impl Runtime {
    /// Gives the diagnostic log the options that the page set, by the names of attributes.
    pub fn log_options(&self, options: &JsValue) {
        self.0
            .history
            .send(HistoryMessage::Options(options.clone()));
    }
}

impl Inner {
    /// Begins the recording of a post before it is sent.
    pub(super) fn begin_recording(&self, request: &StreamRequest) {
        self.send_secrets();
        if let StreamSource::Post(body, _) = &request.source {
            self.history.send(HistoryMessage::Begin {
                stream: request.stream,
                at: self.taken.get(),
                thread: request.thread.clone(),
                body: body.to_json(),
                is_logged: self.api.extensions().has_resume(),
            });
        }
    }

    /// Tells the history module the values that must not be stored or logged, if any of them is
    /// new.
    fn send_secrets(&self) {
        if let Some(secrets) = self.api.new_secrets() {
            self.history.send(HistoryMessage::Secrets(secrets));
        }
    }

    /// Adds frames to the recording of their stream, with the time at which the core got them.
    pub(super) fn record_frames(&self, stream: StreamId, frames: &JsString) {
        self.send_secrets();
        let (at, frames) = (self.taken.get(), frames.clone());
        self.history
            .send(HistoryMessage::Frames { stream, at, frames });
    }

    pub(super) fn end_recording(&self, stream: StreamId, end: RecordedEnd) {
        self.send_secrets();
        let at = self.taken.get();
        self.history.send(HistoryMessage::End { stream, at, end });
    }

    /// Deletes everything stored on this device for this service, agent and user. Messages stay on
    /// the page; its drafts are deleted.
    pub(super) fn forget_everything(self: &Rc<Self>) {
        self.forget_values();
        self.history.send(HistoryMessage::Forget);
    }

    fn forget_values(self: &Rc<Self>) {
        for key in self.storage.keys("") {
            self.storage.remove(&key);
        }
        self.outbox.forget_drafts();
        self.approval_events.notify_others();
        self.draft_events.notify_others();
        self.inputs
            .dispatch(Input::CachedRequests(self.pending_approvals.all()));
        self.inputs.dispatch(Input::Drafts(self.outbox.drafts()));
        self.inputs
            .dispatch(Input::Positions(self.outbox.positions()));
    }

    /// Copies the diagnostic log, without values that must not be disclosed.
    pub(super) fn copy_log(&self) {
        self.send_secrets();
        self.history.send(HistoryMessage::CopyLog);
    }

    /// Handles an event of the history module.
    pub(super) fn handle_history_event(self: &Rc<Self>, event: HistoryEvent) {
        match event {
            HistoryEvent::Recordings(thread, recordings) => {
                self.inputs.dispatch(Input::Recordings(thread, recordings));
            }
            HistoryEvent::Forgotten => self.inputs.dispatch(Input::Forgotten(Ok(()))),
            HistoryEvent::NotForgotten => {
                let failure = Failure::of(FailureKind::Unreachable);
                self.inputs.dispatch(Input::Forgotten(Err(failure)));
            }
            HistoryEvent::Cleared(everything) => {
                if everything {
                    storage::forget_memory();
                }
                self.forget_values();
            }
            HistoryEvent::LogCopied(is_copied) => self.inputs.dispatch(Input::LogCopied(is_copied)),
            HistoryEvent::Follow(stream, thread, items) => {
                self.follow_stream(stream, thread, items);
            }
            HistoryEvent::Frames(stream, frames) => self.mirror_frames(stream, &frames),
            HistoryEvent::Stalled(stream, is_stalled) => {
                self.inputs
                    .dispatch(Input::StreamStalled(stream, is_stalled));
            }
            HistoryEvent::Stop(stream) => self.inputs.dispatch(Input::StreamStopped(stream)),
            HistoryEvent::End(stream, end) => self.end_mirrored(stream, end),
            HistoryEvent::ThreadsChanged(deleted) => self.reload_threads(deleted),
            HistoryEvent::MessagesChanged(thread) => {
                self.inputs.dispatch(Input::MessagesChanged(thread));
            }
        }
    }
}

/// Joins the data of these frames to one string, as the history module and the page take it: a
/// string of its own for each would cost more than all that is in them.
pub(super) fn join_frames<'a>(frames: impl Iterator<Item = &'a ReceivedFrame>) -> JsString {
    let frames: Vec<&str> = frames.map(|frame| frame.data.as_str()).collect();
    frames.join(FRAME_SEPARATOR).into()
}

/// Returns the end of a stream as it is recorded.
pub(super) fn recorded_end(end: &StreamEnd) -> RecordedEnd {
    match end {
        StreamEnd::Closed => RecordedEnd::Closed,
        StreamEnd::Failed(_) | StreamEnd::Withheld(_) => RecordedEnd::Lost,
    }
}
