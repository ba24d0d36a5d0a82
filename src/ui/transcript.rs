//! The messages of the open conversation.

use assent_conversation::{Intent, Load};
use leptos::{ev, prelude::*};

use super::{
    app::AgentName,
    dispatch::Dispatch,
    erased::{ElementRef, Key, Row, dynamic, each, follow, on, show, text},
    failure_note::failure_note,
    focus::focus,
    icons,
    message::Message,
    scroll::Scroll,
    strings,
};
use crate::view::{ComposerView, Settings, TranscriptView, Watched};

#[component]
pub(super) fn Transcript(
    transcript: TranscriptView,
    composer: Watched<ComposerView>,
    settings: Settings,
    agent: AgentName,
    dispatch: Dispatch,
) -> impl IntoView {
    let (area, content) = (ElementRef::new(), ElementRef::new());
    let scroll = Scroll::new(area, content);
    {
        // Another conversation is read from its end, and who sends a message wants to see it.
        let (conversation, sent) = (transcript.conversation.clone(), transcript.sent.clone());
        follow(move || {
            conversation.with(|_| ());
            sent.with(|_| ());
            scroll.arrive();
        });
    }
    let load = transcript.load.clone();
    let state = move || match load.get() {
        Load::Loading => "loading",
        Load::Ready => "ready",
        Load::Failed(_) => "failed",
    };
    let load = transcript.load.clone();
    let above = dynamic(move || match load.get() {
        Load::Loading => bones(),
        Load::Failed(failure) => {
            let retry = move || dispatch.send(Intent::ReloadMessages);
            failure_note(None, &failure, Some(Box::new(retry)), None)
        }
        Load::Ready => ().into_any(),
    });
    let greeting = settings.greeting.clone();
    let (rows, can) = (transcript.rows.clone(), composer.clone());
    let messages = each(move || {
        let rows = rows.get();
        let row = |row: crate::view::MessageRow| {
            let (settings, composer, agent) = (settings.clone(), can.clone(), agent.clone());
            Row::new(Key::Number(row.key.0), move || {
                let (row, settings) = (row.clone(), settings.clone());
                let (composer, agent) = (composer.clone(), agent.clone());
                view! { class="a", <Message row settings composer agent dispatch/> }.into_any()
            })
        };
        rows.into_iter().map(row).collect()
    });
    let wheel = move |event: ev::WheelEvent| {
        if event.delta_y() < 0.0 {
            scroll.release();
        }
    };
    let jump = move || {
        // The button goes away with the distance.
        let jump = move |_: ev::MouseEvent| {
            scroll.to_end();
            if let Some(area) = area.now() {
                focus(&area);
            }
        };
        view! { class="a",
            <button
                type="button"
                part="jump"
                class="jump"
                aria-label=strings::JUMP
                title=strings::JUMP
                on:click=on(jump)
            >
                {icons::down()}
            </button>
        }
        .into_any()
    };
    view! { class="a",
        <div class="transcript-frame">
            <div
                part="transcript"
                class="transcript"
                role="region"
                aria-label=strings::MESSAGES
                tabindex="0"
                data-state=move || state()
                node_ref=area
                on:scroll=on(move |_| scroll.moved())
                on:wheel=on(wheel)
            >
                <div class="transcript-content" node_ref=content>
                    {show(move || composer.with(|it| it.fresh), move || greet(greeting.clone()))}
                    {above}
                    {messages}
                </div>
            </div>
            {show(move || scroll.away(), jump)}
        </div>
    }
}

fn greet(greeting: Watched<Option<String>>) -> AnyView {
    let greeting = move || {
        greeting
            .get()
            .unwrap_or_else(|| strings::GREETING.to_owned())
    };
    view! { class="a",
        <div class="greeting">
            <span class="greeting-mark">{icons::shield()}</span>
            <p class="greeting-text" dir="auto">{text(greeting)}</p>
            <p class="greeting-hint">{strings::GREETING_HINT}</p>
        </div>
    }
    .into_any()
}

fn bones() -> AnyView {
    view! { class="a",
        <div class="bones" role="status" aria-label=strings::LOADING>
            <span class="bone short"></span>
            <span class="bone"></span>
            <span class="bone"></span>
            <span class="bone short"></span>
            <span class="bone"></span>
        </div>
    }
    .into_any()
}
