//! Answers that nobody sees, drawn before the first that somebody does.
//!
//! A browser compiles a function of a module when it is called for the first time, and once more, to faster code, when it
//! was called often: the first answers of a page would take several times as long as later ones, just when somebody waits
//! for them.

use js_sys::Object;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlElement;

use crate::{answer::Rendered, idle::idle, node::Made};

/// One kind of block each, so that no step is long.
const SAMPLES: [&str; 6] = [
    "A *b* **c** `d` ~~e~~ [f](https://a.example/) &amp;\n\nG\\\nH\n",
    "# A\n\n- [ ] b\n- c *d*\n\n  e\n",
    "1. a\n2. b\n   - c\n\n> d\n> e\n\n---\n",
    "```rust\nlet a = 1;\nlet b = 2;\n```\n",
    "| a | b |\n|---|--:|\n| c | d |\n| *e* | `f` |\n",
    "A[^1] ![b](https://a.example/b.png)\n\n[^1]: C *d*\n",
];

/// How often each is drawn: until Chromium has optimised what draws an answer. Otherwise it does so while the first
/// conversation is opened, on all cores of a small machine: there 5,000 messages took 115 ms to open instead of 80, and 200
/// took 80 instead of 50 (`docs/MEASUREMENTS.md`). After the first round a sample takes less than a millisecond.
const ROUNDS: usize = 8;

/// Draws the samples while the page has nothing else to do.
pub(crate) async fn warm_up() {
    for sample in [SAMPLES; ROUNDS].as_flattened() {
        idle().await;
        draw(sample).ok();
    }
}

/// In pieces, as answers come.
fn draw(sample: &str) -> Made<()> {
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
