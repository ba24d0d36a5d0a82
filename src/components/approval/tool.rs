//! One tool run of a card: its request, the choice, and the outcome.

use assent_conversation::{
    ApprovalBatch, ApprovalStatus, BatchPhase, ExecutionId, Intent, ToolRun,
};
use assent_i18n::Texts;
use leptos::{
    html::Div,
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{Element, FocusEvent, HtmlElement, KeyboardEvent},
};

use super::{
    super::effect::{effect, memo},
    choice::Choice,
    drawing::{Drawing, DrawingRequest, RequestPlaces},
    focus::{focus_tool, next_undecided},
    stage::Stage,
    state::CardState,
};
use crate::{
    components::{
        attribute::attribute,
        dispatch::Dispatch,
        extras::{Extra, LazyExtra},
        focus::{focus, focused_element},
        icons,
        ids::new_id,
        listener::boxed_listener,
        remount::remount,
        show::{Show, nothing},
        strings,
        tool_title::tool_title,
    },
    store::{ApprovalView, Store},
};

/// One tool run of a card, with the index `index` in the batch. The keys A and D choose for it,
/// and E opens what can be changed in it.
#[component]
pub(super) fn Tool(card: CardState, index: usize) -> impl IntoView {
    let CardState {
        view, stage, shown, ..
    } = card;
    let texts = strings::texts();
    let name = memo(move || view.with(|view| plain_title(texts, view.batch.tools.get(index))));
    let state = move || {
        let status_name = |tool: &ToolRun| tool.status.as_str().to_owned();
        view.with(|view| view.batch.tools.get(index).map(status_name))
    };
    // Drawn anew when the service asks again with other arguments, and not with every choice.
    let asked = memo(move || view.with(|view| drawing_key(view, index)));
    let part = NodeRef::new();
    // True while the widget moves the focus, and not the user.
    let is_moved = StoredValue::new(false);
    let body = remount(move || {
        // Read, since a memo that is only tracked is never computed.
        asked.with(|_| ());
        keep_focus(part, is_moved);
        view! { <ToolBody card index name/> }
    });
    let dispatch = expect_context::<Dispatch>();
    // Who comes with the keyboard may never scroll: a screen reader reads what is in here.
    let enter = move |event: FocusEvent| {
        // The tool itself has the focus only when the widget has moved it there.
        let visible = event_target::<Element>(&event).matches(":focus-visible:not(.tool)");
        let is_entered = visible == Ok(true) && !is_moved.get_value();
        if is_entered && stage.get_untracked().is_deciding() && shown.is_drawn(index) {
            let unseen = |view: &ApprovalView| {
                let run = view.batch.tools.get(index).filter(|run| !run.is_seen)?;
                Some(Intent::MarkSeen(view.batch.id.clone(), vec![run.version]))
            };
            view.with_untracked(unseen)
                .into_iter()
                .for_each(|seen| dispatch.send(seen));
        }
    };
    let choose = move |event: KeyboardEvent| {
        let is_edit = matches!(event.key().as_str(), "e" | "E");
        if let Some(part) = part.get_untracked()
            && (is_edit || !card.is_single.get_untracked())
            && choose_by_key(&part, &event)
        {
            event.prevent_default();
            match next_undecided(&part) {
                // The focus is in the text field.
                _ if is_edit => {}
                Some(next) => focus_tool(&next),
                None => card.to_submit.set(true),
            }
        }
    };
    view! {
        <div
            node_ref=part
            on:focusin=boxed_listener(enter)
            on:keydown=boxed_listener(choose)
            part="approval-tool"
            class="tool"
            role="group"
            {..attribute("tabindex", "-1")}
            aria-label=move || name.get()
            data-state=state
        >
            {body}
        </div>
    }
}

