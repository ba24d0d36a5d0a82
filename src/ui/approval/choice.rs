//! The decision on one tool.

use assent_conversation::{Intent, ToolRun, Verdict};
use leptos::{ev, prelude::*};

use crate::{
    ui::{
        dispatch::Dispatch,
        erased::{new_id, on, show},
        strings,
    },
    view::{ApprovalView, Watched},
};

/// `name`: the tool's, for people. `described`: the id of what is to be looked at.
pub(super) fn choice(
    view: &Watched<ApprovalView>,
    index: usize,
    name: &str,
    described: &str,
    dispatch: Dispatch,
) -> AnyView {
    let ids = view.peek(|view| {
        let run = view.batch.tools.get(index);
        let execution = run.map(|run| run.execution.clone()).unwrap_or_default();
        (view.batch.id.clone(), execution)
    });
    let locked = {
        let view = view.clone();
        Memo::new(move |_| {
            let can = |tool: &ToolRun| !tool.can_be_approved();
            view.with(|view| view.batch.tools.get(index).is_some_and(can))
        })
    };
    // Radios of one name form a group within the whole shadow root.
    let group = [ids.0.as_str(), "/", ids.1.as_str()].concat();
    let radio = |verdict: Verdict, label: &'static str, class: &'static str| {
        let (view, (id, execution)) = (view.clone(), ids.clone());
        let chosen = move || {
            let choice = view.with(|view| view.batch.tools.get(index).and_then(|tool| tool.choice));
            choice == Some(verdict)
        };
        let decide = move |_: ev::Event| {
            dispatch.send(Intent::Decide(id.clone(), execution.clone(), verdict));
        };
        view! { class="a",
            <label class=class>
                <input
                    type="radio"
                    name=group.clone()
                    prop:checked=move || chosen()
                    disabled=move || verdict == Verdict::Approve && locked.get()
                    on:change=on(decide)
                />
                <span>{label}</span>
            </label>
        }
        .into_any()
    };
    let hint = new_id();
    let described = [described, " ", &hint].concat();
    let open_first = move || {
        view! { class="a", <p id=hint.clone() class="choice-hint">{strings::OPEN_FIRST}</p> }
            .into_any()
    };
    view! { class="a",
        {show(move || locked.get(), open_first)}
        <div
            class="choices"
            role="radiogroup"
            aria-label=strings::decision_on(name)
            aria-describedby=described
        >
            {radio(Verdict::Approve, strings::APPROVE, "choice approve")}
            {radio(Verdict::Deny, strings::DENY, "choice deny")}
        </div>
    }
    .into_any()
}
