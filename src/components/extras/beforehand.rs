//! The button that opens the form with which a person approves a call and allows such calls
//! beforehand (extension `grants`), and what sending the form does.

use assent_conversation::{Intent, Verdict};
use leptos::{
    html::{Button, Div},
    prelude::*,
    task::{spawn_local, tick},
    web_sys::MouseEvent,
};

use super::grant_form::{GrantForm, GrantQuestion};
use crate::components::{
    approval::{focus::focus_next, state::CardState},
    attribute::attribute,
    dispatch::Dispatch,
    effect::memo,
    focus::focus,
    icons,
    listener::boxed_listener,
    show::Show,
    strings,
};

/// The tool run of a card with which calls can be allowed beforehand.
#[derive(Clone)]
pub(in crate::components) struct AllowedRun {
    /// The card.
    pub(in crate::components) card: CardState,
    /// The index of the tool run in its batch.
    pub(in crate::components) index: usize,
    /// The element with the warnings to check.
    pub(in crate::components) warnings: NodeRef<Div>,
    /// True while nothing can be approved.
    pub(in crate::components) is_refused: Memo<bool>,
    /// The ids of the elements that describe an approval.
    pub(in crate::components) described: String,
}

/// The button that opens the form for a tool run, and the form.
#[component]
pub(super) fn AllowBeforehand(run: AllowedRun) -> impl IntoView {
    let AllowedRun {
        card,
        index,
        warnings,
        is_refused,
        described,
    } = run;
    let texts = strings::texts();
    let CardState {
        is_single,
        is_streaming,
        guard,
        ..
    } = card;
    // It may come later than the rest of the card, and move what is below.
    guard.note_change();
    let button = NodeRef::<Button>::new();
    let is_open = RwSignal::new(false);
    let is_off = memo(move || is_refused.get() || (is_single.get() && is_streaming.get()));
    let pressed = move || card.pressed(index, Verdict::ApproveBeforehand);
    let toggle = move |event: MouseEvent| {
        if !is_off.get_untracked() && !guard.holds(&event) {
            guard.note_change();
            is_open.set(!is_open.get_untracked());
        }
    };
    view! {
        <button
            node_ref=button
            type="button"
            class="choice beforehand-button"
            {..attribute("aria-pressed", pressed)}
            {..attribute("aria-expanded", move || is_open.get().to_string())}
            aria-describedby=described
            prop:disabled=move || is_off.get()
            on:click=boxed_listener(toggle)
        >
            {icons::check()}
            <span>{texts.get(strings::extra::APPROVE_BEFOREHAND)}</span>
        </button>
        <Show when=move || is_open.get() && !is_off.get()>
            {question(card, index, warnings, is_open, button)
                .map(|it| view! { <GrantForm question=it/> })}
        </Show>
    }
}

/// Returns what the form asks about the tool run with this index; `None` if its calls cannot be
/// allowed beforehand. Whoever sends the form approves the call, and the focus goes back to `button`
/// if other tools of the card still wait.
fn question(
    card: CardState,
    index: usize,
    warnings: NodeRef<Div>,
    is_open: RwSignal<bool>,
    button: NodeRef<Button>,
) -> Option<GrantQuestion> {
    let dispatch = expect_context::<Dispatch>();
    let CardState {
        view,
        is_single,
        guard,
        ..
    } = card;
    let (batch, version, offer, names) = view.with_untracked(|view| {
        let run = view.batch.tools.get(index)?;
        let names = run.arguments.iter().map(|(name, _)| name.clone());
        let offer = run.grant_offer.as_deref()?.clone();
        Some((view.batch.id.clone(), run.version, offer, names.collect()))
    })?;
    let answer = Callback::new(move |(event, grant): (MouseEvent, String)| {
        if guard.holds(&event) {
            return;
        }
        let verdict = Verdict::ApproveBeforehand;
        dispatch.send(Intent::AllowBeforehand(batch.clone(), version, grant));
        if is_single.get_untracked() {
            focus_next(&event);
            dispatch.send(Intent::Answer(batch.clone(), version, verdict));
        } else {
            dispatch.send(Intent::Decide(batch.clone(), version, verdict));
            button.get_untracked().iter().for_each(|it| focus(it));
            is_open.set(false);
            // What else is covered may be all that was undecided.
            spawn_local(async move {
                tick().await;
                let is_decided = view.try_with_untracked(|view| view.batch.is_decided());
                if is_decided == Some(true) {
                    card.to_submit.set(true);
                }
            });
        }
    });
    let is_fixed = warnings
        .get_untracked()
        .is_some_and(|warnings| warnings.has_child_nodes());
    Some(GrantQuestion {
        offer,
        names,
        is_fixed,
        answer,
    })
}