/// Presses the button of a tool that the pressed key stands for: A approves, D denies, and E opens the
/// text field of the first argument that can be changed. Returns
/// true if a button was pressed; a key that was already down when the tool got the focus presses
/// none.
fn choose_by_key(tool: &Element, event: &KeyboardEvent) -> bool {
    let selector = match event.key().as_str() {
        "a" | "A" => ".approve:enabled",
        "d" | "D" => ".deny:enabled",
        "e" | "E" => ".edit[aria-expanded=false]",
        _ => return false,
    };
    let is_with_others =
        event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key();
    let is_typed = event_target::<Element>(event).matches("input, textarea, select") != Ok(false);
    if event.repeat() || is_with_others || is_typed {
        return false;
    }
    let button = tool.query_selector(selector).ok().flatten();
    let button = button.and_then(|button| button.dyn_into::<HtmlElement>().ok());
    button.map(|button| button.click()).is_some()
}

/// If the focus is in the tool run `part`, which is about to be drawn anew, moves it to the new
/// first button for a choice, or else to the first new element that can take it. `is_moved` is true
/// meanwhile.
fn keep_focus(part: NodeRef<Div>, is_moved: StoredValue<bool>) {
    let Some(part) = part.get_untracked() else {
        return;
    };
    if part.contains(focused_element(&part).as_deref()) {
        // The new parts are there when effects run.
        effect(move || {
            let found = |selector| part.query_selector(selector).ok().flatten();
            let place = found(".choice:enabled").or_else(|| found("button, [tabindex]"));
            if let Some(place) = place.and_then(|place| place.dyn_into().ok()) {
                is_moved.set_value(true);
                focus(&place);
                is_moved.set_value(false);
            }
        });
    }
}

/// Returns a text that is another one whenever the tool with this index has to be drawn anew: it
/// consists of the request's version and of the arguments that the request is compared with.
fn drawing_key(view: &ApprovalView, index: usize) -> String {
    let mut identity = String::new();
    if let Some(tool) = view.batch.tools.get(index) {
        identity.push_str(&tool.version.0.to_string());
        identity.push('\0');
    }
    for (name, value) in view.before.get(index).into_iter().flatten().flatten() {
        identity.push_str(name);
        identity.push('\0');
        identity.push_str(value);
        identity.push('\0');
    }
    identity
}

/// Returns the tool's title as plain text, without marks, cut to a maximum; for a tool without a
/// name the text that says so.
pub(super) fn plain_title(texts: Texts, tool: Option<&ToolRun>) -> String {
    match tool.map(|tool| tool.name.trim()) {
        Some(name) if !name.is_empty() => tool_title(name),
        _ => texts.get(strings::UNNAMED_TOOL).to_owned(),
    }
}

/// The body of a tool run: its request, its outcome, its faults, and the choice.
#[component]
fn ToolBody(card: CardState, index: usize, name: Memo<String>) -> impl IntoView {
    let CardState {
        view, stage, shown, ..
    } = card;
    let read = |view: &ApprovalView| {
        let run = view.batch.tools.get(index)?;
        Some((run.execution.clone(), !run.arguments.is_empty()))
    };
    let (execution, has_arguments) = view.with_untracked(read)?;
    let has_outcome = memo(move || stage.get().has_outcome());
    let unfolded = RwSignal::new(false);
    let has_rows = memo(move || !has_outcome.get() || unfolded.get());
    let has_warnings = memo(move || !has_outcome.get());
    let threads = expect_context::<Store>().threads;
    let dispatch = expect_context::<Dispatch>();
    let has_details = move || {
        // The service has named its extensions once the list is there.
        threads.track();
        stage.get() == Stage::Answered && dispatch.offers("executions")
    };
    let told = execution.clone();
    let request = DrawingRequest { view, index, name };
    let places = RequestPlaces::default();
    let warnings = new_id();
    Some(view! {
        <div class="tool-head">
            <div
                node_ref=places.head
                class="drawn"
                role="heading"
                {..attribute("aria-level", move || if has_outcome.get() { "3" } else { "4" })}
            ></div>
            <Show when=move || has_outcome.get()>
                <ToolEnd view index name has_arguments unfolded/>
            </Show>
        </div>
        <div node_ref=places.warnings class="drawn" id=warnings.clone()></div>
        <div node_ref=places.rows class="drawn"></div>
        <Drawing request places has_rows has_warnings shown/>
        <Show when=move || has_outcome.get() && view.with(|view| has_changes(view, index))>
            <LazyExtra extra=Extra::ChangedArguments(view, index, unfolded)/>
        </Show>
        <Show when=has_details>
            <LazyExtra extra=Extra::Details(told.clone())/>
        </Show>
        <IssueNote view execution/>
        <Show when=move || stage.get().is_deciding()>
            <Choice card index warnings=warnings.clone() warnings_place=places.warnings/>
        </Show>
    })
}

