//! The activity above an answer: one line with the current step, which opens to the list of all
//! steps.

use assent_conversation::{Activity as Steps, ActivityStep, EventGroup, StepState};
use assent_i18n::Texts;
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    attribute::attribute,
    effect::memo,
    escape_invisible::shown_name,
    extras::{Extra, LazyExtra},
    icons,
    listener::boxed_listener,
    picture::Picture,
    rows::{Row, rows},
    show::Show,
    strings,
};
use crate::store::{ActivityLevel, Settings};

/// The activity of one message, whose steps are `steps`. `is_working` is true while its answer is
/// being written.
#[component]
pub(super) fn Activity(steps: RwSignal<Steps>, is_working: Signal<bool>) -> impl IntoView {
    let texts = strings::texts();
    let level = expect_context::<Settings>().activity;
    let shown = move || shown_rule(level.get());
    let state =
        memo(move || steps.with(|activity| overall_state(activity, shown(), is_working.get())));
    let current = Signal::derive(move || {
        steps.with(|activity| match state.get() {
            "running" => {
                let named = activity
                    .current_step(shown())
                    .map(|step| step_text(texts, step));
                named.unwrap_or_else(|| texts.get(strings::WORKING).to_owned())
            }
            _ => summary(texts, activity, shown()),
        })
    });
    let count = Signal::derive(move || {
        let count = steps.with(|activity| shown_steps(activity, shown()).count());
        match state.get() {
            "running" => texts.plural(strings::STEPS, count, &[]),
            _ => String::new(),
        }
    });
    view! {
        <div
            part="activity"
            class="activity"
            role="group"
            aria-label=texts.get(strings::ACTIVITY)
            data-state=move || state.get()
        >
            <Foldable current count>
                <StepList steps/>
            </Foldable>
        </div>
    }
}

/// A function that returns true for a step of an activity that is shown, and false for one that is
/// left out.
type IsShown = fn(&ActivityStep) -> bool;

/// Returns the function that says which steps of an activity are shown at this level of detail.
fn shown_rule(level: ActivityLevel) -> IsShown {
    match level {
        ActivityLevel::Full => |_| true,
        ActivityLevel::Brief | ActivityLevel::Off => |step| !step.is_routing(),
    }
}

fn shown_steps(activity: &Steps, shown: IsShown) -> impl Iterator<Item = &ActivityStep> {
    activity.steps.iter().filter(move |step| shown(step))
}

/// Returns true if the activity has a step that is shown at this level of detail.
pub(super) fn has_steps(activity: &Steps, level: ActivityLevel) -> bool {
    level != ActivityLevel::Off && shown_steps(activity, shown_rule(level)).next().is_some()
}

/// Returns the line of an activity that has ended: the text of its only step, else how many steps
/// failed, or how long all of them took.
fn summary(texts: Texts, activity: &Steps, shown: IsShown) -> String {
    let steps: Vec<_> = shown_steps(activity, shown).collect();
    let [first, .., _] = &*steps else {
        let only = steps.first().map(|step| step_text(texts, step));
        return only.unwrap_or_default();
    };
    let failed = steps.iter().filter(|step| step.state == StepState::Failed);
    let failed = failed.count();
    if failed > 0 {
        let failed = texts.format_number(failed);
        return texts.plural(strings::STEPS_FAILED, steps.len(), &[("failed", &failed)]);
    }
    let count = texts.plural(strings::STEPS, steps.len(), &[]);
    let ended = steps.iter().filter_map(|step| step.ended).max();
    let millis = ended.map_or(0, |ended| ended.0.saturating_sub(first.began.0));
    match usize::try_from(millis / 1_000) {
        Ok(seconds @ 1..) => {
            let time = strings::whole_seconds(texts, seconds);
            texts.fill(strings::WORKED_FOR, &[("time", &time), ("steps", &count)])
        }
        _ => count,
    }
}

/// A button with the line `current` and the addition `count`, which shows or hides `children` below
/// it. The children are shown from the start if the page shows activity in full.
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
            on:click=boxed_listener(toggle)
        >
            <StateIcon/>
            <span class="activity-current" dir="auto">{current}</span>
            <span class="activity-count">{count}</span>
            {icons::chevron()}
        </button>
        <Show when=move || open.get()>{children()}</Show>
    }
}

/// The icon for the state of a step or an activity, which the style sheet draws.
#[component]
fn StateIcon() -> impl IntoView {
    view! { <span class="activity-mark" aria-hidden="true"></span> }
}

/// Number of steps that an activity shows until the user asks for earlier ones. Each shown step is
/// compared whenever any step changes, so that ten thousand of them would block the page.
const MAX_SHOWN_STEPS: usize = 100;

