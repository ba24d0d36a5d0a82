//! The stream of a post, or of an answer of another page: from bytes to inputs of the core.

use std::cell::{Cell, RefCell};
use std::pin::pin;

use assent_conversation::{Failure, FailureKind, Input, Millis, StreamEnd, StreamId};
use assent_protocol::{EventType, PostMessage, SseEvent, ThreadId};
use assent_sse::Decoder;
use js_sys::Array;
use web_sys::{AbortController, AbortSignal};

use super::api::Api;
use super::body::{Body, READ_INTERVAL};
use super::clock::{first_of, now, sleep};
use super::failure::{failure_of_repeated, wanted_pause};
use super::log_position::LogPosition;
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

/// Time in milliseconds after which a stream whose connection broke counts as stalled.
const NOTICE_TIME: Millis = Millis(1000);

/// The first pause of resuming a stream, in milliseconds; each further pause is twice as long.
const RESUME_PAUSE: Millis = Millis(250);

/// Interval in milliseconds of checking whether a page that follows an answer is visible again.
const VISIBILITY_INTERVAL: Millis = Millis(500);

/// Time in milliseconds after which a stream is not resumed any more, if there was no connection
/// meanwhile, or if the pause for which it would wait is as long.
const RESUME_TIMEOUT: Millis = Millis(30_000);

/// A stream to be read: of a post to be made, or of an answer that another page asked for.
pub(super) struct StreamRequest {
    pub(super) stream: StreamId,
    pub(super) thread: ThreadId,
    pub(super) source: StreamSource,
    /// The signal that ends the stream.
    pub(super) signal: AbortSignal,
}

/// Where the events of a stream come from.
pub(super) enum StreamSource {
    /// The response to this post. With a key, the post is repeated where it is in doubt whether it
    /// arrived.
    Post(PostMessage, Option<String>),
    /// The service's log of an answer that is being written: what follows the event with this id.
    Log(String),
}

/// Who gets what comes in a stream.
pub(super) struct Listener<'a> {
    /// Takes inputs; once it returns false, nobody is subscribed, and nothing else is delivered.
    pub(super) deliver: &'a dyn Fn(Vec<Input>) -> bool,
    /// Takes the frames of what was just delivered.
    pub(super) pass_on: &'a dyn Fn(Vec<ReceivedFrame>),
}

/// One frame of a stream, as it came.
pub(super) struct ReceivedFrame {
    /// The data of the frame, which is the JSON of an event if it can be read.
    pub(super) data: String,
    /// True for an event, false for unreadable data.
    pub(super) is_event: bool,
}

/// A stream that is being read, be it over several connections.
struct Reading<'a> {
    api: &'a Api,
    request: &'a StreamRequest,
    listener: Listener<'a>,
    /// Time of the last bytes, be they a keep-alive; before any bytes, the time of the request.
    last_data_at: Cell<Millis>,
    /// True if the stream stalled, and the core was told.
    is_stalled: Cell<bool>,
    /// The controller that ends the connection in use, and nothing else.
    connection: RefCell<Option<AbortController>>,
    position: LogPosition,
}

/// Sends a request, then delivers an input for everything that comes, in order. Inputs that come
/// together are delivered together, and the end of the stream last.
///
/// A connection that breaks before the answer has ended is replaced by another one, if the service
/// offers that (the extension `resume`).
pub(super) async fn read_and_deliver(api: &Api, request: StreamRequest, listener: Listener<'_>) {
    let after = match &request.source {
        StreamSource::Post(..) => String::new(),
        StreamSource::Log(after) => after.clone(),
    };
    let reading = Reading {
        api,
        request: &request,
        listener,
        last_data_at: Cell::new(now()),
        is_stalled: Cell::default(),
        connection: RefCell::default(),
        position: LogPosition::behind(after),
    };
    first_of(pin!(reading.read()), pin!(reading.watch_for_stall())).await;
}

