//! The top line: which conversation, and the way to the others.

use assent_conversation::Intent;
use leptos::prelude::*;

use super::{
    app::Text,
    dispatch::Dispatch,
    erased::{on, show, text},
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
    let toggle = {
        let list = list.clone();
        move || {
            let (expanded, list) = (list.clone(), list.clone());
            view! { class="a",
                <button
                    type="button"
                    part="threads-toggle"
                    class="icon-button"
                    aria-label=strings::CONVERSATIONS
                    title=strings::CONVERSATIONS
                    aria-expanded=move || if expanded.shown() { "true" } else { "false" }
                    on:click=on(move |_| list.toggle())
                >
                    {icons::list()}
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
