//! A code block with its language and a way to copy it.

use leptos::{ev, prelude::*, web_sys};
use wasm_bindgen_futures::JsFuture;

use super::{
    erased::{on, text},
    strings,
};

pub(super) fn code_block(language: String, code: String) -> AnyView {
    let copied = RwSignal::new(false);
    let copy = {
        let code = code.clone();
        move |event: ev::MouseEvent| {
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
    let forget = move |_: ev::FocusEvent| {
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
    view! { class="a",
        <div class="code">
            <div class="code-head">
                <span class="code-language" dir="ltr">{language}</span>
                <button
                    type="button"
                    class="link-button"
                    on:click=on(copy)
                    on:blur=on(forget)
                >
                    {text(label)}
                </button>
            </div>
            <pre dir="ltr" tabindex="0"><code>{code}</code></pre>
        </div>
    }
    .into_any()
}

/// The clipboard of the page around the button; `None` on pages that are not served securely.
fn clipboard(event: &ev::MouseEvent) -> Option<web_sys::Clipboard> {
    let clipboard = event.view()?.navigator().clipboard();
    let there: &leptos::wasm_bindgen::JsValue = clipboard.as_ref();
    (!there.is_undefined()).then_some(clipboard)
}
