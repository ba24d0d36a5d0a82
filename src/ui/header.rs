//! The top line: which conversation, and the way to the others.

use assent_conversation::Intent;
use leptos::prelude::*;

use super::{
    app::Text,
    dispatch::Dispatch,
    erased::{new_id, on, show, text},
    icons,
    list_visibility::ListVisibility,
    strings,
};
use crate::view::{ThreadsView, Watched};

#[component]
pub(super) fn Header(
    heading: Text,
    list: ListVisibility,
    threads: Watched<ThreadsView>,
    dispatch: Dispatch,
) -> impl IntoView {
    let elsewhere = {
        let threads = threads.clone();
        Memo::new(move |_| threads.with(waiting_elsewhere))
    };
    let toggle = {
        let list = list.clone();
        move || {
            let (expanded, list) = (list.clone(), list.clone());
            let told = new_id();
            let described = told.clone();
            let badge = move || {
                let count = move || strings::counted(elsewhere.get());
                let name = move || strings::needed_elsewhere(elsewhere.get());
                view! { class="a",
                    <span class="toggle-badge" aria-hidden="true">{text(count)}</span>
                    <span id=told.clone() class="visually-hidden">{text(name)}</span>
                }
                .into_any()
            };
            view! { class="a",
                <button
                    type="button"
                    part="threads-toggle"
                    class="icon-button threads-toggle"
                    aria-label=strings::CONVERSATIONS
                    aria-describedby=described
                    title=strings::CONVERSATIONS
                    aria-expanded=move || if expanded.shown() { "true" } else { "false" }
                    on:click=on(move |_| list.toggle())
                >
                    {icons::list()}
                    {show(move || elsewhere.get() > 0, badge)}
                </button>
            }
            .into_any()
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
            view! { class="a",
                <button
                    type="button"
                    part="thread-new"
                    class="icon-button"
                    aria-label=strings::NEW_CONVERSATION
                    title=strings::NEW_CONVERSATION
                    on:click=on(start)
                >
                    {icons::plus()}
                </button>
            }
            .into_any()
        }
    };
    let exists = list.clone();
    view! { class="a",
        <header class="header">
            {show(move || exists.exists(), toggle)}
            <div class="titles">
                <h2 id="heading" class="heading">{text(move || heading())}</h2>
                <p class="subtitle">
                    <bdi>{text(move || threads.with(|threads| threads.open_name.clone()))}</bdi>
                </p>
            </div>
            {show(move || list.exists(), new)}
        </header>
    }
}

/// How many tool runs wait in conversations that are not shown.
fn waiting_elsewhere(threads: &ThreadsView) -> usize {
    let elsewhere = threads.waiting.iter();
    let elsewhere = elsewhere.filter(|(thread, _)| threads.open.as_ref() != Some(thread));
    elsewhere.map(|(_, count)| count).sum()
}
