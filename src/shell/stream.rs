//! One post and the events that answer it, from bytes to inputs of the core.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use assent_conversation::{Failure, FailureKind, Input, Millis, StreamEnd, StreamId};
use assent_protocol::{PostMessage, SseEvent, ThreadId};
use assent_sse::Decoder;
use js_sys::{Promise, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, ReadableStreamDefaultReader, Response};

use super::api::Api;
use super::clock::sleep;

/// How long nothing is read after something came: with the wait for the next frame, an answer is drawn about 30 times a second.
const REST: Millis = Millis(30);

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
///
/// While the page is seen, what comes is taken together: all that is there, and then nothing for a moment.
/// A model writes more pieces than anybody can see one by one, and each would cost a frame of its own.
async fn read(
    response: &Response,
    stream: StreamId,
    deliver: &impl Fn(Input) -> bool,
) -> Option<StreamEnd> {
    let Some(body) = response.body() else {
        return Some(StreamEnd::Closed);
    };
    let reader: ReadableStreamDefaultReader = body.get_reader().unchecked_into();
    let mut decoder = Decoder::new();
    let mut is_new = false;
    loop {
        let mut reading = JsFuture::from(reader.read());
        let result = match at_once(&mut reading).await {
            Some(result) => result,
            None => {
                if std::mem::take(&mut is_new) && !is_hidden() {
                    sleep(REST).await;
                }
                reading.await
            }
        };
        let Ok(result) = result else {
            return Some(StreamEnd::Failed(Failure::of(FailureKind::Unreachable)));
        };
        let property = |name: &str| Reflect::get(&result, &name.into()).ok();
        if property("done").is_none_or(|done| done.is_truthy()) {
            return Some(StreamEnd::Closed);
        }
        let Some(chunk) = property("value").and_then(|value| value.dyn_into::<Uint8Array>().ok())
        else {
            continue;
        };
        is_new = true;
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

/// What a promise comes to, if it is settled already.
async fn at_once(settled: &mut JsFuture) -> Option<Result<JsValue, JsValue>> {
    // A promise that is settled tells so before one that is made later.
    JsFuture::from(Promise::resolve(&JsValue::UNDEFINED))
        .await
        .ok();
    poll_fn(|context| match Pin::new(&mut *settled).poll(context) {
        Poll::Ready(result) => Poll::Ready(Some(result)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

fn is_hidden() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| document.hidden())
}
