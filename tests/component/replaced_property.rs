//! Temporary replacements of properties in the page that all tests share.

use js_sys::Function;
use wasm_bindgen::{JsCast, JsValue};

use crate::undone::Undone;

/// A replacement of a property of the page. Dropping the value restores the original.
#[must_use = "it ends with the value"]
pub(crate) struct ReplacedProperty {
    _original: Undone,
}

impl ReplacedProperty {
    /// Replaces a property: `place` is JavaScript for it, as in `Date.now`; `value` for its value,
    /// in which `real` is the original.
    pub(crate) fn new(place: &str, value: &str) -> Self {
        Self::described(place, &format!("writable: true, value: {value}"))
    }

    /// Replaces a property by a getter: `get` is JavaScript for the function that returns the
    /// value.
    pub(crate) fn getting(place: &str, get: &str) -> Self {
        Self::described(place, &format!("get: {get}"))
    }

    fn described(place: &str, descriptor: &str) -> Self {
        let (object, name) = place.rsplit_once('.').unwrap();
        let script = format!(
            "const object = {object}, name = '{name}', real = object[name];
             const own = Object.getOwnPropertyDescriptor(object, name);
             Object.defineProperty(object, name, {{ configurable: true, {descriptor} }});
             return () => own ? Object.defineProperty(object, name, own) : delete object[name];"
        );
        let back = Function::new_no_args(&script).call0(&JsValue::UNDEFINED);
        let back: Function = back.unwrap().unchecked_into();
        Self {
            _original: Undone::new(move || {
                back.call0(&JsValue::UNDEFINED).unwrap();
            }),
        }
    }
}
