//! The Markdown reader as a WebAssembly module of its own.
//!
//! The parser and its tables are a quarter of all code, and nobody needs them before an answer is shown:
//! the loader fetches this module once the widget is up, while the person can type already.
//! Until it is there, and where it cannot be had, the widget shows answers as plain paragraphs.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::prelude::*;

/// Reads a Markdown text; the result is what `assent_markdown::decode` takes.
#[wasm_bindgen]
#[must_use]
pub fn parse(text: &str) -> Vec<u8> {
    assent_markdown::encode(&assent_markdown::parse(text))
}
