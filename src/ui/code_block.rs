//! A code block with its language and a way to copy it.

use leptos::{prelude::*, web_sys};
use wasm_bindgen_futures::JsFuture;

use super::strings;

#[component]
pub(super) fn CodeBlock(language: Option<String>, text: String) -> impl IntoView {
    let copied = RwSignal::new(false);
    let code = StoredValue::new(text.clone());
    let copy = move |event: leptos::ev::MouseEvent| {
        let Some(clipboard) = clipboard(&event) else {
            return;
        };
        let writing = JsFuture::from(clipboard.write_text(&code.get_value()));
        leptos::task::spawn_local(async move {
            if writing.await.is_ok() {
                let _ = copied.try_set(true);
            }
        });
    };
    view! { class="a",
        <div class="code">
            <div class="code-head">
                <span class="code-language" dir="ltr">{language.unwrap_or_default()}</span>
                <button type="button" class="link-button" on:click=copy on:blur=move |_| copied.set(false)>
                    {move || if copied.get() { strings::COPIED } else { strings::COPY }}
                </button>
            </div>
            <pre dir="ltr" tabindex="0"><code>{text}</code></pre>
        </div>
    }
}

/// The clipboard of the page around the button; `None` on pages that are not served securely.
fn clipboard(event: &leptos::ev::MouseEvent) -> Option<web_sys::Clipboard> {
    let navigator = event.view()?.navigator();
    let clipboard = navigator.clipboard();
    let there: &leptos::wasm_bindgen::JsValue = clipboard.as_ref();
    (!there.is_undefined()).then_some(clipboard)
}
