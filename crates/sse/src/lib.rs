//! Server-sent events: bytes in, frames out.
//!
//! This crate contains only the decoder of the event-stream format. It does no input or output,
//! does not interpret the content of frames, and depends on `core` and `alloc` alone. The rules are
//! those of the HTML standard, section "Server-sent events", parts "Parsing an event stream" and
//! "Interpreting an event stream".
//!
//! ```
//! use assent_sse::Decoder;
//!
//! let mut decoder = Decoder::new();
//! assert!(decoder.push(b"data: hel").is_empty());
//! let frames = decoder.push(b"lo\n\n");
//! assert_eq!(frames[0].as_ref().unwrap().data, "hello");
//! ```
#![no_std]

extern crate alloc;

mod decoder;
mod frame;
#[cfg(feature = "invariants")]
pub mod invariants;

pub use decoder::Decoder;
pub use frame::{Frame, FrameTooLong};