/// Returns true if a person may have changed arguments of the tool run with this index.
fn has_changes(view: &ApprovalView, index: usize) -> bool {
    let Some(run) = view.batch.tools.get(index) else {
        return false;
    };
    let told = run.stored.as_ref().or(run.request.as_ref());
    run.edited.is_some() || told.is_some_and(|it| it.as_str().contains("\"editedArguments\""))
}

/// The outcome of a tool run, and the button that shows and hides its arguments.
#[component]
fn ToolEnd(
    view: RwSignal<ApprovalView>,
    index: usize,
    name: Memo<String>,
    has_arguments: bool,
    unfolded: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <span class="tool-end">
            <span class="outcome">
                <Outcome view index/>
            </span>
            {has_arguments.then(|| view! { <Disclosure name unfolded/> })}
        </span>
    }
}

/// The button that shows and hides the arguments of a decided tool run. `unfolded` is true while
/// they are shown.
#[component]
fn Disclosure(name: Memo<String>, unfolded: RwSignal<bool>) -> impl IntoView {
    let texts = strings::texts();
    let label = move || texts.fill(strings::ARGUMENTS_OF, &[("tool", &name.get())]);
    view! {
        <button
            type="button"
            class="icon-button small disclosure"
            {..attribute("title", label)}
            {..attribute("aria-expanded", move || unfolded.get().to_string())}
            aria-label=label
            on:click=boxed_listener(move |_| unfolded.set(!unfolded.get_untracked()))
        >
            {icons::chevron()}
        </button>
    }
}

/// The note with the fault that the service found in the decision on this tool run.
#[component]
fn IssueNote(view: RwSignal<ApprovalView>, execution: ExecutionId) -> impl IntoView {
    let issue = memo(move || view.with(|view| issue_of(&view.batch, &execution)));
    move || {
        issue.get().map(|issue| {
            let issue = strings::cut_to(&issue, strings::MAX_SENTENCE_CHARACTERS);
            view! {
                <p class="tool-issue" role="alert">
                    {icons::alert()}
                    <span dir="auto">{issue}</span>
                </p>
            }
        })
    }
}

fn issue_of(batch: &ApprovalBatch, execution: &ExecutionId) -> Option<String> {
    let BatchPhase::Deciding {
        failure: Some(failure),
        ..
    } = &batch.phase
    else {
        return None;
    };
    let issue = failure.issue_of(execution)?;
    (!issue.is_empty()).then(|| issue.to_owned())
}

/// The outcome of a tool run: the person's choice while nobody knows whether it reached the
/// service, and then what the service says.
#[component]
fn Outcome(view: RwSignal<ApprovalView>, index: usize) -> impl IntoView {
    let texts = strings::texts();
    move || {
        view.with(|view| outcome_view(texts, view, index))
            .map(|(mark, text)| {
                view! {
                    {mark}
                    <span dir="auto">{text}</span>
                }
            })
    }
}

/// Returns the icon and the text of the outcome of a tool run; `None` if it has none yet.
fn outcome_view(texts: Texts, view: &ApprovalView, index: usize) -> Option<(AnyView, String)> {
    let tool = view.batch.tools.get(index)?;
    let status = &tool.status;
    let chosen = match &view.batch.phase {
        BatchPhase::Submitting { answer, .. } => Some(answer.status_of(index)),
        _ => None,
    };
    let (status, text) = match &chosen {
        Some(status) => (status, strings::chosen_text(texts, status)),
        None if tool.is_expired => (status, texts.get(strings::NO_DECISION_IN_TIME)),
        None => (status, strings::outcome_text(texts, status)),
    };
    let mark = match status {
        ApprovalStatus::Approved => icons::check(),
        ApprovalStatus::Denied => icons::cross(),
        ApprovalStatus::Aborted => icons::stop(),
        ApprovalStatus::Pending | ApprovalStatus::Other(_) => nothing(),
    };
    Some((mark, text.to_owned()))
}
