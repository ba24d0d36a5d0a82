//! The page: a button that opens the chat, the events that it sent, and the chat itself.

use crate::chat::{self, ApprovalAnswered, AssentChat, ThreadChange, UploadContext, UploadedFile};
use leptos::{html::Custom, prelude::*};
use wasm_bindgen::{JsCast, JsError};
use web_sys::{CustomEvent, File, Url};

/// Pretends to upload: send the file to where your service reads it from, and return its id there.
async fn upload(file: File, _context: UploadContext) -> Result<UploadedFile, JsError> {
    Ok(UploadedFile::document(&format!(
        "upload-of-{}",
        file.name()
    )))
}

/// Allows links in answers to TLS pages alone.
fn is_secure(url: Url) -> bool {
    url.protocol() == "https:"
}

/// One line of the list of decisions.
#[derive(Clone)]
struct Line {
    execution_id: String,
    text: String,
}

#[component]
pub(crate) fn App() -> impl IntoView {
    let chat = NodeRef::<Custom<&'static str>>::new();
    let is_shown = RwSignal::new(true);
    let is_dark = RwSignal::new(false);
    let (is_open, set_open) = signal(false);
    let (thread, set_thread) = signal(None::<String>);
    let (decisions, set_decisions) = signal(Vec::<Line>::new());

    let open = move |_| {
        if let Some(Ok(chat)) = chat.get().map(JsCast::dyn_into::<AssentChat>) {
            chat.open();
        }
    };
    let note_decisions = move |event: ApprovalAnswered| {
        let lines = event.detail().decisions().into_iter().map(|run| Line {
            execution_id: run.execution_id(),
            text: format!("{}: {}", run.name(), run.decision()),
        });
        set_decisions.update(|decisions| decisions.extend(lines));
    };

    // With a class for all elements Leptos makes every one by itself; without, it gives static ones
    // to `innerHTML`, which pages that enforce Trusted Types refuse.
    view! { class="page",
        <main>
            <h1>"Assent in Leptos"</h1>
            <p>
                <button on:click=open disabled=move || !is_shown.get()>
                    "Ask us"
                </button>
                <label><input type="checkbox" bind:checked=is_shown /> " Offer the chat "</label>
                <label><input type="checkbox" bind:checked=is_dark /> " Dark"</label>
            </p>
            <p>
                "The chat is " {move || if is_shown.get() && is_open.get() { "open" } else { "closed" }} "."
            </p>
            <p>"Conversation: " {move || thread.get().unwrap_or_else(|| "none yet".to_owned())}</p>
            <ul>
                <For each=move || decisions.get() key=|line| line.execution_id.clone() let(line)>
                    <li>{line.text}</li>
                </For>
            </ul>
            <Show when=move || is_shown.get()>
                <assent-chat
                    node_ref=chat
                    agent-id="demo"
                    mode="launcher"
                    theme=move || if is_dark.get() { "dark" } else { "light" }
                    prop:uploader=chat::uploader(upload)
                    prop:linkPolicy=chat::address_policy(is_secure)
                    on:assent:open=move |_: CustomEvent| set_open.set(true)
                    on:assent:close=move |_: CustomEvent| set_open.set(false)
                    on:assent:thread-change=move |event: ThreadChange| set_thread.set(event.detail().thread_id())
                    on:assent:approval-answered=note_decisions
                />
            </Show>
        </main>
    }
}
