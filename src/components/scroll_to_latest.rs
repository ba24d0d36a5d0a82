//! The button that scrolls to the end of the transcript, with the number of messages that came
//! while the user was away.

use assent_conversation::{Author, ConversationKey, MessageKey};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    attribute::attribute, effect::effect, icons, ids::new_id, listener::boxed_listener,
    scroll::Scroll, show::Show, strings,
};
use crate::store::{MessageRow, Store, TranscriptView};

/// The button that scrolls to the end of the transcript, while the user is away from there. It is
/// not shown in an empty conversation, nor while a batch is to be decided: then the end is its
/// card, whose foot stays in view.
#[component]
pub(super) fn ScrollToLatest(transcript: TranscriptView, scroll: Scroll) -> impl IntoView {
    let (new, rows) = (count_new(transcript, scroll), transcript.rows);
    let composer = expect_context::<Store>().composer;
    let is_away = move || {
        scroll.is_away_from_end()
            && rows.with(|rows| !rows.is_empty())
            && composer.with(|it| it.deciding == 0)
    };
    view! {
        <Show when=is_away>
            <LatestButton new scroll/>
        </Show>
    }
}

/// The button that scrolls to the end, with the number `new` of messages that came since the user
/// was there.
#[component]
fn LatestButton(new: RwSignal<usize>, scroll: Scroll) -> impl IntoView {
    let texts = strings::texts();
    let id = new_id();
    let label = move || match new.get() {
        0 => String::new(),
        new => strings::new_messages(texts, new),
    };
    view! {
        <div class="jump-place">
            <button
                type="button"
                part="jump"
                class="jump"
                aria-label=texts.get(strings::JUMP)
                aria-describedby=id.clone()
                {..attribute("title", texts.get(strings::JUMP))}
                on:click=boxed_listener(move |_: MouseEvent| scroll.scroll_to_latest())
            >
                {icons::down()}
                <Show when=move || { new.get() > 0 }>
                    <span class="jump-count" aria-hidden="true">{move || new.get().to_string()}</span>
                </Show>
            </button>
            <span class="visually-hidden" id=id>
                {label}
            </span>
        </div>
    }
}

/// Returns a signal with the number of messages of agents that came since the user was at the end
/// of the transcript.
fn count_new(transcript: TranscriptView, scroll: Scroll) -> RwSignal<usize> {
    let (conversation, rows) = (transcript.conversation, transcript.rows);
    let new = RwSignal::new(0);
    let seen = StoredValue::new((None::<ConversationKey>, None::<MessageKey>));
    effect(move || {
        let (away, shown) = (scroll.is_away_from_end(), Some(conversation.get()));
        let before = seen.get_value();
        if away && before.0 == shown {
            new.set(rows.with(|rows| count_since(rows, before.1)));
        } else {
            seen.set_value((shown, rows.with(|rows| rows.last().map(|row| row.key))));
            new.set(0);
        }
    });
    new
}

/// Returns the number of messages of agents after the message `seen`; 0 if that message is not
/// among `rows`.
fn count_since(rows: &[MessageRow], seen: Option<MessageKey>) -> usize {
    let seen = rows.iter().rposition(|row| Some(row.key) == seen);
    let later = rows.iter().skip(seen.map_or(rows.len(), |seen| seen + 1));
    later
        .filter(|row| row.head.with_untracked(|head| head.author != Author::You))
        .count()
}
