//! The top line: which conversation, and the way to the others.

use assent_conversation::Intent;
use leptos::prelude::*;

use super::{dispatch::Dispatch, icons, list_visibility::ListVisibility, strings};
use crate::view::{ThreadsPlacement, ThreadsView};

#[component]
pub(super) fn Header(
    heading: Signal<String>,
    list: ListVisibility,
    placement: ArcRwSignal<ThreadsPlacement>,
    threads: ArcRwSignal<ThreadsView>,
    dispatch: Dispatch,
) -> impl IntoView {
    let has_list = move || placement.get() != ThreadsPlacement::Hidden;
    let subtitle = move || threads.with(|threads| threads.open_name.clone());
    view! { class="a",
        <header class="header">
            <Show when=has_list.clone()>
                <button
                    type="button"
                    part="threads-toggle"
                    class="icon-button"
                    aria-label=strings::CONVERSATIONS
                    title=strings::CONVERSATIONS
                    aria-expanded=move || list.shown().to_string()
                    on:click=move |_| list.toggle()
                >
                    {icons::list()}
                </button>
            </Show>
            <div class="titles">
                <h2 id="heading" class="heading">{heading}</h2>
                <p class="subtitle">{subtitle}</p>
            </div>
            <Show when=has_list>
                <button
                    type="button"
                    part="thread-new"
                    class="icon-button"
                    aria-label=strings::NEW_CONVERSATION
                    title=strings::NEW_CONVERSATION
                    on:click=move |_| {
                        list.uncover();
                        dispatch.send(Intent::NewThread);
                    }
                >
                    {icons::plus()}
                </button>
            </Show>
        </header>
    }
}
