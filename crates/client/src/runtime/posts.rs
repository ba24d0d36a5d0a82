//! Posts and the streams that answer them, and streams that follow the answers of other pages. A
//! stream is read as long as the core wants its events.

use std::rc::Rc;

use assent_conversation::{AnswerSummary, BatchId, Input, RecordedEnd, StreamEnd, StreamId};
use assent_protocol::ThreadId;
use wasm_bindgen_futures::spawn_local;
use web_sys::AbortController;

use super::Inner;
use super::recording::join_frames;
use crate::approval_lock::{LOCK_LINGER_TIME, Permit, request_permit};
use crate::clock::sleep;
use crate::history::HistoryMessage;
use crate::stream::{self, Listener, ReceivedFrame, StreamRequest, StreamSource};

impl Inner {
    /// Reads a stream, and gives its events to the core. An answer to a batch has a `summary`, and is
    /// posted only with a permit.
    pub(super) fn open_stream(
        self: &Rc<Self>,
        stream: StreamId,
        thread: ThreadId,
        source: StreamSource,
        summary: Option<AnswerSummary>,
    ) {
        let Ok(abort) = AbortController::new() else {
            return;
        };
        let signal = abort.signal();
        self.streams.borrow_mut().push((stream, abort));
        let request = StreamRequest {
            stream,
            thread,
            source,
            signal,
        };
        let weak = Rc::downgrade(self);
        let (api, page, pending_approvals) = (
            self.api.clone(),
            self.page.clone(),
            self.pending_approvals.clone(),
        );
        let scope = self.scope.clone();
        spawn_local(async move {
            let listener = || weak.upgrade().filter(|inner| inner.is_live(stream));
            let deliver = |inputs| {
                listener()
                    .map(|it| it.inputs.dispatch_all(inputs))
                    .is_some()
            };
            let permit = match &summary {
                Some(summary) => request_permit(summary, &*page, &pending_approvals, &scope)
                    .await
                    .map(Some),
                None => Ok(None),
            };
            match permit {
                Ok(permit) => {
                    // Stopped meanwhile: an unsent message must stay unsent.
                    let Some(inner) = listener() else { return };
                    inner.begin_recording(&request);
                    drop(inner);
                    let thread = request.thread.clone();
                    let pass_on = |frames: Vec<ReceivedFrame>| {
                        let mut texts = join_frames(frames.iter());
                        if let Some(inner) = weak.upgrade() {
                            inner.record_frames(stream, &texts);
                        }
                        if frames.iter().any(|frame| !frame.is_event) {
                            texts = join_frames(frames.iter().filter(|frame| frame.is_event));
                        }
                        if frames.iter().any(|frame| frame.is_event) {
                            page.pass_on_events(&thread, &texts);
                        }
                    };
                    let listener = Listener {
                        deliver: &deliver,
                        pass_on: &pass_on,
                    };
                    stream::read_and_deliver(&api, request, listener).await;
                    if let Some((inner, permit)) = weak.upgrade().zip(permit) {
                        inner.keep_if_accepted(permit).await;
                    }
                }
                Err(why) => {
                    deliver(vec![Input::StreamEnded(stream, StreamEnd::Withheld(why))]);
                }
            }
        });
    }

    /// Keeps the lock of a batch for [`LOCK_LINGER_TIME`] if the answer to the batch was accepted,
    /// unless the agent asks for more tool runs of the batch meanwhile.
    async fn keep_if_accepted(self: Rc<Self>, permit: Permit) {
        let batch = permit.batch.clone();
        if !self.accepted.borrow().contains(&batch) {
            return;
        }
        self.lingering.borrow_mut().push(permit);
        let weak = Rc::downgrade(&self);
        drop(self);
        sleep(LOCK_LINGER_TIME).await;
        if let Some(inner) = weak.upgrade() {
            inner.release_lock(&batch);
        }
    }

    /// Gives back the lock of a batch whose answer was accepted.
    pub(super) fn release_lock(&self, batch: &BatchId) {
        self.accepted.borrow_mut().retain(|it| it != batch);
        self.lingering
            .borrow_mut()
            .retain(|permit| permit.batch != *batch);
    }

    fn is_live(&self, stream: StreamId) -> bool {
        self.streams
            .borrow()
            .iter()
            .any(|(live, _)| *live == stream)
    }

    pub(super) fn cancel_stream(&self, stream: StreamId) {
        if !self.close_stream(stream, RecordedEnd::Stopped) {
            self.history.send(HistoryMessage::Stop(stream));
        }
    }

    /// Ends a stream that this tab posted: aborts it, and records `end` as its end. Returns false
    /// if there is no such stream.
    pub(super) fn close_stream(&self, stream: StreamId, end: RecordedEnd) -> bool {
        let Some(abort) = self.unsubscribe(stream) else {
            return false;
        };
        self.end_recording(stream, end);
        // Without a reason: some handlers of rejections expect an `Error`.
        abort.abort();
        true
    }

    /// Stops giving the events of this stream to the core. Returns the controller that ends it;
    /// `None` if this tab reads no such stream.
    pub(super) fn unsubscribe(&self, stream: StreamId) -> Option<AbortController> {
        let mut streams = self.streams.borrow_mut();
        let at = streams.iter().position(|(live, _)| *live == stream)?;
        Some(streams.swap_remove(at).1)
    }
}
