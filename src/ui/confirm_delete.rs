//! The question before a conversation is deleted.
//!
//! It lies over the widget alone: a modal dialog of the browser would take the page around the widget out of reach, too.

use std::sync::Arc;

use assent_conversation::Intent;
use leptos::{ev, prelude::*, web_sys::HtmlElement};

use super::{
    app::ToDelete,
    dispatch::Dispatch,
    erased::{ElementRef, follow, on, show, when_there},
    focus::{focus, focus_named, focus_part, focused},
    strings,
};

#[component]
pub(super) fn ConfirmDelete(
    to_delete: ToDelete,
    /// The widget's outermost element.
    root: ElementRef,
    dispatch: Dispatch,
) -> impl IntoView {
    // Where the focus goes once the question is gone and the rest can be reached again.
    let back_to = StoredValue::new(None::<String>);
    {
        let to_delete = to_delete.clone();
        follow(move || {
            let asks = to_delete.with(Option::is_some);
            let back = back_to
                .try_update_value(Option::take)
                .flatten()
                .filter(|_| !asks);
            if let (Some(name), Some(root)) = (back, root.now())
                && !focus_named(&root, &name)
            {
                focus_part(&root, "thread-new");
            }
        });
    }
    let asked = to_delete.clone();
    let answer = Arc::new(move |delete: bool| {
        let Some((thread, name)) = to_delete.peek(Clone::clone) else {
            return;
        };
        // The row of a deleted one is about to go, and its menu with it.
        let back = if delete {
            String::new()
        } else {
            strings::actions_for(&name)
        };
        back_to.set_value(Some(back));
        to_delete.set(None);
        if delete {
            dispatch.send(Intent::DeleteThread(thread));
        }
    });
    let named = asked.clone();
    show(
        move || asked.with(Option::is_some),
        move || {
            let name = named.peek(|it| it.as_ref().map(|(_, name)| name.clone()));
            question(&name.unwrap_or_default(), Arc::clone(&answer) as Answer)
        },
    )
}

type Answer = Arc<dyn Fn(bool) + Send + Sync>;

fn question(name: &str, answer: Answer) -> AnyView {
    let (cancel, delete) = (ElementRef::new(), ElementRef::new());
    when_there(cancel, focus);
    let escape = Arc::clone(&answer);
    let keydown = move |event: ev::KeyboardEvent| {
        match event.key().as_str() {
            "Escape" => escape(false),
            // The focus goes round among the two buttons.
            "Tab" => {
                let has_focus = |it: &HtmlElement| {
                    focused(it).is_some_and(|focused| focused.is_same_node(Some(it)))
                };
                let other = if cancel.now().as_ref().is_some_and(has_focus) {
                    delete
                } else {
                    cancel
                };
                if let Some(other) = other.now() {
                    focus(&other);
                }
            }
            _ => return,
        }
        event.prevent_default();
    };
    let confirm = Arc::clone(&answer);
    view! { class="a",
        <div class="dialog-layer">
            <div
                class="dialog"
                role="alertdialog"
                aria-modal="true"
                aria-labelledby="delete-question"
                aria-describedby="delete-warning"
                on:keydown=on(keydown)
            >
                <p id="delete-question" class="dialog-title">{strings::DELETE_QUESTION}</p>
                <p id="delete-warning" class="dialog-text" dir="auto">{strings::delete_warning(name)}</p>
                <div class="buttons">
                    <button
                        type="button"
                        class="button"
                        node_ref=cancel
                        on:click=on(move |_: ev::MouseEvent| answer(false))
                    >
                        {strings::CANCEL}
                    </button>
                    <button
                        type="button"
                        class="button danger"
                        node_ref=delete
                        on:click=on(move |_: ev::MouseEvent| confirm(true))
                    >
                        {strings::DELETE}
                    </button>
                </div>
            </div>
        </div>
    }
    .into_any()
}
