//! The question before something is deleted for good.
//!
//! It lies over the widget alone: a modal dialog of the browser would take the page around the
//! widget out of reach, too.

use assent_conversation::{Intent, ThreadId};
use assent_i18n::{Text, Texts};
use leptos::{
    html::{Button, Div},
    prelude::*,
    web_sys::{HtmlButtonElement, KeyboardEvent},
};

use super::{
    attribute::attribute,
    dispatch::Dispatch,
    effect::{effect, on_load},
    focus::{focus, focus_named, focus_part, focused},
    listener::on,
    show::Show,
    strings,
};

/// An action that needs the user's confirmation.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Confirm {
    /// Delete this conversation, of this name.
    Delete(ThreadId, String),
    /// Delete everything stored on the device.
    Clear,
}

/// The open question for confirmation. It is in the context of all components.
pub(super) type ToConfirm = RwSignal<Option<Confirm>>;

/// The question that is open, if there is one. `root` is the widget's outermost element.
#[component]
pub(super) fn ConfirmDialog(root: NodeRef<Div>) -> impl IntoView {
    let texts = strings::texts();
    let to_confirm = expect_context::<ToConfirm>();
    let dispatch = expect_context::<Dispatch>();
    // The target of the focus once the question is gone and the rest can be reached again.
    let back_to = StoredValue::new(None::<String>);
    effect(move || {
        let asks = to_confirm.with(Option::is_some);
        let back = back_to
            .try_update_value(Option::take)
            .flatten()
            .filter(|_| !asks);
        if let (Some(name), Some(root)) = (back, root.get_untracked())
            && !focus_named(&root, &name)
        {
            focus_part(&root, "thread-new");
        }
    });
    let answer = Callback::new(move |is_confirmed: bool| {
        let Some(what) = to_confirm.get_untracked() else {
            return;
        };
        let back = match &what {
            // The row of a deleted conversation is about to go, and its menu with it.
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
    view! {
        <Show when=move || to_confirm.with(Option::is_some)>
            {to_confirm.get_untracked().map(|what| view! { <Question what answer/> })}
        </Show>
    }
}

/// The question itself, with its two buttons. `answer` takes whether to do it.
#[component]
fn Question(what: Confirm, answer: Callback<bool>) -> impl IntoView {
    let texts = strings::texts();
    let (title, warning, confirm) = wording(texts, &what);
    let (cancel, go) = (NodeRef::<Button>::new(), NodeRef::<Button>::new());
    on_load(cancel, |cancel| focus(&cancel));
    let keydown = move |event: KeyboardEvent| {
        match event.key().as_str() {
            "Escape" => answer.run(false),
            "Tab" => focus_other(cancel, go),
            _ => return,
        }
        event.prevent_default();
    };
    view! {
        <div class="dialog-layer">
            <div
                class="dialog"
                role="alertdialog"
                {..attribute("aria-modal", "true")}
                {..attribute("aria-labelledby", "question")}
                aria-describedby="warning"
                on:keydown=on(keydown)
            >
                <h2 class="dialog-title" id="question">
                    {texts.get(title)}
                </h2>
                <p class="dialog-text" id="warning" dir="auto">{warning}</p>
                <div class="buttons">
                    <button
                        type="button"
                        class="button"
                        node_ref=cancel
                        on:click=on(move |_| answer.run(false))
                    >
                        {texts.get(strings::CANCEL)}
                    </button>
                    <button
                        type="button"
                        class="button danger"
                        node_ref=go
                        on:click=on(move |_| answer.run(true))
                    >
                        {texts.get(confirm)}
                    </button>
                </div>
            </div>
        </div>
    }
}

/// Returns title, warning and name of the button that does it.
fn wording(texts: Texts, what: &Confirm) -> (Text, String, Text) {
    match what {
        Confirm::Delete(_, name) => {
            let warning = texts.fill(strings::DELETE_WARNING, &[("name", name)]);
            (strings::DELETE_QUESTION, warning, strings::DELETE)
        }
        Confirm::Clear => {
            let warning = texts.get(strings::CLEAR_WARNING).to_owned();
            (strings::CLEAR_QUESTION, warning, strings::CLEAR)
        }
    }
}

/// Moves the focus between the two buttons, round and round.
fn focus_other(cancel: NodeRef<Button>, go: NodeRef<Button>) {
    let has_focus =
        |it: &HtmlButtonElement| focused(it).is_some_and(|focused| focused.is_same_node(Some(it)));
    let is_first = cancel.get_untracked().as_ref().is_some_and(has_focus);
    let other = if is_first { go } else { cancel };
    if let Some(other) = other.get_untracked() {
        focus(&other);
    }
}
