//! What can be done with a message that is there: copying it.

use assent_conversation::MessageStatus;
use js_sys::{Array, Function, Promise, Reflect};
use leptos::{
    prelude::*,
    wasm_bindgen::{JsCast, JsValue},
    web_sys::{self, FocusEvent, MouseEvent},
};
use wasm_bindgen_futures::JsFuture;

use super::{
    button::bare_button,
    element::{Element, el},
    erased::{show, text},
    record::record,
    strings,
};
use crate::view::{MessageRow, MessageText, Watched};

/// What of an answer's nodes is no part of what it says.
const TOOLS: &str = "button, svg, .code-head, .image:not(.loaded)";

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
            actions.child(button(strings::COPY, Form::Text))
        } else {
            actions
                .child(button(strings::COPY_ANSWER, Form::Rich))
                .child(button(strings::COPY_AS_MARKDOWN, Form::Text))
        };
        actions.view()
    })
}

fn copy_button(name: &'static str, form: Form, words: Watched<MessageText>) -> Element {
    let copied = Watched::new(false);
    let copy = {
        let copied = copied.clone();
        move |event: MouseEvent| {
            let rich = (form == Form::Rich).then(|| drawn(&event)).flatten();
            let written = words.peek(|it| it.text.clone());
            let Some(writing) = write(&written, rich.as_deref()) else {
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
        move || if copied.get() { strings::COPIED } else { name }.to_owned()
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

/// The answer that the button is below, as markup. Its nodes are the widget's own: none of them acts.
fn drawn(event: &MouseEvent) -> Option<String> {
    let message = event_target::<web_sys::Element>(event).closest(".message");
    let answer = message.ok()??.query_selector(":scope > .answer").ok()??;
    let copy: web_sys::Element = answer.clone_node_with_deep(true).ok()?.unchecked_into();
    let tools = copy.query_selector_all(TOOLS).ok()?;
    for tool in 0..tools.length() {
        if let Some(tool) = tools.item(tool) {
            tool.unchecked_into::<web_sys::Element>().remove();
        }
    }
    let serializer = web_sys::XmlSerializer::new().ok()?;
    serializer.serialize_to_string(&copy).ok()
}

/// Writes both forms at once where the browser can.
fn write(text: &str, rich: Option<&str>) -> Option<Promise> {
    let clipboard = clipboard()?;
    let item = rich.and_then(|rich| {
        let forms = [
            ("text/plain", blob("text/plain", text)?),
            ("text/html", blob("text/html", rich)?),
        ];
        construct("ClipboardItem", &Array::of1(&record(forms)))
    });
    Some(match item {
        Some(item) => clipboard.write(&Array::of1(&item)),
        None => clipboard.write_text(text),
    })
}

fn blob(kind: &str, content: &str) -> Option<JsValue> {
    let parts = Array::of1(&content.into());
    construct(
        "Blob",
        &Array::of2(&parts, &record([("type", kind.into())])),
    )
}

/// A new object of this class of the browser, which may not have it.
fn construct(class: &str, arguments: &Array) -> Option<JsValue> {
    let class = Reflect::get(&js_sys::global(), &class.into()).ok()?;
    Reflect::construct(class.dyn_ref::<Function>()?, arguments).ok()
}
