//! The list of conversations.

use assent_conversation::{Intent, Load};
use leptos::prelude::*;

use super::{
    app::ToDelete,
    dispatch::Dispatch,
    erased::{Key, Row, dynamic, each, on, show},
    failure_note::failure_note,
    list_visibility::ListVisibility,
    strings,
    thread_row::ThreadRow,
};
use crate::view::{ThreadsView, Watched};

#[component]
pub(super) fn ThreadList(
    threads: Watched<ThreadsView>,
    list: ListVisibility,
    dispatch: Dispatch,
    to_delete: ToDelete,
) -> impl IntoView {
    let state = {
        let threads = threads.clone();
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
            view! { class="a",
                <div class="scrim" aria-hidden="true" on:click=on(move |_| list.uncover())></div>
            }
            .into_any()
        }
    };
    let above = {
        let threads = threads.clone();
        dynamic(move || {
            let (load, empty) = threads.with(|it| (it.load.clone(), it.rows.is_empty()));
            match load {
                Load::Failed(failure) => {
                    let retry = move || dispatch.send(Intent::RefreshThreads);
                    failure_note(None, &failure, Some(Box::new(retry)), None)
                }
                Load::Loading if empty => bones(),
                Load::Ready if empty => {
                    view! { class="a", <p class="list-empty">{strings::NO_CONVERSATIONS}</p> }
                        .into_any()
                }
                Load::Loading | Load::Ready => ().into_any(),
            }
        })
    };
    let covers = list.clone();
    let rows = each(move || {
        let ids: Vec<_> = threads.with(|it| it.rows.iter().map(|row| row.id.clone()).collect());
        let row = |id: assent_conversation::ThreadId| {
            let (key, threads) = (Key::Text(id.as_str().to_owned()), threads.clone());
            let (list, to_delete) = (list.clone(), to_delete.clone());
            Row::new(key, move || {
                let (id, threads) = (id.clone(), threads.clone());
                let (list, to_delete) = (list.clone(), to_delete.clone());
                view! { class="a", <ThreadRow id threads list dispatch to_delete/> }.into_any()
            })
        };
        ids.into_iter().map(row).collect()
    });
    view! { class="a",
        {show(move || covers.covers(), scrim)}
        <nav
            part="thread-list"
            class="thread-list"
            aria-label=strings::CONVERSATIONS
            data-state=move || state()
        >
            {above}
            <ul class="rows" role="list">{rows}</ul>
        </nav>
    }
}

fn bones() -> AnyView {
    view! { class="a",
        <div class="bones" role="status" aria-label=strings::LOADING>
            <span class="bone"></span>
            <span class="bone"></span>
            <span class="bone"></span>
        </div>
    }
    .into_any()
}
