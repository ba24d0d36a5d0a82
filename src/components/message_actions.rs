//! What can be done with a message that is there: copying it.

use assent_conversation::MessageStatus;
use js_sys::Promise;
use leptos::{
    prelude::*,
    wasm_bindgen::JsValue,
    web_sys::{self, FocusEvent, MouseEvent},
};
use wasm_bindgen_futures::JsFuture;

use super::{
    button::bare_button,
    element::{Element, el},
    erased::{show, text},
    renderer::copy_drawn,
    strings,
};
use crate::store::{MessageRow, MessageText, Watched};

/// What a button copies.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// The answer as it is drawn, and its Markdown for who takes only text.
    Rich,
    /// The text as it was written.
    Text,
}

/// The buttons below a message, as soon as nothing more is to come. Pages that are not served securely have none.
pub(super) fn message_actions(row: &MessageRow, own: bool) -> AnyView {
    let texts = strings::texts();
    if clipboard().is_none() {
        return ().into_any();
    }
    let (head, words) = (row.head.clone(), row.text.clone());
    let there = move || {
        let whole = head.with(|head| head.status != MessageStatus::Streaming);
        whole && words.with(|it| !it.text.trim().is_empty())
    };
    let words = row.text.clone();
    show(there, move || {
        let button = |name, form| copy_button(name, form, words.clone());
        let actions = el("div", "message-actions");
        let actions = if own {
            actions.child(button(texts.get(strings::COPY_MESSAGE), Form::Text))
        } else {
            actions
                .child(button(texts.get(strings::COPY_ANSWER), Form::Rich))
                .child(button(texts.get(strings::COPY_AS_MARKDOWN), Form::Text))
        };
        actions.view()
    })
}

fn copy_button(name: &'static str, form: Form, words: Watched<MessageText>) -> Element {
    let texts = strings::texts();
    let copied = Watched::new(false);
    let copy = {
        let copied = copied.clone();
        move |event: MouseEvent| {
            let drawn = (form == Form::Rich).then(|| answer_above(&event)).flatten();
            let written = words.peek(|it| it.text.clone());
            let Some(writing) = write(&written, drawn.as_ref()) else {
                return;
            };
            let copied = copied.clone();
            leptos::task::spawn_local(async move {
                if JsFuture::from(writing).await.is_ok() {
                    copied.set(true);
                }
            });
        }
    };
    let label = {
        let copied = copied.clone();
        move || {
            if copied.get() {
                texts.get(strings::MESSAGE_COPIED)
            } else {
                name
            }
            .to_owned()
        }
    };
    bare_button("link-button", copy)
        .on("blur", move |_: FocusEvent| copied.set(false))
        .child(text(label))
}

/// The clipboard of the page; `None` on pages that are not served securely.
fn clipboard() -> Option<web_sys::Clipboard> {
    let clipboard = window().navigator().clipboard();
    let there: &JsValue = clipboard.as_ref();
    (!there.is_undefined()).then_some(clipboard)
}

/// Writes an answer as it is drawn where the renderer can, else the text as it was written.
fn write(text: &str, drawn: Option<&web_sys::Element>) -> Option<Promise> {
    let rich = drawn.and_then(|answer| copy_drawn(answer, text));
    rich.or_else(|| Some(clipboard()?.write_text(text)))
}

/// The answer that the button is below.
fn answer_above(event: &MouseEvent) -> Option<web_sys::Element> {
    let message = event_target::<web_sys::Element>(event).closest(".message");
    message.ok()??.query_selector(":scope > .answer").ok()?
}
