//! The end of waiting for a decision (extension `expiry`): the time that is left, from half of it on,
//! a warning a minute before, and what it means once it is over.

use std::time::Duration;

use assent_conversation::{Intent, Millis};
use assent_i18n::Texts;
use leptos::prelude::*;

use crate::components::{dispatch::Dispatch, effect::memo, strings, time::format_day_or_clock};

const SECOND: Duration = Duration::from_secs(1);
const SECOND_MS: i64 = 1_000;
const MINUTE_MS: i64 = 60 * SECOND_MS;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// The time from the end of a request to the first look at what the service made of it, and then
/// from one look to the next; in milliseconds.
const PAUSE_MS: i64 = 2 * SECOND_MS;
/// The longest pause between two looks, in milliseconds.
const LONGEST_PAUSE_MS: i64 = MINUTE_MS;

/// The line about the time that is left until `end`, of a request that was made at `asked_at`. Once
/// the end has come, it looks at what the service made of it.
#[component]
pub(super) fn Deadline(asked_at: Option<Millis>, end: Millis) -> impl IntoView {
    let asked_at = asked_at.unwrap_or_else(now);
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let left = move || end.0 - now().0;
    let left_ms = RwSignal::new(left());
    let look = StoredValue::new((end.0 + PAUSE_MS, PAUSE_MS));
    let count = move || {
        if left_ms.try_set(left()).is_some() {
            return;
        }
        let (at, pause) = look.get_value();
        if now().0 >= at {
            let pause = (2 * pause).min(LONGEST_PAUSE_MS);
            look.set_value((now().0 + pause, pause));
            dispatch.send(Intent::ReloadMessages);
        }
    };
    if let Ok(timer) = set_interval_with_handle(count, SECOND) {
        on_cleanup(move || timer.clear());
    }
    let half = (end.0 - asked_at.0) / 2;
    let line = memo(move || {
        let left = left_ms.get();
        match left <= half {
            true => time_left(texts, left, end),
            false => String::new(),
        }
    });
    // Announced when it changes: once when the last minute begins, and at the end.
    let warning = memo(move || match left_ms.get() {
        ..=0 => texts.get(strings::NO_DECISION_IN_TIME),
        1..=MINUTE_MS => texts.get(strings::extra::LAST_MINUTE),
        _ => "",
    });
    view! {
        <p class="approval-hint deadline">{move || line.get()}</p>
        <p class="visually-hidden" role="status">
            {move || warning.get()}
        </p>
    }
}

/// Returns the sentence about the time that is left until `end`, in milliseconds: in seconds at last.
fn time_left(texts: Texts, left: i64, end: Millis) -> String {
    if left <= 0 {
        return texts.get(strings::NO_DECISION_IN_TIME).to_owned();
    }
    if left <= MINUTE_MS {
        let seconds = strings::whole_seconds(texts, count_whole(left, SECOND_MS));
        return texts.fill(strings::extra::SECONDS_LEFT, &[("time", &seconds)]);
    }
    whole_time_left(texts, left, end)
}

/// Returns the sentence about the time that is left until `end`, in milliseconds: in whole minutes or
/// hours.
pub(super) fn whole_time_left(texts: Texts, left: i64, end: Millis) -> String {
    let (text, unit) = match left <= HOUR_MS {
        true => (strings::extra::MINUTES_LEFT, MINUTE_MS),
        false => (strings::extra::HOURS_LEFT, HOUR_MS),
    };
    let time = format_day_or_clock(texts, end);
    texts.plural(text, count_whole(left, unit), &[("time", &time)])
}

/// Returns how many of these units the time is, where one that has begun counts.
fn count_whole(time: i64, unit: i64) -> usize {
    usize::try_from((time + unit - 1) / unit).unwrap_or_default()
}

fn now() -> Millis {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "milliseconds since 1970 are whole"
    )]
    let now = leptos::web_sys::js_sys::Date::now() as i64;
    Millis(now)
}
