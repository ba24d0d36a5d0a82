//! The question before something is taken away for good.
//!
//! It lies over the widget alone: a modal dialog of the browser would take the page around the widget out of reach, too.

use std::sync::Arc;

use assent_conversation::Intent;
use assent_i18n::Text;
use leptos::{
    prelude::*,
    web_sys::{HtmlElement, KeyboardEvent},
};

use super::{
    app::{Confirm, ToConfirm},
    button::button,
    dispatch::Dispatch,
    element::el,
    erased::{ElementRef, follow, show, when_there},
    focus::{focus, focus_named, focus_part, focused},
    strings,
};

/// `root` is the widget's outermost element.
pub(super) fn confirm(to_confirm: ToConfirm, root: ElementRef, dispatch: Dispatch) -> AnyView {
    let texts = strings::texts();
    // Where the focus goes once the question is gone and the rest can be reached again.
    let back_to = StoredValue::new(None::<String>);
    {
        follow(move || {
            let asks = to_confirm.with(Option::is_some);
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
    let asked = to_confirm;
    let answer = Arc::new(move |is_confirmed: bool| {
        let Some(what) = to_confirm.with_untracked(Clone::clone) else {
            return;
        };
        let back = match &what {
            // The row of a deleted one is about to go, and its menu with it.
            Confirm::Delete(..) if is_confirmed => String::new(),
            Confirm::Delete(_, name) => strings::actions_for(texts, name),
            Confirm::Clear => texts.get(strings::MORE).to_owned(),
        };
        back_to.set_value(Some(back));
        to_confirm.set(None);
        if is_confirmed {
            dispatch.send(match what {
                Confirm::Delete(thread, _) => Intent::DeleteThread(thread),
                Confirm::Clear => Intent::ForgetDevice,
            });
        }
    });
    let open = asked;
    show(
        move || open.with(Option::is_some),
        move || {
            let Some(what) = asked.with_untracked(Clone::clone) else {
                return ().into_any();
            };
            let answer = Arc::clone(&answer) as Answer;
            match what {
                Confirm::Delete(_, name) => {
                    let warning = texts.fill(strings::DELETE_WARNING, &[("name", &name)]);
                    question(strings::DELETE_QUESTION, &warning, strings::DELETE, answer)
                }
                Confirm::Clear => {
                    let warning = texts.get(strings::CLEAR_WARNING);
                    question(strings::CLEAR_QUESTION, warning, strings::CLEAR, answer)
                }
            }
        },
    )
}

/// Takes whether to delete.
type Answer = Arc<dyn Fn(bool) + Send + Sync>;

fn question(title: Text, warning: &str, confirm: Text, answer: Answer) -> AnyView {
    let texts = strings::texts();
    let (cancel, go) = (ElementRef::new(), ElementRef::new());
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
                    go
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
    let confirmed = Arc::clone(&answer);
    let heading = el("p", "dialog-title")
        .attr("id", "question")
        .text(texts.get(title));
    let text = el("p", "dialog-text")
        .attr("id", "warning")
        .attr("dir", "auto")
        .text(warning);
    let cancel_button = button("button", texts.get(strings::CANCEL), move |_| answer(false));
    let go_button = button("button danger", texts.get(confirm), move |_| {
        confirmed(true);
    });
    let buttons = el("div", "buttons")
        .child(cancel_button.node_ref(cancel))
        .child(go_button.node_ref(go));
    let dialog = el("div", "dialog")
        .attr("role", "alertdialog")
        .attr("aria-modal", "true")
        .attr("aria-labelledby", "question")
        .attr("aria-describedby", "warning")
        .on("keydown", keydown)
        .child(heading)
        .child(text)
        .child(buttons);
    el("div", "dialog-layer").child(dialog).view()
}
