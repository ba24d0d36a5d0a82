//! What the decoder returns: a frame, or the error for one that is too long.

use alloc::string::String;

/// One event of the stream: the fields of the lines up to a blank line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The value of the frame's last `event` field; `message` if it has none.
    pub event: String,
    /// The values of the frame's `data` fields, joined by line feeds. It may be empty, but the
    /// decoder returns no frame without a `data` field.
    pub data: String,
    /// The last event id of the stream when the frame ended, empty if there was none.
    /// It stays the same from frame to frame until an `id` field changes it.
    pub id: String,
}

/// Error in the place of a frame that is longer than the decoder's limit. The frame is dropped;
/// decoding goes on after the next blank line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameTooLong {
    /// The decoder's limit for a frame, in bytes.
    pub limit: usize,
}

impl core::fmt::Display for FrameTooLong {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            formatter,
            "an event of the stream is longer than {} bytes",
            self.limit
        )
    }
}

impl core::error::Error for FrameTooLong {}
