//! One tool run of a batch: what it is, with which arguments, and the choice.

use assent_conversation::{ApprovalBatch, ApprovalStatus, ExecutionId, Intent, ToolRun, Verdict};
use leptos::prelude::*;

use super::{dispatch::Dispatch, icons, strings};

#[component]
pub(super) fn ApprovalTool(
    batch: Signal<ApprovalBatch>,
    index: usize,
    /// A choice can be made.
    open: Signal<bool>,
    /// Answered: one line with the outcome.
    folded: Signal<bool>,
    dispatch: Dispatch,
) -> impl IntoView {
    let tool = Memo::new(move |_| batch.with(|batch| batch.tools.get(index).cloned()));
    let name = move || tool.get().map(|tool| tool.name).unwrap_or_default();
    let origin = move || {
        tool.get()
            .map(|tool| strings::tool_origin(&tool.provider, &tool.category))
    };
    let status = Memo::new(move |_| tool.get().map(|tool| tool.status).unwrap_or_default());
    // Made once: a choice must not draw the arguments again.
    let arguments = Memo::new(move |_| tool.get().map(|tool| tool.arguments).unwrap_or_default());
    view! { class="a",
        <div
            part="approval-tool"
            class="tool"
            role="group"
            aria-label=name
            data-state=move || status.get().as_str().to_owned()
        >
            <div class="tool-head">
                <span class="tool-name" dir="auto">{name}</span>
                <span class="tool-origin" dir="auto">{origin}</span>
                <Show when=move || folded.get()>
                    <span class="outcome">{move || outcome(&status.get())}</span>
                </Show>
            </div>
            <Show when=move || !folded.get()>
                {move || view_arguments(&arguments.get())}
            </Show>
            <Show when=move || open.get()>
                <Choice batch index tool dispatch/>
            </Show>
        </div>
    }
}

#[component]
fn Choice(
    batch: Signal<ApprovalBatch>,
    index: usize,
    tool: Memo<Option<ToolRun>>,
    dispatch: Dispatch,
) -> impl IntoView {
    let (id, execution) = batch.with_untracked(|batch| {
        let run = batch.tools.get(index);
        (
            batch.id.clone(),
            run.map(|run| run.execution.clone()).unwrap_or_default(),
        )
    });
    // Radios of one name form a group within the whole shadow root.
    let group = format!("{}/{}", id.as_str(), execution.as_str());
    let kept = StoredValue::new((id, execution));
    let radio = move |verdict: Verdict, label: &'static str, class: &'static str| {
        let chosen =
            move || tool.with(|tool| tool.as_ref().and_then(|tool| tool.choice)) == Some(verdict);
        let decide = move |_| {
            let (id, execution): (_, ExecutionId) = kept.get_value();
            dispatch.send(Intent::Decide(id, execution, verdict));
        };
        view! { class="a",
            <label class=format!("choice {class}")>
                <input type="radio" name=group.clone() prop:checked=chosen on:change=decide/>
                <span>{label}</span>
            </label>
        }
    };
    view! { class="a",
        <div class="choices">
            {radio(Verdict::Approve, strings::APPROVE, "approve")}
            {radio(Verdict::Deny, strings::DENY, "deny")}
        </div>
    }
}

/// Every argument whole: a long value scrolls in its own box, none is cut.
fn view_arguments(arguments: &[(String, String)]) -> AnyView {
    if arguments.is_empty() {
        return view! { class="a", <p class="approval-hint">{strings::NO_ARGUMENTS}</p> }
            .into_any();
    }
    let row = |(name, value): &(String, String)| {
        view! { class="a",
            <dt dir="auto">{name.clone()}</dt>
            <dd dir="auto" tabindex="0">{value.clone()}</dd>
        }
    };
    view! { class="a", <dl class="arguments">{arguments.iter().map(row).collect_view()}</dl> }
        .into_any()
}

fn outcome(status: &ApprovalStatus) -> AnyView {
    let (text, mark) = match status {
        ApprovalStatus::Pending => (strings::STATUS_PENDING, None),
        ApprovalStatus::Approved => (strings::STATUS_APPROVED, Some(icons::check().into_any())),
        ApprovalStatus::Denied => (strings::STATUS_DENIED, Some(icons::cross().into_any())),
        ApprovalStatus::Aborted => (strings::STATUS_ABORTED, Some(icons::stop().into_any())),
        ApprovalStatus::Other(text) => return text.clone().into_any(),
    };
    view! { class="a", {mark} <span>{text}</span> }.into_any()
}
