//! What is above the message box while the draft has to wait: the question what it is meant for,
//! and the queued messages.

use assent_conversation::{Intent, QueuedMessage};
use leptos::{
    html::{Div, Textarea},
    prelude::*,
    web_sys::{HtmlElement, MouseEvent},
};

use crate::{
    components::{
        attachments::SentFiles,
        attribute::attribute,
        composer_hint::is_asking_purpose,
        dispatch::Dispatch,
        effect::{memo, on_load},
        focus::{focus, focused_element},
        ids::new_id,
        listener::boxed_listener,
        rows::{Row, rows},
        show::Show,
        strings,
    },
    store::Store,
};

/// The queued messages, and the question what the draft is meant for. When the user answers the
/// question, whose element is `question`, the focus moves to `input`, the message box.
#[component]
pub(super) fn QueuedMessages(question: NodeRef<Div>, input: NodeRef<Textarea>) -> impl IntoView {
    let composer = expect_context::<Store>().composer;
    let queued = memo(move || composer.with(|it| it.queued.clone()));
    let row = move |message: QueuedMessage| {
        Row::new(message.key.0.to_string(), move || {
            view! { <QueuedRow message=message.clone() input/> }
        })
    };
    view! {
        <Show when=move || queued.with(|it| !it.is_empty())>
            <div class="queue">{rows(move || queued.get().into_iter().map(row).collect())}</div>
        </Show>
        <Show when=move || composer.with(is_asking_purpose)>
            <Question question input/>
        </Show>
    }
}

/// The question whether the draft is feedback, a message for later, or to be written on, with a
/// button for each.
#[component]
fn Question(question: NodeRef<Div>, input: NodeRef<Textarea>) -> impl IntoView {
    let texts = strings::texts();
    let composer = expect_context::<Store>().composer;
    // After sending by Enter or the button the focus moves to the question; a focus elsewhere stays
    // there. It is on none of the answers: a key that was meant for the box must not press one.
    on_load(question, |question| {
        if is_near_focus(&question) {
            focus(&question);
        }
    });
    let why = move || {
        let deciding = composer.with(|it| it.deciding).max(1);
        texts.plural(strings::extra::ASKED_MEANWHILE, deciding, &[])
    };
    let title = texts.get(strings::extra::WHAT_IS_MEANT);
    let reason = new_id();
    view! {
        <div
            node_ref=question
            class="held"
            role="group"
            {..attribute("tabindex", "-1")}
            aria-label=title
            aria-describedby=reason
        >
            <div class="held-title" aria-hidden="true">
                {title}
            </div>
            <p class="held-text" id=reason.clone()>{why}</p>
            <div class="buttons">
                <QuestionButton
                    name=texts.get(strings::extra::SEND_AS_FEEDBACK)
                    intent=|| Intent::SendAsFeedback
                    input
                />
                <QuestionButton
                    name=texts.get(strings::extra::SEND_AFTERWARDS)
                    intent=|| Intent::SendAfterwards
                    input
                />
                <QuestionButton
                    name=texts.get(strings::extra::KEEP_WRITING)
                    intent=|| Intent::KeepAsDraft
                    input
                />
            </div>
        </div>
    }
}

/// A queued message, with the buttons that move it back into the message box or remove it.
#[component]
fn QueuedRow(message: QueuedMessage, input: NodeRef<Textarea>) -> impl IntoView {
    let texts = strings::texts();
    let QueuedMessage { key, text, files } = message;
    view! {
        <div class="held queued" role="group" aria-label=texts.get(strings::extra::QUEUED)>
            <p class="held-text words" dir="auto">
                {text}
            </p>
            <SentFiles files/>
            <div class="buttons">
                <span class="held-text">{texts.get(strings::SENDS_WHEN_DONE)}</span>
                <QuestionButton
                    name=texts.get(strings::EDIT)
                    intent=move || Intent::EditQueued(key)
                    input
                />
                <QuestionButton
                    name=texts.get(strings::REMOVE)
                    intent=move || Intent::RemoveQueued(key)
                    input
                />
            </div>
        </div>
    }
}

/// A button with the text `name` that moves the focus to the message box, and sends the intent that
/// `intent` returns.
#[component]
fn QuestionButton(
    name: &'static str,
    intent: impl Fn() -> Intent + Send + Sync + 'static,
    input: NodeRef<Textarea>,
) -> impl IntoView {
    let dispatch = expect_context::<Dispatch>();
    let answer = move |_: MouseEvent| {
        if let Some(input) = input.get_untracked() {
            focus(&input);
        }
        dispatch.send(intent());
    };
    view! { <button type="button" class="button" on:click=boxed_listener(answer)>{name}</button> }
}

/// Returns true if the focus is in the form that this element is in.
fn is_near_focus(element: &HtmlElement) -> bool {
    let form = element.closest("form").ok().flatten();
    form.is_some_and(|form| form.contains(focused_element(element).as_deref()))
}
