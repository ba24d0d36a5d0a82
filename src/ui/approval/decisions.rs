//! What answers a whole batch: decide all, submit, or go to stopping it.

use assent_conversation::{ApprovalBatch, Intent, Verdict};
use leptos::prelude::*;

use super::{
    card::{keep_focus, leave},
    stage::Stage,
};
use crate::{
    ui::{
        button::button,
        dispatch::Dispatch,
        element::el,
        erased::{ElementRef, dynamic, new_id, when_there},
        focus::focus,
        strings,
    },
    view::{ApprovalView, Watched},
};

/// `came_back`: from the feedback; the focus goes to the button that led there.
pub(super) fn decisions(
    view: &Watched<ApprovalView>,
    stage: Memo<Stage>,
    streams: Memo<bool>,
    dispatch: Dispatch,
    came_back: bool,
) -> AnyView {
    let id = view.peek(|view| view.batch.id.clone());
    let of = |test: fn(&ApprovalBatch) -> bool| {
        let view = view.clone();
        Memo::new(move |_| view.with(|view| test(&view.batch)))
    };
    let decided = of(ApprovalBatch::is_decided);
    let can_approve = of(ApprovalBatch::can_be_approved);
    let (all_of_it, stop_button) = (ElementRef::new(), ElementRef::new());
    keep_focus(all_of_it, stage);
    if came_back {
        when_there(stop_button, focus);
    }
    let all = |name: &'static str, verdict: Verdict| {
        let intent = Intent::DecideAll(id.clone(), verdict);
        button("button", name, move |_| dispatch.send(intent.clone()))
    };
    let why = new_id();
    let approve = all(strings::APPROVE_ALL, Verdict::Approve)
        .attr("aria-describedby", &why)
        .follow_property("disabled", move || !can_approve.get());
    let deny = all(strings::DENY_ALL, Verdict::Deny);
    let begin = Intent::BeginFeedback(id.clone());
    let stop = button("button quiet", strings::STOP_WITH_FEEDBACK, move |_| {
        dispatch.send(begin.clone());
    });
    let submit = button("button primary", strings::SUBMIT_DECISIONS, move |event| {
        leave(&event);
        dispatch.send(Intent::SubmitDecisions(id.clone()));
    });
    let submit = submit
        .attr("aria-describedby", &why)
        .follow_property("disabled", move || streams.get() || !decided.get());
    let counted = view.clone();
    let hint = dynamic(move || {
        let mut hints = Vec::new();
        let mut say = |text: &str| hints.push(el("span", "").text(text).view());
        if !can_approve.get() {
            say(strings::OPEN_ALL_FIRST);
        }
        if !decided.get() {
            counted.with(|view| {
                let tools = &view.batch.tools;
                let done = tools.iter().filter(|tool| tool.choice.is_some()).count();
                say(&strings::decided(done, tools.len()));
            });
        } else if streams.get() {
            say(strings::AGENT_BUSY);
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
