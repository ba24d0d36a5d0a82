//! The decision on one tool.

use assent_conversation::{Intent, Obstacle, ToolRun, Verdict};
use leptos::{prelude::*, web_sys::Event};

use super::{focus::keep_focus, shown::Shown, stage::Stage};
use crate::{
    components::{
        attribute::attribute, dispatch::Dispatch, effect::memo, ids::new_id, listener::on,
        show::Show, strings,
    },
    store::ApprovalView,
};

/// The choice between approving and denying one tool. `name` is the tool's display name; `looks` is
/// the id of the warnings to check.
#[component]
pub(super) fn Choice(
    view: RwSignal<ApprovalView>,
    stage: Memo<Stage>,
    index: usize,
    shown: Shown,
    name: Memo<String>,
    looks: String,
) -> impl IntoView {
    let texts = strings::texts();
    let obstacle =
        memo(move || view.with(|view| view.batch.tools.get(index).and_then(ToolRun::obstacle)));
    let is_unseen = memo(move || !shown.has(index));
    let is_refused = Signal::derive(move || obstacle.get().is_some() || is_unseen.get());
    let why = move || {
        let why = obstacle.get().filter(|_| !is_unseen.get());
        let why = why.filter(|why| *why != Obstacle::Unseen || shown.is_beyond_screen(index));
        why.map(|why| texts.get(strings::obstacle(why)))
    };
    // Radios of one name form a group within the whole shadow root.
    let group = new_id();
    let hint = new_id();
    let described = [&looks, " ", &hint].concat();
    let label = move || texts.fill(strings::DECISION_ON, &[("tool", &name.get())]);
    // A request that is asked for anew with another definition is drawn anew.
    let can_accept = view.with_untracked(|view| can_accept(view, index));
    let part = NodeRef::new();
    keep_focus(part, stage);
    view! {
        <Show when=move || why().is_some()>
            <p class="choice-hint" id=hint.clone()>{why}</p>
        </Show>
        <div
            node_ref=part
            class="choices"
            role="radiogroup"
            aria-label=label
            aria-describedby=described
        >
            <Radio view index group=group.clone() verdict=Verdict::Approve is_refused/>
            {can_accept
                .then(|| {
                    let group = group.clone();
                    view! { <Radio view index group verdict=Verdict::ApproveDefinition is_refused/> }
                })}
            <Radio view index group verdict=Verdict::Deny/>
        </div>
    }
}

/// Returns true if the definition of a tool that is new or was changed can be accepted.
fn can_accept(view: &ApprovalView, index: usize) -> bool {
    let run = view.batch.tools.get(index);
    run.is_some_and(|run| !run.definition.is_empty())
}

/// One of the decisions. `is_refused`: it cannot be chosen now.
#[component]
fn Radio(
    view: RwSignal<ApprovalView>,
    index: usize,
    group: String,
    verdict: Verdict,
    #[prop(optional)] is_refused: Signal<bool>,
) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let (class, label) = match verdict {
        Verdict::Approve if view.with_untracked(|view| can_accept(view, index)) => {
            ("choice approve", strings::APPROVE_CALL)
        }
        Verdict::Approve => ("choice approve", strings::APPROVE),
        Verdict::ApproveDefinition => ("choice approve", strings::APPROVE_DEFINITION),
        Verdict::Deny => ("choice deny", strings::DENY),
    };
    // The decision is on the request that was drawn, whatever takes its place meanwhile.
    let (batch, version) = view.with_untracked(|view| {
        let run = view.batch.tools.get(index);
        let version = run.map(|run| run.version).unwrap_or_default();
        (view.batch.id.clone(), version)
    });
    let is_chosen = move || {
        let choice = view.with(|view| view.batch.tools.get(index).and_then(|tool| tool.choice));
        choice == Some(verdict)
    };
    let decide = move |_: Event| {
        if !is_refused.get_untracked() {
            dispatch.send(Intent::Decide(batch.clone(), version, verdict));
        }
    };
    view! {
        <label class=class>
            <input
                type="radio"
                {..attribute("name", group)}
                prop:checked=is_chosen
                prop:disabled=move || is_refused.get()
                on:change=on(decide)
            />
            <span>{texts.get(label)}</span>
        </label>
    }
}
