//! What answers a whole batch: decide all, submit, or go to stopping it.

use assent_conversation::{ApprovalBatch, Intent, Verdict};
use leptos::prelude::*;

use super::{
    card::{keep_focus, leave},
    drawing::why_unseen,
    shown::Shown,
    stage::Stage,
};
use crate::{
    components::{
        button::button,
        dispatch::Dispatch,
        element::el,
        erased::{ElementRef, dynamic, new_id, when_there},
        focus::focus,
        strings,
    },
    store::ApprovalView,
};

/// `came_back`: from the feedback; the focus goes to the button that led there.
pub(super) fn decisions(
    view: &RwSignal<ApprovalView>,
    stage: Memo<Stage>,
    streams: Memo<bool>,
    shown: &Shown,
    dispatch: Dispatch,
    came_back: bool,
) -> AnyView {
    let texts = strings::texts();
    let id = view.with_untracked(|view| view.batch.id.clone());
    let of = |test: fn(&ApprovalBatch) -> bool| {
        let view = *view;
        Memo::new(move |_| view.with(|view| test(&view.batch)))
    };
    let decided = of(ApprovalBatch::is_decided);
    let is_open = of(ApprovalBatch::can_be_approved);
    // Only what is to be read can be approved, and what was approved is still to be read when it is sent.
    let (is_shown, is_read) = {
        let (all, approved) = ((*view, shown.clone()), (*view, shown.clone()));
        (
            Memo::new(move |_| all.0.with(|view| all.1.has_all(&view.batch))),
            Memo::new(move |_| approved.0.with(|view| approved.1.has_approved(&view.batch))),
        )
    };
    let (all_of_it, stop_button) = (ElementRef::new(), ElementRef::new());
    keep_focus(all_of_it, stage);
    if came_back {
        when_there(stop_button, focus);
    }
    let all = |name: &'static str, verdict: Verdict| {
        let intent = Intent::DecideAll(id.clone(), verdict);
        button("button", name, move |_| {
            if verdict == Verdict::Deny || is_shown.get_untracked() {
                dispatch.send(intent.clone());
            }
        })
    };
    let why = new_id();
    let approve = all(texts.get(strings::APPROVE_ALL), Verdict::Approve)
        .attr("aria-describedby", &why)
        .follow_property("disabled", move || !is_open.get() || !is_shown.get());
    let deny = all(texts.get(strings::DENY_ALL), Verdict::Deny);
    let begin = Intent::BeginFeedback(id.clone());
    let stop = button(
        "button quiet",
        texts.get(strings::STOP_WITH_FEEDBACK),
        move |_| {
            dispatch.send(begin.clone());
        },
    );
    let submit = button(
        "button primary",
        texts.get(strings::SUBMIT_DECISIONS),
        move |event| {
            if is_read.get_untracked() {
                leave(&event);
                dispatch.send(Intent::SubmitDecisions(id.clone()));
            }
        },
    );
    let submit = submit
        .attr("aria-describedby", &why)
        .follow_property("disabled", move || {
            streams.get() || !decided.get() || !is_read.get()
        });
    let counted = *view;
    let hint = dynamic(move || {
        let mut hints = Vec::new();
        let mut say = |text: &str| hints.push(el("span", "").text(text).view());
        if !is_shown.get() {
            say(why_unseen());
        } else if !is_open.get() {
            say(texts.get(strings::OPEN_ALL_FIRST));
        }
        if !decided.get() {
            counted.with(|view| {
                let tools = &view.batch.tools;
                let done = tools.iter().filter(|tool| tool.choice.is_some()).count();
                say(&strings::decided(texts, done, tools.len()));
            });
        } else if streams.get() {
            say(texts.get(strings::AGENT_BUSY));
        }
        hints.into_any()
    });
    let buttons = el("div", "buttons")
        .child(approve)
        .child(deny)
        .child(stop.node_ref(stop_button))
        .child(submit);
    el("div", "decisions")
        .node_ref(all_of_it)
        .child(el("p", "decisions-hint").attr("id", &why).child(hint))
        .child(buttons)
        .view()
}
