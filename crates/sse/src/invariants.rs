//! Invariants of any bytes, as one function shared by property tests and fuzzing.

use crate::{Decoder, Frame, FrameTooLong};
use alloc::vec::Vec;

/// The complete output of a decoder for a stream: the results, the last event id and the
/// reconnection time.
pub type Outcome = (
    Vec<Result<Frame, FrameTooLong>>,
    alloc::string::String,
    Option<u64>,
);

/// Decodes a stream that arrives in the given pieces.
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

/// Asserts that cutting the bytes into pieces of the given lengths (the last piece takes the rest),
/// or into single bytes, gives the same result as the whole.
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
