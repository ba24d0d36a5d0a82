//! The question before a conversation is deleted.
//!
//! It lies over the widget alone: a modal dialog of the browser would take the page around the widget out of reach, too.

use std::sync::Arc;

use assent_conversation::Intent;
use leptos::{
    prelude::*,
    web_sys::{HtmlElement, KeyboardEvent},
};

use super::{
    app::ToDelete,
    button::button,
    dispatch::Dispatch,
    element::el,
    erased::{ElementRef, follow, show, when_there},
    focus::{focus, focus_named, focus_part, focused},
    strings,
};

/// `root` is the widget's outermost element.
pub(super) fn confirm_delete(to_delete: ToDelete, root: ElementRef, dispatch: Dispatch) -> AnyView {
    let texts = strings::texts();
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
            strings::actions_for(texts, &name)
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
    let texts = strings::texts();
    let (cancel, delete) = (ElementRef::new(), ElementRef::new());
    when_there(cancel, focus);
    let escape = Arc::clone(&answer);
    let keydown = move |event: KeyboardEvent| {
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
    let title = el("p", "dialog-title")
        .attr("id", "delete-question")
        .text(texts.get(strings::DELETE_QUESTION));
    let warning = el("p", "dialog-text")
        .attr("id", "delete-warning")
        .attr("dir", "auto")
        .text(&texts.fill(strings::DELETE_WARNING, &[("name", name)]));
    let cancel_button = button("button", texts.get(strings::CANCEL), move |_| answer(false));
    let delete_button = button("button danger", texts.get(strings::DELETE), move |_| {
        confirm(true);
    });
    let buttons = el("div", "buttons")
        .child(cancel_button.node_ref(cancel))
        .child(delete_button.node_ref(delete));
    let dialog = el("div", "dialog")
        .attr("role", "alertdialog")
        .attr("aria-modal", "true")
        .attr("aria-labelledby", "delete-question")
        .attr("aria-describedby", "delete-warning")
        .on("keydown", keydown)
        .child(title)
        .child(warning)
        .child(buttons);
    el("div", "dialog-layer").child(dialog).view()
}
