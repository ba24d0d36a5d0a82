//! One tool run of a batch: its request, the choice, and what became of it.

use assent_conversation::{ApprovalBatch, ApprovalStatus, BatchPhase, ExecutionId, ToolRun};
use leptos::{prelude::*, wasm_bindgen::JsCast};

use super::{
    choice::choice,
    drawing::{Request, drawing},
    shown::Shown,
    stage::Stage,
};
use crate::{
    components::{
        button::icon_button,
        dispatch::Dispatch,
        element::el,
        erased::{ElementRef, dynamic, follow, keyed, new_id, show},
        escape_invisible::escape_invisible,
        focus::{focus, focused},
        icons, strings,
    },
    store::ApprovalView,
};

pub(super) fn tool(
    view: RwSignal<ApprovalView>,
    stage: Memo<Stage>,
    index: usize,
    shown: Shown,
    dispatch: Dispatch,
) -> AnyView {
    let (label, status) = (view, view);
    let state = move || {
        let spelled = |tool: &ToolRun| tool.status.as_str().to_owned();
        status.with(|view| view.batch.tools.get(index).map(spelled))
    };
    // Drawn anew when the service asks again with other arguments, and not with every choice.
    let asked = view;
    let part = ElementRef::new();
    let body = keyed(
        move || asked.with(|view| identity(view, index)),
        move || {
            keep_place(part);
            body(&view, stage, index, &shown, dispatch)
        },
    );
    el("div", "tool")
        .node_ref(part)
        .attr("part", "approval-tool")
        .attr("role", "group")
        .follow_text("aria-label", move || {
            label.with(|view| name_of(view.batch.tools.get(index)))
        })
        .follow("data-state", state)
        .child(body)
        .view()
}

/// What is drawn anew takes the focus that was in it to its choice, or else to what can be read in it.
fn keep_place(part: ElementRef) {
    let Some(part) = part.now() else { return };
    if part.contains(focused(&part).as_deref()) {
        // The new parts are there when effects run.
        follow(move || {
            let found = |selector| part.query_selector(selector).ok().flatten();
            let place = found("input:enabled").or_else(|| found("button, [tabindex]"));
            if let Some(place) = place.and_then(|place| place.dyn_into().ok()) {
                focus(&place);
            }
        });
    }
}

/// Everything that the drawing of a tool depends on, apart from what is done with it.
fn identity(view: &ApprovalView, index: usize) -> String {
    let mut identity = String::new();
    if let Some(tool) = view.batch.tools.get(index) {
        let raw = tool.request.as_ref().map(|raw| raw.as_str());
        identity.push_str(raw.unwrap_or_default());
    }
    for (name, value) in view.before.get(index).into_iter().flatten().flatten() {
        identity.push_str(name);
        identity.push('\0');
        identity.push_str(value);
        identity.push('\0');
    }
    identity
}

/// The name where there can be no marks in it, with an end.
pub(super) fn name_of(tool: Option<&ToolRun>) -> String {
    let texts = strings::texts();
    match tool.map(|tool| tool.name.trim()) {
        Some(name) if !name.is_empty() => strings::shortened(&escape_invisible(name)),
        _ => texts.get(strings::UNNAMED_TOOL).to_owned(),
    }
}

fn body(
    view: &RwSignal<ApprovalView>,
    stage: Memo<Stage>,
    index: usize,
    shown: &Shown,
    dispatch: Dispatch,
) -> AnyView {
    let read = |view: &ApprovalView| {
        let run = view.batch.tools.get(index)?;
        Some((
            run.execution.clone(),
            name_of(Some(run)),
            !run.arguments.is_empty(),
        ))
    };
    let Some((execution, name, has_arguments)) = view.with_untracked(read) else {
        return ().into_any();
    };
    let has_outcome = Memo::new(move |_| stage.get().has_outcome());
    let unfolded = RwSignal::new(false);
    let (answered, refused) = (*view, *view);
    let outcome = {
        let name = name.clone();
        move || {
            let view = answered;
            let mark = dynamic(move || view.with(|view| outcome(view, index)));
            el("span", "tool-end")
                .child(el("span", "outcome").child(mark))
                .children(has_arguments.then(|| disclosure(&name, unfolded)))
                .view()
        }
    };
    let issue = Memo::new(move |_| refused.with(|view| issue(&view.batch, &execution)));
    let issue = dynamic(move || issue_note(issue.get()));
    let request = Request {
        view: *view,
        index,
        name: name.clone(),
        before: view.with_untracked(|view| view.before.get(index).cloned().flatten()),
    };
    let looks = new_id();
    let drawn = drawing(
        request,
        &looks,
        Memo::new(move |_| !has_outcome.get() || unfolded.get()),
        Memo::new(move |_| !has_outcome.get()),
        shown.clone(),
        dispatch,
    );
    let choice = {
        let (view, shown) = (*view, shown.clone());
        move || choice(&view, stage, index, (&name, &looks), &shown, dispatch)
    };
    let head = el("div", "tool-head")
        .child(drawn.head)
        .child(show(move || has_outcome.get(), outcome));
    let parts = vec![
        head.view(),
        drawn.rows.view(),
        drawn.looks.view(),
        issue,
        show(move || stage.get().decides(), choice),
    ];
    parts.into_any()
}

/// What was decided on is still there to be read.
fn disclosure(name: &str, unfolded: RwSignal<bool>) -> AnyView {
    let texts = strings::texts();
    let label = texts.fill(strings::ARGUMENTS_OF, &[("tool", name)]);
    icon_button("icon-button small disclosure", &label, move |_| {
        unfolded.set(!unfolded.get_untracked());
    })
    .follow_bool("aria-expanded", move || unfolded.get())
    .child(icons::chevron())
    .view()
}

/// What the service says is wrong with this run.
fn issue(batch: &ApprovalBatch, execution: &ExecutionId) -> String {
    match &batch.phase {
        BatchPhase::Deciding {
            failure: Some(failure),
            ..
        } => failure.issue_of(execution).unwrap_or_default().to_owned(),
        _ => String::new(),
    }
}

fn issue_note(issue: String) -> AnyView {
    if issue.is_empty() {
        return ().into_any();
    }
    el("p", "tool-issue")
        .attr("role", "alert")
        .child(icons::alert())
        .child(el("span", "").attr("dir", "auto").text(&issue))
        .view()
}

/// What was chosen while it is not known to have arrived, then what became of it.
fn outcome(view: &ApprovalView, index: usize) -> AnyView {
    let texts = strings::texts();
    let chosen = match &view.batch.phase {
        BatchPhase::Submitting { answer, .. } => Some(answer.status_of(index)),
        _ => None,
    };
    let Some(status) = view.batch.tools.get(index).map(|tool| &tool.status) else {
        return ().into_any();
    };
    let (status, text) = match &chosen {
        Some(status) => (status, strings::chosen(texts, status)),
        None => (status, strings::outcome(texts, status)),
    };
    let mark = match status {
        ApprovalStatus::Approved => icons::check(),
        ApprovalStatus::Denied => icons::cross(),
        ApprovalStatus::Aborted => icons::stop(),
        ApprovalStatus::Pending | ApprovalStatus::Other(_) => ().into_any(),
    };
    let text = el("span", "").attr("dir", "auto").text(text);
    vec![mark, text.view()].into_any()
}
