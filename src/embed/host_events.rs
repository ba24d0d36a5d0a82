//! From the widget to the page: `assent.js` makes DOM events of what is emitted here.

use js_sys::Function;
use wasm_bindgen::JsValue;

/// The way to the element of one instance.
#[derive(Clone)]
pub(super) struct HostEvents {
    emit: Function,
}

impl HostEvents {
    pub(super) fn new(emit: Function) -> Self {
        Self { emit }
    }

    /// Says that the module has stopped for good.
    pub(super) fn fatal(&self, reason: &str) {
        self.emit("fatal", &reason.into());
    }

    fn emit(&self, event: &str, detail: &JsValue) {
        // The other side is our own loader; should it throw, there is nobody left to tell.
        self.emit
            .call2(&JsValue::UNDEFINED, &event.into(), detail)
            .ok();
    }
}
