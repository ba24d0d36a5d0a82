//! What is true of the decoding of any bytes, as one function for property tests and fuzzing.

use crate::{Decoder, Frame, FrameTooLong};
use alloc::vec::Vec;

/// All that a decoder says of a stream: the frames and errors, the last event id, and the
/// reconnection time in milliseconds.
pub type Outcome = (
    Vec<Result<Frame, FrameTooLong>>,
    alloc::string::String,
    Option<u64>,
);

/// Decodes a stream that arrives in the given pieces; `limit` is that for a frame, in bytes.
pub fn decode<'bytes>(limit: usize, pieces: impl IntoIterator<Item = &'bytes [u8]>) -> Outcome {
    let mut decoder = Decoder::with_limit(limit);
    let mut frames = Vec::new();
    for piece in pieces {
        frames.extend(decoder.push(piece));
    }
    (
        frames,
        decoder.last_event_id().into(),
        decoder.retry_millis(),
    )
}

/// Asserts that a decoder says the same of a stream that arrives as a whole, in pieces of the given
/// lengths and then the rest, or in single bytes.
pub fn check_split_invariance(bytes: &[u8], limit: usize, lengths: &[usize]) {
    let whole = decode(limit, [bytes]);
    let mut rest = bytes;
    let mut pieces = Vec::new();
    for length in lengths {
        let (piece, tail) = rest.split_at(rest.len().min(*length));
        pieces.push(piece);
        rest = tail;
    }
    pieces.push(rest);
    assert_eq!(
        whole,
        decode(limit, pieces),
        "cut into pieces of lengths {lengths:?}"
    );
    assert_eq!(
        whole,
        decode(limit, bytes.chunks(1)),
        "cut into single bytes"
    );
    for frame in whole.0.iter().flatten() {
        // Invalid bytes become three bytes each; nothing else grows.
        assert!(
            frame.data.len() <= limit.saturating_mul(3),
            "a frame beyond the limit"
        );
    }
}
