//! The renderer of answers and tool requests as a separate WebAssembly module.
//!
//! Parser, tables and nodes of Markdown are a quarter of all code, and are not needed before an
//! answer is shown; nor is the inspection of arguments, before a tool is requested. The loader
//! fetches this module once the widget is up, when the user can already type. Until it is loaded,
//! or if that fails, the widget shows answers as plain paragraphs, and no request can be approved.
//!
//! This file is the interface; `answer` keeps blocks and nodes together, `build` and `patch` create
//! and change nodes, `request` is the content to read before a decision.
#![cfg(target_arch = "wasm32")]

mod answer;
mod assets;
mod build;
mod code;
mod copy;
mod events;
mod headings;
mod highlight;
mod idle;
mod images;
mod inline;
mod languages;
mod line;
mod math;
mod mathml;
mod node;
mod page;
mod patch;
mod renderer;
mod request;
mod text;
mod warm_up;

use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;

pub use request::RequestData;

use assent_allocator as _;

use crate::{answer::RenderedAnswer, request::DrawnRequest};

/// A rendered answer, which may still grow.
#[wasm_bindgen]
pub struct Answer(RenderedAnswer);

#[wasm_bindgen]
impl Answer {
    /// Creates an answer without text. `root` is empty; `page` has the page's texts, policies and
    /// assets.
    ///
    /// # Errors
    /// The browser refused a listener.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value, reason = "the border takes values")]
    pub fn new(root: HtmlElement, page: JsValue) -> Result<Answer, JsValue> {
        RenderedAnswer::new(root, &page).map(Self)
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

    /// Replaces the text by `text`. If `whole`, nothing comes after it, else it will grow. Equal
    /// blocks keep their nodes.
    ///
    /// # Errors
    /// The browser refused a node.
    pub fn reset(&mut self, text: &str, whole: bool) -> Result<(), JsValue> {
        self.0.reset(text, whole)
    }

    /// Marks each paragraph whose Markdown is one of `sentences` as English, now and as the answer
    /// grows.
    ///
    /// # Errors
    /// The browser refused an attribute.
    pub fn mark_english(&mut self, sentences: &js_sys::Array) -> Result<(), JsValue> {
        self.0.mark_english(sentences)
    }
}

/// A rendered tool request.
#[wasm_bindgen]
pub struct ToolRequest(
    #[expect(dead_code, reason = "it lives as long as it is shown")] DrawnRequest,
);

#[wasm_bindgen]
impl ToolRequest {
    /// Renders a request. `request` has the empty elements `head`, `rows` and `warnings`, the latter
    /// two if they are to be shown; `label`, `name`, `provider` and `category`; `effect` and
    /// `effectSource`, if they are known; `arguments`, each with `name`, `text`, the `state` `short`,
    /// `opened` or `folded`, and whether it is `known`: approved with this value at the last call;
    /// `before`, the arguments of the last call, if there was one; `definition` and `acceptedDefinition`, the same of a tool that is
    /// new or was changed; `locale` and `texts`, the page's own texts with their keys as
    /// names; `open`, a function that gets the index of an opened argument; and `seen`, if that is
    /// to be known, which gets true once all of the request was on the screen, and false before if
    /// that is not so at once.
    ///
    /// # Errors
    /// The browser refused a node, or something is missing.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value, reason = "the border takes values")]
    pub fn new(request: RequestData) -> Result<ToolRequest, JsValue> {
        DrawnRequest::new(&request).map(Self)
    }
}

/// Copies an answer, with `root` the element that it was created in: as rendered, and as `text` for
/// targets that take only text. `undefined` if the browser cannot write both.
#[wasm_bindgen]
#[must_use]
pub fn copy(root: &HtmlElement, text: &str) -> Option<js_sys::Promise> {
    copy::copy_answer(root, text)
}

/// Prepares for the first answer of a page, while the page is idle. `input` is the message box,
/// near which answers are laid out unseen for a moment.
#[wasm_bindgen]
pub fn warm_up(input: &web_sys::Element) {
    warm_up::begin_warm_up(input);
}

/// Returns the style sheet of rendered answers and requests, which is added after the widget's own.
#[wasm_bindgen]
#[must_use]
pub fn styles() -> String {
    include_str!(concat!(env!("OUT_DIR"), "/style.css")).to_owned()
}
