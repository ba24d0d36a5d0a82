//! Rendering before the first visible answer.

use js_sys::{Function, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

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

/// The column of the page that answers are in, with the message box. It is removed when the value is
/// dropped.
struct Column {
    main: Element,
    input: Element,
}

impl Column {
    fn new() -> Self {
        let [main, input] = ["div", "textarea"].map(|it| document().create_element(it).unwrap());
        main.set_class_name("main");
        main.append_child(&input).unwrap();
        document().body().unwrap().append_child(&main).unwrap();
        Self { main, input }
    }
}

impl Drop for Column {
    fn drop(&mut self) {
        self.main.remove();
    }
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
    let column = Column::new();
    let before = document().document_element().unwrap().outer_html();
    assent_renderer::warm_up(&column.input);
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

#[wasm_bindgen_test]
async fn samples_are_laid_out_where_nobody_sees_them() {
    let time = SpareTime::new();
    let column = Column::new();
    let place = &column.main;
    Reflect::set(&js_sys::global(), &"place".into(), place).unwrap();
    evaluate(
        "globalThis.laid = []; const real = place.appendChild; \
         place.appendChild = (root) => { real.call(place, root); \
           laid.push([root.className, root.childElementCount > 0, root.isConnected].join(' ')); \
           return root; }",
    );
    assent_renderer::warm_up(&column.input);
    until(|| time.waiting() == 1).await;
    while time.waiting() > 0 {
        time.give().await;
        assert_eq!(place.child_element_count(), 1);
    }
    let laid = evaluate("return [globalThis.laid.length, ...new Set(laid)].join()");
    assert_eq!(laid.as_string().unwrap(), "6,answer unseen true true");
}

#[wasm_bindgen_test]
async fn what_formats_need_is_loaded_one_at_a_time() {
    let time = SpareTime::new();
    let column = Column::new();
    evaluate("globalThis.formats = []");
    let watch = |name: &str| {
        let record =
            format!("function (...them) {{ formats.push('{name}'); return new real(...them); }}");
        ReplacedProperty::new(&format!("Intl.{name}"), &record)
    };
    let _watched = ["Collator", "NumberFormat", "DateTimeFormat"].map(watch);
    let made = || evaluate("return formats.join()").as_string().unwrap();
    assent_renderer::warm_up(&column.input);
    for seen in ["", "Collator", "Collator,NumberFormat"] {
        until(|| time.waiting() == 1).await;
        assert_eq!(made(), seen);
        time.give().await;
    }
    assert_eq!(made(), "Collator,NumberFormat,DateTimeFormat");
    while time.waiting() > 0 {
        time.give().await;
    }
}
