//! What the page suggests to begin with, in an empty conversation.

use assent_conversation::Intent;
use leptos::{prelude::*, web_sys::HtmlElement};

use super::{
    button::button,
    dispatch::Dispatch,
    element::el,
    erased::{ElementRef, dynamic},
    focus::{focus_part, focused},
    strings,
};
use crate::store::Settings;

/// A button for each text; pressing one sends it as a message.
pub(super) fn suggestions(settings: &Settings, dispatch: Dispatch) -> AnyView {
    let texts = settings.suggestions;
    dynamic(move || match texts.get() {
        none if none.is_empty() => ().into_any(),
        texts => list(texts, dispatch),
    })
}

fn list(texts: Vec<String>, dispatch: Dispatch) -> AnyView {
    let list = ElementRef::new();
    // Whatever takes the buttons away, a focus that one of them had goes to the box.
    on_cleanup(move || {
        let has_focus = |list: &HtmlElement| list.contains(focused(list).as_deref());
        if let Some(list) = list.now().filter(has_focus) {
            focus_part(&list, "input");
        }
    });
    let item = |text: String| {
        let name = text.clone();
        let send = move |_| {
            // Not every browser gives the focus to a button that is clicked.
            if let Some(list) = list.now() {
                focus_part(&list, "input");
            }
            dispatch.send(Intent::SendSuggestion(text.clone()));
        };
        let button = button("button suggestion", &name, send)
            .attr("part", "suggestion")
            .attr("dir", "auto");
        el("li", "").child(button).view()
    };
    el("ul", "suggestions")
        .attr("role", "list")
        .attr("aria-label", strings::texts().get(strings::SUGGESTIONS))
        .node_ref(list)
        .children(texts.into_iter().map(item))
        .view()
}
