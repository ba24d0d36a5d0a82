//! Properties of any bytes, cut anywhere. The oracle is a second decoder, written like the
//! standard: whole text first, then lines, then fields.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use assent_sse::invariants::{check_split_invariance, decode};
use proptest::prelude::*;

/// Generates pieces of valid and of broken event streams.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "data", "event", "id", "retry", ":", ": ", " ", "\n", "\r", "\r\n", "\n\n", "\r\r", "\0",
            "0", "17", "ü", "€", "😀", "\u{feff}", "x", "data: a\n\n",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

type Plain = (Vec<(String, String, String)>, String, Option<u64>);

/// Implements the standard's algorithm on the whole text.
fn reference(bytes: &[u8]) -> Plain {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let (mut events, mut retry) = (Vec::new(), None);
    let (mut data, mut event, mut id, mut last_id) =
        (String::new(), String::new(), String::new(), String::new());
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.pop();
    for line in lines {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "" if line.is_empty() => {
                last_id = id.clone();
                if !data.is_empty() {
                    data.pop();
                    let kind = if event.is_empty() {
                        "message".into()
                    } else {
                        event.clone()
                    };
                    events.push((kind, data.clone(), last_id.clone()));
                }
                data.clear();
                event.clear();
            }
            "data" => data = data + value + "\n",
            "event" => event = value.into(),
            "id" if !value.contains('\0') => id = value.into(),
            "retry" if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
                retry = Some(value.parse().unwrap_or(u64::MAX));
            }
            _ => {}
        }
    }
    (events, last_id, retry)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_split_gives_the_same_frames(
        bytes in stream(),
        limit in prop_oneof![0..40_usize, Just(usize::MAX)],
        lengths in prop::collection::vec(0..8_usize, 0..30),
    ) {
        check_split_invariance(&bytes, limit, &lengths);
    }

    #[test]
    fn the_frames_are_those_of_the_standard(bytes in stream()) {
        let (frames, last_event_id, retry) = decode(usize::MAX, [bytes.as_slice()]);
        let frames = frames.into_iter().map(Result::unwrap);
        let events = frames.map(|frame| (frame.event, frame.data, frame.id)).collect();
        prop_assert_eq!((events, last_event_id, retry), reference(&bytes));
    }

    #[test]
    fn a_frame_after_any_bytes_is_decoded(bytes in prop::collection::vec(any::<u8>(), 0..200), limit in 11..40_usize) {
        let tail = b"\n\ndata: after\n\n";
        let (frames, ..) = decode(limit, [bytes.as_slice(), tail]);
        prop_assert_eq!(&frames.last().unwrap().as_ref().unwrap().data, "after");
    }
}
