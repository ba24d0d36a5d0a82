//! Messages to the history module and events from it, which go between Rust and JavaScript as an
//! array of the name and the values. `web/history/messages.d.ts` declares the same for JavaScript,
//! and a test compares the names.

use assent_conversation::{
    ContentItem, Millis, RecordedEnd, RecordedFrame, Recording, StreamId, ThreadId,
};
use assent_protocol::SseEvent;
use js_sys::{Array, JsString};
use wasm_bindgen::JsValue;

use crate::StorageKind;

/// Separator of the frames of a stream that came together: JSON cannot hold it (RFC 7464).
pub(crate) const FRAME_SEPARATOR: &str = "\u{1e}";

/// A message of a widget to the history module.
pub(crate) enum HistoryMessage {
    /// The first message of a widget. Keys of stored values begin with `scope`; `listener` gets the
    /// events of the module.
    Open {
        scope: String,
        kind: StorageKind,
        listener: JsValue,
    },
    /// Options that the page set, by the names of attributes, for the diagnostic log.
    Options(JsValue),
    /// Keys and tokens, which must not be stored, and values that identify a user, which must not
    /// be in a log either.
    Secrets([JsValue; 2]),
    /// A post is about to be sent. `is_logged`: other tabs get its events from the service.
    Begin {
        stream: StreamId,
        at: Millis,
        thread: ThreadId,
        body: String,
        is_logged: bool,
    },
    /// Frames of a stream that came together.
    Frames {
        stream: StreamId,
        at: Millis,
        frames: JsString,
    },
    /// A stream of this widget ended.
    End {
        stream: StreamId,
        at: Millis,
        end: RecordedEnd,
    },
    /// Asks for the recordings of a thread.
    LoadRecordings(ThreadId),
    /// Asks to delete all recordings.
    Forget,
    /// Asks to copy the diagnostic log.
    CopyLog,
    /// A stream stalled (true), or goes on (false).
    Stalled(StreamId, bool),
    /// The user stopped a stream, which may belong to another tab.
    Stop(StreamId),
    /// This tab mirrors a stream of another one from now on.
    Following(StreamId),
    /// Asks the other tabs for their streams of a thread.
    FindStreams(ThreadId),
    /// The list of threads changed in this tab; names the deleted thread, if one was deleted.
    ThreadsChanged(Option<ThreadId>),
    /// The last message of a widget, which ends.
    Close,
}

impl HistoryMessage {
    pub(super) fn into_array(self) -> Array {
        match self {
            Self::Open {
                scope,
                kind,
                listener,
            } => {
                let version = env!("CARGO_PKG_VERSION");
                let values = [
                    scope.into(),
                    storage_kind_name(kind).into(),
                    version.into(),
                    listener,
                ];
                message_array("open", &values)
            }
            Self::Options(options) => message_array("options", &[options]),
            Self::Secrets(secrets) => message_array("secrets", &secrets),
            Self::Begin {
                stream,
                at,
                thread,
                body,
                is_logged,
            } => {
                let values = [
                    stream.0.into(),
                    millis_to_js(at),
                    thread.0.into(),
                    body.into(),
                    is_logged.into(),
                ];
                message_array("begin", &values)
            }
            Self::Frames { stream, at, frames } => message_array(
                "frames",
                &[stream.0.into(), millis_to_js(at), frames.into()],
            ),
            Self::End { stream, at, end } => {
                let end = recorded_end_name(end).into();
                message_array("end", &[stream.0.into(), millis_to_js(at), end])
            }
            Self::LoadRecordings(thread) => message_array("recall", &[thread.0.into()]),
            Self::Forget => message_array("forget", &[]),
            Self::CopyLog => message_array("copyLog", &[]),
            Self::Stalled(stream, is_stalled) => {
                message_array("stalled", &[stream.0.into(), is_stalled.into()])
            }
            Self::Stop(stream) => message_array("stop", &[stream.0.into()]),
            Self::Following(stream) => message_array("following", &[stream.0.into()]),
            Self::FindStreams(thread) => message_array("findStreams", &[thread.0.into()]),
            Self::ThreadsChanged(None) => message_array("threadsChanged", &[]),
            Self::ThreadsChanged(Some(deleted)) => {
                message_array("threadsChanged", &[deleted.0.into()])
            }
            Self::Close => message_array("close", &[]),
        }
    }

    /// Returns true for a message that the module is to get even if the widget that sent it has
    /// ended.
    pub(super) fn outlives_widget(&self) -> bool {
        matches!(
            self,
            Self::Begin { .. } | Self::Forget | Self::ThreadsChanged(_)
        )
    }

    /// Returns true for a message that tells the module about the widget. If the module could not
    /// be loaded, such a message waits for a second attempt.
    pub(super) fn describes_widget(&self) -> bool {
        matches!(
            self,
            Self::Open { .. } | Self::Options(_) | Self::Secrets(_) | Self::Close
        )
    }

    /// Returns the event that answers this message if the module cannot get it; `None` if no answer
    /// is needed.
    pub(super) fn answer_without_module(&self) -> Option<HistoryEvent> {
        match self {
            Self::Forget => Some(HistoryEvent::NotForgotten),
            Self::CopyLog => Some(HistoryEvent::LogCopied(false)),
            _ => None,
        }
    }
}

