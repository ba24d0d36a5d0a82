//! Answers that nobody sees, drawn before the first that somebody does.
//!
//! A browser compiles a function of a module when it is called for the first time: the first answer of a page would
//! take several times as long as the second, just when somebody waits for it.

use js_sys::Object;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

use crate::{answer::Rendered, idle::idle, node::Made};

/// One kind of block each, so that no step is long. Each is drawn in two pieces, as answers come.
const SAMPLES: [[&str; 2]; 6] = [
    [
        "A *b* **c",
        "** `d` ~~e~~ [f](https://a.example/) &amp;\n\nG\\\nH\n",
    ],
    ["# A\n\n- [ ] b\n- c", " *d*\n\n  e\n"],
    ["1. a\n2. b", "\n   - c\n\n> d\n> e\n\n---\n"],
    ["```rust\nlet a = 1;\n", "let b = 2;\n```\n"],
    ["| a | b |\n|---|--:|\n| c |", " d |\n| *e* | `f` |\n"],
    ["A[^1] ![b](https://a.example/b.png)\n", "\n[^1]: C *d*\n"],
];

/// Draws the samples while the page has nothing else to do.
pub(crate) async fn warm_up() {
    for sample in SAMPLES {
        idle().await;
        draw(sample).ok();
    }
}

fn draw(sample: [&str; 2]) -> Made<()> {
    let document = web_sys::window().and_then(|window| window.document());
    let root = document.ok_or(JsValue::UNDEFINED)?.create_element("div")?;
    let root: HtmlElement = root.dyn_into()?;
    // A page without policies and assets: nothing is loaded.
    let mut answer = Rendered::new(root, &Object::new())?;
    for piece in sample {
        answer.push(piece)?;
    }
    answer.finish()
}
