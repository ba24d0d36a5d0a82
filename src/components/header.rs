//! The top line: which conversation, and the way to the others.

use assent_conversation::Intent;
use leptos::prelude::*;

use super::{
    button::icon_button,
    dispatch::Dispatch,
    element::el,
    erased::{new_id, show, text},
    icons,
    list_visibility::ListVisibility,
    strings,
};
use crate::store::ThreadsView;

pub(super) fn header(
    heading: Signal<String>,
    list: ListVisibility,
    threads: RwSignal<ThreadsView>,
    more: AnyView,
    dispatch: Dispatch,
) -> AnyView {
    let texts = strings::texts();
    let elsewhere = { Memo::new(move |_| threads.with(waiting_elsewhere)) };
    let toggle = {
        let list = list.clone();
        move || {
            let (expanded, list) = (list.clone(), list.clone());
            let told = new_id();
            let class = "icon-button threads-toggle";
            let button = icon_button(class, texts.get(strings::CONVERSATIONS), move |_| {
                list.toggle();
            })
            .attr("aria-describedby", &told);
            let badge = move || {
                let count = move || texts.number(elsewhere.get());
                let name = move || strings::needed_elsewhere(texts, elsewhere.get());
                let count = el("span", "toggle-badge")
                    .attr("aria-hidden", "true")
                    .child(text(count))
                    .view();
                let name = el("span", "visually-hidden")
                    .attr("id", &told)
                    .child(text(name))
                    .view();
                vec![count, name].into_any()
            };
            button
                .attr("part", "threads-toggle")
                .follow_bool("aria-expanded", move || expanded.shown())
                .child(icons::list())
                .child(show(move || elsewhere.get() > 0, badge))
                .view()
        }
    };
    let new = {
        let list = list.clone();
        move || {
            let list = list.clone();
            let start = move |_| {
                list.uncover();
                dispatch.send(Intent::NewThread);
            };
            icon_button("icon-button", texts.get(strings::NEW_CONVERSATION), start)
                .attr("part", "thread-new")
                .child(icons::plus())
                .view()
        }
    };
    let exists = list.clone();
    let heading = el("h2", "heading")
        .attr("id", "heading")
        .child(text(move || heading.get()));
    let open = text(move || threads.with(|threads| threads.open_name.clone()));
    let subtitle = el("p", "subtitle").child(el("bdi", "").child(open));
    el("header", "header")
        .child(show(move || exists.exists(), toggle))
        .child(el("div", "titles").child(heading).child(subtitle))
        .child(show(move || list.exists(), new))
        .child(more)
        .view()
}

/// How many tool runs wait in conversations that are not shown.
fn waiting_elsewhere(threads: &ThreadsView) -> usize {
    let elsewhere = threads.waiting.iter();
    let elsewhere = elsewhere.filter(|(thread, _)| threads.open.as_ref() != Some(thread));
    elsewhere.map(|(_, count)| count).sum()
}
