//! The buttons for the decision on one tool run.

use assent_conversation::{Intent, Obstacle, ToolRun, Verdict};
use leptos::{html::Div, prelude::*, web_sys::MouseEvent};

use super::{
    focus::{focus_next, keep_focus},
    state::CardState,
};
use crate::{
    components::{
        attribute::attribute,
        dispatch::Dispatch,
        effect::memo,
        extras::{AllowedRun, Extra, LazyExtra},
        icons,
        ids::new_id,
        listener::boxed_listener,
        show::Show,
        strings,
    },
    store::ApprovalView,
};

/// The buttons that approve or deny the tool run with this index. If it is the batch's only one, a
/// press sends the decision; otherwise the buttons are toggles that only choose. `warnings` is the
/// id of the element with the warnings to check, which is at `warnings_place`.
#[component]
pub(super) fn Choice(
    card: CardState,
    index: usize,
    warnings: String,
    warnings_place: NodeRef<Div>,
) -> impl IntoView {
    let texts = strings::texts();
    let CardState {
        view,
        stage,
        shown,
        is_single,
        is_streaming,
        ..
    } = card;
    let obstacle =
        memo(move || view.with(|view| view.batch.tools.get(index).and_then(ToolRun::obstacle)));
    let is_unseen = memo(move || !shown.has_drawn(index));
    let is_refused = memo(move || obstacle.get().is_some() || is_unseen.get());
    let is_busy = move || is_single.get() && is_streaming.get();
    let why = move || {
        let why = obstacle.get().filter(|_| !is_unseen.get());
        let why = why.filter(|why| *why != Obstacle::Unseen || shown.is_beyond_screen(index));
        let why = why.map(strings::obstacle_text);
        why.or(is_busy().then_some(strings::AGENT_BUSY))
            .map(|why| texts.get(why))
    };
    let hint = new_id();
    let described = [&warnings, " ", &hint].concat();
    // A request that is asked for anew with another definition is drawn anew.
    let can_accept = view.with_untracked(|view| can_accept_definition(view, index));
    let can_allow = view.with_untracked(|view| {
        let run = view.batch.tools.get(index);
        run.is_some_and(|run| run.grant_offer.is_some() && run.definition.is_empty())
    });
    let allow = can_allow.then(|| {
        let run = AllowedRun {
            card,
            index,
            warnings: warnings_place,
            is_refused,
            described: described.clone(),
        };
        view! { <LazyExtra extra=Extra::AllowBeforehand(run)/> }
    });
    let can_edit = view.with_untracked(|view| {
        let run = view.batch.tools.get(index);
        let request = run.and_then(|run| run.request.as_ref()?.read());
        request.is_some_and(|request| !request.editable.is_empty())
    });
    let edit = can_edit.then(|| view! { <LazyExtra extra=Extra::EditArguments(card, index)/> });
    let part = NodeRef::new();
    keep_focus(part, stage);
    card.guard.note_change();
    let button = move |verdict| {
        let described = described.clone();
        view! { <DecideButton card index verdict is_refused described/> }
    };
    view! {
        {edit}
        <Show when=move || why().is_some()>
            <p class="choice-hint" id=hint.clone()>{why}</p>
        </Show>
        <div node_ref=part class="choices">
            {button(Verdict::Approve)}
            {can_accept.then(|| button(Verdict::ApproveDefinition))}
            {button(Verdict::Deny)}
            {allow}
        </div>
    }
}

/// Returns true if the tool at this index is new or was changed and the service tells its
/// definition, so that a person can accept that.
fn can_accept_definition(view: &ApprovalView, index: usize) -> bool {
    let run = view.batch.tools.get(index);
    run.is_some_and(|run| !run.definition.is_empty())
}

/// The button that chooses or sends `verdict` for the tool run with this index. While `is_refused`
/// is true, only denying is possible. `described` has the ids of the elements that describe the
/// button to screen readers.
#[component]
fn DecideButton(
    card: CardState,
    index: usize,
    verdict: Verdict,
    is_refused: Memo<bool>,
    described: String,
) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let CardState {
        view,
        is_single,
        is_streaming,
        guard,
        ..
    } = card;
    let (kind, label, mark) = match verdict {
        Verdict::Approve if view.with_untracked(|view| can_accept_definition(view, index)) => {
            ("choice approve", strings::APPROVE_CALL, icons::check())
        }
        Verdict::ApproveDefinition => (
            "choice approve",
            strings::APPROVE_DEFINITION,
            icons::check(),
        ),
        // What is allowed beforehand has a button of its own, and what is covered by it none.
        Verdict::Approve | Verdict::ApproveBeforehand | Verdict::ApproveCovered => {
            ("choice approve", strings::APPROVE, icons::check())
        }
        Verdict::Deny => ("choice deny", strings::DENY, icons::cross()),
    };
    // The decision is on the request that was drawn, whatever takes its place meanwhile.
    let (batch, version) = view.with_untracked(|view| {
        let run = view.batch.tools.get(index);
        let version = run.map(|run| run.version).unwrap_or_default();
        (view.batch.id.clone(), version)
    });
    let is_off = move || {
        let is_locked = verdict != Verdict::Deny && is_refused.get();
        is_locked || (is_single.get() && is_streaming.get())
    };
    let decide = move |event: MouseEvent| {
        if untrack(is_off) || guard.holds(&event) {
            return;
        }
        let batch = batch.clone();
        if is_single.get_untracked() {
            focus_next(&event);
            dispatch.send(Intent::Answer(batch, version, verdict));
        } else {
            dispatch.send(Intent::Decide(batch, version, verdict));
        }
    };
    view! {
        <button
            type="button"
            {..attribute("aria-pressed", move || card.pressed(index, verdict))}
            class=kind
            aria-describedby=described
            prop:disabled=is_off
            on:click=boxed_listener(decide)
        >
            {mark}
            <span>{texts.get(label)}</span>
        </button>
    }
}
