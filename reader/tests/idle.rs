//! Colours are given while the page is idle, and not all at once: each step of each code block is a task of its own.
//! The tests say when the page is idle.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    missing_docs,
    unreachable_pub,
    reason = "a test fails by panicking"
)]

mod page;

use js_sys::Function;
use page::{Page, Shown, frame, until};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Notes what it is asked for, runs out of time so often, and colours the first two letters.
const HIGHLIGHT: &str = "
    return Promise.resolve((code, language) => {
        asked.push(code && language);
        if (code && late-- > 0) return null;
        return code ? [[0, 2, 'keyword']] : [];
    });
";

fn run(script: &str) -> JsValue {
    Function::new_no_args(script)
        .call0(&JsValue::UNDEFINED)
        .unwrap()
}

fn number(expression: &str) -> u32 {
    run(&format!("return {expression}")).as_f64().unwrap() as u32
}

/// The page is idle when the test says so, and the first so many looks at code take too long.
fn begin(late: u32) {
    run(&format!(
        "globalThis.asked = []; globalThis.late = {late}; globalThis.waiting = []; \
         globalThis.requestIdleCallback = (callback) => waiting.push(callback)"
    ));
}

#[wasm_bindgen_test]
async fn no_two_code_blocks_are_coloured_in_one_task() {
    begin(0);
    let languages = ["rust", "python", "json", "rust"];
    let text: String = languages
        .iter()
        .map(|language| format!("```{language}\nfn main\n```\n\n"))
        .collect();
    let page = Page::new().with_function("highlight", "", HIGHLIGHT);
    let shown = Shown::whole(&page, &text);
    until(|| number("waiting.length") == 4).await;
    assert_eq!(number("asked.length"), 0, "the page was not idle yet");
    let mut tasks = 0;
    let mut asked = 0;
    while number("waiting.length") > 0 {
        run("waiting.shift()()");
        frame().await;
        tasks += 1;
        let now = number("asked.length");
        assert!(now - asked <= 1, "{} calls in one task", now - asked);
        asked = now;
    }
    // Each waited for its turn, got the grammar of its language ready, and then its colours.
    assert_eq!((tasks, asked), (12, 8));
    assert_eq!(number("CSS.highlights.get('assent-keyword').size"), 4);
    let coloured = run("return asked.filter(Boolean).join(' ')");
    assert_eq!(coloured.as_string().unwrap(), languages.join(" "));
    drop(shown);
}

/// Shows one code and lets the page be idle until nothing waits. Gives the calls for the code, and its colours.
async fn coloured(late: u32) -> (u32, u32) {
    begin(late);
    let page = Page::new().with_function("highlight", "", HIGHLIGHT);
    let shown = Shown::whole(&page, "```rust\nfn main\n```");
    until(|| number("waiting.length") == 1).await;
    while number("waiting.length") > 0 {
        run("waiting.shift()()");
        frame().await;
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
