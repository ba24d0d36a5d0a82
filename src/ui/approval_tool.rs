//! One tool run of a batch: what it is, with which arguments, and the choice.

use assent_conversation::{ApprovalBatch, ApprovalStatus, Intent, ToolRun, Verdict};
use leptos::{ev, prelude::*};

use super::{
    approval_card::Stage,
    dispatch::Dispatch,
    erased::{dynamic, on, show, text},
    icons, strings,
};
use crate::view::Watched;

#[component]
pub(super) fn ApprovalTool(
    batch: Watched<ApprovalBatch>,
    index: usize,
    dispatch: Dispatch,
) -> impl IntoView {
    let read = move |batch: &Watched<ApprovalBatch>, of: fn(&ToolRun) -> String| {
        batch.with(|batch| batch.tools.get(index).map(of).unwrap_or_default())
    };
    let (label, named, from, status) = (batch.clone(), batch.clone(), batch.clone(), batch.clone());
    let state = move || read(&status, |tool| tool.status.as_str().to_owned());
    let (folds, opens) = (batch.clone(), batch.clone());
    let folded = Memo::new(move |_| folds.with(|batch| Stage::of(batch) == Stage::Answered));
    let open = Memo::new(move |_| opens.with(|batch| Stage::of(batch).decides()));
    let status = batch.clone();
    let outcome = move || {
        let status = status.clone();
        let mark = dynamic(move || {
            status.with(|batch| match batch.tools.get(index) {
                Some(tool) => outcome(&tool.status),
                None => ().into_any(),
            })
        });
        view! { class="a", <span class="outcome">{mark}</span> }.into_any()
    };
    let (argued, chosen) = (batch.clone(), batch.clone());
    // Drawn anew when the service asks again with other arguments, and not with every choice.
    let request = Memo::new(move |_| {
        batch.with(|batch| {
            let raw = batch
                .tools
                .get(index)
                .and_then(|tool| tool.request.as_ref());
            raw.map(|raw| raw.as_str().to_owned()).unwrap_or_default()
        })
    });
    let shown = dynamic(move || {
        let folded = folded.get();
        request.track();
        if folded {
            ().into_any()
        } else {
            untrack(|| arguments(&argued, index))
        }
    });
    view! { class="a",
        <div
            part="approval-tool"
            class="tool"
            role="group"
            aria-label=move || read(&label, |tool| tool.name.clone())
            data-state=move || state()
        >
            <div class="tool-head">
                <span class="tool-name" dir="auto">
                    {text(move || read(&named, |tool| tool.name.clone()))}
                </span>
                <span class="tool-origin">
                    <bdi>
                        {text(move || read(&from, |tool| strings::tool_origin(&tool.provider, &tool.category)))}
                    </bdi>
                </span>
                {show(move || folded.get(), outcome)}
            </div>
            {shown}
            {show(move || open.get(), move || choice(&chosen, index, dispatch))}
        </div>
    }
}

fn choice(batch: &Watched<ApprovalBatch>, index: usize, dispatch: Dispatch) -> AnyView {
    let ids = batch.peek(|batch| {
        let run = batch.tools.get(index);
        (
            batch.id.clone(),
            run.map(|run| run.execution.clone()).unwrap_or_default(),
        )
    });
    // Radios of one name form a group within the whole shadow root.
    let group = format!("{}/{}", ids.0.as_str(), ids.1.as_str());
    let radio = |verdict: Verdict, label: &'static str, class: &'static str| {
        let (batch, (id, execution)) = (batch.clone(), ids.clone());
        let chosen = move || {
            let choice = batch.with(|batch| batch.tools.get(index).and_then(|tool| tool.choice));
            choice == Some(verdict)
        };
        let decide = move |_: ev::Event| {
            dispatch.send(Intent::Decide(id.clone(), execution.clone(), verdict));
        };
        view! { class="a",
            <label class=class>
                <input type="radio" name=group.clone() prop:checked=move || chosen() on:change=on(decide)/>
                <span>{label}</span>
            </label>
        }
        .into_any()
    };
    view! { class="a",
        <div class="choices">
            {radio(Verdict::Approve, strings::APPROVE, "choice approve")}
            {radio(Verdict::Deny, strings::DENY, "choice deny")}
        </div>
    }
    .into_any()
}

/// Every argument whole: a long value scrolls in its own box, none is cut.
fn arguments(batch: &Watched<ApprovalBatch>, index: usize) -> AnyView {
    let row = |(name, value): &(String, String)| {
        view! { class="a",
            <dt dir="auto">{name.clone()}</dt>
            <dd dir="auto" tabindex="0">{value.clone()}</dd>
        }
        .into_any()
    };
    let rows: Vec<AnyView> = batch.peek(|batch| {
        batch
            .tools
            .get(index)
            .map(|tool| tool.arguments.iter().map(row).collect())
            .unwrap_or_default()
    });
    if rows.is_empty() {
        view! { class="a", <p class="approval-hint">{strings::NO_ARGUMENTS}</p> }.into_any()
    } else {
        view! { class="a", <dl class="arguments">{rows}</dl> }.into_any()
    }
}

fn outcome(status: &ApprovalStatus) -> AnyView {
    let (text, mark) = match status {
        ApprovalStatus::Pending => (strings::STATUS_PENDING, None),
        ApprovalStatus::Approved => (strings::STATUS_APPROVED, Some(icons::check())),
        ApprovalStatus::Denied => (strings::STATUS_DENIED, Some(icons::cross())),
        ApprovalStatus::Aborted => (strings::STATUS_ABORTED, Some(icons::stop())),
        ApprovalStatus::Other(text) => return text.clone().into_any(),
    };
    view! { class="a", {mark} <span>{text}</span> }.into_any()
}
