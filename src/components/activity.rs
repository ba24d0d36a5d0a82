//! The agent's activity: one line with the current step, which opens to all of them.

use assent_conversation::{Activity as Steps, ActivityStep, StepState};
use assent_i18n::Texts;
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    attribute::attribute,
    effect::memo,
    escape_invisible::shown_name,
    icons,
    listener::on,
    picture::Picture,
    rows::{Row, rows},
    show::Show,
    strings,
};
use crate::store::{ActivityLevel, Settings};

/// The activity of one message.
#[component]
pub(super) fn Activity(steps: RwSignal<Steps>) -> impl IntoView {
    let texts = strings::texts();
    let current = Signal::derive(move || {
        let named = steps.with(|activity| activity.current().map(|step| step_text(texts, step)));
        named.unwrap_or_else(|| texts.get(strings::WORKING).to_owned())
    });
    let count = Signal::derive(move || {
        let count = steps.with(|activity| activity.steps.len());
        texts.count(strings::STEPS, count, &[])
    });
    view! {
        <div
            part="activity"
            class="activity"
            role="group"
            aria-label=texts.get(strings::ACTIVITY)
            data-state=move || steps.with(overall)
        >
            <Foldable current count>
                <StepList steps/>
            </Foldable>
        </div>
    }
}

/// A line that opens to more; it is open from the start if the page shows activity in full.
#[component]
pub(super) fn Foldable(
    current: Signal<String>,
    count: Signal<String>,
    children: ChildrenFn,
) -> impl IntoView {
    let level = expect_context::<Settings>().activity;
    let opened = RwSignal::new(None::<bool>);
    let open = memo(move || {
        let chosen = opened.get();
        chosen.unwrap_or_else(|| level.get() == ActivityLevel::Full)
    });
    let toggle = move |_: MouseEvent| opened.set(Some(!open.get_untracked()));
    view! {
        <button
            type="button"
            class="activity-line"
            {..attribute("aria-expanded", move || open.get().to_string())}
            on:click=on(toggle)
        >
            <Mark/>
            <span class="activity-current" dir="auto">{current}</span>
            <span class="activity-count">{count}</span>
            {icons::chevron()}
        </button>
        <Show when=move || open.get()>{children()}</Show>
    }
}

/// The icon of a state, which the style sheet draws.
#[component]
fn Mark() -> impl IntoView {
    view! { <span class="activity-mark" aria-hidden="true"></span> }
}

/// Number of steps that are shown at once, the latest ones: each looks at all of them whenever one
/// comes, and with ten thousand the page would stand still.
const MANY: usize = 100;

/// The steps, in the order they began.
#[component]
fn StepList(steps: RwSignal<Steps>) -> impl IntoView {
    let texts = strings::texts();
    let count = move || steps.with(|activity| activity.steps.len());
    let limit = RwSignal::new(MANY);
    let earlier = memo(move || count().saturating_sub(limit.get()));
    let add = move |_: MouseEvent| limit.update(|limit| *limit += MANY);
    let items = move || {
        let mut items = Vec::new();
        for place in earlier.get()..count() {
            let step = move || view! { <Step steps place/> };
            items.push(Row::new(place.to_string(), step));
            // In rows of their own: a step is made anew whenever it changes.
            let images = |activity: &Steps| activity.steps.get(place).map(|it| it.images.clone());
            for image in steps.with(images).unwrap_or_default() {
                let key = ["image ", &image.image_id].concat();
                let picture = move || view! { <Picture image=image.clone()/> };
                items.push(Row::new(key, picture));
            }
        }
        items
    };
    view! {
        <Show when=move || { earlier.get() > 0 }>
            <button type="button" class="link-button" on:click=on(add)>
                {move || texts.count(strings::EARLIER_STEPS, earlier.get(), &[])}
            </button>
        </Show>
        <ol class="steps" {..attribute("start", move || (earlier.get() + 1).to_string())}>
            {rows(items)}
        </ol>
    }
}

/// One step, which may still change.
#[component]
fn Step(steps: RwSignal<Steps>, place: usize) -> impl IntoView {
    let texts = strings::texts();
    let step = memo(move || steps.with(|activity| activity.steps.get(place).cloned()));
    let failed = move || view! { <span class="step-failed">{texts.get(strings::FAILED)}</span> };
    move || {
        step.get().map(|step| {
            let (text, duration) = (step_text(texts, &step), duration(texts, &step));
            view! {
                <li class="step" data-state=state_name(step.state)>
                    <Mark/>
                    <span class="step-text" dir="auto">
                        {step.agent.map(|agent| view! { <b>{shown_name(&agent)}</b> " " })} {text}
                    </span>
                    {(step.state == StepState::Failed).then(failed)}
                    <span class="step-time">{duration}</span>
                </li>
            }
        })
    }
}

/// Returns `data-state` of the contract.
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

/// Returns `data-state` of a step.
fn state_name(state: StepState) -> &'static str {
    match state {
        StepState::Running => "running",
        StepState::Failed => "failed",
        StepState::Done => "done",
    }
}

/// Returns what was done, if the service last said what was being done; else the service's own
/// description, else the table's text, else the type as the service spells it.
fn step_text(texts: Texts, step: &ActivityStep) -> String {
    let own = step.content.trim();
    if step.ended_without_event() {
        let done = step.completion();
        let done = done.map(|(event, text)| strings::event(texts, event).unwrap_or(text));
        match done {
            Some(text) => text.to_owned(),
            None => match named_tool(step) {
                Some(tool) => texts.fill(
                    strings::RAN,
                    &[("tool", &strings::cut(tool, strings::MAX_SENTENCE))],
                ),
                None => texts.get(strings::TOOL_RAN).to_owned(),
            },
        }
    } else if !own.is_empty() {
        strings::cut(own, strings::MAX_SENTENCE)
    } else if step.event_type.is_empty() {
        texts.get(strings::GARBLED).to_owned()
    } else {
        let event = strings::event(texts, &step.event_type).or_else(|| step.default_text());
        event.unwrap_or(&step.event_type).to_owned()
    }
}

/// Returns the tool that a step names, and what it was called for in brackets, as in "Starting a
/// tool: files/write_file (packing.md)"; a description such as "Running a search" names none.
fn named_tool(step: &ActivityStep) -> Option<&str> {
    let own = step.content.trim();
    let described = step.default_text().and_then(|text| own.strip_prefix(text));
    let tool = described
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(own);
    let name = tool.split(" (").next().unwrap_or_default();
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(tool)
}

/// Returns the duration of a step, if it is long enough to be shown.
fn duration(texts: Texts, step: &ActivityStep) -> String {
    let millis = step
        .ended
        .map_or(0, |ended| ended.0.saturating_sub(step.began.0));
    if millis < 100 {
        String::new()
    } else {
        strings::seconds(texts, millis)
    }
}
