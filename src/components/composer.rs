//! The composer, in which a message is written.

use assent_conversation::{Author, ComposerState as State, Intent};
use leptos::{
    html::{Button, Div, Textarea},
    prelude::*,
    web_sys::{Event, KeyboardEvent, MouseEvent, SubmitEvent},
};

use super::{
    approval::focus_request,
    attachments::Files,
    attribute::attribute,
    composer_hint::{ComposerHint, can_send, is_asking_purpose},
    dispatch::Dispatch,
    effect::{effect, memo},
    extras::{Extra, LazyExtra, are_extras_loaded},
    focus::{focus, focused_element},
    icons,
    ids::new_id,
    listener::boxed_listener,
    renderer::renderer,
    show::Show,
    stalled::Stalled,
    strings,
};
use crate::store::{MessageRow, Settings, Store, set_if_changed};

/// The form in which a message is written. `files` are those of the draft.
#[component]
pub(super) fn Composer(files: Files) -> impl IntoView {
    let Store {
        composer, draft, ..
    } = expect_context();
    let dispatch = expect_context::<Dispatch>();
    let (input, question) = (NodeRef::<Textarea>::new(), NodeRef::<Div>::new());
    let hint_id = StoredValue::new(new_id());
    let can_send = memo(move || {
        let is_blank = draft.with(|draft| draft.trim().is_empty());
        composer.with(|it| can_send(it) && !(is_blank && it.files.is_empty()))
    });
    // A text that would have to wait: what is drawn of it then is fetched while it is typed.
    effect(move || {
        if can_send.get() && composer.with(|it| it.composer != State::Ready) {
            are_extras_loaded();
        }
    });
    let send = Callback::new(move |()| {
        if composer.with_untracked(is_asking_purpose) {
            if let Some(question) = question.get_untracked() {
                focus(&question);
            }
        } else if can_send.get_untracked() {
            dispatch.send(Intent::Send);
        }
    });
    let escape = move |event: KeyboardEvent| {
        let is_asking = composer.with_untracked(is_asking_purpose);
        if event.key() == "Escape" && is_asking && !event.is_composing() {
            event.prevent_default();
            focus_box(input);
            dispatch.send(Intent::KeepAsDraft);
        }
    };
    let keys = move |event: KeyboardEvent| {
        if event.alt_key() && event.key() == "ArrowUp" && focus_request(&event_target(&event)) {
            event.prevent_default();
        }
        escape(event);
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        focus_box(input);
        send.run(());
    };
    let is_streaming = move || composer.with(|it| it.composer == State::Streaming);
    view! {
        <form
            part="composer"
            class="composer"
            on:submit=boxed_listener(submit)
            on:keydown=boxed_listener(keys)
        >
            <ComposerHint id=hint_id/>
            <Stalled composer/>
            <Show when=move || composer.with(|it| it.is_asking || !it.queued.is_empty())>
                <LazyExtra extra=Extra::QueuedMessages(question, input)/>
            </Show>
            <Show when=move || files.has_any()>
                <LazyExtra extra=Extra::FileList(files)/>
            </Show>
            <div class="composer-box">
                <Show when=move || files.can_attach()>
                    <LazyExtra extra=Extra::FilePicker(files, None)/>
                </Show>
                <MessageBox files input hint_id send/>
                <Show when=is_streaming>
                    <StopButton input/>
                </Show>
                // A text is queued while an answer is written.
                <Show when=move || !is_streaming() || can_send.get()>
                    <SendButton hint_id can_send/>
                </Show>
            </div>
        </form>
    }
}

