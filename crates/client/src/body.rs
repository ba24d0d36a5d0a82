//! The body of a response, read in JavaScript (`body_reader.js`).

use assent_conversation::{Failure, FailureKind, Millis, StreamEnd};
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStream, Response};

/// Pause of reading after data came: with the wait for the next frame, an answer is drawn about 30
/// times a second.
pub(super) const READ_INTERVAL: Millis = Millis(30);

/// Bytes, and the end of the body, once it has ended.
pub(super) type Taken = (Vec<u8>, Option<StreamEnd>);

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

/// The body of a response.
pub(super) struct Body(BodyReader);

impl Body {
    /// Returns the body; `None` if there is none, or if a page that replaced `fetch` reads it
    /// itself.
    pub(super) fn of(response: &Response) -> Option<Self> {
        let body = response.body().filter(|body| !body.locked())?;
        Some(Self(BodyReader::new(&body)))
    }

    /// Returns all bytes that are there, and the end of the body, once it has ended. `waits`: for a
    /// first piece.
    pub(super) async fn take(&self, waits: bool) -> Taken {
        let lost = || StreamEnd::Failed(Failure::of(FailureKind::Unreachable));
        let Ok(taken) = JsFuture::from(self.0.take(waits, READ_INTERVAL.0 as f64)).await else {
            return (Vec::new(), Some(lost()));
        };
        let taken = Array::from(&taken);
        let end = taken.get(1).as_bool();
        let end = end.map(|closed| if closed { StreamEnd::Closed } else { lost() });
        (Uint8Array::new(&taken.get(0)).to_vec(), end)
    }

    /// Returns the whole body; nothing if the connection breaks, or if it has more bytes than
    /// `most`, of which no more is read.
    pub(super) async fn up_to(self, most: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            let (more, end) = self.take(true).await;
            bytes.extend_from_slice(&more);
            if bytes.len() > most {
                JsFuture::from(self.0.cancel()).await.ok();
                return Vec::new();
            }
            match end {
                Some(StreamEnd::Failed(_)) => return Vec::new(),
                Some(_) => return bytes,
                None => {}
            }
        }
    }
}
