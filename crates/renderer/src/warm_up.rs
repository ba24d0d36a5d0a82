//! Invisible answers, rendered while a person writes the first message.
//!
//! A browser compiles a function of a module on its first call, and again, to faster code, after
//! many calls, and the first layout loads fonts. The first answer of a page would take several times
//! as long as later ones, just when the user waits for it. What colours code is not among it: it is
//! a download, which answers without code do not need.

use js_sys::{Array, Intl, Object};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement};

use crate::{answer::RenderedAnswer, idle::wait_until_idle, node::DomResult};

/// What makes the browser load how languages are written, in steps: with the first date alone, all of
/// it would take longer than a step may. Nothing is sorted here, but what a collator needs is a part
/// of what the others need.
const FORMATS: [fn(&Array, &Object); 3] = [
    |languages, options| drop(Intl::Collator::new(languages, options)),
    |languages, options| drop(Intl::NumberFormat::new(languages, options)),
    |languages, options| drop(Intl::DateTimeFormat::new(languages, options)),
];

/// Samples of one kind of block each, so that no step is long.
const SAMPLES: [&str; 6] = [
    "A *b* **c** `d` ~~e~~ [f](https://a.example/) &amp;\n\nG\\\nH\n",
    "# A\n\n- [ ] b\n- c *d*\n\n  e\n",
    "1. a\n2. b\n   - c\n\n> d\n> e\n\n---\n",
    "```rust\nlet a = 1;\nlet b = 2;\n```\n",
    "| a | b |\n|---|--:|\n| c | d |\n| *e* | `f` |\n",
    "A[^1] ![b](https://a.example/b.png)\n\n[^1]: C *d*\n",
];

/// Number of times each sample is rendered once more: until Chromium has optimised the rendering of
/// answers. A sample that was drawn before takes less than a millisecond.
const ROUNDS_PER_SAMPLE: usize = 8;

/// Begins to prepare for the first answer of a page. `input` is the message box.
pub(crate) fn begin_warm_up(input: &Element) {
    // Answers have the width and the fonts of the column that the box is in.
    if let Ok(Some(place)) = input.closest(".main") {
        spawn_local(warm_up(place));
    }
}

/// Lays the samples out inside of `place`, an element of the page, and renders them until they are
/// fast. Each step waits until the page is idle.
async fn warm_up(place: Element) {
    for make in FORMATS {
        wait_until_idle().await;
        make(&Array::new(), &Object::new());
    }
    for sample in SAMPLES {
        wait_until_idle().await;
        if let Ok(drawn) = draw_sample(sample) {
            wait_until_idle().await;
            lay_out(&drawn, &place).ok();
        }
    }
    for _ in 0..ROUNDS_PER_SAMPLE {
        wait_until_idle().await;
        for sample in SAMPLES {
            draw_sample(sample).ok();
        }
    }
}

/// Lays a drawn sample out inside of `place`, where nobody sees it, and removes it again.
fn lay_out(drawn: &HtmlElement, place: &Element) -> DomResult<()> {
    drawn.set_class_name("answer unseen");
    place.append_child(drawn)?;
    drawn.offset_height();
    drawn.remove();
    Ok(())
}

/// Renders a sample in pieces, as answers arrive. Its nodes stay as they are.
fn draw_sample(sample: &str) -> DomResult<HtmlElement> {
    let document = web_sys::window().and_then(|window| window.document());
    let root = document.ok_or(JsValue::UNDEFINED)?.create_element("div")?;
    let root: HtmlElement = root.dyn_into()?;
    // A page without policies and assets: nothing is loaded.
    let mut answer = RenderedAnswer::new(root.clone(), &Object::new())?;
    for piece in sample.split_inclusive(' ') {
        answer.push(piece)?;
    }
    answer.finish()?;
    Ok(root)
}
