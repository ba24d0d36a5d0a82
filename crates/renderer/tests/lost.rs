//! Colours that could not be fetched are requested again.
//!
//! A separate program, because this happens only once in the life of a module: a fetched function
//! is kept for all answers.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    reason = "a test fails by panicking"
)]

#[path = "component/page.rs"]
#[allow(dead_code, reason = "one test needs a part of it")]
mod page;

use std::cell::Cell;

use js_sys::Function;
use page::{Page, Shown, until};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Fails the first time.
const HIGHLIGHT: &str = "
    globalThis.asked = (globalThis.asked ?? 0) + 1;
    if (globalThis.asked === 1) return Promise.reject(new Error('lost'));
    return Promise.resolve((code) => code ? [[0, 2, 'keyword']] : []);
";

fn is(expression: &str) -> bool {
    let answer = Function::new_no_args(&format!("return {expression}")).call0(&JsValue::UNDEFINED);
    answer.unwrap().is_truthy()
}

#[wasm_bindgen_test]
async fn code_that_comes_near_again_asks_for_its_colours_again() {
    let page = Page::new().with_function("highlight", "", HIGHLIGHT);
    let shown = Shown::whole(&page, "```rust\nfn main\n```");
    until(|| is("globalThis.asked === 1")).await;
    let place = shown.one(".code").parent_element().unwrap();
    // It leaves and returns, because the failure is reported some time after the request.
    let is_away = Cell::new(false);
    until(|| {
        let top = if is_away.replace(!is_away.get()) {
            "position: fixed; top: 0"
        } else {
            "position: fixed; top: 5000px"
        };
        place.set_attribute("style", top).unwrap();
        is("CSS.highlights.get('assent-keyword')?.size === 1")
    })
    .await;
    assert!(is("globalThis.asked === 2"));
}
