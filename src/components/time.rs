//! Times in the language of the texts and the zone of the browser, through its `Intl`.

use assent_conversation::Millis;
use assent_i18n::{
    Texts,
    intl::{FormatOptions, cached_format},
};
use leptos::wasm_bindgen::{JsCast, JsValue};

use super::strings;

const DAY_MS: f64 = 86_400_000.0;
const MINUTE_MS: f64 = 60_000.0;

/// Formats how long before `now` (in milliseconds since 1970) the time `at` was: in minutes and
/// hours on the same day, in days for a week, else as a date.
pub(super) fn format_ago(texts: Texts, at: Millis, now: f64) -> String {
    let (Some(then), Some(today)) = (day_number(as_f64(at)), day_number(now)) else {
        return String::new();
    };
    let minutes = ((now - as_f64(at)) / MINUTE_MS).floor();
    let days = today - then;
    if minutes < 1.0 {
        format_relative(texts, 0.0, "second")
    } else if minutes < 60.0 {
        format_relative(texts, -minutes, "minute")
    } else if days < 1.0 {
        format_relative(texts, -(minutes / 60.0).floor(), "hour")
    } else if days < 7.0 {
        format_relative(texts, -days, "day")
    } else {
        format(texts, at, &[("day", "numeric"), ("month", "short")])
    }
}

/// Returns the name of the day of the time `at`, such as "today", or its date. `now` is the current
/// time in milliseconds since 1970.
pub(super) fn day_name(texts: Texts, at: Millis, now: f64) -> String {
    match days_ago(at, now) {
        Some(0.0) => texts.get(strings::TODAY).to_owned(),
        Some(1.0) => texts.get(strings::YESTERDAY).to_owned(),
        _ => format(texts, at, &[("dateStyle", "full")]),
    }
}

/// Returns the number of calendar days from `at` to `now`, which is in milliseconds since 1970;
/// `None` if one of them is outside the range of dates.
pub(super) fn days_ago(at: Millis, now: f64) -> Option<f64> {
    Some(day_number(now)? - day_number(as_f64(at))?)
}

/// Returns true if the two times are on different days in the browser's time zone.
pub(super) fn is_another_day(at: Millis, before: Millis) -> bool {
    day_number(as_f64(at)) != day_number(as_f64(before))
}

/// Returns the number of days from 1970 to the day of the time `at`, which is in milliseconds, in
/// the browser's time zone; `None` outside the range of dates.
fn day_number(at: f64) -> Option<f64> {
    let date = js_sys::Date::new(&JsValue::from_f64(at));
    let local = at - date.get_timezone_offset() * MINUTE_MS;
    (!local.is_nan()).then(|| (local / DAY_MS).floor())
}

/// Formats the span of `count` times `unit` from now on, or back from now if `count` is negative:
/// "2 min. ago", "yesterday".
fn format_relative(texts: Texts, count: f64, unit: &str) -> String {
    let made = cached_format(
        texts.locale(),
        &[("numeric", "auto"), ("style", "short")],
        |locales, options| js_sys::Intl::RelativeTimeFormat::new(locales, options).into(),
    );
    let format: js_sys::Intl::RelativeTimeFormat = made.unchecked_into();
    format.format(count, unit).into()
}

/// Formats the time of day.
pub(super) fn format_clock(texts: Texts, at: Millis) -> String {
    format(texts, at, &[("hour", "2-digit"), ("minute", "2-digit")])
}

/// Formats the time of day to the second.
pub(super) fn format_clock_with_seconds(texts: Texts, at: Millis) -> String {
    format(texts, at, &[("timeStyle", "medium")])
}

/// Formats a time: the time of day if it is within 24 hours, else the date.
pub(super) fn format_day_or_clock(texts: Texts, at: Millis) -> String {
    if (js_sys::Date::now() - as_f64(at)).abs() < DAY_MS {
        format_clock(texts, at)
    } else {
        format(texts, at, &[("day", "numeric"), ("month", "short")])
    }
}

/// Formats a time as the full date with the day of the week, and the time of day.
pub(super) fn format_full(texts: Texts, at: Millis) -> String {
    format(texts, at, &[("dateStyle", "full"), ("timeStyle", "short")])
}

/// Formats a time in ISO 8601, for machines.
pub(super) fn iso_8601(at: Millis) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(as_f64(at)));
    // A time outside the range of dates has no ISO form, and asking for it throws.
    if date.get_time().is_nan() {
        String::new()
    } else {
        date.to_iso_string().into()
    }
}

fn format(texts: Texts, at: Millis, options: FormatOptions) -> String {
    let at = as_f64(at);
    if js_sys::Date::new(&JsValue::from_f64(at))
        .get_time()
        .is_nan()
    {
        return String::new();
    }
    let made = cached_format(texts.locale(), options, |locales, options| {
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

/// Converts a time to milliseconds in the browser's number type.
#[allow(
    clippy::cast_precision_loss,
    reason = "milliseconds of any real date fit into 53 bits"
)]
fn as_f64(at: Millis) -> f64 {
    at.0 as f64
}
