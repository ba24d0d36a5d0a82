//! The decision on one tool.

use assent_conversation::{Intent, ToolRun, Verdict};
use leptos::{prelude::*, web_sys::Event};

use super::{card::keep_focus, shown::Shown, stage::Stage};
use crate::{
    components::{
        dispatch::Dispatch,
        element::el,
        erased::{ElementRef, new_id, show},
        strings,
    },
    store::ApprovalView,
};

/// `name`: the tool's, for people. `described`: the id of what is to be looked at.
pub(super) fn choice(
    view: &RwSignal<ApprovalView>,
    stage: Memo<Stage>,
    index: usize,
    (name, described): (&str, &str),
    shown: &Shown,
    dispatch: Dispatch,
) -> AnyView {
    let texts = strings::texts();
    let ids = view.with_untracked(|view| {
        let run = view.batch.tools.get(index);
        let execution = run.map(|run| run.execution.clone()).unwrap_or_default();
        (view.batch.id.clone(), execution)
    });
    let locked = {
        let view = *view;
        Memo::new(move |_| {
            let can = |tool: &ToolRun| !tool.can_be_approved();
            view.with(|view| view.batch.tools.get(index).is_some_and(can))
        })
    };
    let is_unseen = {
        let shown = shown.clone();
        Memo::new(move |_| !shown.has(index))
    };
    // Radios of one name form a group within the whole shadow root.
    let group = new_id();
    let radio = |verdict: Verdict, label: &'static str, class: &'static str| {
        let (view, (id, execution)) = (*view, ids.clone());
        let chosen = move || {
            let choice = view.with(|view| view.batch.tools.get(index).and_then(|tool| tool.choice));
            choice == Some(verdict)
        };
        let refuses = move |is_folded: bool, is_unseen: bool| {
            verdict == Verdict::Approve && (is_folded || is_unseen)
        };
        let decide = move |_: Event| {
            if !refuses(locked.get_untracked(), is_unseen.get_untracked()) {
                dispatch.send(Intent::Decide(id.clone(), execution.clone(), verdict));
            }
        };
        let input = el("input", "")
            .attr("type", "radio")
            .attr("name", &group)
            .follow_property("checked", chosen)
            .follow_property("disabled", move || refuses(locked.get(), is_unseen.get()))
            .on("change", decide);
        el("label", class)
            .child(input)
            .child(el("span", "").text(label))
    };
    let hint = new_id();
    let described = [described, " ", &hint].concat();
    let open_first = move || {
        el("p", "choice-hint")
            .attr("id", &hint)
            .text(texts.get(strings::OPEN_FIRST))
            .view()
    };
    let all_of_it = ElementRef::new();
    keep_focus(all_of_it, stage);
    let choices = el("div", "choices")
        .node_ref(all_of_it)
        .attr("role", "radiogroup")
        .attr(
            "aria-label",
            &texts.fill(strings::DECISION_ON, &[("tool", name)]),
        )
        .attr("aria-describedby", &described)
        .child(radio(
            Verdict::Approve,
            texts.get(strings::APPROVE),
            "choice approve",
        ))
        .child(radio(
            Verdict::Deny,
            texts.get(strings::DENY),
            "choice deny",
        ));
    vec![
        show(move || locked.get() && !is_unseen.get(), open_first),
        choices.view(),
    ]
    .into_any()
}
