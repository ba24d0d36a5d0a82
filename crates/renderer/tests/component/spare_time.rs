//! Idle time of the page, controlled by a test.

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::replaced_property::ReplacedProperty;

/// Replacement that keeps the page busy until the value is dropped, apart from the time it is
/// given.
pub(crate) struct SpareTime {
    waiting: Array,
    _instead: ReplacedProperty,
}

impl SpareTime {
    pub(crate) fn new() -> Self {
        let waiting = Array::new();
        Reflect::set(&js_sys::global(), &"waiting".into(), &waiting).unwrap();
        let wait = "(callback) => waiting.push(callback)";
        Self {
            waiting,
            _instead: ReplacedProperty::new("globalThis.requestIdleCallback", wait),
        }
    }

    /// Returns the number of waiting callbacks.
    pub(crate) fn waiting(&self) -> u32 {
        self.waiting.length()
    }

    /// Runs the callback that waited longest, and everything that follows from it.
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
