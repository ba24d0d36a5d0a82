//! The actions for a finished message: copying it.

use assent_conversation::{Announcement, MessageStatus};
use js_sys::Promise;
use leptos::{
    prelude::*,
    wasm_bindgen::JsValue,
    web_sys::{self, FocusEvent, MouseEvent},
};
use wasm_bindgen_futures::JsFuture;

use super::{listener::on, renderer::copy_drawn, show::Show, strings};
use crate::store::{MessageHead, MessageText, Store};

/// The form of the copied content.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// The answer as it is drawn, and its Markdown for targets that take only text.
    Rich,
    /// The text as it was written.
    Text,
}

/// The buttons below a message, once it is complete. Pages that are not served securely have none.
#[component]
pub(super) fn MessageActions(
    head: RwSignal<MessageHead>,
    text: RwSignal<MessageText>,
    is_own: bool,
) -> impl IntoView {
    let texts = strings::texts();
    let has_clipboard = clipboard().is_some();
    let is_there = move || {
        has_clipboard
            && head.with(|head| head.status != MessageStatus::Streaming)
            && text.with(|text| !text.text.trim().is_empty())
    };
    let buttons = move || {
        if is_own {
            view! { <CopyButton name=texts.get(strings::COPY_MESSAGE) form=Form::Text text/> }
                .into_any()
        } else {
            view! {
                <CopyButton name=texts.get(strings::COPY_ANSWER) form=Form::Rich text/>
                <CopyButton name=texts.get(strings::COPY_AS_MARKDOWN) form=Form::Text text/>
            }
            .into_any()
        }
    };
    view! {
        <Show when=is_there>
            <div class="message-actions">{buttons()}</div>
        </Show>
    }
}

/// A button that confirms the copying, until the focus leaves it.
#[component]
fn CopyButton(name: &'static str, form: Form, text: RwSignal<MessageText>) -> impl IntoView {
    let texts = strings::texts();
    let copied = RwSignal::new(false);
    let store = expect_context::<Store>();
    let copy = move |event: MouseEvent| {
        let drawn = (form == Form::Rich).then(|| answer_above(&event)).flatten();
        let written = text.with_untracked(|text| text.text.clone());
        let Some(writing) = write(&written, drawn.as_ref()) else {
            return;
        };
        leptos::task::spawn_local(async move {
            if JsFuture::from(writing).await.is_ok() {
                // The message may be gone by now.
                copied.try_set(true);
                store.say(Announcement::Copied);
            }
        });
    };
    let label = move || {
        if copied.get() {
            texts.get(strings::MESSAGE_COPIED)
        } else {
            name
        }
    };
    let left = move |_: FocusEvent| {
        copied.try_set(false);
    };
    view! {
        <button type="button" class="link-button" on:click=on(copy) on:blur=on(left)>{label}</button>
    }
}

/// Returns the clipboard of the page; `None` on pages that are not served securely.
fn clipboard() -> Option<web_sys::Clipboard> {
    let clipboard = window().navigator().clipboard();
    let there: &JsValue = clipboard.as_ref();
    (!there.is_undefined()).then_some(clipboard)
}

/// Writes an answer as it is drawn if the renderer can, else the text as it was written.
fn write(text: &str, drawn: Option<&web_sys::Element>) -> Option<Promise> {
    let rich = drawn.and_then(|answer| copy_drawn(answer, text));
    rich.or_else(|| Some(clipboard()?.write_text(text)))
}

/// Returns the answer above the button.
fn answer_above(event: &MouseEvent) -> Option<web_sys::Element> {
    let message = event_target::<web_sys::Element>(event).closest(".message");
    message.ok()??.query_selector(":scope > .answer").ok()?
}
