//! Invisible answers, rendered before the first visible one.
//!
//! A browser compiles a function of a module on its first call, and again, to faster code, after
//! many calls: the first answers of a page would take several times as long as later ones, just
//! when the user waits for them.

use js_sys::Object;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

use crate::{answer::Rendered, idle::idle, node::DomResult};

/// Samples of one kind of block each, so that no step is long.
const SAMPLES: [&str; 6] = [
    "A *b* **c** `d` ~~e~~ [f](https://a.example/) &amp;\n\nG\\\nH\n",
    "# A\n\n- [ ] b\n- c *d*\n\n  e\n",
    "1. a\n2. b\n   - c\n\n> d\n> e\n\n---\n",
    "```rust\nlet a = 1;\nlet b = 2;\n```\n",
    "| a | b |\n|---|--:|\n| c | d |\n| *e* | `f` |\n",
    "A[^1] ![b](https://a.example/b.png)\n\n[^1]: C *d*\n",
];

/// Number of times each is rendered: until Chromium has optimised the rendering of answers.
/// Otherwise it does so while the first conversation is opened, on all cores of a small machine:
/// there 5,000 messages took 115 ms to open instead of 80, and 200 took 80 instead of 50
/// (`docs/MEASUREMENTS.md`). After the first round a sample takes less than a millisecond.
const ROUNDS: usize = 8;

/// Renders the samples while the page is idle.
pub(crate) async fn warm_up() {
    for sample in [SAMPLES; ROUNDS].as_flattened() {
        idle().await;
        draw(sample).ok();
    }
}

/// Renders a sample in pieces, as answers arrive.
fn draw(sample: &str) -> DomResult<()> {
    let document = web_sys::window().and_then(|window| window.document());
    let root = document.ok_or(JsValue::UNDEFINED)?.create_element("div")?;
    let root: HtmlElement = root.dyn_into()?;
    // A page without policies and assets: nothing is loaded.
    let mut answer = Rendered::new(root, &Object::new())?;
    for piece in sample.split_inclusive(' ') {
        answer.push(piece)?;
    }
    answer.finish()
}