impl Reading<'_> {
    /// Reports that the stream stalled. A connection that can be replaced is ended instead, and so
    /// is one that was silent while the computer slept.
    async fn watch_for_stall(&self) {
        let mut wait = STALL_TIMEOUT;
        loop {
            let began = now();
            sleep(wait).await;
            let now = now();
            let silence = now.0 - self.last_data_at.get().0;
            if silence < STALL_TIMEOUT.0 {
                // Clocks can be set back.
                wait = Millis((STALL_TIMEOUT.0 - silence).clamp(1, STALL_TIMEOUT.0));
                continue;
            }
            wait = STALL_TIMEOUT;
            let has_key = matches!(self.request.source, StreamSource::Post(_, Some(_)));
            let can_repeat = has_key && self.position.is_at_start();
            if can_repeat || self.can_resume() || now.0 - began.0 > SLEEP_THRESHOLD.0 {
                // Data on its way while the computer slept is lost, and no end of the stream will
                // come.
                self.end_connection();
            } else if !self.note_stalled() {
                return;
            }
        }
    }

    /// Posts, and reads the answer to its end, over as many connections as it takes: whenever one ends
    /// before the answer does, what follows the last event is asked for. Without an event so far, a
    /// post with a key is repeated.
    async fn read(&self) {
        let (body, key) = match &self.request.source {
            StreamSource::Post(body, key) => (Some(body.to_json()), key.as_deref()),
            StreamSource::Log(_) => (None, None),
        };
        // A post is first of all to be made.
        let mut is_first = body.is_some();
        let mut is_posting = is_first;
        let (mut is_closed, mut refusal) = (false, None);
        let (mut lost_at, mut pause) = (now(), RESUME_PAUSE);
        while is_posting || self.can_resume() {
            if !self.deliver(Vec::new()) {
                return;
            }
            if self.is_only_followed() && is_hidden() {
                (lost_at, pause) = (now(), RESUME_PAUSE);
                sleep(VISIBILITY_INTERVAL).await;
                continue;
            }
            let mut wait = pause;
            let is_post = std::mem::take(&mut is_posting);
            let was_first = std::mem::take(&mut is_first);
            let body = body.clone().filter(|_| is_post);
            let signal = self.begin_connection();
            self.last_data_at.set(now());
            let (thread, after) = (&self.request.thread, self.position.last_event());
            let opening = self
                .api
                .open_stream(thread, body, key, &after, signal.as_ref());
            match opening.await {
                Ok(Some(response)) => {
                    refusal = None;
                    self.note_data();
                    if is_post {
                        self.deliver_one(Input::StreamOpened(self.request.stream));
                    }
                    let Some(body) = Body::of(&response) else {
                        is_closed = true;
                        break;
                    };
                    match self.read_body(body).await {
                        Some(ended) => is_closed = ended,
                        None => return,
                    }
                    if is_closed && self.position.is_whole() {
                        break;
                    }
                    lost_at = now();
                    is_posting = key.is_some() && self.position.is_at_start();
                    if was_first || !self.position.is_behind(&after) {
                        pause = RESUME_PAUSE;
                        continue;
                    }
                }
                Ok(None) => {
                    is_closed = true;
                    break;
                }
                Err(failure) => {
                    // Without a key it is in doubt whether the service has the post.
                    let is_over = !failure.is_transient()
                        || is_post && key.is_none()
                        || was_first && failure.is_refusal();
                    let after = wanted_pause(&failure);
                    refusal = is_post.then(|| match was_first {
                        true => failure,
                        false => failure_of_repeated(failure),
                    });
                    is_posting = is_post;
                    if is_over {
                        break;
                    }
                    if was_first {
                        lost_at = now();
                        if after <= 0 {
                            continue;
                        }
                    }
                    wait.0 = wait.0.max(after);
                }
            }
            pause.0 *= 2;
            let passed = now().0 - lost_at.0 + wait.0;
            if passed > RESUME_TIMEOUT.0 {
                break;
            }
            if passed > NOTICE_TIME.0 {
                self.note_stalled();
            }
            sleep(wait).await;
        }
        let end = match is_closed {
            true => StreamEnd::Closed,
            false => {
                StreamEnd::Failed(refusal.unwrap_or_else(|| Failure::of(FailureKind::Unreachable)))
            }
        };
        self.deliver_one(Input::StreamEnded(self.request.stream, end));
    }

    /// Reads the body to its end, and returns whether it ended in order; `None` when nobody is
    /// subscribed any more.
    ///
    /// While the page is visible, data is taken together: all that is there, and then nothing for a
    /// moment. A model writes more pieces than anybody can see one by one, and each would cost an
    /// animation frame of its own.
    async fn read_body(&self, body: Body) -> Option<bool> {
        let mut decoder = Decoder::new();
        loop {
            let (bytes, mut end) = body.take(true).await;
            if !bytes.is_empty() {
                self.note_data();
            }
            let (mut inputs, mut frames) = (Vec::new(), Vec::new());
            self.decode(&mut decoder, &bytes, &mut inputs, &mut frames);
            let end_of_answer = inputs.iter().position(completes_answer);
            if let Some(place) = end_of_answer {
                // The end of an answer changes much around it: drawn with its last text it would be
                // the longest task of all.
                if place > 0 && !is_hidden() {
                    let rest = inputs.split_off(place);
                    if !self.deliver(std::mem::replace(&mut inputs, rest)) {
                        return None;
                    }
                    let rest = frames.split_off(place);
                    (self.listener.pass_on)(std::mem::replace(&mut frames, rest));
                    sleep(READ_INTERVAL).await;
                }
                // The end of the stream comes right behind, and the next message can be sent from
                // then on.
                if end.is_none() {
                    let (bytes, ended) = body.take(false).await;
                    self.decode(&mut decoder, &bytes, &mut inputs, &mut frames);
                    end = ended;
                }
            }
            if !self.deliver(inputs) {
                return None;
            }
            if !frames.is_empty() {
                (self.listener.pass_on)(frames);
            }
            if self.is_only_followed() && is_hidden() {
                // The body ends with that.
                self.end_connection();
            }
            match end {
                Some(end) => return Some(end),
                None if is_hidden() || end_of_answer.is_some() => {}
                None if bytes.len() > BURST_BYTES => sleep(BURST_READ_INTERVAL).await,
                None => sleep(READ_INTERVAL).await,
            }
        }
    }

    /// Decodes bytes: adds an input of the core for each frame, and the frames themselves.
    fn decode(
        &self,
        decoder: &mut Decoder,
        bytes: &[u8],
        inputs: &mut Vec<Input>,
        frames: &mut Vec<ReceivedFrame>,
    ) {
        for frame in decoder.push(bytes) {
            let (id, data) = frame
                .map(|frame| (frame.id, frame.data))
                .unwrap_or_default();
            if self.position.note_event(id) || !self.api.extensions().has_resume() {
                let input = input_of(self.request.stream, &data);
                let event = match &input {
                    Input::StreamEvent(_, event) => Some(event),
                    _ => None,
                };
                if let Some(event) = event {
                    self.position.note_type(&event.event_type);
                }
                let is_event = event.is_some();
                frames.push(ReceivedFrame { data, is_event });
                inputs.push(input);
            }
        }
    }

    /// Notes that data came now: a stream that had stalled goes on.
    fn note_data(&self) {
        self.last_data_at.set(now());
        if self.is_stalled.replace(false) {
            self.deliver_one(Input::StreamStalled(self.request.stream, false));
        }
    }

    /// Notes that the stream stalled. Returns false when nobody is subscribed any more.
    fn note_stalled(&self) -> bool {
        self.is_stalled.replace(true)
            || self.deliver_one(Input::StreamStalled(self.request.stream, true))
    }

    /// Begins a connection, and returns the signal that ends it.
    fn begin_connection(&self) -> Option<AbortSignal> {
        let connection = AbortController::new().ok()?;
        let signals = Array::of2(&self.request.signal, &connection.signal());
        self.connection.replace(Some(connection));
        Some(AbortSignal::any(&signals))
    }

    fn end_connection(&self) {
        if let Some(connection) = &*self.connection.borrow() {
            // Without a reason: some handlers of rejections expect an `Error`.
            connection.abort();
        }
    }

    #[inline(never)]
    fn deliver_one(&self, input: Input) -> bool {
        self.deliver(vec![input])
    }

    fn deliver(&self, inputs: Vec<Input>) -> bool {
        (self.listener.deliver)(inputs)
    }

    /// Returns true if what follows the last event can be asked for.
    fn can_resume(&self) -> bool {
        self.position.is_numbered() && self.api.extensions().has_resume()
    }

    /// Returns true if another page posted: then no connection is held while nobody can see it.
    fn is_only_followed(&self) -> bool {
        matches!(self.request.source, StreamSource::Log(_))
    }
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
