//! Server-sent events: bytes in, frames out.
