//! The time of a message: how long ago it was written, and the line above the first message of a
//! day or of what is unread.

use assent_conversation::Millis;
use leptos::prelude::*;

use super::{attribute::attribute, effect::memo, minute::TimeFollower, strings, time};
use crate::store::MessageHead;

/// How long ago a message was written, with the exact time as its tooltip; nothing if the time is
/// not known.
#[component]
pub(super) fn MessageTime(head: RwSignal<MessageHead>) -> impl IntoView {
    let texts = strings::texts();
    let written = memo(move || head.with(|head| head.time));
    move || {
        written.get().map(|at| {
            let follower = TimeFollower::new();
            view! {
                <time
                    class="time"
                    {..attribute("datetime", time::iso_8601(at))}
                    {..attribute("title", time::format_full(texts, at))}
                >
                    {move || time::format_ago(texts, at, follower.now())}
                </time>
            }
        })
    }
}

/// The lines above a message: its day, if it is the day's first message, and that it is the first
/// unread one.
#[component]
pub(super) fn Day(head: RwSignal<MessageHead>) -> impl IntoView {
    let texts = strings::texts();
    let begins = memo(move || head.with(|head| (first_of_day(head), head.is_first_unread)));
    move || {
        let (day, is_new) = begins.get();
        (is_new || day.is_some()).then(|| {
            let follower = TimeFollower::new();
            let day = move || day.map(|at| time::day_name(texts, at, follower.now()));
            let new = is_new.then(|| texts.get(strings::NEW).to_owned());
            let said = move || day().into_iter().chain(new.clone());
            view! {
                <div class=if is_new { "day new" } else { "day" } role="separator">
                    {move || said().collect::<Vec<_>>().join(" · ")}
                </div>
            }
        })
    }
}

fn first_of_day(head: &MessageHead) -> Option<Millis> {
    head.time.filter(|at| {
        head.time_before
            .is_none_or(|before| time::is_another_day(*at, before))
    })
}
