//! What the agent does: one line with the current step, which opens to all of them.

use assent_conversation::{Activity as Steps, ActivityStep, StepState};
use leptos::prelude::*;

use super::{
    erased::{dynamic, each_place, on, show, text},
    icons, strings,
};
use crate::view::{ActivityLevel, Watched};

#[component]
pub(super) fn Activity(steps: Watched<Steps>, level: Watched<ActivityLevel>) -> impl IntoView {
    let opened = Watched::new(None::<bool>);
    let open = {
        let opened = opened.clone();
        move || {
            opened
                .get()
                .unwrap_or_else(|| level.get() == ActivityLevel::Full)
        }
    };
    let toggle = {
        let open = open.clone();
        move |_| opened.set(Some(!untrack(&open)))
    };
    let state = {
        let steps = steps.clone();
        move || steps.with(overall)
    };
    let current = {
        let steps = steps.clone();
        move || {
            let named = steps.with(|activity| activity.current().map(step_text));
            named.unwrap_or_else(|| strings::WORKING.to_owned())
        }
    };
    let count = {
        let steps = steps.clone();
        move || strings::steps(steps.with(|activity| activity.steps.len()))
    };
    let expanded = open.clone();
    let list = move || {
        let (counted, steps) = (steps.clone(), steps.clone());
        let rows = each_place(
            move || counted.with(|activity| activity.steps.len()),
            move |place| step(steps.clone(), place),
        );
        view! { class="a", <ol class="steps">{rows}</ol> }.into_any()
    };
    view! { class="a",
        <div
            part="activity"
            class="activity"
            role="group"
            aria-label=strings::ACTIVITY
            data-state=move || state()
        >
            <button
                type="button"
                class="activity-line"
                aria-expanded=move || if expanded() { "true" } else { "false" }
                on:click=on(toggle)
            >
                <span class="activity-mark" aria-hidden="true"></span>
                <span class="activity-current" dir="auto">{text(current)}</span>
                <span class="activity-count">{text(count)}</span>
                {icons::chevron()}
            </button>
            {show(open, list)}
        </div>
    }
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

fn step(steps: Watched<Steps>, place: usize) -> AnyView {
    dynamic(move || {
        let Some(step) = steps.with(|activity| activity.steps.get(place).cloned()) else {
            return ().into_any();
        };
        let state = match step.state {
            StepState::Running => "running",
            StepState::Failed => "failed",
            StepState::Done => "done",
        };
        let agent = step
            .agent
            .clone()
            .map(|agent| view! { class="a", <b>{agent}</b> " " }.into_any());
        view! { class="a",
            <li class="step" data-state=state>
                <span class="activity-mark" aria-hidden="true"></span>
                <span class="step-text" dir="auto">{agent} {step_text(&step)}</span>
                {(step.state == StepState::Failed).then(|| view! { class="a", <span class="step-failed">{strings::FAILED}</span> }.into_any())}
                <span class="step-time">{duration(&step)}</span>
            </li>
        }
        .into_any()
    })
}

/// The service's own description, else the table's text, else the type as the service spells it.
fn step_text(step: &ActivityStep) -> String {
    let own = step.content.trim();
    if !own.is_empty() {
        own.to_owned()
    } else if step.event_type.is_empty() {
        strings::GARBLED.to_owned()
    } else {
        step.default_text()
            .map_or_else(|| step.event_type.clone(), str::to_owned)
    }
}

/// How long a step took, where that is worth saying.
fn duration(step: &ActivityStep) -> String {
    let millis = step
        .ended
        .map_or(0, |ended| ended.0.saturating_sub(step.began.0));
    if millis < 100 {
        String::new()
    } else {
        strings::seconds(millis)
    }
}
