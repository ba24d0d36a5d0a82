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

/// An answer as nodes of the page; its Markdown may still grow.
#[wasm_bindgen]
pub struct Answer(RenderedAnswer);

#[wasm_bindgen]
impl Answer {
    /// Creates an answer without text in the empty element `root`. `page` is an object with the
    /// page's texts, its policies about links and images, and the registry of modules that are
    /// loaded later.
    ///
    /// # Errors
    /// The browser refused a listener.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value, reason = "the border takes values")]
    pub fn new(root: HtmlElement, page: JsValue) -> Result<Answer, JsValue> {
        RenderedAnswer::new(root, &page).map(Self)
    }

    /// Appends Markdown to the answer, and draws what is new or changed.
    ///
    /// # Errors
    /// The browser refused a node.
    pub fn push(&mut self, text: &str) -> Result<(), JsValue> {
        self.0.push(text)
    }

    /// Tells the answer that its Markdown is whole, and draws what waited for that, such as images.
    ///
    /// # Errors
    /// The browser refused a node.
    pub fn finish(&mut self) -> Result<(), JsValue> {
        self.0.finish()
    }

    /// Replaces the answer's Markdown by `text`. If `whole`, nothing comes after it, else it may
    /// grow. Blocks that stay the same keep their nodes.
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

/// A request for approval as nodes of the page. It lives as long as the nodes are shown.
#[wasm_bindgen]
pub struct ToolRequest(
    #[expect(dead_code, reason = "it lives as long as it is shown")] DrawnRequest,
);

#[wasm_bindgen]
impl ToolRequest {
    /// Draws a request for approval into the empty elements `head`, `rows` and `warnings` of the
    /// object `request`; the latter two may be missing. Its other members are described in
    /// `request/data.rs` (`RequestParts`, `NamedText`). It calls `open` with the index of an
    /// argument that a person opens. It calls `seen`, if there is one, with true once all of the
    /// request was on the screen, and with false before if that is not so at once.
    ///
    /// # Errors
    /// The browser refused a node, or something is missing.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::needless_pass_by_value, reason = "the border takes values")]
    pub fn new(request: RequestData) -> Result<ToolRequest, JsValue> {
        DrawnRequest::new(&request).map(Self)
    }
}

/// Copies the answer in the element `root` to the clipboard: as the HTML that is shown, and as
/// `text` for programs that take plain text. Returns `undefined` if the browser cannot write both.
#[wasm_bindgen]
#[must_use]
pub fn copy(root: &HtmlElement, text: &str) -> Option<js_sys::Promise> {
    copy::copy_answer(root, text)
}

/// Draws a few sample answers unseen while the page is idle, so that the first real answer is fast.
/// They are laid out for a moment in the column of `input`, the message box.
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
