//! What is drawn before anybody sees an answer.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    dead_code,
    reason = "a test fails by panicking; the page is shared by all tests"
)]

mod page;

use js_sys::Function;
use page::{document, until};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Notes the names of all elements that are made from now on.
const WATCH: &str = "
    globalThis.made = new Set();
    const make = document.createElement;
    document.createElement = (name) => (globalThis.made.add(name), make.call(document, name));
";

fn evaluate(body: &str) -> JsValue {
    Function::new_no_args(body)
        .call0(&JsValue::UNDEFINED)
        .unwrap()
}

fn is_made(name: &str) -> bool {
    evaluate(&format!("return globalThis.made.has('{name}')")).is_truthy()
}

#[wasm_bindgen_test]
async fn every_kind_of_block_is_drawn_and_nothing_is_shown_or_fetched() {
    evaluate(WATCH);
    let before = document().document_element().unwrap().outer_html();
    assent_reader::warm_up();
    assert!(!is_made("p"), "not before the page has time");
    // The section of footnotes comes last.
    until(|| is_made("section") || is_made("sup")).await;
    for name in [
        "p",
        "strong",
        "em",
        "code",
        "del",
        "a",
        "br",
        "h3",
        "ul",
        "ol",
        "li",
        "input",
        "blockquote",
        "hr",
        "pre",
        "table",
        "th",
        "td",
    ] {
        assert!(is_made(name), "{name}");
    }
    assert!(!is_made("img"));
    let asked = evaluate(
        "return performance.getEntriesByType('resource').some(({ name }) => name.includes('a.example'))",
    );
    assert!(!asked.is_truthy());
    assert_eq!(document().document_element().unwrap().outer_html(), before);
}
