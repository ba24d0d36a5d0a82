//! What became of a decided tool run (extension `executions`), step by step, for whoever asks later.

use assent_conversation::{ExecutionId, ExecutionStep, Json, Millis, ToolExecution, read};
use assent_i18n::Texts;
use leptos::{html::Button, prelude::*, task::spawn_local, web_sys::MouseEvent};
use wasm_bindgen_futures::JsFuture;

use crate::components::{
    dispatch::Dispatch,
    escape_invisible::escape_invisible,
    focus::focus,
    icons,
    listener::boxed_listener,
    show::Show,
    strings::{self, cut_to, details},
    time::{day_name, format_clock_with_seconds, iso_8601},
};

/// Longest name or value that is shown, in characters.
const MAX_CHARACTERS: usize = 2_000;

/// What is known of the steps.
#[derive(Clone)]
enum StepsState {
    Loading,
    Loaded(Vec<ExecutionStep>),
    Failed,
}

/// The button that shows the steps, and the steps. Each time they are shown they are read anew.
#[component]
pub(super) fn Details(execution: ExecutionId) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let execution = StoredValue::new(execution.as_str().to_owned());
    let is_open = RwSignal::new(false);
    let state = RwSignal::new(StepsState::Loading);
    let load = move || {
        state.set(StepsState::Loading);
        let read_steps = dispatch.call_extension("executions", execution.get_value(), false);
        spawn_local(async move {
            let text = JsFuture::from(read_steps).await.ok();
            let run = text.and_then(|text| read::<ToolExecution>(&text.as_string()?));
            state.try_set(match run {
                Some(run) => StepsState::Loaded(run.steps),
                None => StepsState::Failed,
            });
        });
    };
    let button = NodeRef::<Button>::new();
    let open = move |_: MouseEvent| {
        is_open.set(!is_open.get_untracked());
        if is_open.get_untracked() {
            load();
        }
    };
    let again = move |_: MouseEvent| {
        // This button goes.
        if let Some(button) = button.get_untracked() {
            focus(&button);
        }
        load();
    };
    let steps = move || match state.get() {
        StepsState::Loading => view! {
            <p class="footnote" role="status">
                {texts.get(strings::LOADING)}
            </p>
        }
        .into_any(),
        StepsState::Failed => view! {
            <p class="footnote" role="status">
                {texts.get(details::NOT_LOADED)}
            </p>
            <button type="button" class="link-button" on:click=boxed_listener(again)>
                {texts.get(strings::TRY_AGAIN)}
            </button>
        }
        .into_any(),
        StepsState::Loaded(steps) => {
            let mut before = Before::default();
            let steps = steps.iter().map(|step| step_view(texts, step, &mut before));
            let steps: Vec<AnyView> = steps.collect();
            view! { <ol class="grants">{steps}</ol> }.into_any()
        }
    };
    view! {
        <button
            node_ref=button
            type="button"
            class="link-button"
            aria-expanded=move || is_open.get().to_string()
            on:click=boxed_listener(open)
        >
            {texts.get(details::TITLE)}
        </button>
        <Show when=move || is_open.get()>{steps}</Show>
    }
}

/// The arguments of the steps so far, with which the next step is compared.
#[derive(Default)]
struct Before {
    /// The hash of the last step's arguments; empty before the first step.
    hash: String,
    /// The arguments that were told last, and their hash: not each step tells them.
    told: Vec<(String, String)>,
    told_hash: String,
}

/// Draws a step. Arguments are shown where they are other ones than those that were told before; in words
/// it is said of each step whose arguments are not those of the step before.
fn step_view(texts: Texts, step: &ExecutionStep, before: &mut Before) -> AnyView {
    let is_result = step.step == "result";
    let is_first = before.hash.is_empty();
    let differs = !is_result && before.hash != step.hash;
    let mut lines = Vec::new();
    if differs {
        before.hash.clone_from(&step.hash);
    }
    if !step.arguments.is_empty() && before.told_hash != step.hash {
        let now = arguments(&step.arguments);
        lines = compared(&before.told, &now, before.told_hash.is_empty());
        before.told = now;
        before.told_hash.clone_from(&step.hash);
    }
    let mark = (differs && !is_first).then(|| {
        view! {
            <p class="tool-issue">
                {icons::alert()} <span>{texts.get(details::DIFFERS)}</span>
            </p>
        }
    });
    let facts = facts(texts, step).into_iter();
    let facts: Vec<_> = facts
        .map(|fact| view! { <bdi>{fact}</bdi> " " }.into_any())
        .collect();
    let lines: Vec<_> = lines
        .into_iter()
        .map(|line| line_view(texts, line))
        .collect();
    let result = (!step.text.is_empty()).then(|| {
        view! {
            <p class="grant-fact" dir="auto">
                {shown(&step.text)}
            </p>
        }
    });
    let at = step.at.epoch_millis().map(Millis);
    let time = at.map(|at| {
        let now = js_sys::Date::now();
        let time = [
            day_name(texts, at, now),
            format_clock_with_seconds(texts, at),
        ];
        view! { <time datetime=iso_8601(at)>{time.join(" ")}</time> }
    });
    view! {
        <li class="grant">
            <div>
                <p class="grant-title">{title(texts, step)}</p>
                <p class="grant-fact">{time} " " {facts}</p>
                {mark}
                {lines}
                {result}
                <p class="grant-fact">"SHA-256 " <bdi>{shown(&step.hash)}</bdi></p>
            </div>
        </li>
    }
    .into_any()
}

