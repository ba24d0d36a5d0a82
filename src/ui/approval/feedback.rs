//! The exclusive mode: the whole batch is stopped, with words and files for the agent.

use assent_conversation::{AttachmentState, BatchPhase, Feedback, Intent};
use leptos::{ev, prelude::*, web_sys::HtmlTextAreaElement};

use super::{
    attachments::{attach_all, attachments, dropped, pasted},
    card::leave,
};
use crate::{
    ui::{
        dispatch::Dispatch,
        erased::{ElementRef, follow, new_id, on, text, when_there},
        focus::focus,
        strings,
    },
    view::{ApprovalView, Watched},
};

pub(super) fn feedback(
    view: &Watched<ApprovalView>,
    streams: Memo<bool>,
    can_attach: Watched<bool>,
    dispatch: Dispatch,
) -> AnyView {
    let id = view.peek(|view| view.batch.id.clone());
    let input = ElementRef::new();
    when_there(input, focus);
    {
        // The text also changes when a message is sent as feedback.
        let view = view.clone();
        follow(move || {
            let words = view.with(|view| of(view, |feedback| feedback.text.clone()));
            if input.get().is_some()
                && let Some(input) = input.now_as::<HtmlTextAreaElement>()
                && let Some(words) = words
                && input.value() != words
            {
                input.set_value(&words);
            }
        });
    }
    let edited = id.clone();
    let edit = move |event: ev::Event| {
        dispatch.send(Intent::EditFeedback(
            edited.clone(),
            event_target_value(&event),
        ));
    };
    let files = {
        let view = view.clone();
        Memo::new(move |_| {
            let state = view.with(|view| of(view, files_state));
            state.unwrap_or(strings::FILES_ON_THEIR_WAY)
        })
    };
    let (stopped, back_id, file_id) = (id.clone(), id.clone(), id.clone());
    let back = move |_: ev::MouseEvent| dispatch.send(Intent::CancelFeedback(back_id.clone()));
    let stop = move |event: ev::MouseEvent| {
        leave(&event);
        dispatch.send(Intent::SubmitFeedback(stopped.clone()));
    };
    let takes = can_attach.clone();
    let paste = move |event: ev::ClipboardEvent| {
        if let Some(files) = pasted(&event).filter(|_| takes.peek(|it| *it)) {
            event.prevent_default();
            attach_all(&files, &file_id, dispatch);
        }
    };
    let takes = can_attach.clone();
    let drop = move |event: ev::DragEvent| {
        if let Some(files) = dropped(&event).filter(|_| takes.peek(|it| *it)) {
            event.prevent_default();
            attach_all(&files, &id, dispatch);
        }
    };
    let takes = can_attach.clone();
    let over = move |event: ev::DragEvent| {
        if takes.peek(|it| *it) {
            event.prevent_default();
        }
    };
    let why = new_id();
    let described = why.clone();
    view! { class="a",
        <div class="feedback" on:drop=on(drop) on:dragover=on(over)>
            <p class="approval-hint">{strings::FEEDBACK_HINT}</p>
            <textarea
                class="feedback-input"
                aria-label=strings::FEEDBACK
                rows="3"
                dir="auto"
                node_ref=input
                on:input=on(edit)
                on:paste=on(paste)
            ></textarea>
            {attachments(view, can_attach, dispatch)}
            <p id=why class="decisions-hint">{text(move || files.get().to_owned())}</p>
            <div class="buttons">
                <button type="button" class="button" on:click=on(back)>
                    {strings::BACK}
                </button>
                <button
                    type="button"
                    class="button danger"
                    disabled=move || streams.get() || !files.get().is_empty()
                    aria-describedby=described
                    on:click=on(stop)
                >
                    {strings::STOP_ACTIONS}
                </button>
            </div>
        </div>
    }
    .into_any()
}

/// Reads the feedback; `None` outside of this mode.
pub(super) fn of<T>(view: &ApprovalView, read: fn(&Feedback) -> T) -> Option<T> {
    match &view.batch.phase {
        BatchPhase::Deciding {
            feedback: Some(feedback),
            ..
        } => Some(read(feedback)),
        _ => None,
    }
}

/// What the stop waits for; empty: nothing.
fn files_state(feedback: &Feedback) -> &'static str {
    let mut files = feedback.files.iter();
    if files.any(|file| matches!(file.state, AttachmentState::Failed(_))) {
        strings::FILES_FAILED
    } else if feedback.is_complete() {
        ""
    } else {
        strings::FILES_ON_THEIR_WAY
    }
}
