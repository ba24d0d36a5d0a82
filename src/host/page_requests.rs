//! Requests of the page through the element's methods, and messages as it writes them.

use assent_conversation::{ContentItem, Request, ThreadId};
use assent_i18n::Texts;
use js_sys::{Array, Function, Reflect};
use wasm_bindgen::JsValue;

use super::details;
use assent_client::Settle;

/// Parses the call of a method into a request. An unreadable one becomes a request that fails.
pub(super) fn request(name: &str, arguments: &Array) -> Request {
    let text = |at| arguments.get(at).as_string().unwrap_or_default();
    let thread = ThreadId(text(0));
    match name {
        "newThread" => Request::NewThread,
        "openThread" => Request::OpenThread(thread),
        "renameThread" => Request::RenameThread(thread, text(1)),
        "deleteThread" => Request::DeleteThread(thread),
        "forget" => Request::Forget,
        _ => Request::Send(content(&arguments.get(0))),
    }
}

/// Parses a message as the page writes it: a text, or a list of items. Empty if any of it cannot be
/// read.
pub(super) fn content(value: &JsValue) -> Vec<ContentItem> {
    if let Some(text) = value.as_string() {
        return vec![ContentItem::Text(text)];
    }
    if !Array::is_array(value) {
        return Vec::new();
    }
    let items = Array::from(value);
    let items: Option<_> = items.iter().map(|value| item(&value)).collect();
    items.unwrap_or_default()
}

fn item(value: &JsValue) -> Option<ContentItem> {
    // Made by the page: it may be anything, and its getters may throw.
    let member = |name: &str| Reflect::get(value, &name.into()).ok()?.as_string();
    match member("type")?.as_str() {
        "text" => member("text").map(ContentItem::Text),
        "document" => member("fileId").map(ContentItem::Document),
        "image" => member("imageId").map(ContentItem::Image),
        _ => None,
    }
}

/// Returns a callback that calls one of the two functions of a promise.
pub(super) fn settle(texts: Texts, resolve: Function, reject: Function) -> Settle {
    Box::new(move |end| {
        // The functions of a promise do not throw.
        match end {
            Ok(()) => resolve.call0(&JsValue::UNDEFINED),
            Err(failure) => reject.call1(&JsValue::UNDEFINED, &details::error(texts, &failure)),
        }
        .ok();
    })
}
