//! Colours are computed while the page is idle, and not all at once: each step of each code block
//! is a task of its own. The tests decide when the page is idle.

use js_sys::{Function, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::page::{Page, Shown, until};
use crate::spare_time::SpareTime;

/// Records its calls, times out `late` times, and colours the first two letters.
const TOKENS: &str = "
    (code, language) => {
        asked.push(code && language);
        if (code && late-- > 0) return null;
        return code ? [{ start: 0, end: 2, scope: 'keyword' }] : [];
    }
";

fn run(script: &str) -> JsValue {
    Function::new_no_args(script)
        .call0(&JsValue::UNDEFINED)
        .unwrap()
}

fn number(expression: &str) -> u32 {
    run(&format!("return {expression}")).as_f64().unwrap() as u32
}

/// Makes the page idle on request only, and lets the first `late` tokenizer runs time out.
fn begin(late: u32) -> SpareTime {
    run(&format!("globalThis.asked = []; globalThis.late = {late}"));
    SpareTime::new()
}

#[wasm_bindgen_test]
async fn no_two_code_blocks_are_coloured_in_one_task() {
    let time = begin(0);
    let languages = ["rust", "python", "json", "rust"];
    let text: String = languages
        .iter()
        .map(|language| format!("```{language}\nfn main\n```\n\n"))
        .collect();
    let page = Page::new().with_tokens(TOKENS);
    let shown = Shown::whole(&page, &text);
    until(|| time.waiting() == 4).await;
    assert_eq!(number("asked.length"), 0, "the page was not idle yet");
    let mut tasks = 0;
    let mut asked = 0;
    while time.waiting() > 0 {
        time.give().await;
        tasks += 1;
        let now = number("asked.length");
        assert!(now - asked <= 1, "{} calls in one task", now - asked);
        asked = now;
    }
    // Each block waited for its turn, prepared the grammar of its language, and then its colours.
    assert_eq!((tasks, asked), (12, 8));
    assert_eq!(number("CSS.highlights.get('assent-keyword').size"), 4);
    let coloured = run("return asked.filter(Boolean).join(' ')");
    assert_eq!(coloured.as_string().unwrap(), languages.join(" "));
    drop(shown);
}

/// Shows one code block and lets the page be idle until nothing waits. Returns the calls for the
/// code, and its colours.
async fn coloured(late: u32) -> (u32, u32) {
    let time = begin(late);
    let page = Page::new().with_tokens(TOKENS);
    let shown = Shown::whole(&page, "```rust\nfn main\n```");
    until(|| time.waiting() == 1).await;
    while time.waiting() > 0 {
        time.give().await;
    }
    let colours = number("CSS.highlights.get('assent-keyword')?.size ?? 0");
    drop(shown);
    (number("asked.filter(Boolean).length"), colours)
}

#[wasm_bindgen_test]
async fn a_page_that_stood_still_while_tokens_were_looked_for_has_them_looked_for_once_more() {
    assert_eq!(coloured(1).await, (2, 1));
}

#[wasm_bindgen_test]
async fn code_that_takes_too_long_twice_stays_plain() {
    assert_eq!(coloured(2).await, (2, 0));
}

/// Moves code out of the viewport and back the given number of times, and returns the calls for it
/// and its colours.
async fn coming_back(times: usize, late: u32) -> (u32, u32) {
    let time = begin(late);
    let page = Page::new().with_tokens(TOKENS);
    let shown = Shown::whole(&page, "```rust\nfn main\n```");
    let place = shown.one(".code").parent_element().unwrap();
    for visit in 0..=times {
        let is_tried = visit < 3;
        if visit > 0 {
            for top in ["5000px", "0"] {
                place
                    .set_attribute("style", &format!("position: fixed; top: {top}"))
                    .unwrap();
                // The browser reports that it left, and that it returned.
                frames().await;
            }
        }
        if is_tried {
            until(|| time.waiting() == 1).await;
        }
        while time.waiting() > 0 {
            time.give().await;
        }
    }
    let colours = number("CSS.highlights.get('assent-keyword')?.size ?? 0");
    drop(shown);
    (number("asked.filter(Boolean).length"), colours)
}

/// Waits for two frames, and for what is reported after them.
async fn frames() {
    let script = "return new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(then))))";
    JsFuture::from(Promise::from(run(script))).await.unwrap();
}

#[wasm_bindgen_test]
async fn code_that_took_too_long_is_looked_at_again_when_it_comes_back() {
    assert_eq!(coming_back(1, 2).await, (3, 1));
}

#[wasm_bindgen_test]
async fn code_that_takes_too_long_each_time_is_let_alone_after_the_third() {
    assert_eq!(coming_back(4, 100).await, (6, 0));
}
