//! One post and the events that answer it, from bytes to inputs of the core.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use assent_conversation::{Input, Millis, StreamEnd, StreamId};
use assent_protocol::{EventType, PostMessage, SseEvent, ThreadId};
use assent_sse::Decoder;
use web_sys::{AbortController, Response};

use super::api::Api;
use super::body::{Body, READ_INTERVAL};
use super::clock::{now, sleep};
use super::presence::is_hidden;

/// The pause of reading in milliseconds, in place of [`READ_INTERVAL`], after more than
/// [`BURST_BYTES`] bytes came at once: nobody reads these one by one, and fewer and larger draws
/// are enough.
const BURST_READ_INTERVAL: Millis = Millis(100);
const BURST_BYTES: usize = 20_000;

/// Time without a byte, in milliseconds, after which a stream counts as stalled.
const STALL_TIMEOUT: Millis = Millis(45_000);

/// The duration of a wait, in milliseconds, from which the computer must have slept, or the page
/// was frozen: the wait should have ended long before.
const SLEEP_THRESHOLD: Millis = Millis(300_000);

/// A post to be made, and the id of its stream.
pub(super) struct Post {
    pub(super) stream: StreamId,
    pub(super) thread: ThreadId,
    pub(super) body: PostMessage,
    /// The controller that aborts the post.
    pub(super) abort: Option<AbortController>,
}

/// When data last came in a stream that is read, and whether the stream stalled.
struct Liveness {
    /// Time of the last bytes, be they a keep-alive; before any bytes, the time of the post.
    last_data_at: Cell<Millis>,
    /// True if the stream stalled, and the core was told.
    is_stalled: Cell<bool>,
}

/// One frame of a stream, as it came.
pub(super) struct ReceivedFrame {
    /// The data of the frame, which is the JSON of an event if it can be read.
    pub(super) data: String,
    /// True for an event, false for unreadable data.
    pub(super) is_event: bool,
}

/// Posts, then delivers an input for everything that comes, in order. Inputs that come together are
/// delivered together, and the end of the stream last.
///
/// `deliver` returns false when nobody is subscribed any more; then nothing else is delivered.
/// `pass_on` gets the frames of what was just delivered.
pub(super) async fn post_and_deliver(
    api: &Api,
    post: Post,
    pass_on: &dyn Fn(Vec<ReceivedFrame>),
    deliver: impl Fn(Vec<Input>) -> bool,
) {
    let liveness = Liveness {
        last_data_at: Cell::new(now()),
        is_stalled: Cell::new(false),
    };
    let mut listening = pin!(post_and_read(api, &post, pass_on, &deliver, &liveness));
    let mut watching = pin!(watch_for_stall(&post, &deliver, &liveness));
    poll_fn(|context| {
        let end = listening.as_mut().poll(context);
        if end.is_pending() && watching.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        end
    })
    .await;
}

/// Reports that the stream stalled, and aborts the post if the computer slept while it was silent.
async fn watch_for_stall(post: &Post, deliver: &impl Fn(Vec<Input>) -> bool, liveness: &Liveness) {
    let mut wait = STALL_TIMEOUT;
    loop {
        let began = now();
        sleep(wait).await;
        let now = now();
        let silence = now.0 - liveness.last_data_at.get().0;
        if silence < STALL_TIMEOUT.0 {
            // Clocks can be set back.
            wait = Millis((STALL_TIMEOUT.0 - silence).clamp(1, STALL_TIMEOUT.0));
            continue;
        }
        wait = STALL_TIMEOUT;
        if now.0 - began.0 > SLEEP_THRESHOLD.0 {
            // Data on its way while the computer slept is lost, and no end of the stream will come.
            if let Some(abort) = &post.abort {
                abort.abort();
            }
        } else if !liveness.is_stalled.replace(true)
            && !deliver(vec![Input::StreamStalled(post.stream, true)])
        {
            return;
        }
    }
}

