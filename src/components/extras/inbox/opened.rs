//! The cards of the conversation that was chosen in the list of what waits.

use assent_conversation::{BatchId, LoadState, ThreadId};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{entry::place_text, told::Inbox};
use crate::{
    components::{
        approval::LazyCard,
        effect::memo,
        listener::boxed_listener,
        rows::{Row, rows},
        show::Show,
        strings,
        transcript::LoadNote,
    },
    store::{ApprovalView, Store},
};

/// A batch with its signal.
type Batch = (BatchId, ArcRwSignal<ApprovalView>);

/// The cards of a conversation that wait, or waited when it was opened, with the ways back and on.
#[component]
pub(super) fn OpenedThread(thread: ThreadId, inbox: Inbox) -> impl IntoView {
    let texts = strings::texts();
    let transcript = expect_context::<Store>().transcript;
    // What is decided is not told any more, but its place is still shown.
    let place = Memo::new(move |before: Option<&String>| {
        let batch = inbox.first_of(&thread);
        let before = before.cloned().unwrap_or_default();
        batch.map_or(before, |batch| place_text(texts, &batch))
    });
    let seen = StoredValue::new(Vec::<BatchId>::new());
    let batches = move || -> Vec<Batch> {
        let rows = transcript.rows.get().into_iter();
        let all = rows.flat_map(|row| row.approvals.get());
        let is_shown = |(id, batch): &Batch| {
            let waits = batch.with(|it| it.batch.is_pending());
            let was_seen = seen.with_value(|it| it.contains(id));
            if waits && !was_seen {
                seen.update_value(|it| it.push(id.clone()));
            }
            waits || was_seen
        };
        all.filter(is_shown).collect()
    };
    let is_open = memo(move || {
        let is_open = |(_, batch): &Batch| batch.with(|it| it.batch.is_deciding());
        batches().iter().any(is_open)
    });
    let is_loaded = move || transcript.load.with(|it| *it == LoadState::Ready);
    let is_done = memo(move || is_loaded() && !is_open.get());
    let next = memo(move || inbox.next());
    let said = move || {
        let said = match (batches().is_empty(), next.with(Option::is_some)) {
            _ if !is_done.get() => return "",
            (true, _) => strings::extra::WAITS_NO_MORE,
            (false, true) => return "",
            (false, false) => strings::extra::NOTHING_WAITS,
        };
        texts.get(said)
    };
    let card = |(id, batch): Batch| {
        Row::new(id.as_str(), move || {
            let view = RwSignal::from(batch.clone());
            view! { <LazyCard view/> }
        })
    };
    let go_on = move |event: MouseEvent| {
        if let Some(next) = next.get_untracked() {
            inbox.open(&event_target(&event), next);
        }
    };
    view! {
        <div class="approvals-place">
            <button
                type="button"
                class="button"
                on:click=boxed_listener(move |event: MouseEvent| {
                    inbox.go_back(&event_target(&event));
                })
            >
                {texts.get(strings::extra::ALL_DECISIONS)}
            </button>
            <p dir="auto">{move || place.get()}</p>
        </div>
        <LoadNote load=transcript.load/>
        {rows(move || batches().into_iter().map(card).collect())}
        <p class="approvals-said" role="status">
            {said}
        </p>
        <Show when=move || is_done.get() && next.with(Option::is_some)>
            <div class="buttons">
                <button type="button" class="button" on:click=boxed_listener(go_on)>
                    {texts.get(strings::extra::NEXT_ONE)}
                </button>
            </div>
        </Show>
    }
}
