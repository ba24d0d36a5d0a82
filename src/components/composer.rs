//! Where a message is written.

use std::sync::Arc;

use assent_conversation::{Composer as State, Intent};
use leptos::{
    prelude::*,
    web_sys::{
        ClipboardEvent, Event, HtmlElement, HtmlTextAreaElement, KeyboardEvent, MouseEvent,
        SubmitEvent,
    },
};

use super::{
    attachments::Files,
    button::icon_button,
    element::{Element, el},
    erased::{ElementRef, choose, follow, new_id},
    focus::{focus, focused},
    icons,
    queued_message::{asks, can_send, held, hint},
    stalled::Stalled,
    strings,
};
use crate::store::ComposerView;

pub(super) fn composer(
    composer: RwSignal<ComposerView>,
    draft: RwSignal<String>,
    placeholder: RwSignal<Option<String>>,
    files: &Files,
) -> AnyView {
    let texts = strings::texts();
    let dispatch = files.dispatch;
    let input = ElementRef::new();
    let refocus = move || {
        if let Some(input) = input.now() {
            focus(&input);
        }
    };
    {
        follow(move || {
            let text = draft.get();
            if input.get().is_some()
                && let Some(input) = input.now_as::<HtmlTextAreaElement>()
                && input.value() != text
            {
                input.set_value(&text);
            }
        });
    }
    let blank = {
        let (draft, composer) = (draft, composer);
        Memo::new(move |_| {
            draft.with(|draft| draft.trim().is_empty()) && composer.with(|it| it.files.is_empty())
        })
    };
    let edit = {
        move |event: Event| {
            let text = event_target_value(&event);
            draft.update(|draft| draft.clone_from(&text));
            dispatch.send(Intent::EditDraft(text));
        }
    };
    let can_send = { Memo::new(move |_| composer.with(can_send)) };
    let (asking, first_answer) = (composer, ElementRef::new());
    let is_asking = Arc::new(move || asking.with_untracked(asks));
    let send = {
        let is_asking = Arc::clone(&is_asking);
        move || {
            if is_asking() {
                if let Some(answer) = first_answer.now() {
                    focus(&answer);
                }
            } else if can_send.get_untracked() && !blank.get_untracked() {
                dispatch.send(Intent::Send);
            }
        }
    };
    let escape = {
        let is_asking = Arc::clone(&is_asking);
        move |event: KeyboardEvent| {
            if event.key() == "Escape" && is_asking() && !event.is_composing() {
                event.prevent_default();
                refocus();
                dispatch.send(Intent::KeepAsDraft);
            }
        }
    };
    let keydown = {
        let send = send.clone();
        move |event: KeyboardEvent| {
            // Safari ends the composition before the key that ended it arrives, with key code 229.
            let composes = event.is_composing() || event.key_code() == 229;
            if event.key() == "Enter" && !event.shift_key() && !composes {
                event.prevent_default();
                send();
            }
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        refocus();
        send();
    };
    let stop_button = ElementRef::new();
    let stop = move || {
        // The button goes away with the answer's end; a focus that it had goes to the box.
        on_cleanup(move || {
            let had_focus = |stop: &HtmlElement| {
                focused(stop).is_some_and(|focused| focused.is_same_node(Some(stop)))
            };
            if stop_button.now().as_ref().is_some_and(had_focus) {
                refocus();
            }
        });
        let stop = move |event: MouseEvent| {
            // By the end of this click it may be Send's element, which would submit.
            event.prevent_default();
            // The second click of a double click on Send is not meant for Stop.
            if event.detail() < 2 {
                dispatch.send(Intent::Stop);
                refocus();
            }
        };
        button("button", "stop", texts.get(strings::STOP))
            .node_ref(stop_button)
            .on("click", stop)
            .child(icons::stop())
            .view()
    };
    let why = new_id();
    let hint = hint(&composer, why.clone());
    let described = why.clone();
    let send_button = move || {
        button("submit", "send", texts.get(strings::SEND))
            .attr("aria-describedby", &described)
            .follow_property("disabled", move || blank.get() || !can_send.get())
            .child(icons::send())
            .view()
    };
    let waits = composer;
    let held = held(&waits, first_answer, input, dispatch);
    let stalled = view! { <Stalled composer/> }.into_any();
    let streams = move || composer.with(|composer| composer.composer == State::Streaming);
    let placeholder = move || {
        let own = placeholder.get();
        own.unwrap_or_else(|| texts.get(strings::PLACEHOLDER).to_owned())
    };
    let paste = files.clone();
    let textarea = el("textarea", "input")
        .attr("part", "input")
        .attr("aria-label", texts.get(strings::MESSAGE))
        .attr("aria-describedby", &why)
        .follow_text("placeholder", placeholder)
        .attr("rows", "1")
        .attr("dir", "auto")
        .attr("enterkeyhint", "send")
        .attr("autocomplete", "off")
        .node_ref(input)
        .on("input", edit)
        .on("paste", move |event: ClipboardEvent| paste.paste(&event))
        .on("keydown", keydown);
    // What is typed stands behind the box once more, so that it grows with its text without measuring.
    let grow = el("div", "grow")
        .follow_text("data-text", move || {
            draft.with(|draft| [draft, "\u{200b}"].concat())
        })
        .child(textarea);
    let attach = files.picker(
        move |choose| {
            icon_button("icon-button", texts.get(strings::ATTACH), choose).child(icons::clip())
        },
        || ().into_any(),
    );
    let line = el("div", "composer-box")
        .child(attach)
        .child(grow)
        .child(choose(streams, stop, send_button));
    el("form", "composer")
        .attr("part", "composer")
        .on("submit", submit)
        .on("keydown", escape)
        .child(hint)
        .child(stalled)
        .child(held)
        .child(files.rows())
        .child(line)
        .view()
}

/// The button after the box. `kind`: what it does in its form, `part`: its name for style sheets.
fn button(kind: &str, part: &str, name: &str) -> Element {
    el("button", "send")
        .attr("type", kind)
        .attr("part", part)
        .attr("aria-label", name)
        .attr("title", name)
}
