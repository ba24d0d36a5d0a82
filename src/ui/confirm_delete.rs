//! The question before a conversation is deleted.

use assent_conversation::Intent;
use leptos::{ev, prelude::*, web_sys::HtmlDialogElement};

use super::{
    app::ToDelete,
    dispatch::Dispatch,
    erased::{ElementRef, follow, on, text},
    focus::focus_part,
    strings,
};

#[component]
pub(super) fn ConfirmDelete(to_delete: ToDelete, dispatch: Dispatch) -> impl IntoView {
    let element = ElementRef::new();
    {
        let to_delete = to_delete.clone();
        follow(move || {
            let asks = to_delete.with(Option::is_some);
            let there = element.get().is_some();
            let Some(dialog) = element.now_as::<HtmlDialogElement>().filter(|_| there) else {
                return;
            };
            // A modal dialog of the browser: the top layer, the focus on Cancel, which is first, and back where it was.
            if asks && !dialog.open() {
                // It fails where the dialog is not in the page, and then there is nobody to ask.
                dialog.show_modal().ok();
            } else if !asks && dialog.open() {
                dialog.close();
            }
        });
    }
    let warning = {
        let to_delete = to_delete.clone();
        move || {
            let name =
                to_delete.with(|it| it.as_ref().map(|(_, name)| strings::delete_warning(name)));
            name.unwrap_or_default()
        }
    };
    let confirm = {
        let to_delete = to_delete.clone();
        move |_| {
            if let Some((thread, _)) = to_delete.peek(Clone::clone) {
                if let Some(dialog) = element.now_as::<HtmlDialogElement>() {
                    // The focus goes back to a row that is about to go.
                    dialog.close();
                    focus_part(&dialog, "thread-new");
                }
                to_delete.set(None);
                dispatch.send(Intent::DeleteThread(thread));
            }
        }
    };
    // Escape is the dialog's own; the panel around must not close with it.
    let escaped = to_delete.clone();
    let keydown = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            escaped.set(None);
        }
    };
    let closed = to_delete.clone();
    view! { class="a",
        <dialog
            class="dialog"
            role="alertdialog"
            aria-labelledby="delete-question"
            aria-describedby="delete-warning"
            node_ref=element
            on:keydown=on(keydown)
            on:close=on(move |_| closed.set(None))
        >
            <h3 id="delete-question" class="dialog-title">{strings::DELETE_QUESTION}</h3>
            <p id="delete-warning" class="dialog-text" dir="auto">{text(warning)}</p>
            <div class="buttons">
                <button type="button" class="button" on:click=on(move |_| to_delete.set(None))>
                    {strings::CANCEL}
                </button>
                <button type="button" class="button danger" on:click=on(confirm)>{strings::DELETE}</button>
            </div>
        </dialog>
    }
}
