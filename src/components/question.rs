//! A question for confirmation, as it is drawn.

use assent_i18n::Text;
use leptos::{
    html::Button,
    prelude::*,
    web_sys::{HtmlButtonElement, KeyboardEvent},
};

use super::{
    attribute::attribute,
    effect::on_load,
    focus::{focus, focused_element},
    listener::boxed_listener,
    strings,
};

/// The title and the warning of a question, and the name of the button that confirms it.
pub(super) type Wording = (Text, String, Text);

/// A question for confirmation, with its two buttons. `answer` is called with true
/// if the user confirms, and with false if not.
#[component]
pub(super) fn Question(wording: Wording, answer: Callback<bool>) -> impl IntoView {
    let texts = strings::texts();
    let (title, warning, confirm) = wording;
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
                on:keydown=boxed_listener(keydown)
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
                        on:click=boxed_listener(move |_| answer.run(false))
                    >
                        {texts.get(strings::CANCEL)}
                    </button>
                    <button
                        type="button"
                        class="button danger"
                        node_ref=go
                        on:click=boxed_listener(move |_| answer.run(true))
                    >
                        {texts.get(confirm)}
                    </button>
                </div>
            </div>
        </div>
    }
}

/// Moves the focus from one of the question's two buttons to the other one.
fn focus_other(cancel: NodeRef<Button>, go: NodeRef<Button>) {
    let has_focus = |it: &HtmlButtonElement| {
        focused_element(it).is_some_and(|focused| focused.is_same_node(Some(it)))
    };
    let is_first = cancel.get_untracked().as_ref().is_some_and(has_focus);
    let other = if is_first { go } else { cancel };
    if let Some(other) = other.get_untracked() {
        focus(&other);
    }
}
