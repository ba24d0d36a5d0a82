//! Warnings for the page's developer.

use std::cell::RefCell;

use wasm_bindgen::JsValue;

thread_local! {
    static WARNED_SENTENCES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Writes a warning to the console, the same sentence only once, however many widgets there are.
pub fn warn(sentence: &str) {
    if is_new_sentence(sentence) {
        web_sys::console::warn_1(&sentence.into());
    }
}

/// Writes a warning to the console, with an error of the page's own, which the console shows with
/// its trace; the same sentence only once.
pub(crate) fn warn_with_error(sentence: &str, error: &JsValue) {
    if is_new_sentence(sentence) {
        web_sys::console::warn_2(&sentence.into(), error);
    }
}

fn is_new_sentence(sentence: &str) -> bool {
    WARNED_SENTENCES.with_borrow_mut(|warned| {
        let is_new = !warned.iter().any(|said| said == sentence);
        if is_new {
            warned.push(sentence.to_owned());
        }
        is_new
    })
}
