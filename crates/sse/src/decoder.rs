//! The decoder of server-sent events: it finds lines in the bytes as they arrive, reads the fields
//! in them, and returns a frame at each blank line. A line is decoded as UTF-8 when it is whole.

use crate::frame::{Frame, FrameTooLong};
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

const DEFAULT_FRAME_BYTES: usize = 16 * 1024 * 1024;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Decodes a stream of server-sent events, whose bytes arrive in pieces of any size, to frames.
///
/// The same bytes give the same frames, however they are cut. A frame without a blank line behind
/// it is dropped at the end of the stream, as the standard requires; nothing has to be called then.
#[derive(Debug, Clone)]
pub struct Decoder {
    limit: usize,
    state: State,
    /// True after a carriage return: a line feed right after that belongs to the same line ending.
    is_after_return: bool,
    /// True before the end of the first line, which may start with a byte order mark.
    is_first_line: bool,
    /// The beginning of the current line, from earlier pieces of the stream.
    line: Vec<u8>,
    /// Number of bytes in the finished lines of the current frame, without comments and line
    /// endings.
    size: usize,
    /// The values of the current frame's `data` fields so far, each followed by a line feed; the
    /// standard's data buffer.
    data: String,
    event: String,
    /// The value of the last `id` field, which counts from the next blank line on; the standard's
    /// last event ID buffer.
    id: String,
    last_event_id: String,
    retry: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Reading,
    /// The current frame is too long: everything up to the next blank line is dropped.
    Skipping {
        is_blank: bool,
    },
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// Creates a decoder for one stream that drops frames of more than 16 MiB.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(DEFAULT_FRAME_BYTES)
    }

    /// Creates a decoder for one stream that drops frames of more than `bytes` bytes. Line endings
    /// and finished comments do not count.
    #[must_use]
    pub fn with_limit(bytes: usize) -> Self {
        Self {
            limit: bytes,
            state: State::Reading,
            is_after_return: false,
            is_first_line: true,
            line: Vec::new(),
            size: 0,
            data: String::new(),
            event: String::new(),
            id: String::new(),
            last_event_id: String::new(),
            retry: None,
        }
    }

    /// Takes the next bytes of the stream and returns the frames that they complete, in order.
    ///
    /// # Errors
    ///
    /// A frame beyond the limit gives one [`FrameTooLong`] in its place. Decoding continues after
    /// it; no error ends the decoder.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<Frame, FrameTooLong>> {
        let mut frames = Vec::new();
        let mut rest = bytes;
        loop {
            if self.is_after_return && !rest.is_empty() {
                self.is_after_return = false;
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
            let Some((piece, line_end, tail)) = split_line(rest) else {
                break;
            };
            self.is_after_return = line_end == b'\r';
            frames.extend(self.end_line(piece));
            rest = tail;
        }
        frames.extend(self.buffer_piece(rest));
        frames
    }

    /// Returns the value of the stream's last `id` field before a blank line; empty if there was
    /// none.
    #[must_use]
    pub fn last_event_id(&self) -> &str {
        &self.last_event_id
    }

    /// Returns the value of the stream's last `retry` field: after how many milliseconds a client
    /// should connect again. `None` if there was none.
    #[must_use]
    pub fn retry_millis(&self) -> Option<u64> {
        self.retry
    }

    /// Keeps the beginning of a line until its end arrives. Returns an error if that makes the
    /// frame too long, and otherwise `None`.
    fn buffer_piece(&mut self, piece: &[u8]) -> Option<Result<Frame, FrameTooLong>> {
        if piece.is_empty() {
            return None;
        }
        match self.state {
            State::Skipping { .. } => self.state = State::Skipping { is_blank: false },
            State::Reading if self.is_too_long(piece) => {
                return Some(Err(self.drop_frame(State::Skipping { is_blank: false })));
            }
            State::Reading => self.line.extend_from_slice(piece),
        }
        None
    }

    /// Reads the line that ends with `piece`, which has no line ending. Returns the frame that the
    /// line completes, or an error if it makes the frame too long; otherwise `None`.
    fn end_line(&mut self, piece: &[u8]) -> Option<Result<Frame, FrameTooLong>> {
        match self.state {
            State::Skipping { is_blank } => {
                let is_resynchronised = is_blank && piece.is_empty();
                self.state = match is_resynchronised {
                    true => State::Reading,
                    false => State::Skipping { is_blank: true },
                };
                None
            }
            State::Reading if self.is_too_long(piece) => {
                Some(Err(self.drop_frame(State::Skipping { is_blank: true })))
            }
            State::Reading if self.line.is_empty() => self.read_line(piece).map(Ok),
            State::Reading => {
                let mut line = mem::take(&mut self.line);
                line.extend_from_slice(piece);
                let frame = self.read_line(&line);
                line.clear();
                self.line = line;
                frame.map(Ok)
            }
        }
    }

    fn is_too_long(&self, piece: &[u8]) -> bool {
        self.size + self.line.len() + piece.len() > self.limit
    }

    /// Drops what has arrived of the current frame, its id included, and goes to `state`. Returns
    /// the error that takes the frame's place.
    fn drop_frame(&mut self, state: State) -> FrameTooLong {
        self.state = state;
        self.is_first_line = false;
        self.line = Vec::new();
        self.size = 0;
        self.data = String::new();
        self.event = String::new();
        self.id.clone_from(&self.last_event_id);
        FrameTooLong { limit: self.limit }
    }

    fn read_line(&mut self, line: &[u8]) -> Option<Frame> {
        let line = match mem::take(&mut self.is_first_line) {
            true => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line),
            false => line,
        };
        match line {
            [] => return self.dispatch(),
            [b':', ..] => {}
            field => {
                self.size += field.len();
                let (name, value) = split_field(field);
                self.read_field(name, value);
            }
        }
        None
    }

    fn read_field(&mut self, name: &[u8], value: &[u8]) {
        match name {
            b"data" => {
                push_text(&mut self.data, value);
                self.data.push('\n');
            }
            b"event" => {
                self.event.clear();
                push_text(&mut self.event, value);
            }
            b"id" if !value.contains(&0) => {
                self.id.clear();
                push_text(&mut self.id, value);
            }
            b"retry" => self.retry = read_digits(value).or(self.retry),
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<Frame> {
        self.size = 0;
        self.last_event_id.clone_from(&self.id);
        let event = mem::take(&mut self.event);
        let mut data = mem::take(&mut self.data);
        // Without a `data` field not even the line feed after its value exists.
        data.pop()?;
        let event = if event.is_empty() {
            String::from("message")
        } else {
            event
        };
        Some(Frame {
            event,
            data,
            id: self.last_event_id.clone(),
        })
    }
}

/// Returns the bytes before the first line ending, the line ending, and the bytes behind it; `None`
/// if there is no line ending.
fn split_line(bytes: &[u8]) -> Option<(&[u8], u8, &[u8])> {
    let end = bytes
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'))?;
    let (piece, tail) = bytes.split_at_checked(end)?;
    let (line_end, tail) = tail.split_first()?;
    Some((piece, *line_end, tail))
}

/// Returns the name and the value of the field in a line: the text before and after the colon,
/// without the first space of the value.
fn split_field(line: &[u8]) -> (&[u8], &[u8]) {
    let Some(colon) = line.iter().position(|byte| *byte == b':') else {
        return (line, b"");
    };
    let (name, value) = line.split_at(colon);
    let value = value.strip_prefix(b":").unwrap_or(value);
    (name, value.strip_prefix(b" ").unwrap_or(value))
}

/// Appends `bytes` to `text`, decoded as UTF-8; invalid bytes become U+FFFD.
fn push_text(text: &mut String, bytes: &[u8]) {
    // Room for a line feed, too: the data buffer gets one after each value.
    text.reserve(bytes.len() + 1);
    // The whole line at once is faster than chunk by chunk, and nearly every line is well-formed.
    if let Ok(valid) = core::str::from_utf8(bytes) {
        text.push_str(valid);
        return;
    }
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
}

/// Returns the number that `value` spells; `None` if it has anything but digits. A number too large
/// for the type becomes its maximum.
fn read_digits(value: &[u8]) -> Option<u64> {
    if value.is_empty() {
        return None;
    }
    value.iter().try_fold(0_u64, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        Some(number.saturating_mul(10).saturating_add(digit))
    })
}
