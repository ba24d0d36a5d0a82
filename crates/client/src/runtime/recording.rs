//! Recording of streams on the device, and replay of those that other pages received.

use std::rc::Rc;

use assent_conversation::{
    Failure, FailureKind, Input, Millis, RecordedEnd, RecordedFrame, Recording, StreamEnd,
    StreamId, ThreadId,
};
use assent_protocol::SseEvent;
use js_sys::{Array, JsString};
use wasm_bindgen::prelude::*;

use super::{Inner, Runtime};
use crate::KeyValue as _;
use crate::history::BETWEEN_FRAMES;
use crate::stream::{Frame, Post};

impl Runtime {
    /// Records the options that the page set, by the names of attributes, for the diagnostic log.
    pub fn describe(&self, options: &JsValue) {
        self.0
            .history
            .tell("options", std::slice::from_ref(options));
    }
}

impl Inner {
    /// Begins the recording of a post before it is sent.
    pub(super) fn begin_recording(&self, post: &Post) {
        self.history.tell("secrets", &self.api.secrets());
        let values = [
            post.stream.0.into(),
            time(self.taken.get()),
            post.thread.as_str().into(),
            post.body.to_json().into(),
        ];
        self.history.tell("begin", &values);
    }

    /// Records frames at the time of their delivery.
    pub(super) fn record(&self, stream: StreamId, frames: &JsString) {
        let values = [stream.0.into(), time(self.taken.get()), frames.into()];
        self.history.tell("frames", &values);
    }

    pub(super) fn end_recording(&self, stream: StreamId, how: &str) {
        let values = [stream.0.into(), time(self.taken.get()), how.into()];
        self.history.tell("end", &values);
    }

    /// Deletes everything stored on this device. Messages stay on the page; its drafts go.
    pub(super) fn forget(self: &Rc<Self>) {
        self.forget_values();
        if !self.history.tell("forget", &[]) {
            self.dispatch(Input::Forgotten(Err(nobody_there())));
        }
    }

    fn forget_values(self: &Rc<Self>) {
        for key in self.storage.keys("") {
            self.storage.remove(&key);
        }
        self.outbox.forget_drafts();
        self.vault_events.tell_others();
        self.draft_events.tell_others();
        self.dispatch(Input::Kept(self.pending_approvals.all()));
        self.dispatch(Input::Drafts(self.outbox.drafts()));
        self.dispatch(Input::Positions(self.outbox.positions()));
    }

    /// Copies the diagnostic log, without values that must not be disclosed.
    pub(super) fn copy_log(self: &Rc<Self>) {
        self.history.tell("secrets", &self.api.secrets());
        if !self.history.tell("copy", &[]) {
            self.dispatch(Input::LogCopied(false));
        }
    }

    /// Handles a message of the history module.
    pub(super) fn hear(self: &Rc<Self>, said: &Array) {
        let word = said.get(0).as_string().unwrap_or_default();
        match word.as_str() {
            "recalled" => {
                let recordings = Array::from(&said.get(2))
                    .into_iter()
                    .filter_map(|it| recording(&it));
                let thread = ThreadId(said.get(1).as_string().unwrap_or_default());
                self.dispatch(Input::Recalled(thread, recordings.collect()));
            }
            "forgotten" => self.dispatch(Input::Forgotten(Ok(()))),
            "gone" => self.dispatch(Input::Forgotten(Err(nobody_there()))),
            // The deletion was requested in another tab, or in another widget of this page.
            "cleared" => self.forget_values(),
            "copied" => self.dispatch(Input::LogCopied(said.get(1).is_truthy())),
            _ => self.hear_of_tabs(said),
        }
    }
}

/// Returns the failure for a history module that could not be loaded.
fn nobody_there() -> Failure {
    Failure::of(FailureKind::Unreachable)
}

/// Joins the data of these frames to one string, as the history module and the page take it: a
/// string of its own for each would cost more than all that is in them.
pub(super) fn together<'a>(frames: impl Iterator<Item = &'a Frame>) -> JsString {
    let frames: Vec<&str> = frames.map(|frame| frame.data.as_str()).collect();
    frames.join(BETWEEN_FRAMES).into()
}

/// Returns the history module's name for the end of a stream.
pub(super) fn ending(end: &StreamEnd) -> &'static str {
    match end {
        StreamEnd::Closed => "closed",
        StreamEnd::Failed(_) | StreamEnd::Withheld(_) => "lost",
    }
}

/// Parses a recording of one stream: question, times and frames in turn, time of the end, kind of
/// the end.
fn recording(value: &JsValue) -> Option<Recording> {
    let value = Array::from(value);
    let mut frames = Vec::new();
    let mut given = Array::from(&value.get(1)).into_iter();
    while let Some((at, texts)) = given.next().zip(given.next()) {
        let (at, texts) = (millis(&at)?, texts.as_string()?);
        frames.extend(texts.split(BETWEEN_FRAMES).map(|text| RecordedFrame {
            at,
            event: assent_protocol::read::<SseEvent>(text).map(Box::new),
        }));
    }
    Some(Recording {
        question: value.get(0).as_string(),
        frames,
        ended: millis(&value.get(2))?,
        end: match value.get(3).as_string()?.as_str() {
            "closed" => RecordedEnd::Closed,
            "stopped" => RecordedEnd::Stopped,
            _ => RecordedEnd::Lost,
        },
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a time of this device has 53 bits"
)]
fn time(time: Millis) -> JsValue {
    (time.0 as f64).into()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a time of this device is a whole number"
)]
fn millis(value: &JsValue) -> Option<Millis> {
    value.as_f64().map(|time| Millis(time as i64))
}
