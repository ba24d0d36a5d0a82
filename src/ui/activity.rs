//! What the agent does: one line with the current step, which opens to all of them.

use assent_conversation::{ActivityStep, StepState};
use leptos::prelude::*;

use super::{icons, strings};
use crate::view::ActivityLevel;

#[component]
pub(super) fn Activity(
    steps: ArcRwSignal<assent_conversation::Activity>,
    level: ArcRwSignal<ActivityLevel>,
) -> impl IntoView {
    let steps = Signal::derive(move || steps.get());
    let opened = RwSignal::new(None::<bool>);
    let open = move || {
        opened
            .get()
            .unwrap_or_else(|| level.get() == ActivityLevel::Full)
    };
    let open = Signal::derive(open);
    let state = move || {
        steps.with(|activity| {
            let any = |state| activity.steps.iter().any(|step| step.state == state);
            if any(StepState::Running) {
                "running"
            } else if activity
                .steps
                .last()
                .is_some_and(|step| step.state == StepState::Failed)
            {
                "failed"
            } else {
                "done"
            }
        })
    };
    let current = move || {
        steps.with(|activity| {
            activity
                .current()
                .map_or_else(|| strings::WORKING.to_owned(), step_text)
        })
    };
    let count = move || strings::steps(steps.with(|activity| activity.steps.len()));
    view! { class="a",
        <div part="activity" class="activity" role="group" aria-label=strings::ACTIVITY data-state=state>
            <button
                type="button"
                class="activity-line"
                aria-expanded=move || open.get().to_string()
                on:click=move |_| opened.set(Some(!open.get_untracked()))
            >
                <span class="activity-mark" aria-hidden="true"></span>
                <span class="activity-current" dir="auto">{current}</span>
                <span class="activity-count">{count}</span>
                {icons::chevron()}
            </button>
            <Show when=move || open.get()>
                <ol class="steps">
                    <For
                        each=move || 0..steps.with(|activity| activity.steps.len())
                        key=|index| *index
                        children=move |index| view! { class="a", <Step steps index/> }
                    />
                </ol>
            </Show>
        </div>
    }
}

#[component]
fn Step(steps: Signal<assent_conversation::Activity>, index: usize) -> impl IntoView {
    let step = Memo::new(move |_| steps.with(|activity| activity.steps.get(index).cloned()));
    let state = move || match step.get().map(|step| step.state) {
        Some(StepState::Running) => "running",
        Some(StepState::Failed) => "failed",
        Some(StepState::Done) | None => "done",
    };
    let text = move || step.get().as_ref().map(step_text);
    let agent = move || step.get().and_then(|step| step.agent);
    let duration = move || step.get().as_ref().and_then(duration);
    view! { class="a",
        <li class="step" data-state=state>
            <span class="activity-mark" aria-hidden="true"></span>
            <span class="step-text" dir="auto">
                {move || agent().map(|agent| view! { class="a", <b>{agent}</b> " " })}
                {text}
            </span>
            <span class="step-time">{duration}</span>
        </li>
    }
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

#[allow(
    clippy::cast_precision_loss,
    reason = "spans of a conversation fit into 53 bits"
)]
fn duration(step: &ActivityStep) -> Option<String> {
    let span = step.ended?.0 - step.began.0;
    (span >= 100).then(|| strings::seconds(span as f64 / 1000.0))
}
