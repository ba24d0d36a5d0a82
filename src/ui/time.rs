//! Times in the reader's language and zone, through the browser's `Intl`.

use assent_conversation::Millis;
use leptos::{
    prelude::*,
    wasm_bindgen::{JsCast, JsValue},
};

const DAY: f64 = 86_400_000.0;

/// The time of day.
pub(super) fn clock(at: Millis) -> String {
    format(at, &[("hour", "2-digit"), ("minute", "2-digit")])
}

/// The time of day for the last day, else the date.
pub(super) fn day_or_clock(at: Millis) -> String {
    if js_sys::Date::now() - as_f64(at) < DAY {
        clock(at)
    } else {
        format(at, &[("day", "numeric"), ("month", "short")])
    }
}

/// Date and time in full.
pub(super) fn full(at: Millis) -> String {
    format(at, &[("dateStyle", "full"), ("timeStyle", "short")])
}

/// ISO 8601, for machines.
pub(super) fn machine(at: Millis) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(as_f64(at)));
    // A time outside the range of dates has no ISO form, and asking for it throws.
    if date.get_time().is_nan() {
        String::new()
    } else {
        date.to_iso_string().into()
    }
}

fn format(at: Millis, options: &[(&str, &str)]) -> String {
    let at = as_f64(at);
    if js_sys::Date::new(&JsValue::from_f64(at))
        .get_time()
        .is_nan()
    {
        return String::new();
    }
    let record = js_sys::Object::new();
    for (name, value) in options {
        // A plain object takes any property.
        js_sys::Reflect::set(&record, &(*name).into(), &(*value).into()).ok();
    }
    let format = js_sys::Intl::DateTimeFormat::new(&locales(), &record);
    let text = format
        .format()
        .call1(&JsValue::UNDEFINED, &JsValue::from_f64(at));
    text.ok()
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

/// The language of the page, if it names one; else the browser's.
fn locales() -> js_sys::Array {
    let language = document()
        .document_element()
        .and_then(|root| root.get_attribute("lang"));
    let known = language.filter(|language| {
        let one = js_sys::Array::of1(&JsValue::from_str(language));
        // An unknown language would make every format throw.
        let intl = js_sys::Reflect::get(&js_sys::global(), &"Intl".into());
        let names =
            intl.and_then(|intl| js_sys::Reflect::get(&intl, &"getCanonicalLocales".into()));
        names
            .ok()
            .and_then(|names| names.dyn_into::<js_sys::Function>().ok())
            .is_some_and(|names| names.call1(&JsValue::UNDEFINED, &one).is_ok())
    });
    known.map_or_else(js_sys::Array::new, |language| {
        js_sys::Array::of1(&language.into())
    })
}

#[allow(
    clippy::cast_precision_loss,
    reason = "milliseconds of any real date fit into 53 bits"
)]
fn as_f64(at: Millis) -> f64 {
    at.0 as f64
}