#[inline(never)]
fn message_array(name: &str, values: &[JsValue]) -> Array {
    let array = Array::of1(&name.into());
    for value in values {
        array.push(value);
    }
    array
}

/// An event of the history module.
pub(crate) enum HistoryEvent {
    /// The recordings of a thread, oldest first.
    Recordings(ThreadId, Vec<Recording>),
    /// All recordings were deleted, as this widget asked.
    Forgotten,
    /// The recordings were not deleted, because the module cannot be loaded. The module itself
    /// never emits this event.
    NotForgotten,
    /// Another tab or another widget of this page had all recordings deleted; if true, everything
    /// that is stored, of any service, agent and user.
    Cleared(bool),
    /// The diagnostic log was copied (true), or not (false).
    LogCopied(bool),
    /// Another tab posted this content to a thread, and reads this stream.
    Follow(StreamId, ThreadId, Vec<ContentItem>),
    /// Frames of a stream of another tab, with separators.
    Frames(StreamId, String),
    /// A stream of another tab stalled (true), or goes on (false).
    Stalled(StreamId, bool),
    /// Another tab stopped a stream of this one.
    Stop(StreamId),
    /// A stream of another tab ended.
    End(StreamId, RecordedEnd),
    /// The list of threads changed in another tab; names the deleted thread, if one was deleted.
    ThreadsChanged(Option<ThreadId>),
    /// Another tab wrote in this thread, whose answer the service gives to every tab.
    MessagesChanged(ThreadId),
}

impl HistoryEvent {
    pub(super) fn parse(event: &Array) -> Option<Self> {
        let [first, second] = [event.get(1), event.get(2)];
        let thread = |value: &JsValue| value.as_string().map(ThreadId);
        // Stream ids are whole numbers of 32 bits.
        let stream = || first.as_f64().map(|id| StreamId(id as u32));
        Some(match event.get(0).as_string()?.as_str() {
            "recalled" => Self::Recordings(thread(&first)?, parse_all(&second, parse_recording)),
            "forgotten" => Self::Forgotten,
            "cleared" => Self::Cleared(first.is_truthy()),
            "logCopied" => Self::LogCopied(first.is_truthy()),
            "follow" => Self::Follow(
                stream()?,
                thread(&second)?,
                parse_all(&event.get(3), parse_item),
            ),
            "frames" => Self::Frames(stream()?, second.as_string()?),
            "stalled" => Self::Stalled(stream()?, second.is_truthy()),
            "stop" => Self::Stop(stream()?),
            "end" => Self::End(stream()?, parse_end(&second)?),
            "threadsChanged" => Self::ThreadsChanged(thread(&first)),
            "messagesChanged" => Self::MessagesChanged(thread(&first)?),
            _ => return None,
        })
    }
}

fn parse_all<T>(values: &JsValue, parse: fn(&Array) -> Option<T>) -> Vec<T> {
    let values = Array::from(values).into_iter();
    values.filter_map(|it| parse(&Array::from(&it))).collect()
}

/// Parses a recording of one stream: question, times and frames in turn, time of the end, kind of
/// the end.
fn parse_recording(value: &Array) -> Option<Recording> {
    let mut frames = Vec::new();
    let mut given = Array::from(&value.get(1)).into_iter();
    while let Some((at, texts)) = given.next().zip(given.next()) {
        let (at, texts) = (parse_millis(&at)?, texts.as_string()?);
        frames.extend(texts.split(FRAME_SEPARATOR).map(|text| RecordedFrame {
            at,
            event: assent_protocol::read::<SseEvent>(text).map(Box::new),
        }));
    }
    Some(Recording {
        question: value.get(0).as_string(),
        frames,
        ended: parse_millis(&value.get(2))?,
        end: parse_end(&value.get(3))?,
    })
}

/// Parses one item of a posted message: its kind, and its text, its file, or one of the decided
/// requests.
fn parse_item(item: &Array) -> Option<ContentItem> {
    let value = item.get(1).as_string()?;
    Some(match item.get(0).as_string()?.as_str() {
        "text" => ContentItem::Text(value),
        "document" => ContentItem::Document(value),
        "image" => ContentItem::Image(value),
        _ => ContentItem::ToolApprovalResult(vec![assent_protocol::read(&value)?]),
    })
}

fn storage_kind_name(kind: StorageKind) -> &'static str {
    match kind {
        StorageKind::Local => "local",
        StorageKind::Session => "session",
        StorageKind::None => "none",
    }
}

fn recorded_end_name(end: RecordedEnd) -> &'static str {
    match end {
        RecordedEnd::Closed => "closed",
        RecordedEnd::Lost => "lost",
        RecordedEnd::Stopped => "stopped",
    }
}

fn parse_end(value: &JsValue) -> Option<RecordedEnd> {
    Some(match value.as_string()?.as_str() {
        "closed" => RecordedEnd::Closed,
        "stopped" => RecordedEnd::Stopped,
        _ => RecordedEnd::Lost,
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a time of this device has 53 bits"
)]
fn millis_to_js(time: Millis) -> JsValue {
    (time.0 as f64).into()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a time of this device is a whole number"
)]
fn parse_millis(value: &JsValue) -> Option<Millis> {
    value.as_f64().map(|time| Millis(time as i64))
}