/// The list of steps, in the order in which they began.
#[component]
fn StepList(steps: RwSignal<Steps>) -> impl IntoView {
    let texts = strings::texts();
    let level = expect_context::<Settings>().activity;
    let places = memo(move || {
        let shown = shown_rule(level.get());
        let is_there =
            |activity: &Steps, place: &usize| activity.steps.get(*place).is_some_and(shown);
        steps.with(|activity| {
            let all = 0..activity.steps.len();
            all.filter(|place| is_there(activity, place))
                .collect::<Vec<_>>()
        })
    });
    let limit = RwSignal::new(MAX_SHOWN_STEPS);
    let earlier = memo(move || places.with(Vec::len).saturating_sub(limit.get()));
    let add = move |_: MouseEvent| limit.update(|limit| *limit += MAX_SHOWN_STEPS);
    let items = move || {
        let mut items = Vec::new();
        for place in places.get().into_iter().skip(earlier.get()) {
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
            <button type="button" class="link-button" on:click=boxed_listener(add)>
                {move || texts.plural(strings::EARLIER_STEPS, earlier.get(), &[])}
            </button>
        </Show>
        <ol class="steps" {..attribute("start", move || (earlier.get() + 1).to_string())}>
            {rows(items)}
        </ol>
    }
}

/// The step of an activity with the index `place`, which is drawn anew when the step changes.
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
                    <StateIcon/>
                    <span class="step-text" dir="auto">
                        {step.agent.map(|agent| view! { <b>{shown_name(&agent)}</b> " " })} {text}
                    </span>
                    {(step.state == StepState::Failed).then(failed)}
                    {step
                        .is_allowed
                        .then(|| view! { <LazyExtra extra=Extra::AllowedNote/> })}
                    <span class="step-time">{duration}</span>
                </li>
            }
        })
    }
}

/// Returns the value of `data-state` for the activity as a whole (`docs/PARTS.md`).
fn overall_state(activity: &Steps, shown: IsShown, is_working: bool) -> &'static str {
    let has = |state| shown_steps(activity, shown).any(|step| step.state == state);
    if is_working || has(StepState::Running) {
        "running"
    } else if has(StepState::Failed) {
        "failed"
    } else {
        "done"
    }
}

/// Returns the value of `data-state` for a step in this state (`docs/PARTS.md`).
fn state_name(state: StepState) -> &'static str {
    match state {
        StepState::Running => "running",
        StepState::Failed => "failed",
        StepState::Done => "done",
    }
}

/// Returns the text of a step. For a step that ended without an event that says so, it is what was
/// done; else the service's own description, else the widget's text for the type of event, else the
/// type as the service spells it.
fn step_text(texts: Texts, step: &ActivityStep) -> String {
    let own = step.content.trim();
    if step.ended_without_event() {
        let done = step.completion_event();
        let done = done.map(|(event, text)| strings::event_text(texts, event).unwrap_or(text));
        match done {
            Some(text) => text.to_owned(),
            None => match named_tool(step) {
                Some(tool) => texts.fill(
                    strings::RAN,
                    &[(
                        "tool",
                        &strings::cut_to(tool, strings::MAX_SENTENCE_CHARACTERS),
                    )],
                ),
                None => texts.get(strings::TOOL_RAN).to_owned(),
            },
        }
    } else if let Some(tool) = running_tool(step) {
        let tool = strings::cut_to(tool, strings::MAX_SENTENCE_CHARACTERS);
        texts.fill(strings::RUNNING, &[("tool", &tool)])
    } else if !own.is_empty() {
        strings::cut_to(own, strings::MAX_SENTENCE_CHARACTERS)
    } else if step.event_type.name().is_empty() {
        texts.get(strings::GARBLED).to_owned()
    } else {
        let event =
            strings::event_text(texts, step.event_type.name()).or_else(|| step.default_text());
        event.unwrap_or(step.event_type.name()).to_owned()
    }
}

/// Returns the call that the description of a step names: the tool, and what it was called for in
/// brackets, as in "Starting a tool: files/write_file (packing.md)". `None` for one such as
/// "Running a search".
fn named_tool(step: &ActivityStep) -> Option<&str> {
    let own = step.content.trim();
    let described = step.default_text().and_then(|text| own.strip_prefix(text));
    let tool = described
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(own);
    let name = tool.split(" (").next().unwrap_or_default();
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(tool)
}

/// Returns the call that a tool's running step names, if its description names one; `None` for
/// every other step.
fn running_tool(step: &ActivityStep) -> Option<&str> {
    let is_tool = step.group() == Some(EventGroup::ToolExecution);
    let is_running = is_tool && step.state == StepState::Running;
    is_running.then(|| named_tool(step)).flatten()
}

/// Returns the duration of a step as a text; empty if it is too short to be shown.
fn duration(texts: Texts, step: &ActivityStep) -> String {
    let millis = step
        .ended
        .map_or(0, |ended| ended.0.saturating_sub(step.began.0));
    if millis < 100 {
        String::new()
    } else {
        strings::seconds_text(texts, millis)
    }
}
