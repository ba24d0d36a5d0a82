//! The messages of the open conversation.

use assent_conversation::{Intent, Load};
use leptos::{
    prelude::*,
    web_sys::{Event, MouseEvent, WheelEvent},
};

use super::{
    app::AgentName,
    dispatch::Dispatch,
    element::el,
    erased::{ElementRef, Key, Row, dynamic, each, follow, show, text},
    failure_note::failure_note,
    focus::focus,
    icons,
    message::message,
    scroll::Scroll,
    strings,
};
use crate::view::{ComposerView, Settings, TranscriptView, Watched};

pub(super) fn transcript(
    transcript: TranscriptView,
    composer: Watched<ComposerView>,
    settings: Settings,
    agent: AgentName,
    dispatch: Dispatch,
) -> AnyView {
    let (area, content) = (ElementRef::new(), ElementRef::new());
    let scroll = Scroll::new(area, content);
    {
        // Another conversation is read from its end, and who sends a message wants to see it.
        let (conversation, sent) = (transcript.conversation, transcript.sent);
        follow(move || {
            conversation.with(|_| ());
            sent.with(|_| ());
            scroll.arrive();
        });
    }
    let load = transcript.load.clone();
    let state = move || {
        load.with(|load| match load {
            Load::Loading => "loading",
            Load::Ready => "ready",
            Load::Failed(_) => "failed",
        })
        .to_owned()
    };
    let load = transcript.load;
    let above = dynamic(move || match load.get() {
        Load::Loading => bones(),
        Load::Failed(failure) => {
            let retry = move || dispatch.send(Intent::ReloadMessages);
            failure_note(None, &failure, Some(Box::new(retry)), None)
        }
        Load::Ready => ().into_any(),
    });
    let greeting = settings.greeting.clone();
    let (rows, can) = (transcript.rows, composer.clone());
    let messages = each(move || {
        let rows = rows.get();
        let row = |row: crate::view::MessageRow| {
            let (settings, composer, agent) = (settings.clone(), can.clone(), agent.clone());
            Row::new(Key::Number(row.key.0), move || {
                let (row, settings) = (row.clone(), settings.clone());
                let (composer, agent) = (composer.clone(), agent.clone());
                message(row, &settings, composer, agent, dispatch)
            })
        };
        rows.into_iter().map(row).collect()
    });
    let wheel = move |event: WheelEvent| {
        if event.delta_y() < 0.0 {
            scroll.release();
        }
    };
    let jump = move || {
        // The button goes away with the distance.
        let jump = move |_: MouseEvent| {
            scroll.to_end();
            if let Some(area) = area.now() {
                focus(&area);
            }
        };
        el("button", "jump")
            .attr("type", "button")
            .attr("part", "jump")
            .attr("aria-label", strings::JUMP)
            .attr("title", strings::JUMP)
            .on("click", jump)
            .child(icons::down())
            .view()
    };
    let fresh = show(
        move || composer.with(|it| it.fresh),
        move || greet(greeting.clone()),
    );
    let content = el("div", "transcript-content")
        .node_ref(content)
        .child(fresh)
        .child(above)
        .child(messages);
    let area = el("div", "transcript")
        .attr("part", "transcript")
        .attr("role", "region")
        .attr("aria-label", strings::MESSAGES)
        .attr("tabindex", "0")
        .follow_text("data-state", state)
        .node_ref(area)
        .on("scroll", move |_: Event| scroll.moved())
        .on("wheel", wheel)
        .child(content);
    el("div", "transcript-frame")
        .child(area)
        .child(show(move || scroll.away(), jump))
        .view()
}

fn greet(greeting: Watched<Option<String>>) -> AnyView {
    let greeting = move || {
        greeting
            .get()
            .unwrap_or_else(|| strings::GREETING.to_owned())
    };
    let greeting = el("p", "greeting-text")
        .attr("dir", "auto")
        .child(text(greeting));
    el("div", "greeting")
        .child(el("span", "greeting-mark").child(icons::shield()))
        .child(greeting)
        .child(el("p", "greeting-hint").text(strings::GREETING_HINT))
        .view()
}

fn bones() -> AnyView {
    let bones = el("div", "bones")
        .attr("role", "status")
        .attr("aria-label", strings::LOADING);
    ["bone short", "bone", "bone", "bone short", "bone"]
        .into_iter()
        .fold(bones, |bones, class| bones.child(el("span", class)))
        .view()
}
