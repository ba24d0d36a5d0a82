//! One conversation of the list: open it, rename it, ask for its deletion.

use assent_conversation::{Intent, RowState, ThreadId};
use leptos::{ev, html, prelude::*};

use super::{
    dispatch::Dispatch, focus::focus, list_visibility::ListVisibility, strings,
    thread_menu::ThreadMenu, time,
};
use crate::view::ThreadsView;

#[component]
pub(super) fn ThreadRow(
    id: ThreadId,
    view: Signal<ThreadsView>,
    list: ListVisibility,
    dispatch: Dispatch,
    to_delete: RwSignal<Option<(ThreadId, String)>>,
) -> impl IntoView {
    let id = StoredValue::new(id);
    let row = Memo::new(move |_| {
        view.with(|view| {
            view.rows
                .iter()
                .find(|row| id.with_value(|id| row.id == *id))
                .cloned()
        })
    });
    let given_name = move || row.get().map(|row| row.name).unwrap_or_default();
    let name = Signal::derive(move || match given_name() {
        name if name.trim().is_empty() => strings::UNNAMED.to_owned(),
        name => name,
    });
    let current = move || view.with(|view| id.with_value(|id| view.open.as_ref() == Some(id)));
    let deleting = move || {
        row.with(|row| {
            row.as_ref()
                .is_some_and(|row| row.state == RowState::Deleting)
        })
    };
    let when = move || {
        row.get()
            .and_then(|row| row.last_message)
            .map(time::day_or_clock)
    };
    let renaming = RwSignal::new(false);
    let refocus = RwSignal::new(false);
    let rename = move |name: String| {
        if renaming.get_untracked() {
            renaming.set(false);
            dispatch.send(Intent::RenameThread(id.get_value(), name));
        }
    };
    view! { class="a",
        <li class="row" data-current=move || current().to_string() data-deleting=move || deleting().to_string()>
            <Show
                when=move || renaming.get()
                fallback=move || view! { class="a",
                    <button
                        type="button"
                        part="thread"
                        class="thread"
                        aria-label=name
                        aria-current=move || current().then_some("true")
                        disabled=deleting
                        on:click=move |_| {
                            list.uncover();
                            dispatch.send(Intent::OpenThread(id.get_value()));
                        }
                    >
                        <span class="thread-name" dir="auto">{name}</span>
                        <span class="thread-time">{when}</span>
                    </button>
                    <ThreadMenu
                        name
                        refocus
                        on_rename=Callback::new(move |()| renaming.set(true))
                        on_delete=Callback::new(move |()| to_delete.set(Some((id.get_value(), name.get_untracked()))))
                    />
                }
            >
                <RenameBox
                    name=given_name()
                    on_save=Callback::new(move |name| {
                        rename(name);
                        refocus.set(true);
                    })
                    on_leave=Callback::new(rename)
                    on_cancel=Callback::new(move |()| {
                        renaming.set(false);
                        refocus.set(true);
                    })
                />
            </Show>
        </li>
    }
}

/// Enter saves and Escape cancels, both going back to the row; going elsewhere saves and stays there.
#[component]
fn RenameBox(
    name: String,
    on_save: Callback<String>,
    on_leave: Callback<String>,
    on_cancel: Callback<()>,
) -> impl IntoView {
    let input: NodeRef<html::Input> = NodeRef::new();
    let value = move || {
        input
            .get_untracked()
            .map(|input| input.value())
            .unwrap_or_default()
    };
    Effect::new(move || {
        if let Some(input) = input.get() {
            focus(&input);
            input.select();
        }
    });
    let keydown = move |event: ev::KeyboardEvent| {
        if event.is_composing() || event.key_code() == 229 {
            return;
        }
        match event.key().as_str() {
            "Enter" => {
                event.prevent_default();
                on_save.run(value());
            }
            "Escape" => {
                event.prevent_default();
                on_cancel.run(());
            }
            _ => {}
        }
    };
    view! { class="a",
        <input
            type="text"
            part="thread-rename"
            class="thread-rename"
            aria-label=strings::CONVERSATION_NAME
            dir="auto"
            maxlength="200"
            prop:value=name
            node_ref=input
            on:keydown=keydown
            on:blur=move |_| on_leave.run(value())
        />
    }
}
