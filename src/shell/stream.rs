//! One post and the events that answer it, from bytes to inputs of the core.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use assent_conversation::{Failure, FailureKind, Input, Millis, StreamEnd, StreamId};
use assent_protocol::{EventType, PostMessage, SseEvent, ThreadId};
use assent_sse::Decoder;
use js_sys::{Object, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortSignal, Response, WritableStream};

use super::Page;
use super::api::Api;
use super::clock::sleep;

/// How long nothing is read after something came: with the wait for the next frame, an answer is drawn about 30 times a second.
const REST: Millis = Millis(30);

/// The same after more than [`BURST`] bytes at once, which nobody reads one by one: fewer and larger draws.
const REST_IN_A_BURST: Millis = Millis(100);
const BURST: usize = 20_000;

/// A post to be made, and the name of its stream.
pub(super) struct Post {
    pub(super) stream: StreamId,
    pub(super) thread: ThreadId,
    pub(super) body: PostMessage,
    pub(super) signal: Option<AbortSignal>,
}

/// Posts, then delivers everything that comes, in order and together what comes together, and the end last.
///
/// `deliver` returns false when nobody listens any more; then nothing else is delivered.
pub(super) async fn run(
    api: &Api,
    post: Post,
    page: &dyn Page,
    deliver: impl Fn(Vec<Input>) -> bool,
) {
    let stream = post.stream;
    let opened = api
        .post_message(&post.thread, &post.body, post.signal.as_ref())
        .await;
    let end = match opened {
        Err(failure) => StreamEnd::Failed(failure),
        Ok(response) => {
            if !deliver(vec![Input::StreamOpened(stream)]) {
                return;
            }
            let pass_on = |events: &[String]| page.pass_on(&post.thread, events);
            match read(&response, stream, &pass_on, &deliver).await {
                Some(end) => end,
                None => return,
            }
        }
    };
    deliver(vec![Input::StreamEnded(stream, end)]);
}

/// Reads the body to its end; `None` when nobody listens any more.
///
/// While the page is seen, what comes is taken together: all that is there, and then nothing for a moment.
/// A model writes more pieces than anybody can see one by one, and each would cost a frame of its own.
async fn read(
    response: &Response,
    stream: StreamId,
    pass_on: &dyn Fn(&[String]),
    deliver: &impl Fn(Vec<Input>) -> bool,
) -> Option<StreamEnd> {
    let Some(body) = response.body() else {
        return Some(StreamEnd::Closed);
    };
    let arrived = Rc::<Arrived>::default();
    let Ok(sink) = sink(&arrived) else {
        return Some(broken());
    };
    let mut piped = JsFuture::from(body.pipe_to(&sink));
    let mut decoder = Decoder::new();
    loop {
        let (bytes, end) = poll_fn(|context| arrived.poll(context, &mut piped)).await;
        let (mut inputs, mut events) = (Vec::new(), Vec::new());
        for frame in decoder.push(&bytes) {
            let data = frame.map(|frame| frame.data).unwrap_or_default();
            inputs.push(match assent_protocol::read::<SseEvent>(&data) {
                Some(event) => {
                    events.push(data);
                    Input::StreamEvent(stream, Box::new(event))
                }
                None => Input::StreamGarbled(stream),
            });
        }
        // The end of an answer changes much around it: drawn with its last words it would be the longest task of all.
        let end_of_answer = inputs.iter().position(completes).unwrap_or_default();
        if end_of_answer > 0 && !is_hidden() {
            let rest = inputs.split_off(end_of_answer);
            if !deliver(std::mem::replace(&mut inputs, rest)) {
                return None;
            }
            sleep(REST).await;
        }
        if !deliver(inputs) {
            return None;
        }
        if !events.is_empty() {
            pass_on(&events);
        }
        match end {
            Some(Ok(_)) => return Some(StreamEnd::Closed),
            Some(Err(_)) => return Some(broken()),
            None if is_hidden() => {}
            None if bytes.len() > BURST => sleep(REST_IN_A_BURST).await,
            None => sleep(REST).await,
        }
    }
}

fn completes(input: &Input) -> bool {
    matches!(input, Input::StreamEvent(_, event) if event.event_type == EventType::AgentResponseComplete)
}

fn broken() -> StreamEnd {
    StreamEnd::Failed(Failure::of(FailureKind::Unreachable))
}

/// What has arrived and was not taken yet.
#[derive(Default)]
struct Arrived {
    bytes: RefCell<Vec<u8>>,
    waiting: Cell<Option<Waker>>,
}

impl Arrived {
    /// One more chunk.
    fn take(&self, chunk: &Uint8Array) {
        let mut bytes = self.bytes.borrow_mut();
        let before = bytes.len();
        bytes.resize(before + chunk.length() as usize, 0);
        if let Some(place) = bytes.get_mut(before..) {
            chunk.copy_to(place);
        }
        drop(bytes);
        if let Some(waiting) = self.waiting.take() {
            waiting.wake();
        }
    }

    /// All bytes that are there, once there are some, and how it ended, once it has.
    fn poll(
        &self,
        context: &mut Context<'_>,
        piped: &mut JsFuture,
    ) -> Poll<(Vec<u8>, Option<Ended>)> {
        let end = match Pin::new(piped).poll(context) {
            Poll::Ready(end) => Some(end),
            Poll::Pending => None,
        };
        if end.is_none() && self.bytes.borrow().is_empty() {
            self.waiting.set(Some(context.waker().clone()));
            return Poll::Pending;
        }
        Poll::Ready((self.bytes.take(), end))
    }
}

type Ended = Result<JsValue, JsValue>;

/// Takes what the browser pipes into it: a call for each chunk, where a reader would cost several promises.
fn sink(arrived: &Rc<Arrived>) -> Result<WritableStream, JsValue> {
    let arrived = Rc::downgrade(arrived);
    // The chunks of a response's body are byte arrays.
    let write: Closure<dyn Fn(Uint8Array)> = Closure::new(move |chunk: Uint8Array| {
        if let Some(arrived) = arrived.upgrade() {
            arrived.take(&chunk);
        }
    });
    let sink = Object::new();
    // Left to the collector: the browser may still call it when nobody listens any more.
    Reflect::set(&sink, &"write".into(), &write.into_js_value())?;
    WritableStream::new_with_underlying_sink(&sink)
}

fn is_hidden() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| document.hidden())
}
