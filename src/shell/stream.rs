//! One post and the events that answer it, from bytes to inputs of the core.

use assent_conversation::{Failure, FailureKind, Input, StreamEnd, StreamId};
use assent_protocol::{PostMessage, SseEvent, ThreadId};
use assent_sse::Decoder;
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, ReadableStreamDefaultReader, Response};

use super::api::Api;

/// A post to be made, and the name of its stream.
pub(super) struct Post {
    pub(super) stream: StreamId,
    pub(super) thread: ThreadId,
    pub(super) body: PostMessage,
    pub(super) signal: Option<AbortSignal>,
}

/// Posts, then delivers everything that comes, in order, and the end last.
///
/// `deliver` returns false when nobody listens any more; then nothing else is delivered.
pub(super) async fn run(api: &Api, post: Post, deliver: impl Fn(Input) -> bool) {
    let stream = post.stream;
    let opened = api
        .post_message(&post.thread, &post.body, post.signal.as_ref())
        .await;
    let end = match opened {
        Err(failure) => StreamEnd::Failed(failure),
        Ok(response) => {
            if !deliver(Input::StreamOpened(stream)) {
                return;
            }
            match read(&response, stream, &deliver).await {
                Some(end) => end,
                None => return,
            }
        }
    };
    deliver(Input::StreamEnded(stream, end));
}

/// Reads the body to its end; `None` when nobody listens any more.
async fn read(
    response: &Response,
    stream: StreamId,
    deliver: &impl Fn(Input) -> bool,
) -> Option<StreamEnd> {
    let broken = || StreamEnd::Failed(Failure::of(FailureKind::Unreachable));
    let Some(body) = response.body() else {
        return Some(StreamEnd::Closed);
    };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let mut decoder = Decoder::new();
    loop {
        let Ok(result) = JsFuture::from(reader.read()).await else {
            return Some(broken());
        };
        let property = |name: &str| Reflect::get(&result, &name.into()).ok();
        if property("done").is_none_or(|done| done.is_truthy()) {
            return Some(StreamEnd::Closed);
        }
        let Some(chunk) = property("value").and_then(|value| value.dyn_into::<Uint8Array>().ok())
        else {
            continue;
        };
        for frame in decoder.push(&chunk.to_vec()) {
            let event = frame
                .ok()
                .and_then(|frame| assent_protocol::read::<SseEvent>(&frame.data));
            let input = match event {
                Some(event) => Input::StreamEvent(stream, Box::new(event)),
                None => Input::StreamGarbled(stream),
            };
            if !deliver(input) {
                return None;
            }
        }
    }
}
