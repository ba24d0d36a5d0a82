//! The rules of the HTML standard's event streams, one behaviour per test.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use assent_sse::{Decoder, Frame, FrameTooLong};

/// Returns the frames that end with these bytes, each written as `event|data|id`.
fn pushed(decoder: &mut Decoder, bytes: &[u8]) -> Vec<String> {
    let spell = |frame: Frame| format!("{}|{}|{}", frame.event, frame.data, frame.id);
    let frames = decoder.push(bytes).into_iter().map(Result::unwrap);
    frames.map(spell).collect()
}

/// Compares the frames of the bytes, each written as `event|data|id`.
#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: &[&str]) {
    let bytes = bytes.as_ref();
    let frames = pushed(&mut Decoder::new(), bytes);
    assert_eq!(frames, expected, "{:?}", String::from_utf8_lossy(bytes));
}

#[test]
fn a_blank_line_dispatches() {
    check("data: a\n\ndata: b\n\n", &["message|a|", "message|b|"]);
}

#[test]
fn every_line_end_is_one_line_end() {
    for end in ["\n", "\r", "\r\n"] {
        check(
            format!("data: a{end}data: b{end}{end}data: c{end}{end}"),
            &["message|a\nb|", "message|c|"],
        );
    }
    check("data: a\r\ndata: b\rdata: c\n\r\n", &["message|a\nb\nc|"]);
}

#[test]
fn a_line_feed_before_a_return_is_two_line_ends() {
    check("data: a\n\rdata: b\n\r", &["message|a|", "message|b|"]);
}

#[test]
fn a_return_dispatches_without_waiting_for_a_line_feed() {
    let mut decoder = Decoder::new();
    assert_eq!(pushed(&mut decoder, b"data: a\r\r"), ["message|a|"]);
    assert!(pushed(&mut decoder, b"\n").is_empty());
    assert_eq!(pushed(&mut decoder, b"data: b\n\n"), ["message|b|"]);
}

#[test]
fn one_leading_byte_order_mark_is_dropped() {
    check("\u{feff}data: a\n\n", &["message|a|"]);
    check("\u{feff}\u{feff}data: a\n\ndata: b\n\n", &["message|b|"]);
    check("data: a\n\n\u{feff}data: b\n\n", &["message|a|"]);
    check("data: \u{feff}a\n\n", &["message|\u{feff}a|"]);
    check("\u{feff}\ndata: a\n\n", &["message|a|"]);
}

#[test]
fn comments_are_dropped() {
    check(": hello\ndata: a\n:\n:data: b\n\n", &["message|a|"]);
}

#[test]
fn one_space_after_the_colon_is_dropped() {
    check("data:a\n\n", &["message|a|"]);
    check("data:  a \n\n", &["message| a |"]);
    check("data:\ta\n\n", &["message|\ta|"]);
}

#[test]
fn data_of_several_lines_is_joined_by_line_feeds() {
    check("data: a\ndata:\ndata: b\n\n", &["message|a\n\nb|"]);
}

#[test]
fn a_field_without_a_colon_has_an_empty_value() {
    check("data\n\n", &["message||"]);
    check("data\ndata\n\n", &["message|\n|"]);
}

#[test]
fn a_frame_without_data_is_not_dispatched() {
    check("event: a\n\n\n\ndata: b\n\n", &["message|b|"]);
}

#[test]
fn the_last_event_field_names_the_frame_and_only_that_frame() {
    check(
        "event: a\nevent: b\ndata: 1\n\ndata: 2\n\n",
        &["b|1|", "message|2|"],
    );
    check("event: a\nevent:\ndata: 1\n\n", &["message|1|"]);
}

#[test]
fn the_id_stays_until_it_changes() {
    check(
        "id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\nid\ndata: d\n\n",
        &["message|a|1", "message|b|1", "message|c|2", "message|d|"],
    );
}

#[test]
fn a_frame_without_data_still_sets_the_id() {
    check("id: 7\n\ndata: a\n\n", &["message|a|7"]);
}

#[test]
fn an_id_with_a_null_is_ignored() {
    check("id: 1\nid: 2\0\ndata: a\n\n", &["message|a|1"]);
}

#[test]
fn the_id_counts_from_the_blank_line_on() {
    let mut decoder = Decoder::new();
    decoder.push(b"id: 1\ndata: a\n");
    assert_eq!(decoder.last_event_id(), "");
    decoder.push(b"\n");
    assert_eq!(decoder.last_event_id(), "1");
}

#[test]
fn retry_takes_digits_only() {
    for (value, expected) in [
        ("1500", Some(1500)),
        ("007", Some(7)),
        ("", None),
        ("+5", None),
        ("-5", None),
        ("5s", None),
        (" 5", None),
        ("\u{0665}", None),
        ("99999999999999999999", Some(u64::MAX)),
    ] {
        let mut decoder = Decoder::new();
        decoder.push(format!("retry: {value}\n").as_bytes());
        assert_eq!(decoder.retry_millis(), expected, "{value:?}");
    }
}

#[test]
fn a_bad_retry_leaves_the_one_before() {
    let mut decoder = Decoder::new();
    decoder.push(b"retry: 20\nretry: soon\n\n");
    assert_eq!(decoder.retry_millis(), Some(20));
}

