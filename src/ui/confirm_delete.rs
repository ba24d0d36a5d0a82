//! The question before a conversation is deleted.

use assent_conversation::{Intent, ThreadId};
use leptos::{ev, html, prelude::*};

use super::{dispatch::Dispatch, strings};

#[component]
pub(super) fn ConfirmDelete(
    to_delete: RwSignal<Option<(ThreadId, String)>>,
    dispatch: Dispatch,
) -> impl IntoView {
    let dialog: NodeRef<html::Dialog> = NodeRef::new();
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        // A modal dialog of the browser: the top layer, the focus inside, and back where it was.
        match to_delete.with(Option::is_some) {
            true if !dialog.open() => {
                // It fails where the dialog is not in the page, and then there is nothing to ask.
                dialog.show_modal().ok();
            }
            false if dialog.open() => dialog.close(),
            _ => {}
        }
    });
    let warning =
        move || to_delete.with(|it| it.as_ref().map(|(_, name)| strings::delete_warning(name)));
    let confirm = move |_| {
        if let Some((thread, _)) = to_delete.get_untracked() {
            to_delete.set(None);
            dispatch.send(Intent::DeleteThread(thread));
        }
    };
    // Escape is the dialog's own; the panel around must not close with it.
    let keydown = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.prevent_default();
            to_delete.set(None);
        }
    };
    view! { class="a",
        <dialog
            class="dialog"
            role="alertdialog"
            aria-labelledby="delete-question"
            aria-describedby="delete-warning"
            node_ref=dialog
            on:keydown=keydown
            on:close=move |_| to_delete.set(None)
        >
            <h3 id="delete-question" class="dialog-title">{strings::DELETE_QUESTION}</h3>
            <p id="delete-warning" class="dialog-text">{warning}</p>
            <div class="buttons">
                <button type="button" class="button" autofocus on:click=move |_| to_delete.set(None)>
                    {strings::CANCEL}
                </button>
                <button type="button" class="button danger" on:click=confirm>{strings::DELETE}</button>
            </div>
        </dialog>
    }
}
