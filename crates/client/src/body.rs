//! The body of a response, read in JavaScript (`body_reader.js`).

use assent_conversation::{Failure, FailureKind, Millis};
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStream, Response};

/// Maximum size of an error body, in bytes. A longer one holds no sentence for people, and is not
/// read to its end, which may be far.
const MAX_ERROR_BYTES: usize = 65_536;

/// Pause of reading a stream after data came, in milliseconds. Together with the wait for the next
/// animation frame, an answer is drawn about 30 times a second.
pub(super) const READ_INTERVAL: Millis = Millis(30);

/// The bytes of a body that came and were not taken before, and how the body ended, if it has: true
/// in order, false if the connection broke.
pub(super) type TakenBytes = (Vec<u8>, Option<bool>);

#[wasm_bindgen(module = "/src/body_reader.js")]
extern "C" {
    type BodyReader;

    #[wasm_bindgen(constructor)]
    fn new(body: &ReadableStream) -> BodyReader;

    #[wasm_bindgen(method)]
    fn take(this: &BodyReader, waits: bool, rest: f64) -> Promise;

    #[wasm_bindgen(method)]
    fn cancel(this: &BodyReader) -> Promise;
}

/// The body of a response, which is read piece by piece.
pub(super) struct Body(BodyReader);

impl Body {
    /// Returns the body; `None` if there is none, or if a page that replaced `fetch` reads it
    /// itself.
    pub(super) fn of(response: &Response) -> Option<Self> {
        let body = response.body().filter(|body| !body.locked())?;
        Some(Self(BodyReader::new(&body)))
    }

    /// Returns all bytes that have come, and the end of the body, if it has ended. With `waits` it
    /// first waits until any have come.
    pub(super) async fn take(&self, waits: bool) -> TakenBytes {
        let Ok(taken) = JsFuture::from(self.0.take(waits, READ_INTERVAL.0 as f64)).await else {
            return (Vec::new(), Some(false));
        };
        let taken = Array::from(&taken);
        let bytes = Uint8Array::new(&taken.get(0)).to_vec();
        (bytes, taken.get(1).as_bool())
    }

    /// Returns the whole body; empty if the connection breaks, or if the body has more than `most`
    /// bytes: the rest is not read.
    pub(super) async fn read_up_to(self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            let (more, end) = self.take(true).await;
            bytes.extend_from_slice(&more);
            if bytes.len() > most {
                JsFuture::from(self.0.cancel()).await.ok();
                return Vec::new();
            }
            match end {
                Some(false) => return Vec::new(),
                Some(true) => return bytes,
                None => {}
            }
        }
    }
}

/// Returns the whole body as text; empty if a page that replaced `fetch` has read it itself. A
/// connection that breaks in the middle of it counts as unreachable.
pub(super) async fn read_whole(response: &Response) -> Result<String, Failure> {
    if response.body_used() {
        return Ok(String::new());
    }
    let unreachable = |_| Failure::of(FailureKind::Unreachable);
    // At once and not piece by piece, and not as a JavaScript string, which the browser would make
    // first.
    let reading = response.array_buffer().map_err(unreachable)?;
    let bytes = JsFuture::from(reading).await.map_err(unreachable)?;
    Ok(decode_text(Uint8Array::new(&bytes).to_vec()))
}

/// Returns the body of a failure as text; empty if it has more than [`MAX_ERROR_BYTES`] bytes, or
/// if the connection breaks. The rest of a longer body is not read.
pub(super) async fn read_error_text(response: &Response) -> String {
    match Body::of(response) {
        Some(body) => decode_text(body.read_up_to(MAX_ERROR_BYTES).await),
        None => String::new(),
    }
}

fn decode_text(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|wrong| String::from_utf8_lossy(wrong.as_bytes()).into_owned());
    match text.strip_prefix('\u{feff}') {
        Some(marked) => marked.to_owned(),
        None => text,
    }
}
