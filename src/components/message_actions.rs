//! The buttons below a finished message: the one that copies the message.

use std::time::Duration;

use assent_conversation::{Announcement, BatchId, MessageStatus};
use js_sys::Promise;
use leptos::{
    prelude::*,
    wasm_bindgen::JsValue,
    web_sys::{self, FocusEvent, MouseEvent},
};
use wasm_bindgen_futures::JsFuture;

use super::{listener::boxed_listener, renderer::copy_drawn, show::Show, strings};
use crate::store::{ApprovalView, MessageHead, MessageText, Store};

/// Time for which the button that copies says that it has copied.
const COPIED_DURATION: Duration = Duration::from_secs(3);

/// The buttons below a message, once it is complete and every request for approval in it is
/// decided. Pages that are not served securely have no clipboard, and no buttons.
#[component]
pub(super) fn MessageActions(
    head: RwSignal<MessageHead>,
    text: RwSignal<MessageText>,
    approvals: RwSignal<Vec<(BatchId, ArcRwSignal<ApprovalView>)>>,
    is_own: bool,
) -> impl IntoView {
    let has_clipboard = clipboard().is_some();
    let is_there = move || {
        has_clipboard
            && head.with(|head| head.status != MessageStatus::Streaming)
            && text.with(|text| !text.text.trim().is_empty())
            && approvals.with(|batches| !batches.iter().any(is_pending))
    };
    view! {
        <Show when=is_there>
            <div class="message-actions">
                <CopyButton is_drawn=!is_own text/>
            </div>
        </Show>
    }
}

/// The button that copies a message, and says so for a moment or until the focus leaves it. If
/// `is_drawn`, the message is copied as it is drawn, and as its text for targets that take only
/// text.
#[component]
fn CopyButton(is_drawn: bool, text: RwSignal<MessageText>) -> impl IntoView {
    let texts = strings::texts();
    let copied = RwSignal::new(false);
    let store = expect_context::<Store>();
    let copy = move |event: MouseEvent| {
        let drawn = is_drawn.then(|| answer_above(&event)).flatten();
        let written = text.with_untracked(|text| text.text.clone());
        let Some(writing) = write_to_clipboard(&written, drawn.as_ref()) else {
            return;
        };
        leptos::task::spawn_local(async move {
            if JsFuture::from(writing).await.is_ok() {
                // The message may be gone by now.
                copied.try_set(true);
                store.announce_from_view(Announcement::Copied);
                let no_more = move || {
                    copied.try_set(false);
                };
                set_timeout(no_more, COPIED_DURATION);
            }
        });
    };
    let label = move || {
        if copied.get() {
            texts.get(strings::MESSAGE_COPIED)
        } else {
            texts.get(strings::COPY_MESSAGE)
        }
    };
    let left = move |_: FocusEvent| {
        copied.try_set(false);
    };
    view! {
        <button
            type="button"
            class="link-button"
            on:click=boxed_listener(copy)
            on:blur=boxed_listener(left)
        >
            {label}
        </button>
    }
}

fn is_pending((_, batch): &(BatchId, ArcRwSignal<ApprovalView>)) -> bool {
    batch.with(|it| it.batch.is_pending())
}

/// Returns the clipboard of the page; `None` on pages that are not served securely.
fn clipboard() -> Option<web_sys::Clipboard> {
    let clipboard = window().navigator().clipboard();
    let there: &JsValue = clipboard.as_ref();
    (!there.is_undefined()).then_some(clipboard)
}

/// Writes a message to the clipboard: as it is drawn in the element `drawn` if the renderer can,
/// else as `text`. `None` if the browser has no clipboard.
fn write_to_clipboard(text: &str, drawn: Option<&web_sys::Element>) -> Option<Promise> {
    let rich = drawn.and_then(|answer| copy_drawn(answer, text));
    rich.or_else(|| Some(clipboard()?.write_text(text)))
}

/// Returns the element of the answer above the pressed button.
fn answer_above(event: &MouseEvent) -> Option<web_sys::Element> {
    let message = event_target::<web_sys::Element>(event).closest(".message");
    message.ok()??.query_selector(":scope > .answer").ok()?
}
