//! What answers a whole batch: decide all, submit, or go to stopping it.

use assent_conversation::{ApprovalBatch, Intent, Verdict};
use leptos::{ev, prelude::*};

use super::card::leave;
use crate::{
    ui::{
        dispatch::Dispatch,
        erased::{ElementRef, dynamic, new_id, on, when_there},
        focus::focus,
        strings,
    },
    view::{ApprovalView, Watched},
};

/// `came_back`: from the feedback; the focus goes to the button that led there.
pub(super) fn decisions(
    view: &Watched<ApprovalView>,
    streams: Memo<bool>,
    dispatch: Dispatch,
    came_back: bool,
) -> AnyView {
    let id = view.peek(|view| view.batch.id.clone());
    let of = |test: fn(&ApprovalBatch) -> bool| {
        let view = view.clone();
        Memo::new(move |_| view.with(|view| test(&view.batch)))
    };
    let decided = of(ApprovalBatch::is_decided);
    let can_approve = of(ApprovalBatch::can_be_approved);
    let stop_button = ElementRef::new();
    if came_back {
        when_there(stop_button, focus);
    }
    let all = |name: &'static str, verdict: Verdict| {
        let intent = Intent::DecideAll(id.clone(), verdict);
        let send = move |_: ev::MouseEvent| dispatch.send(intent.clone());
        view! { class="a",
            <button
                type="button"
                class="button"
                disabled=move || verdict == Verdict::Approve && !can_approve.get()
                on:click=on(send)
            >
                {name}
            </button>
        }
        .into_any()
    };
    let (approve, deny) = (
        all(strings::APPROVE_ALL, Verdict::Approve),
        all(strings::DENY_ALL, Verdict::Deny),
    );
    let begin = Intent::BeginFeedback(id.clone());
    let stop = move |_: ev::MouseEvent| dispatch.send(begin.clone());
    let submit = move |event: ev::MouseEvent| {
        leave(&event);
        dispatch.send(Intent::SubmitDecisions(id.clone()));
    };
    let why = new_id();
    let described = why.clone();
    let (counted, many) = (view.clone(), view.peek(|view| view.batch.tools.len() > 1));
    let hint = dynamic(move || {
        let locked = (many && !can_approve.get())
            .then(|| view! { class="a", <span>{strings::OPEN_ALL_FIRST}</span> }.into_any());
        let waits = if !decided.get() {
            Some(counted.with(|view| {
                let tools = &view.batch.tools;
                let done = tools.iter().filter(|tool| tool.choice.is_some()).count();
                strings::decided(done, tools.len())
            }))
        } else {
            streams.get().then(|| strings::AGENT_BUSY.to_owned())
        };
        let waits = waits.map(|why| view! { class="a", <span>{why}</span> }.into_any());
        view! { class="a", {locked} {waits} }.into_any()
    });
    view! { class="a",
        <div class="decisions">
            <p id=why class="decisions-hint">{hint}</p>
            <div class="buttons">
                {approve}
                {deny}
                <button type="button" class="button quiet" node_ref=stop_button on:click=on(stop)>
                    {strings::STOP_WITH_FEEDBACK}
                </button>
                <button
                    type="button"
                    class="button primary"
                    disabled=move || streams.get() || !decided.get()
                    aria-describedby=described
                    on:click=on(submit)
                >
                    {strings::SUBMIT_DECISIONS}
                </button>
            </div>
        </div>
    }
    .into_any()
}
