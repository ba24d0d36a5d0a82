//! Messages between the tabs of this browser: streams that other tabs posted, and changes of the
//! list of threads. The transport is the business of `web/tabs/tabs.js`.

use std::rc::Rc;

use assent_conversation::{
    ContentItem, Failure, FailureKind, Input, Intent, RecordedEnd, StreamEnd, StreamId, ThreadId,
};

use super::Inner;
use crate::history::{FRAME_SEPARATOR, HistoryMessage};
use crate::stream::input_of;

/// Returns the message by which other tabs learn of this input; `None` if the input does not
/// concern them.
pub(super) fn tab_message(input: &Input) -> Option<HistoryMessage> {
    Some(match input {
        Input::StreamStalled(stream, is_stalled) => HistoryMessage::Stalled(*stream, *is_stalled),
        Input::ThreadCreated { result: Ok(_), .. } | Input::ThreadRenamed { result: Ok(_), .. } => {
            HistoryMessage::ThreadsChanged(None)
        }
        Input::ThreadDeleted { thread, result } if is_thread_gone(result) => {
            HistoryMessage::ThreadsChanged(Some(thread.clone()))
        }
        _ => return None,
    })
}

fn is_thread_gone(result: &Result<(), Failure>) -> bool {
    let failure = result.as_ref().err();
    failure.is_none_or(|it| it.kind == FailureKind::NotFound)
}

impl Inner {
    /// Sends a message to the other tabs.
    pub(super) fn notify_tabs(self: &Rc<Self>, message: HistoryMessage) {
        // A draft of a deleted thread moved: the others find it there, and move no copy.
        if matches!(message, HistoryMessage::ThreadsChanged(_)) {
            self.sync_outbox();
        }
        self.history.send(message);
    }

    /// Mirrors a stream of another tab, if this page shows its thread.
    pub(super) fn follow_stream(
        self: &Rc<Self>,
        stream: StreamId,
        thread: ThreadId,
        items: Vec<ContentItem>,
    ) {
        self.inputs
            .dispatch(Input::StreamFollowed(stream, thread, items));
        let conversation = self.state.borrow().conversation_of_stream(stream);
        if conversation.is_some() {
            self.history.send(HistoryMessage::Following(stream));
        }
    }

    /// Gives the core the frames of a mirrored stream, as they came from the tab that posted.
    pub(super) fn mirror_frames(self: &Rc<Self>, stream: StreamId, frames: &str) {
        let frames = frames.split(FRAME_SEPARATOR);
        let inputs: Vec<Input> = frames.map(|frame| input_of(stream, frame)).collect();
        self.inputs.dispatch_all(inputs);
    }

    /// Gives the core the end of a mirrored stream.
    pub(super) fn end_mirrored(self: &Rc<Self>, stream: StreamId, end: RecordedEnd) {
        self.inputs.dispatch(match end {
            RecordedEnd::Stopped => Input::StreamStopped(stream),
            RecordedEnd::Closed => Input::StreamEnded(stream, StreamEnd::Closed),
            RecordedEnd::Lost => {
                let lost = Failure::of(FailureKind::Unreachable);
                Input::StreamEnded(stream, StreamEnd::Failed(lost))
            }
        });
    }

    /// Requests the list of threads, which another tab changed. `deleted` is the thread that it
    /// deleted, if that is what changed.
    pub(super) fn reload_threads(self: &Rc<Self>, deleted: Option<ThreadId>) {
        if let Some(deleted) = deleted {
            self.read_drafts();
            self.inputs.dispatch(Input::ThreadGone(deleted));
        }
        self.inputs.dispatch(Input::Intent(Intent::RefreshThreads));
    }
}
