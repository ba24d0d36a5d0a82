//! The list of conversations.

use assent_conversation::{Failure, Intent, LoadState, ThreadId};
use leptos::{html::Ul, prelude::*, web_sys::Event};

use super::{
    dispatch::Dispatch,
    extras::{Extra, LazyExtra},
    failure_note::FailureNote,
    header::NewButton,
    list_visibility::ListVisibility,
    listener::boxed_listener,
    rows::{Row, rows},
    show::Show,
    strings,
    thread_row::ThreadRow,
    thread_window::ThreadWindow,
};
use crate::store::{Store, ThreadsView};

/// The list of conversations. If it covers the transcript, there is a layer between them, and a
/// press on that hides the list.
#[component]
pub(super) fn ThreadList() -> impl IntoView {
    let texts = strings::texts();
    let list = ListVisibility::from_context();
    let threads = expect_context::<Store>().threads;
    let is = |test: fn(&ThreadsView) -> bool| move || threads.with(test);
    let is_failed = is(|it| matches!(it.load, LoadState::Failed(_)));
    let is_loading = is(|it| it.load == LoadState::Loading && it.rows.is_empty());
    let is_empty = is(|it| it.load == LoadState::Ready && it.rows.is_empty());
    let has_waiting = is(|it| it.has_inbox && !it.waiting.is_empty());
    let around_rows = NodeRef::<Ul>::new();
    let window = ThreadWindow::new(around_rows);
    provide_context(window);
    let row = |id: ThreadId| {
        let key = id.0.clone();
        Row::new(key, move || view! { <ThreadRow id=id.clone()/> })
    };
    view! {
        <Show when=move || list.covers_transcript()>
            <div
                class="scrim"
                aria-hidden="true"
                on:click=boxed_listener(move |_| list.uncover())
            ></div>
        </Show>
        <nav
            class="thread-list"
            part="thread-list"
            aria-label=texts.get(strings::CONVERSATIONS)
            data-state=move || threads.with(state_name)
            // Takes the focus of a row that was scrolled away.
            tabindex="-1"
            on:scroll=boxed_listener(move |_: Event| window.move_window())
        >
            <NewButton/>
            <Show when=has_waiting>
                <LazyExtra extra=Extra::WaitingButton/>
            </Show>
            <Show when=is_failed>
                <LoadFailure/>
            </Show>
            <Show when=is_loading>
                <RowPlaceholders/>
            </Show>
            <Show when=is_empty>
                <p class="list-empty">{texts.get(strings::NO_CONVERSATIONS)}</p>
            </Show>
            <ul class="rows" role="list" node_ref=around_rows>
                {rows(move || window.ids().into_iter().map(row).collect())}
            </ul>
        </nav>
    }
}

/// The note that the list of conversations could not be read, with a button that tries again.
#[component]
pub(super) fn LoadFailure() -> impl IntoView {
    let threads = expect_context::<Store>().threads;
    let dispatch = expect_context::<Dispatch>();
    let retry = Callback::new(move |()| dispatch.send(Intent::RefreshThreads));
    let failure = threads.with_untracked(load_failure);
    failure.map(|failure| view! { <FailureNote failure retry/> })
}

/// Grey bars in place of the rows until the list of conversations is loaded.
#[component]
fn RowPlaceholders() -> impl IntoView {
    let texts = strings::texts();
    let bone = |_| view! { <span class="bone"></span> };
    view! {
        <div class="bones" role="status" aria-label=texts.get(strings::LOADING)>
            {(0..3).map(bone).collect_view()}
        </div>
    }
}

fn load_failure(threads: &ThreadsView) -> Option<Failure> {
    match &threads.load {
        LoadState::Failed(failure) => Some(failure.clone()),
        LoadState::Loading | LoadState::Ready => None,
    }
}

/// Returns the value of `data-state` for the list of conversations (`docs/PARTS.md`).
fn state_name(threads: &ThreadsView) -> &'static str {
    match threads.load {
        LoadState::Loading => "loading",
        LoadState::Ready => "ready",
        LoadState::Failed(_) => "failed",
    }
}
