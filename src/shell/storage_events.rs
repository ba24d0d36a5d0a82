//! What other tabs change in the browser's storage. The tab that changes something hears nothing of it.

use js_sys::Reflect;
use wasm_bindgen::prelude::*;

const STORAGE: &str = "storage";

/// Listens to other tabs until it is dropped.
pub(super) struct StorageEvents {
    listener: Closure<dyn FnMut(JsValue)>,
}

impl StorageEvents {
    /// Calls `changed` when another tab changed a value whose key begins with `prefix`, or removed all values.
    pub(super) fn new(prefix: String, changed: impl Fn() + 'static) -> Self {
        let listener = Closure::new(move |event: JsValue| {
            let key = Reflect::get(&event, &"key".into()).ok();
            let key = key.and_then(|key| key.as_string());
            if key.is_none_or(|key| key.starts_with(&prefix)) {
                changed();
            }
        });
        let this = Self { listener };
        if let Some(window) = web_sys::window() {
            window
                .add_event_listener_with_callback(STORAGE, this.function())
                .ok();
        }
        this
    }

    fn function(&self) -> &js_sys::Function {
        self.listener.as_ref().unchecked_ref()
    }
}

impl Drop for StorageEvents {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            window
                .remove_event_listener_with_callback(STORAGE, self.function())
                .ok();
        }
    }
}
