//! The list of what waits with all agents.

use assent_conversation::{LoadState, WaitingBatch};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{entry::Entry, told::Inbox};
use crate::components::{
    effect::memo,
    focus::focus_part,
    listener::boxed_listener,
    rows::{Row, rows},
    show::Show,
    strings,
    thread_list::LoadFailure,
};

/// The list: how many decisions wait, and each batch with a button that opens its card; or why there
/// is none.
#[component]
pub(super) fn List(inbox: Inbox) -> impl IntoView {
    let texts = strings::texts();
    let batches = memo(move || inbox.batches());
    let threads = inbox.threads;
    let is_told = memo(move || threads.with(|it| it.has_inbox));
    let count = memo(move || -> usize {
        batches.with(|it| it.iter().map(|batch| batch.tools.len()).sum())
    });
    let has_failed = move || matches!(inbox.load(), LoadState::Failed(_));
    let said = move || {
        texts.get(match inbox.load() {
            LoadState::Failed(_) if is_told.get() => strings::extra::WAITING_FAILED,
            LoadState::Failed(_) => return "",
            LoadState::Ready if !is_told.get() => strings::extra::WAITING_UNKNOWN,
            _ if count.get() > 0 => return "",
            LoadState::Ready if threads.with(|it| it.waiting.is_empty()) => {
                strings::extra::NOTHING_WAITS
            }
            // What is counted already is about to be told.
            LoadState::Ready | LoadState::Loading => strings::LOADING,
        })
    };
    let row = move |batch: WaitingBatch| {
        let key = batch.tool_execution_batch_id.as_str().to_owned();
        Row::new(key, move || {
            let batch = batch.clone();
            view! { <Entry batch inbox/> }
        })
    };
    view! {
        <Show when=move || { count.get() > 0 }>
            <h3 class="approvals-count">{move || strings::decisions_wait_text(texts, count.get())}</h3>
        </Show>
        <p class="approvals-said" role="status">
            {said}
        </p>
        <Show when=move || has_failed() && is_told.get()>
            <div class="buttons">
                <button
                    type="button"
                    class="button"
                    on:click=boxed_listener(move |event: MouseEvent| {
                        focus_part(&event_target(&event), "transcript");
                        inbox.read_again();
                    })
                >
                    {texts.get(strings::RETRY)}
                </button>
            </div>
        </Show>
        <Show when=move || has_failed() && !is_told.get()>
            <LoadFailure/>
        </Show>
        <ul class="rows" role="list">
            {rows(move || batches.get().into_iter().map(row).collect())}
        </ul>
    }
}
