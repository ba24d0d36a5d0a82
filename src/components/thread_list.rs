//! The list of conversations.

use assent_conversation::{Intent, Load, ThreadId};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    app::ToConfirm,
    dispatch::Dispatch,
    element::{Element, el},
    erased::{Key, Row, each, show},
    failure_note::FailureNote,
    list_visibility::ListVisibility,
    strings,
    thread_row::thread_row,
};
use crate::store::ThreadsView;

pub(super) fn thread_list(
    threads: RwSignal<ThreadsView>,
    list: ListVisibility,
    dispatch: Dispatch,
    to_confirm: ToConfirm,
) -> AnyView {
    let texts = strings::texts();
    let state = {
        move || match threads.with(|threads| threads.load.clone()) {
            Load::Loading => "loading",
            Load::Ready => "ready",
            Load::Failed(_) => "failed",
        }
    };
    let scrim = {
        let list = list.clone();
        move || {
            let list = list.clone();
            el("div", "scrim")
                .attr("aria-hidden", "true")
                .on("click", move |_: MouseEvent| list.uncover())
                .view()
        }
    };
    let is = |test: fn(&ThreadsView) -> bool| move || threads.with(test);
    let failed = is(|it| matches!(it.load, Load::Failed(_)));
    let loads = is(|it| it.load == Load::Loading && it.rows.is_empty());
    let is_empty = is(|it| it.load == Load::Ready && it.rows.is_empty());
    let note = {
        move || match threads.with_untracked(|it| it.load.clone()) {
            Load::Failed(failure) => {
                let retry = Callback::new(move |()| dispatch.send(Intent::RefreshThreads));
                view! { <FailureNote failure retry/> }.into_any()
            }
            Load::Loading | Load::Ready => ().into_any(),
        }
    };
    let none = move || {
        el("p", "list-empty")
            .text(texts.get(strings::NO_CONVERSATIONS))
            .view()
    };
    let covers = list.clone();
    let rows = each(move || {
        let ids: Vec<_> = threads.with(|it| it.rows.iter().map(|row| row.id.clone()).collect());
        let row = |id: ThreadId| {
            let (key, threads) = (Key::Text(id.as_str().to_owned()), threads);
            let (list, to_confirm) = (list.clone(), to_confirm);
            Row::new(key, move || {
                let (list, to_confirm) = (list.clone(), to_confirm);
                thread_row(id.clone(), threads, list, dispatch, to_confirm)
            })
        };
        ids.into_iter().map(row).collect()
    });
    let nav = nav()
        .follow_text("data-state", move || state().to_owned())
        .child(show(failed, note))
        .child(show(loads, bones))
        .child(show(is_empty, none))
        .child(el("ul", "rows").attr("role", "list").child(rows))
        .view();
    vec![show(move || covers.covers(), scrim), nav].into_any()
}

fn nav() -> Element {
    el("nav", "thread-list")
        .attr("part", "thread-list")
        .attr("aria-label", strings::texts().get(strings::CONVERSATIONS))
}

fn bones() -> AnyView {
    let texts = strings::texts();
    el("div", "bones")
        .attr("role", "status")
        .attr("aria-label", texts.get(strings::LOADING))
        .children((0..3).map(|_| el("span", "bone").view()))
        .view()
}
