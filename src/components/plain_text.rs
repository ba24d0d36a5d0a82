//! The text of an answer for people who hear it from a screen reader.

use leptos::wasm_bindgen::{self, prelude::wasm_bindgen};

#[wasm_bindgen(module = "/src/components/plain_text.js")]
extern "C" {
    /// Returns the text of Markdown without the marks of Markdown, which are not to be read out.
    #[wasm_bindgen(js_name = plainText)]
    pub(super) fn plain_text(markdown: &str) -> String;
}
