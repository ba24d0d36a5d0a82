//! Clipboard content of an answer.

use assent_renderer::copy;
use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, Shown};
use crate::replaced_property::ReplacedProperty;

fn script(text: &str) -> JsValue {
    Function::new_no_args(text).call0(&JsValue::NULL).unwrap()
}

/// Records clipboard writes in `written`, until the value is dropped.
fn listen_to_the_clipboard() -> ReplacedProperty {
    ReplacedProperty::new(
        "navigator.clipboard",
        "{
           async write([item]) {
             globalThis.written = {};
             for (const kind of item.types) written[kind] = await (await item.getType(kind)).text();
           },
         }",
    )
}

fn written(kind: &str) -> String {
    script(&format!("return written['{kind}']"))
        .as_string()
        .unwrap()
}

#[wasm_bindgen_test]
async fn an_answer_is_copied_as_it_is_drawn_and_as_it_was_written() {
    let _clipboard = listen_to_the_clipboard();
    let text = "One *two*\n\n```rust\nfn main() {}\n```\n\n![alt](https://a.example/i.png)\n\n[l](https://l.example/)";
    let shown = Shown::whole(&Page::new(), text);
    let buttons = shown.all("button").len();
    JsFuture::from(copy(&shown.root, text).unwrap())
        .await
        .unwrap();
    assert_eq!(written("text/plain"), text);
    let html = written("text/html");
    assert!(html.contains("<em>two</em>"), "{html}");
    assert!(html.contains("fn main() {}"), "{html}");
    assert!(html.contains(r#"href="https://l.example/""#), "{html}");
    for tool in ["<button", "<svg", "a.example", "Copy"] {
        assert!(!html.contains(tool), "{tool}: {html}");
    }
    assert!(buttons > 0, "the answer has tools");
    assert_eq!(shown.all("button").len(), buttons, "the answer keeps them");
}

#[wasm_bindgen_test]
async fn formulas_and_line_breaks_are_copied_as_they_were_written() {
    let _clipboard = listen_to_the_clipboard();
    let text = "\\(x\\) $y$\n\\[\nz\n\\]\n\n| a<br>b |\n|--|\n";
    let shown = Shown::whole(&Page::new(), text);
    assert_eq!(shown.all("code.math").len(), 3);
    JsFuture::from(copy(&shown.root, text).unwrap())
        .await
        .unwrap();
    assert_eq!(written("text/plain"), text);
    let html = written("text/html");
    assert!(html.contains("a<br") && !html.contains("&lt;br"), "{html}");
}

#[wasm_bindgen_test]
fn a_browser_that_cannot_write_both_is_not_asked_to() {
    let _clipboard = listen_to_the_clipboard();
    let shown = Shown::whole(&Page::new(), "Yes");
    let item = ReplacedProperty::new("globalThis.ClipboardItem", "undefined");
    assert!(copy(&shown.root, "Yes").is_none());
    drop(item);
    let _clipboard = ReplacedProperty::getting("navigator.clipboard", "() => undefined");
    assert!(copy(&shown.root, "Yes").is_none());
}
