//! A replacement for the crate of this name, which Leptos needs for server functions.
//!
//! The widget has no server function, but that crate exports three classes to JavaScript, and
//! exports stay in the module with everything that they call: some kilobytes that every visitor of
//! a page would download (`Cargo.toml` of the workspace has the figure). This crate has only what
//! server functions need to compile; a server function would get and send empty bodies.

use futures_util::{
    Stream,
    stream::{Empty, empty},
};
use wasm_bindgen::{JsCast, JsValue};

/// A browser's stream.
#[derive(Debug)]
pub struct ReadableStream(web_sys::ReadableStream);

impl ReadableStream {
    /// Wraps the stream.
    #[must_use]
    pub fn from_raw(raw: web_sys::ReadableStream) -> Self {
        Self(raw)
    }

    /// Ignores the stream; the result holds `undefined`.
    #[must_use]
    pub fn from_stream<S: Stream<Item = Result<JsValue, JsValue>> + 'static>(_: S) -> Self {
        Self(JsValue::UNDEFINED.unchecked_into())
    }

    /// Returns the stream itself.
    #[must_use]
    pub fn into_raw(self) -> web_sys::ReadableStream {
        self.0
    }

    /// Returns an empty stream.
    pub fn into_stream(self) -> Empty<Result<JsValue, JsValue>> {
        empty()
    }
}
