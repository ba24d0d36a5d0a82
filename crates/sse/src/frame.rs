//! Output of the decoder: a frame, or the only error.

use alloc::string::String;

/// One event of the stream, dispatched by the blank line that ends it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The value of the last `event` field, or `message` without one.
    pub event: String,
    /// The values of all `data` fields, joined by line feeds.
    /// It may be empty, but a frame without any `data` field is never dispatched.
    pub data: String,
    /// The last event id of the stream when the frame ended, empty if there was none.
    /// It stays the same from frame to frame until an `id` field changes it.
    pub id: String,
}

/// Error for a frame beyond the limit of the decoder. Its bytes are dropped; the next frame after a
/// blank line is decoded again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameTooLong {
    /// The exceeded limit, in bytes.
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
