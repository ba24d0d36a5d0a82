//! What waits for the person with all agents, and its cards, instead of a conversation (attribute
//! `view`, extension `inbox`).
//!
//! The core opens the conversation of the card that is chosen, as it does for the list of
//! conversations, so that the card is the one of the chat, with all its rules. What is drawn of that
//! conversation are its cards alone.

mod entry;
mod list;
mod opened;
mod told;

use assent_conversation::{LoadState, ThreadId};
use leptos::{prelude::*, web_sys::KeyboardEvent};

use self::{list::List, opened::OpenedThread, told::Inbox};
use crate::{
    components::{attribute::attribute, effect::memo, listener::boxed_listener, strings},
    store::Store,
};

/// The list of what waits, or the cards of the conversation that was chosen in it.
#[component]
pub(super) fn Approvals() -> impl IntoView {
    let texts = strings::texts();
    let Store {
        threads,
        transcript,
        ..
    } = expect_context();
    let inbox = Inbox::from_context();
    inbox.follow();
    let open = memo(move || threads.with(|it| it.open.clone()));
    let state = move || {
        let load = match open.with(Option::is_some) {
            true => transcript.load.get(),
            false => inbox.load(),
        };
        match load {
            LoadState::Loading => "loading",
            LoadState::Ready => "ready",
            LoadState::Failed(_) => "failed",
        }
    };
    let escape = move |event: KeyboardEvent| {
        // The widget's own meaning of the key, which ends an answer, is for who reads that.
        if event.key() == "Escape" && !event.default_prevented() && !event.is_composing() {
            event.prevent_default();
            if open.with_untracked(Option::is_some) {
                inbox.go_back(&event_target(&event));
            }
        }
    };
    let content = move |open: Option<ThreadId>| match open {
        Some(thread) => view! { <OpenedThread thread inbox/> }.into_any(),
        None => view! { <List inbox/> }.into_any(),
    };
    view! {
        <div class="transcript-frame">
            <div
                part="transcript"
                class="transcript"
                role="region"
                aria-label=texts.get(strings::extra::ALL_DECISIONS)
                {..attribute("tabindex", "0")}
                data-state=state
                on:keydown=boxed_listener(escape)
            >
                <div class="transcript-content approvals">{move || content(open.get())}</div>
            </div>
        </div>
    }
}
