//! The line below an answer that is being written: it says that work goes on, also while nothing of
//! the answer arrives.

use std::time::Duration;

use assent_conversation::Activity;
use leptos::prelude::*;

use super::{effect::effect, strings};
use crate::store::MessageText;

const SECOND: Duration = Duration::from_secs(1);

/// The line that an answer is being written, with the seconds since `text` or `steps` changed last.
/// Screen readers do not announce it. While text arrives, the line is not seen and only keeps its
/// room, so that it does not move down with each word.
#[component]
pub(super) fn Working(text: RwSignal<MessageText>, steps: RwSignal<Activity>) -> impl IntoView {
    let texts = strings::texts();
    let seconds = RwSignal::new(0);
    // A page in the background gets fewer calls: the clock counts, not they.
    let since = StoredValue::new(now_seconds());
    effect(move || {
        text.track();
        steps.track();
        since.set_value(now_seconds());
        seconds.set(0);
    });
    let count = move || {
        if let Some(since) = since.try_get_value() {
            seconds.set(now_seconds().saturating_sub(since));
        }
    };
    if let Ok(timer) = set_interval_with_handle(count, SECOND) {
        on_cleanup(move || timer.clear());
    }
    let is_seen = move || {
        seconds.get() > 0
            || (text.with(|text| text.text.is_empty()) && steps.with(|it| it.steps.is_empty()))
    };
    let line = move || match seconds.get() {
        0 => texts.get(strings::WORKING).to_owned(),
        seconds => {
            let time = strings::whole_seconds(texts, seconds);
            texts.fill(strings::WORKING_FOR, &[("time", &time)])
        }
    };
    view! {
        <p class="working" data-seen=move || is_seen().to_string()>
            <Dots/>
            {line}
        </p>
    }
}

/// The three moving dots in the line that says that an answer is being written.
#[component]
fn Dots() -> impl IntoView {
    view! {
        <span class="dots" aria-hidden="true">
            <span></span>
            <span></span>
            <span></span>
        </span>
    }
}

/// Returns the current time in whole seconds since 1970.
fn now_seconds() -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "seconds since 1970 fit until 2106"
    )]
    let seconds = (js_sys::Date::now() / 1_000.0) as usize;
    seconds
}
