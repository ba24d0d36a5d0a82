//! Warnings for the page's developer.

use std::cell::RefCell;

thread_local! {
    static WARNED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Warns in the console; the same sentence once, however many widgets there are.
pub fn warn(sentence: &str) {
    WARNED.with_borrow_mut(|warned| {
        if !warned.iter().any(|said| said == sentence) {
            warned.push(sentence.to_owned());
            web_sys::console::warn_1(&sentence.into());
        }
    });
}
