//! The renderer of answers and of tools' requests as a WebAssembly module of its own.
//!
//! Parser, tables and nodes of Markdown are a quarter of all code, and nobody needs them before an answer is shown;
//! nor what tells one argument from another, before a tool is asked for.
//! The loader fetches this module once the widget is up, while the person can type already.
//! Until it is there, and where it cannot be had, the widget shows answers as plain paragraphs, and no request can be
//! approved.
//!
//! Here is the border; `answer` keeps blocks and nodes together, `build` and `patch` make and change nodes, `request` is
//! what is read before a decision.
#![cfg(target_arch = "wasm32")]

mod answer;
mod assets;
mod build;
mod code;
mod copy;
mod events;
mod highlight;
mod idle;
mod images;
mod inline;
mod languages;
mod math;
mod mathml;
mod node;
mod page;
mod patch;
mod request;
mod warm_up;

use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

use crate::{answer::Rendered, request::Drawn};

/// One answer that is shown, and may still grow.
#[wasm_bindgen]
pub struct Answer(Rendered);

#[wasm_bindgen]
impl Answer {
    /// An answer without text. `root` is empty; `page` says what the page wants and has.
    ///
    /// # Errors
    /// The browser did not take a listener.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value, reason = "the border takes values")]
    pub fn new(root: HtmlElement, page: JsValue) -> Result<Answer, JsValue> {
        Rendered::new(root, &page).map(Self)
    }

    /// Appends more text.
    ///
    /// # Errors
    /// The browser refused a node.
    pub fn push(&mut self, text: &str) -> Result<(), JsValue> {
        self.0.push(text)
    }

    /// Ends the text: nothing comes after it.
    ///
    /// # Errors
    /// The browser refused a node.
    pub fn finish(&mut self) -> Result<(), JsValue> {
        self.0.finish()
    }

    /// Shows another text, which is `whole` or will grow. Blocks that are equal keep their nodes.
    ///
    /// # Errors
    /// The browser refused a node.
    pub fn reset(&mut self, text: &str, whole: bool) -> Result<(), JsValue> {
        self.0.reset(text, whole)
    }
}

/// A tool's request that is shown.
#[wasm_bindgen]
pub struct ToolRequest(#[expect(dead_code, reason = "it lives as long as it is shown")] Drawn);

#[wasm_bindgen]
impl ToolRequest {
    /// Draws a request. `request` has the empty elements `head`, `rows` and `looks`, the latter two where they are to be
    /// seen; `label`, `name`, `provider` and `category`; `arguments`, each with name, value, and `short`, `opened` or
    /// `folded`; `before`, those of the last call, if there was one, as names and values; and `open`, which takes the
    /// place of an argument that was opened.
    ///
    /// # Errors
    /// The browser refused a node, or something is missing.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value, reason = "the border takes values")]
    pub fn new(request: JsValue) -> Result<ToolRequest, JsValue> {
        Drawn::new(&request).map(Self)
    }
}

/// Copies an answer, with `root` the element that it was made in: as it is drawn, and as `text` for who takes only
/// text. `undefined` where the browser cannot write both.
#[wasm_bindgen]
#[must_use]
pub fn copy(root: &HtmlElement, text: &str) -> Option<js_sys::Promise> {
    copy::copy(root, text)
}

/// Makes the first answer as quick as the second, while the page has nothing else to do.
#[wasm_bindgen]
pub fn warm_up() {
    wasm_bindgen_futures::spawn_local(warm_up::warm_up());
}

/// The style sheet of drawn answers. It goes behind the widget's own.
#[wasm_bindgen]
#[must_use]
pub fn styles() -> String {
    include_str!(concat!(env!("OUT_DIR"), "/style.css")).to_owned()
}