async fn post_and_read(
    api: &Api,
    post: &Post,
    pass_on: &dyn Fn(Vec<ReceivedFrame>),
    deliver: &impl Fn(Vec<Input>) -> bool,
    liveness: &Liveness,
) {
    let stream = post.stream;
    let signal = post.abort.as_ref().map(AbortController::signal);
    let opened = api
        .post_message(&post.thread, &post.body, signal.as_ref())
        .await;
    let end = match opened {
        Err(failure) => StreamEnd::Failed(failure),
        Ok(response) => {
            let mut opened = liveness.note_data(stream);
            opened.push(Input::StreamOpened(stream));
            if !deliver(opened) {
                return;
            }
            match read_body(&response, stream, pass_on, deliver, liveness).await {
                Some(end) => end,
                None => return,
            }
        }
    };
    deliver(vec![Input::StreamEnded(stream, end)]);
}

/// Reads the body to its end, and returns the end; `None` when nobody is subscribed any more.
///
/// While the page is visible, data is taken together: all that is there, and then nothing for a
/// moment. A model writes more pieces than anybody can see one by one, and each would cost an
/// animation frame of its own.
async fn read_body(
    response: &Response,
    stream: StreamId,
    pass_on: &dyn Fn(Vec<ReceivedFrame>),
    deliver: &impl Fn(Vec<Input>) -> bool,
    liveness: &Liveness,
) -> Option<StreamEnd> {
    let Some(body) = Body::of(response) else {
        return Some(StreamEnd::Closed);
    };
    let mut decoder = Decoder::new();
    loop {
        let (bytes, mut end) = body.take(true).await;
        let mut inputs = liveness.note_data(stream);
        let (news, mut frames) = decode(&mut decoder, &bytes, stream);
        let signs_of_life = inputs.len();
        inputs.extend(news);
        let end_of_answer = inputs.iter().position(completes_answer);
        if let Some(place) = end_of_answer {
            // The end of an answer changes much around it: drawn with its last text it would be the
            // longest task of all.
            if place > 0 && !is_hidden() {
                let rest = inputs.split_off(place);
                if !deliver(std::mem::replace(&mut inputs, rest)) {
                    return None;
                }
                let rest = frames.split_off(place - signs_of_life);
                pass_on(std::mem::replace(&mut frames, rest));
                sleep(READ_INTERVAL).await;
            }
            // The end of the stream comes right behind, and the next message can be sent from then
            // on.
            if end.is_none() {
                let (bytes, ended) = body.take(false).await;
                let (more, news) = decode(&mut decoder, &bytes, stream);
                inputs.extend(more);
                frames.extend(news);
                end = ended;
            }
        }
        if !deliver(inputs) {
            return None;
        }
        if !frames.is_empty() {
            pass_on(frames);
        }
        match end {
            Some(end) => return Some(end),
            None if is_hidden() || end_of_answer.is_some() => {}
            None if bytes.len() > BURST_BYTES => sleep(BURST_READ_INTERVAL).await,
            None => sleep(READ_INTERVAL).await,
        }
    }
}

impl Liveness {
    /// Notes that data came now. If the stream had stalled, returns the input that it goes on;
    /// otherwise nothing.
    fn note_data(&self, stream: StreamId) -> Vec<Input> {
        self.last_data_at.set(now());
        let was_stalled = self.is_stalled.replace(false);
        let again = was_stalled.then_some(Input::StreamStalled(stream, false));
        again.into_iter().collect()
    }
}

/// Decodes bytes. Returns an input of the core for each frame, and the frames themselves.
fn decode(
    decoder: &mut Decoder,
    bytes: &[u8],
    stream: StreamId,
) -> (Vec<Input>, Vec<ReceivedFrame>) {
    let (mut inputs, mut frames) = (Vec::new(), Vec::new());
    for frame in decoder.push(bytes) {
        let data = frame.map(|frame| frame.data).unwrap_or_default();
        let input = input_of(stream, &data);
        let is_event = matches!(input, Input::StreamEvent(..));
        frames.push(ReceivedFrame { data, is_event });
        inputs.push(input);
    }
    (inputs, frames)
}

/// Returns the input of the core for the data of one frame.
pub(super) fn input_of(stream: StreamId, data: &str) -> Input {
    match assent_protocol::read::<SseEvent>(data) {
        Some(event) => Input::StreamEvent(stream, Box::new(event)),
        None => Input::StreamGarbled(stream),
    }
}

fn completes_answer(input: &Input) -> bool {
    matches!(input, Input::StreamEvent(_, event) if event.event_type == EventType::AgentResponseComplete)
}