#[test]
fn unknown_fields_are_ignored_and_names_are_exact() {
    check(
        "foo: 1\nDATA: x\ndata : y\n data: z\ndata: a\n\n",
        &["message|a|"],
    );
}

#[test]
fn a_last_frame_without_its_blank_line_is_dropped() {
    check("data: a\n\ndata: b\n", &["message|a|"]);
    check("data: a\n\ndata: b", &["message|a|"]);
}

#[test]
fn a_character_cut_into_bytes_arrives_whole() {
    let mut decoder = Decoder::new();
    let mut frames = Vec::new();
    for byte in "data: ü€😀\n\n".as_bytes() {
        frames.extend(decoder.push(std::slice::from_ref(byte)));
    }
    assert_eq!(frames.pop().unwrap().unwrap().data, "ü€😀");
}

#[test]
fn bad_bytes_become_replacement_characters() {
    check(b"data: a\xFFb\n\n", &["message|a\u{fffd}b|"]);
    // A truncated sequence is one replacement character, and never takes the line ending with it.
    check(
        b"data: a\xE2\x82\ndata: \xF0\x9F\x98\n\n",
        &["message|a\u{fffd}\n\u{fffd}|"],
    );
    // A surrogate, an overlong form and a stray continuation: one replacement character for each
    // byte.
    check(
        b"data: \xED\xA0\x80\xC0\xAF\x80\n\n",
        &["message|\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}|"],
    );
    check(
        b"event: \xFF\nid: \xFE\ndata: a\n\n",
        &["\u{fffd}|a|\u{fffd}"],
    );
    check(b"da\xFFta: a\ndata: b\n\n", &["message|b|"]);
}

#[test]
fn bad_bytes_do_not_hold_the_next_frame_back() {
    let mut decoder = Decoder::new();
    let bad = pushed(&mut decoder, b"data: \xF0\x9F\n\n");
    assert_eq!(bad, ["message|\u{fffd}|"]);
    assert_eq!(pushed(&mut decoder, b"data: b\n\n"), ["message|b|"]);
}

#[test]
fn a_frame_of_exactly_the_limit_passes() {
    let mut decoder = Decoder::with_limit(14);
    let frames = decoder.push(b"data: a\ndata: b\n\n");
    assert_eq!(frames.len(), 1);
    assert_eq!(frames.first().unwrap().as_ref().unwrap().data, "a\nb");
}

#[test]
fn a_frame_over_the_limit_is_one_error_and_the_next_frame_is_decoded() {
    let mut decoder = Decoder::with_limit(14);
    let mut stream = b"data: ok\n\nevent: x\nid: 9\ndata: far too long\ndata: more\n".to_vec();
    stream.extend_from_slice(b"data: and more than before\n\ndata: b\n\n");
    let frames = decoder.push(&stream);
    let [Ok(first), Err(error), Ok(last)] = frames.as_slice() else {
        panic!("{frames:?}")
    };
    assert_eq!(first.data, "ok");
    assert_eq!(*error, FrameTooLong { limit: 14 });
    assert_eq!(
        (last.event.as_str(), last.data.as_str(), last.id.as_str()),
        ("message", "b", "")
    );
}

#[test]
fn the_lines_of_a_frame_add_up_to_its_length() {
    let mut decoder = Decoder::with_limit(20);
    let lines = "data: a\n".repeat(3);
    assert!(decoder.push(lines.as_bytes())[0].is_err());
    let mut frames = decoder.push(b"\ndata: a\ndata: b\n\ndata: c\ndata: d\n\n");
    assert_eq!(frames.pop().unwrap().unwrap().data, "c\nd");
    assert_eq!(frames.pop().unwrap().unwrap().data, "a\nb");
}

#[test]
fn a_byte_order_mark_after_a_first_line_that_was_too_long_is_no_leading_one() {
    let mut decoder = Decoder::with_limit(20);
    decoder.push("a line that is too long\n\n\u{feff}data: a\n".as_bytes());
    assert_eq!(decoder.push(b"data: b\n\n")[0].as_ref().unwrap().data, "b");
}

#[test]
fn a_line_without_end_is_reported_before_it_ends() {
    let mut decoder = Decoder::with_limit(1000);
    let errors = (0..100)
        .map(|_| decoder.push(&[b'x'; 100]).len())
        .sum::<usize>();
    assert_eq!(errors, 1);
    assert_eq!(decoder.push(b"\n\ndata: a\n\n").len(), 1);
}

#[test]
fn comments_without_end_are_no_frame() {
    let mut decoder = Decoder::with_limit(20);
    for _ in 0..100 {
        assert_eq!(decoder.push(b": still here\n"), []);
    }
    assert_eq!(decoder.push(b"data: a\n\n").len(), 1);
}

#[test]
fn the_default_limit_is_16_mebibytes() {
    let mut decoder = Decoder::default();
    let value = vec![b'x'; 16 * 1024 * 1024 - "data: ".len()];
    let frame = |extra: &str| [b"data: ", value.as_slice(), extra.as_bytes(), b"\n\n"].concat();
    assert!(decoder.push(&frame(""))[0].is_ok());
    assert!(decoder.push(&frame("x"))[0].is_err());
}

#[test]
fn the_error_reads_as_a_sentence() {
    let error = FrameTooLong { limit: 16 };
    assert_eq!(
        error.to_string(),
        "an event of the stream is longer than 16 bytes"
    );
}
