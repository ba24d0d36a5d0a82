//! Messages between the tabs of this browser: streams that other tabs posted, and changes of the
//! list of threads. The transport is the business of `web/tabs/tabs.js`.

use std::rc::Rc;

use assent_conversation::{
    ContentItem, Failure, FailureKind, Input, Intent, StreamEnd, StreamId, ThreadId,
};
use js_sys::Array;
use wasm_bindgen::JsValue;

use super::Inner;
use crate::history::BETWEEN_FRAMES;
use crate::stream::input_of;

/// Returns the message for the other tabs about an input, if it concerns them: a verb and its
/// values.
pub(super) fn for_tabs(input: &Input) -> Option<(&'static str, Vec<JsValue>)> {
    Some(match input {
        Input::StreamStalled(stream, is_stalled) => {
            ("quiet", vec![stream.0.into(), (*is_stalled).into()])
        }
        Input::ThreadCreated { result: Ok(_), .. } | Input::ThreadRenamed { result: Ok(_), .. } => {
            ("threads", Vec::new())
        }
        Input::ThreadDeleted { thread, result } if is_gone(result) => {
            ("threads", vec![thread.as_str().into()])
        }
        _ => return None,
    })
}

fn is_gone(result: &Result<(), Failure>) -> bool {
    let failure = result.as_ref().err();
    failure.is_none_or(|it| it.kind == FailureKind::NotFound)
}

impl Inner {
    /// Sends a message to the other tabs.
    pub(super) fn tell_tabs(self: &Rc<Self>, verb: &str, values: &[JsValue]) {
        // A draft of a deleted thread moved: the others find it there, and move no copy.
        if verb == "threads" {
            self.write_words();
        }
        self.history.tell(verb, values);
    }

    /// Handles a message of another tab.
    pub(super) fn hear_of_tabs(self: &Rc<Self>, said: &Array) {
        let verb = said.get(0).as_string().unwrap_or_default();
        // Stream ids are whole numbers of 32 bits.
        let stream = StreamId(said.get(1).as_f64().unwrap_or_default() as u32);
        let text = said.get(2).as_string().unwrap_or_default();
        let input = match (verb.as_str(), text.as_str()) {
            ("follow", _) => return self.follow(stream, ThreadId(text), &said.get(3)),
            ("frames", _) => {
                let frames = text.split(BETWEEN_FRAMES);
                let inputs: Vec<Input> = frames.map(|frame| input_of(stream, frame)).collect();
                return self.dispatch_all(inputs);
            }
            ("quiet", _) => Input::StreamStalled(stream, said.get(2).is_truthy()),
            ("stop", _) | ("end", "stopped") => Input::StreamStopped(stream),
            ("end", "closed") => Input::StreamEnded(stream, StreamEnd::Closed),
            ("end", _) => {
                let lost = Failure::of(FailureKind::Unreachable);
                Input::StreamEnded(stream, StreamEnd::Failed(lost))
            }
            ("threads", _) => {
                if let Some(gone) = said.get(1).as_string() {
                    self.read_drafts();
                    self.dispatch(Input::ThreadGone(ThreadId(gone)));
                }
                Input::Intent(Intent::RefreshThreads)
            }
            _ => return,
        };
        self.dispatch(input);
    }

    fn follow(self: &Rc<Self>, stream: StreamId, thread: ThreadId, items: &JsValue) {
        let items = Array::from(items).into_iter().filter_map(|it| item(&it));
        let followed = Input::StreamFollowed(stream, thread, items.collect());
        self.dispatch(followed);
        let took = self.state.borrow().conversation_of_stream(stream);
        if took.is_some() {
            self.history.tell("took", &[stream.0.into()]);
        }
    }
}

/// Parses one item of a posted message: its kind, and its text, its file, or one of the decided
/// requests.
fn item(value: &JsValue) -> Option<ContentItem> {
    let item = Array::from(value);
    let value = item.get(1).as_string()?;
    Some(match item.get(0).as_string()?.as_str() {
        "text" => ContentItem::Text(value),
        "document" => ContentItem::Document(value),
        "image" => ContentItem::Image(value),
        _ => ContentItem::ToolApprovalResult(vec![assent_protocol::read(&value)?]),
    })
}
