//! Rendering before the first visible answer.

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{document, until};
use crate::replaced_property::ReplacedProperty;
use crate::spare_time::SpareTime;

/// Records the names of all created elements until the value is dropped.
fn watch() -> ReplacedProperty {
    evaluate("globalThis.made = new Set(); performance.clearResourceTimings()");
    ReplacedProperty::new(
        "document.createElement",
        "(name) => (made.add(name), real.call(document, name))",
    )
}

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
    let _watch = watch();
    let time = SpareTime::new();
    let before = document().document_element().unwrap().outer_html();
    assent_renderer::warm_up();
    until(|| time.waiting() == 1).await;
    assert!(!is_made("p"), "not before the page has time");
    while time.waiting() > 0 {
        time.give().await;
    }
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
