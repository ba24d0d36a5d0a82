//! What the agent does: one line with the current step, which opens to all of them.

use assent_conversation::{Activity as Steps, ActivityStep, StepState};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    button::bare_button,
    element::{Element, el},
    erased::{dynamic, each_place, show, text},
    icons, strings,
};
use crate::store::ActivityLevel;

pub(super) fn activity(steps: RwSignal<Steps>, level: RwSignal<ActivityLevel>) -> AnyView {
    let texts = strings::texts();
    let state = { move || steps.with(overall).to_owned() };
    let current = {
        move || {
            let named = steps.with(|activity| activity.current().map(step_text));
            named.unwrap_or_else(|| texts.get(strings::WORKING).to_owned())
        }
    };
    let count = {
        move || {
            texts.count(
                strings::STEPS,
                steps.with(|activity| activity.steps.len()),
                &[],
            )
        }
    };
    let list = move || {
        let (counted, steps) = (steps, steps);
        let rows = each_place(
            move || counted.with(|activity| activity.steps.len()),
            move |place| step(steps, place),
        );
        el("ol", "steps").child(rows).view()
    };
    let current = el("span", "activity-current")
        .attr("dir", "auto")
        .child(text(current));
    let count = el("span", "activity-count").child(text(count));
    let line = vec![mark().view(), current.view(), count.view()];
    el("div", "activity")
        .attr("part", "activity")
        .attr("role", "group")
        .attr("aria-label", texts.get(strings::ACTIVITY))
        .follow_text("data-state", state)
        .children(foldable(level, line, list))
        .view()
}

/// A line that opens to more; it is open from the start where the page shows activity in full.
pub(super) fn foldable(
    level: RwSignal<ActivityLevel>,
    line: Vec<AnyView>,
    more: impl Fn() -> AnyView + Send + 'static,
) -> [AnyView; 2] {
    let opened = RwSignal::new(None::<bool>);
    let open = {
        move || {
            opened
                .get()
                .unwrap_or_else(|| level.get() == ActivityLevel::Full)
        }
    };
    let toggle = { move |_: MouseEvent| opened.set(Some(!untrack(open))) };
    let line = bare_button("activity-line", toggle)
        .follow_bool("aria-expanded", open)
        .children(line)
        .child(icons::chevron());
    [line.view(), show(open, more)]
}

pub(super) fn mark() -> Element {
    el("span", "activity-mark").attr("aria-hidden", "true")
}

/// `data-state` of the contract.
fn overall(activity: &Steps) -> &'static str {
    let runs = activity
        .steps
        .iter()
        .any(|step| step.state == StepState::Running);
    match activity.steps.last() {
        _ if runs => "running",
        Some(step) if step.state == StepState::Failed => "failed",
        _ => "done",
    }
}

fn step(steps: RwSignal<Steps>, place: usize) -> AnyView {
    let texts = strings::texts();
    dynamic(move || {
        let Some(step) = steps.with(|activity| activity.steps.get(place).cloned()) else {
            return ().into_any();
        };
        let state = match step.state {
            StepState::Running => "running",
            StepState::Failed => "failed",
            StepState::Done => "done",
        };
        let what = el("span", "step-text").attr("dir", "auto");
        let what = match &step.agent {
            Some(agent) => what.child(el("b", "").text(agent)).text(" "),
            None => what,
        };
        let item = el("li", "step")
            .attr("data-state", state)
            .child(mark())
            .child(what.text(&step_text(&step)));
        let item = if step.state == StepState::Failed {
            item.child(el("span", "step-failed").text(texts.get(strings::FAILED)))
        } else {
            item
        };
        item.child(el("span", "step-time").text(&duration(&step)))
            .view()
    })
}

/// The service's own description, else the table's text, else the type as the service spells it.
fn step_text(step: &ActivityStep) -> String {
    let texts = strings::texts();
    let own = step.content.trim();
    if !own.is_empty() {
        own.to_owned()
    } else if step.event_type.is_empty() {
        texts.get(strings::GARBLED).to_owned()
    } else {
        let event = strings::event(texts, &step.event_type).or_else(|| step.default_text());
        event.unwrap_or(&step.event_type).to_owned()
    }
}

/// How long a step took, where that is worth saying.
fn duration(step: &ActivityStep) -> String {
    let texts = strings::texts();
    let millis = step
        .ended
        .map_or(0, |ended| ended.0.saturating_sub(step.began.0));
    if millis < 100 {
        String::new()
    } else {
        strings::seconds(texts, millis)
    }
}
