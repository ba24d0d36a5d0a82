//! The list of conversations.

use assent_conversation::{Intent, Load, ThreadId};
use leptos::{ev, prelude::*};

use super::{
    dispatch::Dispatch, failure_note::FailureNote, list_visibility::ListVisibility, strings,
    thread_row::ThreadRow,
};
use crate::view::ThreadsView;

#[component]
pub(super) fn ThreadList(
    threads: ArcRwSignal<ThreadsView>,
    list: ListVisibility,
    dispatch: Dispatch,
    to_delete: RwSignal<Option<(ThreadId, String)>>,
) -> impl IntoView {
    let view = Signal::derive({
        let threads = threads.clone();
        move || threads.get()
    });
    let state = move || match view.with(|view| view.load.clone()) {
        Load::Loading => "loading",
        Load::Ready => "ready",
        Load::Failed(_) => "failed",
    };
    let empty = move || view.with(|view| view.rows.is_empty());
    let leave = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" && list.covers() && !event.default_prevented() {
            event.prevent_default();
            list.uncover();
        }
    };
    view! { class="a",
        <Show when=move || list.covers()>
            <div class="scrim" aria-hidden="true" on:click=move |_| list.uncover()></div>
        </Show>
        <nav
            part="thread-list"
            class="thread-list"
            aria-label=strings::CONVERSATIONS
            data-state=state
            on:keydown=leave
        >
            {move || match view.with(|view| view.load.clone()) {
                Load::Failed(failure) => Some(view! { class="a",
                    <FailureNote
                        failure
                        on_retry=Callback::new(move |()| dispatch.send(Intent::RefreshThreads))
                    />
                }.into_any()),
                Load::Loading if empty() => Some(view! { class="a",
                    <div class="bones" role="status" aria-label=strings::LOADING>
                        <span class="bone"></span><span class="bone"></span><span class="bone"></span>
                    </div>
                }.into_any()),
                Load::Ready if empty() => Some(view! { class="a",
                    <p class="list-empty">{strings::NO_CONVERSATIONS}</p>
                }.into_any()),
                Load::Loading | Load::Ready => None,
            }}
            <ul class="rows" role="list">
                <For
                    each=move || view.with(|view| view.rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>())
                    key=|id| id.clone()
                    children=move |id| view! { class="a", <ThreadRow id view list dispatch to_delete/> }
                />
            </ul>
        </nav>
    }
}
