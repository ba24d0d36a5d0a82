//! The messages of the open conversation.

use assent_conversation::{Author, Intent, Load, MessageKey, MessageStatus};
use leptos::{
    prelude::*,
    web_sys::{Event, KeyboardEvent, MouseEvent, WheelEvent},
};

use super::{
    dispatch::Dispatch,
    element::el,
    erased::{ElementRef, Key, Row, dynamic, each, follow, show, text},
    failure_note::FailureNote,
    icons,
    message::Message,
    scroll::{Head, Outside, Scroll},
    scroll_to_latest::jump,
    strings,
    suggestions::suggestions,
};
use crate::store::{ComposerView, MessageRow, Settings, TranscriptView};

pub(super) fn transcript(
    transcript: TranscriptView,
    composer: RwSignal<ComposerView>,
    settings: Settings,
    dispatch: Dispatch,
) -> AnyView {
    let texts = strings::texts();
    let (area, content) = (ElementRef::new(), ElementRef::new());
    let outside = Outside {
        mode: settings.scroll,
        composer,
        earlier: transcript.earlier,
        position: transcript.position,
        dispatch,
    };
    let scroll = Scroll::new(area, content, outside);
    follow_turns(&transcript, scroll);
    let jump = jump(&transcript, scroll, area);
    let earlier = earlier(transcript.earlier, scroll);
    let load = transcript.load;
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
            let retry = Callback::new(move |()| dispatch.send(Intent::ReloadMessages));
            view! { <FailureNote failure retry/> }.into_any()
        }
        Load::Ready => ().into_any(),
    });
    let begin = settings;
    let rows = transcript.rows;
    let messages = each(move || {
        let row = |row: MessageRow| {
            Row::new(Key::Number(row.key.0), move || {
                let row = row.clone();
                view! { <Message row/> }.into_any()
            })
        };
        rows.get().into_iter().map(row).collect()
    });
    let wheel = move |event: WheelEvent| {
        if event.delta_y() < 0.0 {
            scroll.release();
        }
    };
    let fresh = show(
        move || composer.with(|it| it.fresh),
        move || greet(&begin, dispatch),
    );
    let content = el("div", "transcript-content")
        .node_ref(content)
        .child(fresh)
        .child(above)
        .child(earlier)
        .child(messages);
    let area = el("div", "transcript")
        .attr("part", "transcript")
        .attr("role", "region")
        .attr("aria-label", texts.get(strings::MESSAGES))
        .attr("tabindex", "0")
        .follow_text("data-state", state)
        .node_ref(area)
        .on("scroll", move |_: Event| scroll.moved())
        .on("wheel", wheel)
        .on("keydown", move |event: KeyboardEvent| {
            scroll.pressed(&event);
        })
        .follow_bool("data-follows", move || scroll.holds())
        .child(content);
    el("div", "transcript-frame").child(area).child(jump).view()
}

/// Tells the owner of the position where a turn begins, and where other rows are shown.
fn follow_turns(transcript: &TranscriptView, scroll: Scroll) {
    let (conversation, question) = (transcript.conversation, transcript.question);
    let (asked, rows) = (transcript.rows, transcript.rows);
    follow(move || {
        conversation.with(|_| ());
        let question = question.get();
        let is_sent = asked.with_untracked(|rows| {
            let row = rows.iter().rev().find(|row| Some(row.key) == question);
            row.is_some_and(|row| {
                row.head
                    .with_untracked(|it| it.status == MessageStatus::Sending)
            })
        });
        // Who sends a message wants to see it; another conversation is read from its end.
        if is_sent {
            scroll.begin(Head::Question);
        } else {
            scroll.arrive();
        }
    });
    let begun = StoredValue::new(None::<MessageKey>);
    follow(move || {
        let answer = rows.with(|rows| answer_without_question(rows));
        if answer.is_some() && begun.get_value() != answer {
            begun.set_value(answer);
            scroll.begin(Head::Answer);
        } else {
            scroll.schedule();
        }
    });
}

/// The last message, where it is an answer that follows a decision and no question.
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

/// The way to the messages before the window, for those who do not scroll.
fn earlier(count: RwSignal<usize>, scroll: Scroll) -> AnyView {
    let texts = strings::texts();
    let there = count;
    show(
        move || there.with(|count| *count > 0),
        move || {
            let count = text(move || count.with(ToString::to_string));
            el("button", "earlier")
                .attr("type", "button")
                .on("click", move |_: MouseEvent| scroll.show_earlier())
                .text(texts.get(strings::EARLIER))
                .child(el("span", "earlier-count").child(count))
                .view()
        },
    )
}

fn greet(settings: &Settings, dispatch: Dispatch) -> AnyView {
    let texts = strings::texts();
    let greeting = settings.greeting;
    let greeting = move || {
        greeting
            .get()
            .unwrap_or_else(|| texts.get(strings::GREETING).to_owned())
    };
    let greeting = el("p", "greeting-text")
        .attr("dir", "auto")
        .child(text(greeting));
    el("div", "greeting")
        .child(el("span", "greeting-mark").child(icons::shield()))
        .child(greeting)
        .child(el("p", "greeting-hint").text(texts.get(strings::GREETING_HINT)))
        .child(suggestions(settings, dispatch))
        .view()
}

fn bones() -> AnyView {
    let texts = strings::texts();
    let bones = el("div", "bones")
        .attr("role", "status")
        .attr("aria-label", texts.get(strings::LOADING));
    ["bone short", "bone", "bone", "bone short", "bone"]
        .into_iter()
        .fold(bones, |bones, class| bones.child(el("span", class)))
        .view()
}
