//! Plain objects of the browser's interfaces.

use js_sys::{Object, Reflect};
use leptos::wasm_bindgen::JsValue;

/// Returns a plain object with these members.
pub(super) fn record<'a>(members: impl IntoIterator<Item = (&'a str, JsValue)>) -> Object {
    let record = Object::new();
    for (name, value) in members {
        // A plain object takes any property.
        Reflect::set(&record, &name.into(), &value).ok();
    }
    record
}
