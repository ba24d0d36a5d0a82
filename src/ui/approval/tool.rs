//! One tool run of a batch: what it is, with which arguments, what to look at, and the choice.

use std::sync::Arc;

use assent_conversation::{ApprovalBatch, ApprovalStatus, BatchPhase, ExecutionId, ToolRun};
use assent_inspect::{Finding, Inspection, Weight, inspect};
use leptos::{prelude::*, wasm_bindgen::JsCast};

use super::{
    argument::{argument, scrolling},
    change::{gone, since},
    choice::choice,
    host::resolve,
    inspected::{inspected, spelled},
    stage::Stage,
};
use crate::{
    ui::{
        button::icon_button,
        dispatch::Dispatch,
        element::{Element, el},
        erased::{ElementRef, dynamic, follow, keyed, new_id, show},
        focus::{focus, focused},
        icons, strings,
    },
    view::{ApprovalView, Arguments, Watched},
};

/// Names of more characters than this scroll.
const LONG_NAME: usize = 200;

pub(super) fn tool(
    view: Watched<ApprovalView>,
    stage: Memo<Stage>,
    index: usize,
    dispatch: Dispatch,
) -> AnyView {
    let (label, status) = (view.clone(), view.clone());
    let state = move || {
        let spelled = |tool: &ToolRun| tool.status.as_str().to_owned();
        status.with(|view| view.batch.tools.get(index).map(spelled))
    };
    // Drawn anew when the service asks again with other arguments, and not with every choice.
    let asked = view.clone();
    let part = ElementRef::new();
    let body = keyed(
        move || asked.with(|view| identity(view, index)),
        move || {
            keep_place(part);
            body(&view, stage, index, dispatch)
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
    match tool.map(|tool| tool.name.trim()) {
        Some(name) if !name.is_empty() => strings::shortened(&spelled(name)),
        _ => strings::UNNAMED_TOOL.to_owned(),
    }
}

/// One run, read for people. It does not change while it is drawn.
struct Reading {
    run: ToolRun,
    before: Option<Arguments>,
    /// The name where there can be no marks in it.
    name: String,
    /// The tool's name, and who provides it.
    head: Inspection,
    arguments: Vec<Inspection>,
    /// The id of what is said before the decision.
    looks: String,
}

impl Reading {
    fn new(view: &ApprovalView, index: usize) -> Option<Self> {
        let run = view.batch.tools.get(index)?.clone();
        let origin = strings::tool_origin(&run.provider, &run.category);
        let arguments = run.arguments.iter();
        let arguments = arguments.map(|(name, value)| inspect(name, value, &resolve));
        Some(Self {
            before: view.before.get(index).cloned().flatten(),
            name: name_of(Some(&run)),
            head: inspect(&run.name, &origin, &|_| None),
            arguments: arguments.collect(),
            looks: new_id(),
            run,
        })
    }
}

fn body(
    view: &Watched<ApprovalView>,
    stage: Memo<Stage>,
    index: usize,
    dispatch: Dispatch,
) -> AnyView {
    let Some(reading) = view.peek(|view| Reading::new(view, index)).map(Arc::new) else {
        return ().into_any();
    };
    let has_outcome = Memo::new(move |_| stage.get().has_outcome());
    let unfolded = RwSignal::new(false);
    let (above, argued) = (Arc::clone(&reading), Arc::clone(&reading));
    let (looked, chosen) = (Arc::clone(&reading), reading);
    let (answered, refused) = (view.clone(), view.clone());
    let outcome = move || {
        let view = answered.clone();
        let mark = dynamic(move || view.with(|view| outcome(view, index)));
        el("span", "tool-end")
            .child(el("span", "outcome").child(mark))
            .children(disclosure(&above, unfolded))
            .view()
    };
    let rows = {
        let view = view.clone();
        move || rows(&view, &argued, index, dispatch)
    };
    let execution = chosen.run.execution.clone();
    let issue = Memo::new(move |_| refused.with(|view| issue(&view.batch, &execution)));
    let issue = dynamic(move || issue_note(issue.get()));
    let choice = {
        let view = view.clone();
        move || choice(&view, stage, index, &chosen.name, &chosen.looks, dispatch)
    };
    let head = head(&looked).child(show(move || has_outcome.get(), outcome));
    let parts = vec![
        head.view(),
        show(move || !has_outcome.get() || unfolded.get(), rows),
        show(move || !has_outcome.get(), move || summary(&looked)),
        issue,
        show(move || stage.get().decides(), choice),
    ];
    parts.into_any()
}

fn head(reading: &Reading) -> Element {
    let name = if reading.run.name.trim().is_empty() {
        reading.name.clone().into_any()
    } else {
        inspected(&reading.head.name)
    };
    let run = &reading.run;
    let origin = inspected(&reading.head.value);
    let origin_length = run.provider.chars().count() + run.category.chars().count();
    el("div", "tool-head")
        .child(title("tool-name", reading, name, run.name.chars().count()))
        .child(title("tool-origin", reading, origin, origin_length))
}

/// A part of the head. There is an end to what it takes, whatever `length` it has.
fn title(class: &str, reading: &Reading, text: AnyView, length: usize) -> Element {
    let text = el("bdi", "").child(text);
    if length <= LONG_NAME {
        return el("span", class).child(text);
    }
    let told = strings::length(length);
    el("div", class)
        .child(scrolling(&reading.name, text.view()))
        .child(el("span", "argument-size").text(&told))
}

/// What was decided on is still there to be read.
fn disclosure(reading: &Reading, unfolded: RwSignal<bool>) -> Option<AnyView> {
    let label = strings::arguments_of(&reading.name);
    (!reading.arguments.is_empty()).then(|| {
        icon_button("icon-button small disclosure", &label, move |_| {
            unfolded.set(!unfolded.get_untracked());
        })
        .follow_bool("aria-expanded", move || unfolded.get())
        .child(icons::chevron())
        .view()
    })
}

fn rows(
    view: &Watched<ApprovalView>,
    reading: &Reading,
    index: usize,
    dispatch: Dispatch,
) -> AnyView {
    let (run, before) = (&reading.run, reading.before.as_ref());
    let row = |(place, (pair, inspection)): (usize, (&(String, String), &Inspection))| {
        let since = since(before, &run.arguments, place);
        argument(
            view,
            (index, place),
            pair,
            inspection.clone(),
            &since,
            dispatch,
        )
    };
    let pairs = run.arguments.iter().zip(&reading.arguments);
    let rows: Vec<AnyView> = pairs.enumerate().map(row).collect();
    let hint = |text: &str| el("p", "approval-hint").text(text).view();
    let mut parts = Vec::new();
    if rows.is_empty() {
        parts.push(hint(strings::NO_ARGUMENTS));
    } else {
        parts.push(el("dl", "arguments").children(rows).view());
        if before == Some(&run.arguments) {
            parts.push(hint(strings::SAME_AS_LAST_TIME));
        }
    }
    parts.extend(gone(before, &run.arguments));
    parts.into_any()
}

/// What is to be looked at before the decision, by name.
fn summary(reading: &Reading) -> AnyView {
    let warns = |inspection: &Inspection| {
        let first = inspection.findings.first();
        first.is_some_and(|first| first.weight() == Weight::Warning)
    };
    // What kind of value a name would be is no matter.
    let deceives = |it: &Finding| *it < Finding::ActiveScheme;
    let mut places: Vec<AnyView> = Vec::new();
    if reading.head.findings.iter().any(deceives) {
        places.push(strings::THE_NAME.into_any());
    }
    for inspection in reading.arguments.iter().filter(|it| warns(it)) {
        if !places.is_empty() {
            places.push(", ".into_any());
        }
        places.push(if inspection.name.parts().is_empty() {
            strings::NO_NAME.into_any()
        } else {
            let name = inspected(&inspection.name);
            el("bdi", "argument-name").child(name).view()
        });
    }
    if places.is_empty() {
        return ().into_any();
    }
    let line = el("span", "").attr("dir", "auto");
    let line = line.text(strings::LOOK_CLOSELY).text(" ");
    el("p", "tool-looks")
        .attr("id", &reading.looks)
        .child(icons::alert())
        .child(line.children(places))
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
    let chosen = match &view.batch.phase {
        BatchPhase::Submitting { answer, .. } => Some(answer.status_of(index)),
        _ => None,
    };
    let Some(status) = view.batch.tools.get(index).map(|tool| &tool.status) else {
        return ().into_any();
    };
    let (status, text) = match &chosen {
        Some(status) => (status, strings::chosen(status)),
        None => (status, strings::outcome(status)),
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