/// The box that the message is typed into. `send` is called by the key Enter; `hint_id` holds the
/// id of the line that says why no message can be sent.
#[component]
fn MessageBox(
    files: Files,
    input: NodeRef<Textarea>,
    hint_id: StoredValue<String>,
    send: Callback<()>,
) -> impl IntoView {
    let texts = strings::texts();
    let store = expect_context::<Store>();
    let draft = store.draft;
    let own_placeholder = expect_context::<Settings>().placeholder;
    let dispatch = expect_context::<Dispatch>();
    // The draft also changes elsewhere. Setting the same value would end an input method's
    // composition.
    effect(move || {
        let text = draft.get();
        if let Some(input) = input.get()
            && input.value() != text
        {
            input.set_value(&text);
        }
    });
    let placeholder = move || {
        let own = own_placeholder.get();
        own.unwrap_or_else(|| texts.get(strings::PLACEHOLDER).to_owned())
    };
    // The renderer prepares for an answer once something is typed: who only reads gets none.
    let is_typed = RwSignal::new(false);
    effect(move || {
        if is_typed.get()
            && let (Some(input), Some(renderer)) = (input.get(), renderer())
        {
            renderer.warm_up(&input);
        }
    });
    let edit = move |event: Event| {
        let text = event_target_value(&event);
        draft.update(|draft| draft.clone_from(&text));
        dispatch.send(Intent::EditDraft(text));
        set_if_changed(&is_typed, true);
    };
    let keydown = move |event: KeyboardEvent| {
        // Safari ends the composition before the key that ended it arrives, with key code 229.
        let composes = event.is_composing() || event.key_code() == 229;
        if composes || event.shift_key() {
            return;
        }
        let is_plain = !event.alt_key() && !event.ctrl_key() && !event.meta_key();
        if event.key() == "Enter" {
            event.prevent_default();
            send.run(());
        } else if event.key() == "ArrowUp" && is_plain && draft.with_untracked(String::is_empty) {
            event.prevent_default();
            bring_back_last(store, dispatch);
        }
    };
    // The typed text stands behind the box once more, so that it grows with its text without
    // measuring.
    view! {
        <div class="grow" data-text=move || draft.with(|draft| [draft, "\u{200b}"].concat())>
            <textarea
                part="input"
                class="input"
                aria-label=texts.get(strings::MESSAGE)
                aria-describedby=hint_id.get_value()
                {..attribute("placeholder", placeholder)}
                {..attribute("rows", "1")}
                dir="auto"
                {..attribute("enterkeyhint", "send")}
                {..attribute("autocomplete", "off")}
                {..attribute("translate", "no")}
                node_ref=input
                on:input=boxed_listener(edit)
                on:paste=boxed_listener(move |event| files.paste(&event))
                on:keydown=boxed_listener(keydown)
            ></textarea>
        </div>
    }
}

/// Puts the last message of the user into the empty message box: the last queued message, or else
/// the text of the last one that was sent.
fn bring_back_last(store: Store, dispatch: Dispatch) {
    let queued = store
        .composer
        .with_untracked(|it| it.queued.last().map(|it| it.key));
    let own = |row: &&MessageRow| row.head.with_untracked(|head| head.author == Author::You);
    let sent = store.transcript.rows.with_untracked(|rows| {
        let own = rows.iter().rev().find(own);
        own.map(|row| row.text.with_untracked(|text| text.text.clone()))
    });
    if let Some(key) = queued {
        dispatch.send(Intent::EditQueued(key));
    } else if let Some(text) = sent {
        store.draft.set(text.clone());
        dispatch.send(Intent::EditDraft(text));
    }
}

/// The button after the message box that sends or queues the text in the box.
#[component]
fn SendButton(hint_id: StoredValue<String>, can_send: Memo<bool>) -> impl IntoView {
    let name = strings::texts().get(strings::SEND);
    view! {
        <button
            type="submit"
            part="send"
            class="send"
            {..attribute("title", name)}
            aria-label=name
            aria-describedby=hint_id.get_value()
            prop:disabled=move || !can_send.get()
        >
            {icons::send()}
        </button>
    }
}

/// The button after the message box that stops the answer which is being written. `input` is the
/// box, to which the focus moves then.
#[component]
fn StopButton(input: NodeRef<Textarea>) -> impl IntoView {
    let texts = strings::texts();
    let composer = expect_context::<Store>().composer;
    // Where the service can end answers, the first click asks for that, and the second stops
    // listening.
    let effect = move || {
        let ends = composer.with(|it| it.can_cancel && !it.is_stopping);
        texts.get(if ends {
            strings::STOP_ANSWER
        } else {
            strings::STOP_LISTENING
        })
    };
    let dispatch = expect_context::<Dispatch>();
    let button = NodeRef::<Button>::new();
    // The button goes away with the answer's end; a focus that it had goes to the box.
    on_cleanup(move || {
        if let Some(button) = button.try_get_untracked().flatten()
            && focused_element(&button).is_some_and(|focused| focused.is_same_node(Some(&button)))
        {
            focus_box(input);
        }
    });
    let stop = move |event: MouseEvent| {
        // By the end of this click it may be Send that stands here, which would submit.
        event.prevent_default();
        // The second click of a double click on Send is not meant for Stop.
        if event.detail() < 2 {
            dispatch.send(Intent::Stop);
            focus_box(input);
        }
    };
    view! {
        <button
            type="button"
            part="stop"
            class="send"
            {..attribute("title", effect)}
            aria-label=texts.get(strings::STOP)
            node_ref=button
            on:click=boxed_listener(stop)
        >
            {icons::stop()}
        </button>
    }
}

fn focus_box(input: NodeRef<Textarea>) {
    if let Some(input) = input.try_get_untracked().flatten() {
        focus(&input);
    }
}