/// What became of an argument since the step before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    None,
    Added,
    Changed,
    Removed,
}

/// An argument of a step, with its name and value.
type Line = (Change, String, String);

/// Returns the arguments of a step, and those that it does not have any more. In the first step that
/// tells some nothing is new.
fn compared(before: &[(String, String)], now: &[(String, String)], is_first: bool) -> Vec<Line> {
    let find = |list: &[(String, String)], name: &str| {
        let found = list.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.clone())
    };
    let lines = now.iter().map(|(name, value)| {
        let change = match find(before, name) {
            _ if is_first => Change::None,
            None => Change::Added,
            Some(old) if old != *value => Change::Changed,
            Some(_) => Change::None,
        };
        (change, name.clone(), value.clone())
    });
    let removed = before.iter().filter(|(name, _)| find(now, name).is_none());
    let removed = removed.map(|(name, value)| (Change::Removed, name.clone(), value.clone()));
    lines.chain(removed).collect()
}

fn line_view(texts: Texts, (change, name, value): Line) -> AnyView {
    let mark = match change {
        Change::None => None,
        Change::Added => Some(details::ADDED),
        Change::Changed => Some(details::CHANGED),
        Change::Removed => Some(details::REMOVED),
    };
    let mark = mark.map(|mark| view! { <strong>{texts.get(mark)}</strong> " " });
    view! {
        <p class="grant-fact">
            {mark} <bdi>{shown(&name)}</bdi> ": " <bdi>{shown(&value)}</bdi>
        </p>
    }
    .into_any()
}

/// Returns the arguments in a text as names and values: texts as they are, everything else as JSON.
fn arguments(text: &str) -> Vec<(String, String)> {
    let members = Json::new(text).and_then(|json| Some(json.object()?.members()));
    let pair = |(name, value): (_, Json<'_>)| {
        let text = value.string().unwrap_or_else(|| value.as_str().to_owned());
        (String::from(name), text)
    };
    members.unwrap_or_default().into_iter().map(pair).collect()
}

/// Returns what happened.
fn title(texts: Texts, step: &ExecutionStep) -> String {
    let words = [&step.decision, &step.outcome, &step.step];
    let word = words.into_iter().find(|word| !word.is_empty());
    let word = word.map_or("", |word| word.as_str());
    let text = match word {
        "proposed" => details::PROPOSED,
        "shown" => details::SHOWN,
        "allowed" => details::ALLOWED,
        "refused" if step.outcome.is_empty() => details::REFUSED,
        "approved" => details::APPROVED,
        "denied" if step.outcome.is_empty() => details::DENIED,
        "aborted" => details::ABORTED,
        "effective" => details::EFFECTIVE,
        "run" => details::RUN,
        "succeeded" => details::SUCCEEDED,
        "failed" => details::FAILED,
        "unknown" => details::UNKNOWN,
        "refused" | "denied" | "skipped" => details::NOT_RUN,
        // A step of a later service.
        other => return shown(other),
    };
    texts.get(text).to_owned()
}

/// Returns who or what decided, and by which policy.
fn facts(texts: Texts, step: &ExecutionStep) -> Vec<String> {
    let rule = shown(&step.rule);
    let by = match step.by.as_str() {
        "person" => Some(texts.get(details::BY_PERSON).to_owned()),
        "rule" => Some(texts.fill(details::BY_RULE, &[("rule", &rule)])),
        "limit" => Some(texts.fill(details::BY_LIMIT, &[("rule", &rule)])),
        "grant" => Some(texts.get(details::BY_GRANT).to_owned()),
        "timeout" => Some(texts.get(details::BY_TIMEOUT).to_owned()),
        "crash" => Some(texts.get(details::BY_CRASH).to_owned()),
        _ => None,
    };
    // A person gave the grant with the decision; of any other decision it is what decided.
    let gives = step.by == "person" && !step.grant_id.is_empty();
    let gives = gives.then(|| texts.get(details::AND_FROM_NOW_ON).to_owned());
    let version = shown(&step.policy);
    let policy = || texts.fill(details::POLICY, &[("version", &version)]);
    let policy = (!version.is_empty()).then(policy);
    [by, gives, policy].into_iter().flatten().collect()
}

fn shown(text: &str) -> String {
    escape_invisible(&cut_to(text, MAX_CHARACTERS))
}
