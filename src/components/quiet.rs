//! Above the message box while nothing comes of an answer: what that may mean, and what can be done.

use assent_conversation::Intent;
use leptos::prelude::*;

use super::{dispatch::Dispatch, element::el, erased::show, failure_note::intent_button, strings};
use crate::store::{ComposerView, Watched};

pub(super) fn quiet(composer: &Watched<ComposerView>, dispatch: Dispatch) -> AnyView {
    let texts = strings::texts();
    let composer = composer.clone();
    let note = move || {
        el("div", "held")
            .attr("role", "status")
            .child(el("p", "held-text").text(texts.get(strings::QUIET)))
            .child(
                el("div", "buttons")
                    .child(intent_button(
                        strings::CHECK_AGAIN,
                        Intent::ReloadMessages,
                        dispatch,
                    ))
                    .child(intent_button(strings::STOP, Intent::Stop, dispatch)),
            )
            .view()
    };
    show(move || composer.with(|it| it.is_stalled), note)
}
