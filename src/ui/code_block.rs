//! A code block with its language and a way to copy it.

use leptos::{
    prelude::*,
    web_sys::{self, FocusEvent, MouseEvent},
};
use wasm_bindgen_futures::JsFuture;

use super::{
    element::{Element, el},
    erased::text,
    strings,
};

pub(super) fn code_block(language: &str, code: &str) -> Element {
    let copied = RwSignal::new(false);
    let copy = {
        let code = code.to_owned();
        move |event: MouseEvent| {
            let Some(clipboard) = clipboard(&event) else {
                return;
            };
            let writing = JsFuture::from(clipboard.write_text(&code));
            leptos::task::spawn_local(async move {
                if writing.await.is_ok() {
                    // The block may be gone by now.
                    copied.try_set(true);
                }
            });
        }
    };
    // A block that is drawn anew while its button has the focus is gone by then.
    let forget = move |_: FocusEvent| {
        copied.try_set(false);
    };
    let label = move || {
        if copied.get() {
            strings::COPIED
        } else {
            strings::COPY
        }
        .to_owned()
    };
    let copy = el("button", "link-button")
        .attr("type", "button")
        .on("click", copy)
        .on("blur", forget)
        .child(text(label));
    let language = el("span", "code-language")
        .attr("dir", "ltr")
        .text(language);
    let code = el("pre", "")
        .attr("dir", "ltr")
        .attr("tabindex", "0")
        .child(el("code", "").text(code));
    el("div", "code")
        .child(el("div", "code-head").child(language).child(copy))
        .child(code)
}

/// The clipboard of the page around the button; `None` on pages that are not served securely.
fn clipboard(event: &MouseEvent) -> Option<web_sys::Clipboard> {
    let clipboard = event.view()?.navigator().clipboard();
    let there: &leptos::wasm_bindgen::JsValue = clipboard.as_ref();
    (!there.is_undefined()).then_some(clipboard)
}
