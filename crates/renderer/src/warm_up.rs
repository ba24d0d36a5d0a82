//! Invisible answers, rendered while a person writes the first message.
//!
//! A browser compiles a function of a module on its first call, and again, to faster code, after
//! many calls, and the first layout loads fonts. The first answer of a page would take several
//! times as long as later ones, just when the user waits for it. What colours code is not among it:
//! it is a download, which answers without code do not need.

use js_sys::{Array, Intl, Object};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlElement};

use crate::{answer::RenderedAnswer, idle::wait_until_idle, node::DomResult};

/// Functions that each make an object of `Intl` and drop it again, so that the browser loads the
/// data about languages in three short steps. With the first date alone it would load all at once.
const FORMATS: [fn(&Array, &Object); 3] = [
    |languages, options| drop(Intl::Collator::new(languages, options)),
    |languages, options| drop(Intl::NumberFormat::new(languages, options)),
    |languages, options| drop(Intl::DateTimeFormat::new(languages, options)),
];

/// Markdown of the sample answers that are drawn unseen. Each has a few kinds of blocks, so that
/// drawing it is short.
const SAMPLES: [&str; 6] = [
    "A *b* **c** `d` ~~e~~ [f](https://a.example/) &amp;\n\nG\\\nH\n",
    "# A\n\n- [ ] b\n- c *d*\n\n  e\n",
    "1. a\n2. b\n   - c\n\n> d\n> e\n\n---\n",
    "```rust\nlet a = 1;\nlet b = 2;\n```\n",
    "| a | b |\n|---|--:|\n| c | d |\n| *e* | `f` |\n",
    "A[^1] ![b](https://a.example/b.png)\n\n[^1]: C *d*\n",
];

/// Number of times that each sample is drawn once more, until Chromium has optimised the functions
/// that draw answers. Each time takes less than a millisecond.
const ROUNDS_PER_SAMPLE: usize = 8;

/// Begins to draw sample answers unseen, so that the first answer of the page is fast. They are
/// laid out in the column around `input`, the message box.
pub(crate) fn begin_warm_up(input: &Element) {
    // Answers have the width and the fonts of the column that the box is in.
    if let Ok(Some(place)) = input.closest(".main") {
        spawn_local(warm_up(place));
    }
}

/// Loads the data about languages, lays the samples out inside of `place`, an element of the page,
/// and draws them `ROUNDS_PER_SAMPLE` times more. Each step waits until the page is idle.
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

/// Lets the browser lay a drawn sample out inside of `place`, where nobody sees it, and removes it
/// again.
fn lay_out(drawn: &HtmlElement, place: &Element) -> DomResult<()> {
    drawn.set_class_name("answer unseen");
    place.append_child(drawn)?;
    drawn.offset_height();
    drawn.remove();
    Ok(())
}

/// Draws a sample in pieces, as answers arrive, and returns its root, which is not in the page.
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
