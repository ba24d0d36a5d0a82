//! Times in the reader's language and zone, through the browser's `Intl`.

use std::cell::RefCell;

use assent_conversation::Millis;
use leptos::{
    prelude::*,
    wasm_bindgen::{JsCast, JsValue},
};

use super::{record::record, strings};

/// What a format is made of: names and values of `Intl`.
type Options = &'static [(&'static str, &'static str)];

thread_local! {
    /// Formats that were made, by the page's language and their options: making one takes as long as a hundred uses.
    static MADE: RefCell<Vec<(Option<String>, Options, JsValue)>> = const { RefCell::new(Vec::new()) };
}

const DAY: f64 = 86_400_000.0;
const MINUTE: f64 = 60_000.0;

/// How long ago it was: minutes and hours of today, days of this week, else the date. `now` is in milliseconds.
pub(super) fn ago(at: Millis, now: f64) -> String {
    let (Some(then), Some(today)) = (day_of(as_f64(at)), day_of(now)) else {
        return String::new();
    };
    let minutes = ((now - as_f64(at)) / MINUTE).floor();
    let days = today - then;
    if minutes < 1.0 {
        relative(0.0, "second")
    } else if minutes < 60.0 {
        relative(-minutes, "minute")
    } else if days < 1.0 {
        relative(-(minutes / 60.0).floor(), "hour")
    } else if days < 7.0 {
        relative(-days, "day")
    } else {
        format(at, &[("day", "numeric"), ("month", "short")])
    }
}

/// The name of the day. `now` is in milliseconds.
pub(super) fn day(at: Millis, now: f64) -> String {
    let days = day_of(now).zip(day_of(as_f64(at)));
    match days.map(|(today, then)| today - then) {
        Some(0.0) => strings::TODAY.to_owned(),
        Some(1.0) => strings::YESTERDAY.to_owned(),
        _ => format(at, &[("dateStyle", "full")]),
    }
}

/// True where these are on different days.
pub(super) fn is_another_day(at: Millis, before: Millis) -> bool {
    day_of(as_f64(at)) != day_of(as_f64(before))
}

/// The number of the day in the browser's zone; `None` outside the range of dates.
fn day_of(at: f64) -> Option<f64> {
    let date = js_sys::Date::new(&JsValue::from_f64(at));
    let local = at - date.get_timezone_offset() * MINUTE;
    (!local.is_nan()).then(|| (local / DAY).floor())
}

/// A span from now on, as the language says it: "2 min. ago", "yesterday".
fn relative(count: f64, unit: &str) -> String {
    let made = made(
        &[("numeric", "auto"), ("style", "short")],
        |locales, options| js_sys::Intl::RelativeTimeFormat::new(locales, options).into(),
    );
    let format: js_sys::Intl::RelativeTimeFormat = made.unchecked_into();
    format.format(count, unit).into()
}

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

fn format(at: Millis, options: Options) -> String {
    let at = as_f64(at);
    if js_sys::Date::new(&JsValue::from_f64(at))
        .get_time()
        .is_nan()
    {
        return String::new();
    }
    let made = made(options, |locales, options| {
        js_sys::Intl::DateTimeFormat::new(locales, options).into()
    });
    let format: js_sys::Intl::DateTimeFormat = made.unchecked_into();
    let text = format
        .format()
        .call1(&JsValue::UNDEFINED, &JsValue::from_f64(at));
    text.ok()
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

/// The format with these options in the language of the page, or else of the browser.
fn made(options: Options, make: fn(&js_sys::Array, &js_sys::Object) -> JsValue) -> JsValue {
    let root = document().document_element();
    let language = root.and_then(|root| root.get_attribute("lang"));
    let known = MADE.with_borrow(|all| {
        let known = all.iter().find(|it| it.0 == language && it.1 == options);
        known.map(|(.., format)| format.clone())
    });
    // Nothing is borrowed while the browser makes one: a page may have put its own functions there.
    known.unwrap_or_else(|| {
        let record = record(options.iter().map(|(name, value)| (*name, (*value).into())));
        let format = make(&locales(language.as_deref()), &record);
        MADE.with_borrow_mut(|all| all.push((language, options, format.clone())));
        format
    })
}

/// A list of the language, if there is such a one: an unknown language would make every format throw.
fn locales(language: Option<&str>) -> js_sys::Array {
    let known = language.filter(|language| {
        let one = js_sys::Array::of1(&JsValue::from_str(language));
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

/// In milliseconds, as the browser counts them.
#[allow(
    clippy::cast_precision_loss,
    reason = "milliseconds of any real date fit into 53 bits"
)]
fn as_f64(at: Millis) -> f64 {
    at.0 as f64
}
