//! The exclusive mode: the whole batch is stopped, with words and files for the agent.

use std::sync::Arc;

use assent_conversation::{Attachment, BatchPhase, Feedback, Intent};
use leptos::{
    prelude::*,
    web_sys::{ClipboardEvent, DragEvent, Event, HtmlTextAreaElement},
};

use super::{
    card::{keep_focus, leave},
    stage::Stage,
};
use crate::{
    components::{
        attachments::Files,
        button::{bare_button, button},
        dispatch::Dispatch,
        element::el,
        erased::{ElementRef, follow, new_id, text, when_there},
        focus::focus,
        icons, strings,
    },
    store::ApprovalView,
};

pub(super) fn feedback(
    view: &RwSignal<ApprovalView>,
    stage: Memo<Stage>,
    streams: Memo<bool>,
    can_attach: RwSignal<bool>,
    dispatch: Dispatch,
) -> AnyView {
    let texts = strings::texts();
    let id = view.with_untracked(|view| view.batch.id.clone());
    let (all_of_it, input) = (ElementRef::new(), ElementRef::new());
    keep_focus(all_of_it, stage);
    when_there(input, focus);
    {
        // The text also changes when a message is sent as feedback.
        let view = *view;
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
        let view = *view;
        Memo::new(move |_| {
            let state = view.with(|view| of(view, files_state));
            state.unwrap_or(texts.get(strings::STOP_WAITS_FOR_FILES))
        })
    };
    let (stopped, back_id) = (id.clone(), id.clone());
    let attached = {
        let view = *view;
        let list = move || view.with(|view| of(view, |it| it.files.clone()));
        Files {
            list: Arc::new(move || list().unwrap_or_default()),
            batch: Some(id),
            can_attach,
            dispatch,
        }
    };
    let picker = attached.picker(
        move |choose| {
            let button = bare_button("button", choose).child(icons::clip());
            button.text(texts.get(strings::ATTACH))
        },
        move || {
            el("span", "approval-hint")
                .text(texts.get(strings::ATTACH_HINT))
                .view()
        },
    );
    let back = button("button", texts.get(strings::BACK), move |_| {
        dispatch.send(Intent::CancelFeedback(back_id.clone()));
    });
    let why = new_id();
    let stop = button(
        "button danger",
        texts.get(strings::STOP_ACTIONS),
        move |event| {
            leave(&event);
            dispatch.send(Intent::SubmitFeedback(stopped.clone()));
        },
    );
    let stop = stop
        .attr("aria-describedby", &why)
        .follow_property("disabled", move || streams.get() || !files.get().is_empty());
    let (paste, drag, drop) = (attached.clone(), attached.clone(), attached.clone());
    let words = el("textarea", "feedback-input")
        .attr("aria-label", texts.get(strings::FEEDBACK))
        .attr("rows", "3")
        .attr("dir", "auto")
        .node_ref(input)
        .on("input", edit)
        .on("paste", move |event: ClipboardEvent| paste.paste(&event));
    let hint = text(move || files.get().to_owned());
    el("div", "feedback")
        .node_ref(all_of_it)
        .on("drop", move |event: DragEvent| drop.drop(&event))
        .on("dragover", move |event: DragEvent| {
            drag.drag(&event);
        })
        .child(el("p", "approval-hint").text(texts.get(strings::FEEDBACK_HINT)))
        .child(words)
        .child(attached.rows())
        .child(picker)
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
    let texts = strings::texts();
    if feedback.files.iter().any(Attachment::has_failed) {
        texts.get(strings::FILES_FAILED)
    } else if feedback.is_complete() {
        ""
    } else {
        texts.get(strings::STOP_WAITS_FOR_FILES)
    }
}
