//! The form for feedback, in place of the choices: the whole batch is denied, with text and files
//! for the agent.

use assent_conversation::{Attachment, BatchId, BatchPhase, Feedback, Intent};
use assent_i18n::Texts;
use leptos::{
    html::{Div, Textarea},
    prelude::*,
    web_sys::{DragEvent, Event, MouseEvent},
};

use super::{
    super::effect::{effect, memo, on_load},
    focus::{focus_next, keep_focus},
    guard::ClickGuard,
    state::CardState,
};
use crate::{
    components::{
        attachments::Files,
        attribute::attribute,
        dispatch::Dispatch,
        extras::{Extra, LazyExtra},
        focus::focus,
        ids::new_id,
        listener::boxed_listener,
        strings,
    },
    store::ApprovalView,
};

/// The form for the text and files with which the batch is denied. While a stream runs, the
/// feedback cannot be sent.
#[component]
pub(super) fn FeedbackForm(card: CardState) -> impl IntoView {
    let CardState {
        view,
        stage,
        is_streaming,
        guard,
        ..
    } = card;
    guard.note_change();
    let texts = strings::texts();
    let id = view.with_untracked(|view| view.batch.id.clone());
    let form = NodeRef::<Div>::new();
    keep_focus(form, stage);
    let list = memo(move || {
        let list = view.with(|view| read_feedback(view, |feedback| feedback.files.clone()));
        list.unwrap_or_default()
    });
    let files = Files::of_feedback(id.clone(), list);
    let drag = move |event: DragEvent| {
        files.accepts_drag(&event);
    };
    view! {
        <div
            class="feedback"
            node_ref=form
            on:drop=boxed_listener(move |event| files.drop(&event))
            on:dragover=boxed_listener(drag)
        >
            <p class="approval-hint">{texts.get(strings::FEEDBACK_HINT)}</p>
            <FeedbackBox view id=id.clone() files/>
            <Show when=move || files.has_any()>
                <LazyExtra extra=Extra::FileList(files)/>
            </Show>
            <Show when=move || files.can_attach()>
                <LazyExtra extra=Extra::FilePicker(files, Some(texts.get(strings::ATTACH_HINT)))/>
            </Show>
            <FeedbackButtons view id is_streaming guard/>
        </div>
    }
}

/// The text box of the feedback on the batch with the id `id`. Pasted files are added to `files`.
#[component]
fn FeedbackBox(view: RwSignal<ApprovalView>, id: BatchId, files: Files) -> impl IntoView {
    let dispatch = expect_context::<Dispatch>();
    let input = NodeRef::<Textarea>::new();
    on_load(input, |input| focus(&input));
    // The text also changes when a message is sent as feedback.
    effect(move || {
        let text = view.with(|view| read_feedback(view, |feedback| feedback.text.clone()));
        if let Some(input) = input.get()
            && let Some(text) = text
            && input.value() != text
        {
            input.set_value(&text);
        }
    });
    let edit = move |event: Event| {
        let text = event_target_value(&event);
        dispatch.send(Intent::EditFeedback(id.clone(), text));
    };
    view! {
        <label class="feedback-label">
            {strings::texts().get(strings::FEEDBACK)}
            <textarea
                class="feedback-input"
                {..attribute("rows", "3")}
                dir="auto"
                {..attribute("translate", "no")}
                node_ref=input
                on:input=boxed_listener(edit)
                on:paste=boxed_listener(move |event| files.paste(&event))
            ></textarea>
        </label>
    }
}

/// The button that goes back to the choices, the button that denies the batch with the feedback,
/// and the sentence that says what the second one waits for.
#[component]
fn FeedbackButtons(
    view: RwSignal<ApprovalView>,
    id: BatchId,
    is_streaming: Memo<bool>,
    guard: ClickGuard,
) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let why = new_id();
    let waits_for = memo(move || {
        let waits_for =
            view.with(|view| read_feedback(view, |feedback| missing_condition(texts, feedback)));
        waits_for.unwrap_or(texts.get(strings::STOP_WAITS_FOR_FILES))
    });
    let back = {
        let id = id.clone();
        move |_: MouseEvent| dispatch.send(Intent::CancelFeedback(id.clone()))
    };
    let stop = move |event: MouseEvent| {
        if !guard.holds(&event) {
            focus_next(&event);
            dispatch.send(Intent::SubmitFeedback(id.clone()));
        }
    };
    view! {
        <p class="decisions-hint" id=why.clone()>{move || waits_for.get()}</p>
        <div class="buttons">
            <button type="button" class="button" on:click=boxed_listener(back)>
                {texts.get(strings::BACK)}
            </button>
            <button
                type="button"
                class="button primary"
                aria-describedby=why
                prop:disabled=move || is_streaming.get() || !waits_for.get().is_empty()
                on:click=boxed_listener(stop)
            >
                {texts.get(strings::STOP_ACTIONS)}
            </button>
        </div>
    }
}

/// Returns what `read` returns for the feedback on the batch; `None` if no feedback is being
/// written.
fn read_feedback<T>(view: &ApprovalView, read: impl FnOnce(&Feedback) -> T) -> Option<T> {
    match &view.batch.phase {
        BatchPhase::Deciding {
            feedback: Some(feedback),
            ..
        } => Some(read(feedback)),
        _ => None,
    }
}

/// Returns the sentence that says what is missing before the batch can be denied with this
/// feedback; empty if nothing is.
fn missing_condition(texts: Texts, feedback: &Feedback) -> &'static str {
    if feedback.files.iter().any(Attachment::has_failed) {
        texts.get(strings::FILES_FAILED)
    } else if feedback.is_complete() {
        ""
    } else {
        texts.get(strings::STOP_WAITS_FOR_FILES)
    }
}
