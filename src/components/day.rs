//! When a message was written: how long ago, and where another day begins.

use assent_conversation::Millis;
use assent_i18n::Texts;
use leptos::prelude::*;

use super::{
    element::el,
    erased::{keyed, text},
    minute::Follower,
    strings, time,
};
use crate::store::{MessageHead, Watched};

/// How long ago it was; exactly for who asks.
pub(super) fn when(head: Watched<MessageHead>) -> AnyView {
    follow_time(
        head,
        |head| head.time,
        |texts, at| {
            let follower = Follower::new();
            el("time", "time")
                .attr("datetime", &time::machine(at))
                .attr("title", &time::full(texts, at))
                .child(text(move || time::ago(texts, at, follower.now())))
                .view()
        },
    )
}

/// The day, where the message is the first one of it.
pub(super) fn day(head: Watched<MessageHead>) -> AnyView {
    follow_time(head, first_of_day, |texts, at| {
        let follower = Follower::new();
        el("div", "day")
            .attr("role", "separator")
            .child(text(move || time::day(texts, at, follower.now())))
            .view()
    })
}

fn first_of_day(head: &MessageHead) -> Option<Millis> {
    head.time.filter(|at| {
        head.time_before
            .is_none_or(|before| time::is_another_day(*at, before))
    })
}

/// Made anew only when the time is another one.
fn follow_time(
    head: Watched<MessageHead>,
    read: fn(&MessageHead) -> Option<Millis>,
    view: fn(Texts, Millis) -> AnyView,
) -> AnyView {
    let texts = strings::texts();
    let now = head.clone();
    keyed(
        move || {
            now.with(read)
                .map_or_else(String::new, |at| at.0.to_string())
        },
        move || {
            let at = head.peek(read);
            at.map_or_else(|| ().into_any(), |at| view(texts, at))
        },
    )
}
