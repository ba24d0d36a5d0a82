//! Where a message is written.

use std::sync::Arc;

use assent_conversation::{Composer as State, Intent};
use leptos::{
    ev,
    prelude::*,
    web_sys::{HtmlElement, HtmlTextAreaElement},
};

use super::{
    dispatch::Dispatch,
    erased::{ElementRef, choose, follow, on},
    focus::{focus, focused},
    held::{asks, can_send, held, hint},
    icons, strings,
};
use crate::view::{ComposerView, Draft, Watched};

#[component]
pub(super) fn Composer(
    composer: Watched<ComposerView>,
    draft: Watched<Draft>,
    placeholder: Watched<Option<String>>,
    dispatch: Dispatch,
) -> impl IntoView {
    let input = ElementRef::new();
    let refocus = move || {
        if let Some(input) = input.now() {
            focus(&input);
        }
    };
    // What is typed, mirrored behind the box so that it grows with its text without measuring.
    let typed = Watched::new(draft.peek(|draft| draft.text.clone()));
    {
        let typed = typed.clone();
        follow(move || {
            let text = draft.with(|draft| draft.text.clone());
            if input.get().is_some()
                && let Some(input) = input.now_as::<HtmlTextAreaElement>()
                && input.value() != text
            {
                input.set_value(&text);
            }
            typed.set(text);
        });
    }
    let blank = {
        let typed = typed.clone();
        Memo::new(move |_| typed.with(|text| text.trim().is_empty()))
    };
    let is = {
        let composer = composer.clone();
        Arc::new(move |state: State| composer.with(|composer| composer.composer == state))
    };
    let edit = {
        let typed = typed.clone();
        move |event: ev::Event| {
            let text = event_target_value(&event);
            typed.set(text.clone());
            dispatch.send(Intent::EditDraft(text));
        }
    };
    let can_send = {
        let composer = composer.clone();
        Memo::new(move |_| composer.with(can_send))
    };
    let (asking, first_answer) = (composer.clone(), ElementRef::new());
    let is_asking = Arc::new(move || asking.peek(asks));
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
        move |event: ev::KeyboardEvent| {
            if event.key() == "Escape" && is_asking() && !event.is_composing() {
                event.prevent_default();
                refocus();
                dispatch.send(Intent::KeepAsDraft);
            }
        }
    };
    let keydown = {
        let send = send.clone();
        move |event: ev::KeyboardEvent| {
            // Safari ends the composition before the key that ended it arrives, with key code 229.
            let composes = event.is_composing() || event.key_code() == 229;
            if event.key() == "Enter" && !event.shift_key() && !composes {
                event.prevent_default();
                send();
            }
        }
    };
    let submit = move |event: ev::SubmitEvent| {
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
        let stop = move |event: ev::MouseEvent| {
            // By the end of this click it may be Send's element, which would submit.
            event.prevent_default();
            // The second click of a double click on Send is not meant for Stop.
            if event.detail() < 2 {
                dispatch.send(Intent::Stop);
                refocus();
            }
        };
        view! { class="a",
            <button
                type="button"
                part="stop"
                class="send"
                aria-label=strings::STOP
                title=strings::STOP
                node_ref=stop_button
                on:click=on(stop)
            >
                {icons::stop()}
            </button>
        }
        .into_any()
    };
    let button = {
        move || {
            view! { class="a",
                <button
                    type="submit"
                    part="send"
                    class="send"
                    aria-label=strings::SEND
                    title=strings::SEND
                    disabled=move || blank.get() || !can_send.get()
                >
                    {icons::send()}
                </button>
            }
            .into_any()
        }
    };
    let hint = hint(&composer);
    let held = held(&composer, first_answer, refocus, dispatch);
    let streams = is;
    view! { class="a",
        <form part="composer" class="composer" on:submit=on(submit) on:keydown=on(escape)>
            {hint}
            {held}
            <div class="composer-box">
                <div class="grow" data-text=move || typed.get() + "\u{200b}">
                    <textarea
                        part="input"
                        class="input"
                        aria-label=strings::MESSAGE
                        placeholder=move || placeholder.get().unwrap_or_else(|| strings::PLACEHOLDER.to_owned())
                        rows="1"
                        dir="auto"
                        enterkeyhint="send"
                        autocomplete="off"
                        node_ref=input
                        on:input=on(edit)
                        on:keydown=on(keydown)
                    ></textarea>
                </div>
                {choose(move || streams(State::Streaming), stop, button)}
            </div>
        </form>
    }
}
