//! Where a message is written.

use assent_conversation::{Composer as State, Intent};
use leptos::{ev, html, prelude::*};

use super::{dispatch::Dispatch, focus::focus, icons, strings};
use crate::view::{ComposerView, Draft};

#[component]
pub(super) fn Composer(
    composer: ArcRwSignal<ComposerView>,
    draft: ArcRwSignal<Draft>,
    placeholder: ArcRwSignal<Option<String>>,
    dispatch: Dispatch,
) -> impl IntoView {
    let input: NodeRef<html::Textarea> = NodeRef::new();
    let state = Memo::new(move |_| composer.with(|composer| composer.composer));
    // What is typed, mirrored behind the box so that it grows with its text without measuring.
    let typed = RwSignal::new(draft.with_untracked(|draft| draft.text.clone()));
    let revised = draft.clone();
    Effect::new(move || {
        let text = revised.with(|draft| draft.text.clone());
        if let Some(input) = input.get()
            && input.value() != text
        {
            input.set_value(&text);
        }
        typed.set(text);
    });
    let blank = Memo::new(move |_| typed.with(|text| text.trim().is_empty()));
    let edit = move |event| {
        let text = event_target_value(&event);
        typed.set(text.clone());
        dispatch.send(Intent::EditDraft(text));
    };
    let send = move || {
        if state.get_untracked() == State::Ready && !blank.get_untracked() {
            dispatch.send(Intent::Send);
        }
    };
    let composed = RwSignal::new(false);
    let keydown = move |event: ev::KeyboardEvent| {
        // Safari ends the composition before the key that ended it arrives, with key code 229.
        let composes = event.is_composing() || event.key_code() == 229 || composed.get_untracked();
        if event.key() == "Enter" && !event.shift_key() && !composes {
            event.prevent_default();
            send();
        }
    };
    let refocus = move || {
        if let Some(input) = input.get_untracked() {
            focus(&input);
        }
    };
    let submit = move |event: ev::SubmitEvent| {
        event.prevent_default();
        send();
        refocus();
    };
    let stop = move |_| {
        dispatch.send(Intent::Stop);
        refocus();
    };
    let placeholder = move || {
        placeholder
            .get()
            .unwrap_or_else(|| strings::PLACEHOLDER.to_owned())
    };
    view! { class="a",
        <form part="composer" class="composer" on:submit=submit>
            <Show when=move || state.get() == State::AwaitingApproval>
                <p class="composer-hint" id="composer-hint">{strings::DECIDE_FIRST}</p>
            </Show>
            <div class="composer-box">
                <div class="grow" data-text=move || typed.get() + "\u{200b}">
                    <textarea
                        part="input"
                        class="input"
                        aria-label=strings::MESSAGE
                        placeholder=placeholder
                        rows="1"
                        dir="auto"
                        enterkeyhint="send"
                        autocomplete="off"
                        node_ref=input
                        on:input=edit
                        on:keydown=keydown
                        on:compositionend=move |_| composed.set(true)
                        on:keyup=move |_| composed.set(false)
                    ></textarea>
                </div>
                <Show
                    when=move || state.get() == State::Streaming
                    fallback=move || view! { class="a",
                        <button
                            type="submit"
                            part="send"
                            class="send"
                            aria-label=strings::SEND
                            title=strings::SEND
                            disabled=move || blank.get() || state.get() != State::Ready
                        >
                            {icons::send()}
                        </button>
                    }
                >
                    <button
                        type="button"
                        part="stop"
                        class="send"
                        aria-label=strings::STOP
                        title=strings::STOP
                        on:click=stop
                    >
                        {icons::stop()}
                    </button>
                </Show>
            </div>
        </form>
    }
}
