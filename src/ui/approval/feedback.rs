//! The exclusive mode: the whole batch is stopped, with words and files for the agent.

use assent_conversation::{AttachmentState, BatchPhase, Feedback, Intent};
use leptos::{
    prelude::*,
    web_sys::{ClipboardEvent, DragEvent, Event, HtmlTextAreaElement},
};

use super::{
    attachments::{attach_all, attachments, carries_files, dropped, pasted},
    card::{keep_focus, leave},
    stage::Stage,
};
use crate::{
    ui::{
        button::button,
        dispatch::Dispatch,
        element::el,
        erased::{ElementRef, follow, new_id, text, when_there},
        focus::focus,
        strings,
    },
    view::{ApprovalView, Watched},
};

pub(super) fn feedback(
    view: &Watched<ApprovalView>,
    stage: Memo<Stage>,
    streams: Memo<bool>,
    can_attach: Watched<bool>,
    dispatch: Dispatch,
) -> AnyView {
    let id = view.peek(|view| view.batch.id.clone());
    let (all_of_it, input) = (ElementRef::new(), ElementRef::new());
    keep_focus(all_of_it, stage);
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
    let edit = move |event: Event| {
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
    let back = button("button", strings::BACK, move |_| {
        dispatch.send(Intent::CancelFeedback(back_id.clone()));
    });
    let why = new_id();
    let stop = button("button danger", strings::STOP_ACTIONS, move |event| {
        leave(&event);
        dispatch.send(Intent::SubmitFeedback(stopped.clone()));
    });
    let stop = stop
        .attr("aria-describedby", &why)
        .follow_property("disabled", move || streams.get() || !files.get().is_empty());
    let takes = can_attach.clone();
    let paste = move |event: ClipboardEvent| {
        if let Some(files) = pasted(&event).filter(|_| takes.peek(|it| *it)) {
            event.prevent_default();
            attach_all(&files, &file_id, dispatch);
        }
    };
    let takes = can_attach.clone();
    let drop = move |event: DragEvent| {
        if let Some(files) = dropped(&event).filter(|_| takes.peek(|it| *it)) {
            event.prevent_default();
            attach_all(&files, &id, dispatch);
        }
    };
    let takes = can_attach.clone();
    let over = move |event: DragEvent| {
        if takes.peek(|it| *it) && carries_files(&event) {
            event.prevent_default();
        }
    };
    let words = el("textarea", "feedback-input")
        .attr("aria-label", strings::FEEDBACK)
        .attr("rows", "3")
        .attr("dir", "auto")
        .node_ref(input)
        .on("input", edit)
        .on("paste", paste);
    let hint = text(move || files.get().to_owned());
    el("div", "feedback")
        .node_ref(all_of_it)
        .on("drop", drop)
        .on("dragover", over)
        .child(el("p", "approval-hint").text(strings::FEEDBACK_HINT))
        .child(words)
        .child(attachments(view, can_attach, dispatch))
        .child(el("p", "decisions-hint").attr("id", &why).child(hint))
        .child(el("div", "buttons").child(back).child(stop))
        .view()
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
