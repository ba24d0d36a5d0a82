//! The messages of the open conversation.

use assent_conversation::{Author, Intent, LoadState, MessageKey, MessageStatus};
use leptos::{
    prelude::*,
    web_sys::{Event, KeyboardEvent, MouseEvent, WheelEvent},
};

use super::{
    attribute::attribute,
    dispatch::Dispatch,
    effect::effect,
    failure_note::FailureNote,
    icons,
    listener::boxed_listener,
    message::Message,
    rows::{Row, rows},
    scroll::{Scroll, ScrollInputs, TurnHead},
    scroll_to_latest::ScrollToLatest,
    show::{Show, nothing},
    strings,
    suggestions::Suggestions,
};
use crate::store::{MessageRow, Settings, Store, TranscriptView};

/// The messages of the open conversation, and the button that scrolls to the last one.
#[component]
pub(super) fn Transcript() -> impl IntoView {
    let texts = strings::texts();
    let store = expect_context::<Store>();
    let (transcript, composer) = (store.transcript, store.composer);
    let (area, content, room) = (NodeRef::new(), NodeRef::new(), NodeRef::new());
    let inputs = ScrollInputs {
        mode: expect_context::<Settings>().scroll,
        composer,
        earlier: transcript.earlier,
        position: transcript.position,
        dispatch: expect_context(),
    };
    let scroll = Scroll::new([area, content, room], inputs);
    provide_context(scroll);
    follow_turns(transcript, scroll);
    let message = |row: MessageRow| {
        Row::new(
            row.key.0.to_string(),
            move || view! { <Message row=row.clone()/> },
        )
    };
    view! {
        <div
            class="transcript-frame"
            data-deciding=move || composer.with(|it| it.deciding > 0).to_string()
        >
            <div
                part="transcript"
                class="transcript"
                role="region"
                aria-label=texts.get(strings::MESSAGES)
                {..attribute("tabindex", "0")}
                data-state=move || transcript.load.with(state_name)
                data-follows=move || scroll.controls_position().to_string()
                node_ref=area
                on:scroll=boxed_listener(move |_: Event| scroll.handle_scroll())
                on:wheel=boxed_listener(move |event: WheelEvent| scroll.handle_wheel(&event))
                on:keydown=boxed_listener(move |event: KeyboardEvent| scroll.handle_key(&event))
            >
                <div
                    class="transcript-content"
                    data-fresh=move || composer.with(|it| it.fresh).to_string()
                    node_ref=content
                >
                    <Show when=move || composer.with(|it| it.fresh)>
                        <Greeting/>
                    </Show>
                    <LoadNote load=transcript.load/>
                    <EarlierButton count=transcript.earlier scroll/>
                    {rows(move || transcript.rows.get().into_iter().map(message).collect())}
                </div>
                <div class="transcript-room" node_ref=room></div>
            </div>
            <ScrollToLatest transcript scroll/>
        </div>
    }
}

/// Returns the value of `data-state` for the transcript (`docs/PARTS.md`).
fn state_name(load: &LoadState) -> &'static str {
    match load {
        LoadState::Loading => "loading",
        LoadState::Ready => "ready",
        LoadState::Failed(_) => "failed",
    }
}

/// Scrolls whenever the transcript changes: when a message is sent, an answer to a decision begins,
/// a conversation is opened, or the rows change otherwise.
fn follow_turns(transcript: TranscriptView, scroll: Scroll) {
    let TranscriptView {
        conversation,
        question,
        rows,
        ..
    } = transcript;
    effect(move || {
        conversation.track();
        let question = question.get();
        let is_sent = rows.with_untracked(|rows| {
            let row = rows.iter().rev().find(|row| Some(row.key) == question);
            row.is_some_and(|row| {
                row.head
                    .with_untracked(|it| it.status == MessageStatus::Sending)
            })
        });
        // After sending, the user wants to see the message; another conversation is read from its
        // end.
        if is_sent {
            scroll.begin_turn(TurnHead::Question);
        } else {
            scroll.scroll_to_first_place();
        }
    });
    let begun = StoredValue::new(None::<MessageKey>);
    effect(move || {
        let answer = rows.with(|rows| answer_without_question(rows));
        if answer.is_some() && begun.get_value() != answer {
            begun.set_value(answer);
            scroll.begin_turn(TurnHead::Answer);
        } else {
            scroll.schedule_update();
        }
    });
}

/// Returns the last message, if it is an answer that is being written and follows a decision
/// instead of a message of the user; `None` otherwise.
fn answer_without_question(rows: &[MessageRow]) -> Option<MessageKey> {
    let [.., before, last] = rows else {
        return None;
    };
    let decided = before
        .approvals
        .with_untracked(|batches| !batches.is_empty());
    let streams = last
        .head
        .with_untracked(|it| it.author != Author::You && it.status == MessageStatus::Streaming);
    (decided && streams).then_some(last.key)
}

/// The note that the messages are being loaded, or could not be loaded; nothing once they are
/// there.
#[component]
pub(super) fn LoadNote(load: RwSignal<LoadState>) -> impl IntoView {
    let dispatch = expect_context::<Dispatch>();
    let retry = Callback::new(move |()| dispatch.send(Intent::ReloadMessages));
    move || match load.get() {
        LoadState::Loading => view! { <MessagePlaceholders/> }.into_any(),
        LoadState::Failed(failure) => view! { <FailureNote failure retry/> }.into_any(),
        LoadState::Ready => nothing(),
    }
}

/// The button that shows older messages, for people who do not scroll. `count` is the number of
/// messages that are not shown; at 0 there is no button.
#[component]
fn EarlierButton(count: RwSignal<usize>, scroll: Scroll) -> impl IntoView {
    let texts = strings::texts();
    view! {
        <Show when=move || { count.get() > 0 }>
            <button
                type="button"
                class="earlier"
                on:click=boxed_listener(move |_: MouseEvent| scroll.show_earlier())
            >
                {texts.get(strings::EARLIER)}
                <span class="earlier-count">{move || count.get().to_string()}</span>
            </button>
        </Show>
    }
}

/// What a conversation without messages shows: a greeting, a hint, and the page's suggestions.
#[component]
fn Greeting() -> impl IntoView {
    let texts = strings::texts();
    let settings = expect_context::<Settings>();
    let greeting = move || {
        let own = settings.greeting.get();
        own.unwrap_or_else(|| texts.get(strings::GREETING).to_owned())
    };
    view! {
        <div class="greeting">
            <span class="greeting-mark">{icons::shield()}</span>
            <h3 class="greeting-text" dir="auto">
                {greeting}
            </h3>
            <p class="greeting-hint">{texts.get(strings::GREETING_HINT)}</p>
            <Suggestions/>
        </div>
    }
}

/// Grey bars in place of messages that are being loaded.
#[component]
fn MessagePlaceholders() -> impl IntoView {
    let bones = ["bone short", "bone", "bone", "bone short", "bone"];
    view! {
        <div class="bones" role="status" aria-label=strings::texts().get(strings::LOADING)>
            {bones.map(|class| view! { <span class=class></span> })}
        </div>
    }
}
