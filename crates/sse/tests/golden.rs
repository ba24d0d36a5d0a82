//! Recorded streams and their decoded frames: `test_data/<case>.sse` and `test_data/<case>.txt`.
//! Each case is also cut at every position.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use assent_sse::invariants::{check_split_invariance, decode};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Writes one block per frame: event, id and data as Rust strings; then the last event id and the
/// reconnection time.
fn spell(bytes: &[u8]) -> String {
    let (frames, last_event_id, retry) = decode(usize::MAX, [bytes]);
    let mut text = String::new();
    for frame in frames.into_iter().map(Result::unwrap) {
        writeln!(text, "event {:?} id {:?}", frame.event, frame.id).unwrap();
        writeln!(text, "  {:?}", frame.data).unwrap();
    }
    writeln!(text, "end, id {last_event_id:?}, retry {retry:?}").unwrap();
    text
}

#[test]
fn recorded_streams_decode_to_their_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "sse") {
            continue;
        }
        count += 1;
        let bytes = fs::read(&path).unwrap();
        let expected = fs::read_to_string(path.with_extension("txt")).unwrap();
        assert_eq!(spell(&bytes), expected, "{}", path.display());
        for cut in 0..bytes.len() {
            check_split_invariance(&bytes, usize::MAX, &[cut]);
        }
    }
    assert_eq!(count, 4, "the folder of recorded streams is complete");
}
