//! Time that the page has for what can wait, when a test says so.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::instead::Instead;

/// The page has no spare time until the value ends, but for what it is given.
pub(crate) struct SpareTime {
    waiting: Array,
    _instead: Instead,
}

impl SpareTime {
    pub(crate) fn new() -> Self {
        let waiting = Array::new();
        Reflect::set(&js_sys::global(), &"waiting".into(), &waiting).unwrap();
        let wait = "(callback) => waiting.push(callback)";
        Self {
            waiting,
            _instead: Instead::new("globalThis.requestIdleCallback", wait),
        }
    }

    /// How much waits for it.
    pub(crate) fn waiting(&self) -> u32 {
        self.waiting.length()
    }

    /// Gives it to what waits the longest, and lets all of that happen.
    pub(crate) async fn give(&self) {
        let first: Function = self.waiting.shift().unchecked_into();
        first.call0(&JsValue::UNDEFINED).unwrap();
        let task = Promise::new(&mut |resolve, _| {
            let window = web_sys::window().unwrap();
            window.set_timeout_with_callback(&resolve).unwrap();
        });
        JsFuture::from(task).await.unwrap();
    }
}
