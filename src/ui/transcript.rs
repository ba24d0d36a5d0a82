//! The messages of the open conversation.

use assent_conversation::{Intent, Load};
use leptos::{html, prelude::*};

use super::{
    dispatch::Dispatch, failure_note::FailureNote, icons, message::Message, scroll::Scroll, strings,
};
use crate::view::{ComposerView, Settings, TranscriptView};

#[component]
pub(super) fn Transcript(
    transcript: TranscriptView,
    composer: ArcRwSignal<ComposerView>,
    settings: Settings,
    heading: Signal<String>,
    dispatch: Dispatch,
) -> impl IntoView {
    let area: NodeRef<html::Div> = NodeRef::new();
    let content: NodeRef<html::Div> = NodeRef::new();
    let scroll = Scroll::new(area, content);
    {
        // Another conversation is read from its end.
        let conversation = transcript.conversation.clone();
        Effect::new(move || {
            conversation.track();
            scroll.to_end();
        });
    }
    {
        // Who sends a message wants to see it.
        let rows = transcript.rows.clone();
        Effect::new(move |before: Option<usize>| {
            let own = rows.with(|rows| {
                rows.iter()
                    .filter(|row| row.text.with_untracked(|text| !text.is_empty()))
                    .count()
            });
            if before.is_some_and(|before| own > before) {
                scroll.to_end();
            }
            own
        });
    }
    let load = transcript.load.clone();
    let state = move || match load.get() {
        Load::Loading => "loading",
        Load::Ready => "ready",
        Load::Failed(_) => "failed",
    };
    let load = transcript.load.clone();
    let fresh = Memo::new(move |_| composer.with(|composer| composer.fresh));
    let rows = transcript.rows.clone();
    let message_settings = settings.clone();
    view! { class="a",
        <div class="transcript-frame">
            <div
                part="transcript"
                class="transcript"
                role="region"
                aria-label=strings::MESSAGES
                tabindex="0"
                data-state=state
                node_ref=area
                on:scroll=move |_| scroll.moved()
                on:wheel=move |event| {
                    if event.delta_y() < 0.0 {
                        scroll.release();
                    }
                }
            >
                <div class="transcript-content" node_ref=content>
                    <Show when=move || fresh.get()>
                        <Greeting greeting=settings.greeting.clone()/>
                    </Show>
                    {move || match load.get() {
                        Load::Loading => Some(view! { class="a", <Bones/> }.into_any()),
                        Load::Failed(failure) => Some(view! { class="a",
                            <FailureNote
                                failure
                                on_retry=Callback::new(move |()| dispatch.send(Intent::ReloadMessages))
                            />
                        }.into_any()),
                        Load::Ready => None,
                    }}
                    <For
                        each=move || rows.get()
                        key=|row| row.key
                        children=move |row| {
                            let activity = message_settings.activity.clone();
                            view! { class="a", <Message row activity heading dispatch/> }
                        }
                    />
                </div>
            </div>
            <Show when=move || scroll.away()>
                <button
                    type="button"
                    part="jump"
                    class="jump"
                    aria-label=strings::JUMP
                    title=strings::JUMP
                    on:click=move |_| scroll.to_end()
                >
                    {icons::down()}
                </button>
            </Show>
        </div>
    }
}

#[component]
fn Greeting(greeting: ArcRwSignal<Option<String>>) -> impl IntoView {
    let text = move || {
        greeting
            .get()
            .unwrap_or_else(|| strings::GREETING.to_owned())
    };
    view! { class="a",
        <div class="greeting">
            <span class="greeting-mark">{icons::shield()}</span>
            <p class="greeting-text" dir="auto">{text}</p>
            <p class="greeting-hint">{strings::GREETING_HINT}</p>
        </div>
    }
}

#[component]
fn Bones() -> impl IntoView {
    view! { class="a",
        <div class="bones" role="status" aria-label=strings::LOADING>
            <span class="bone short"></span>
            <span class="bone"></span>
            <span class="bone"></span>
            <span class="bone short"></span>
            <span class="bone"></span>
        </div>
    }
}
