//! The buttons for a whole batch: decide on all tools at once, send the decisions, or write the
//! feedback with which all are denied.

use assent_conversation::{BatchId, Intent, Obstacle, Verdict};
use leptos::{
    html::Button,
    prelude::*,
    task::{spawn_local, tick},
    web_sys::{Element, MouseEvent},
};

use super::{
    super::effect::{effect, memo, on_load},
    focus::{focus_next, focus_tool, keep_focus},
    shown::REQUESTS_AT_ONCE,
    state::CardState,
    try_again::TryAgain,
};
use crate::{
    components::{
        dispatch::Dispatch,
        focus::{focus, focused_element},
        ids::new_id,
        listener::boxed_listener,
        renderer::{renderer_failed, why_not_drawn},
        show::Show,
        strings,
    },
    store::ApprovalView,
};

/// The buttons that decide on a whole batch, with sentences that say what has to be done before. If
/// `came_back`, the person has just left the form for feedback, and the focus goes to the button
/// that opens it.
#[component]
pub(super) fn Decisions(card: CardState, came_back: bool) -> impl IntoView {
    let state = Readiness::new(card);
    let part = NodeRef::new();
    keep_focus(part, card.stage);
    card.guard.note_change();
    let is_several = move || !card.is_single.get();
    let why = new_id();
    let hint = {
        let why = why.clone();
        move || view! { <ReviewHint card state id=why.clone()/> }
    };
    view! {
        <div node_ref=part class="decisions">
            <Show when=is_several>{hint.clone()}</Show>
            <div class="buttons">
                <Show when=renderer_failed>
                    <TryAgain/>
                </Show>
                <Show when=is_several>
                    <ForAllButtons card state why=why.clone()/>
                </Show>
                <NoteButton card came_back/>
            </div>
            <Show when=is_several>
                <CardFoot card state/>
            </Show>
        </div>
    }
}

/// What has to be so before the buttons for a whole batch can be pressed.
#[derive(Clone, Copy)]
struct Readiness {
    is_decided: Memo<bool>,
    /// The first reason why not all tools can be approved; `None` if they can.
    obstacle: Memo<Option<Obstacle>>,
    /// True if the requests of all tools in the card are drawn: only readable ones can be approved.
    is_shown: Memo<bool>,
    /// True if all tools can be approved once the rest of their requests was on the screen.
    has_unseen: Memo<bool>,
    /// True if every request for which approval is chosen is drawn.
    is_read: Memo<bool>,
}

impl Readiness {
    fn new(card: CardState) -> Self {
        let CardState { view, shown, .. } = card;
        let obstacle = memo(move || view.with(|view| view.batch.obstacle()));
        let is_shown = memo(move || view.with(|view| shown.has_drawn_all(&view.batch)));
        let has_unseen = move || {
            let mut tools = 0..view.with(|view| view.batch.tools.len());
            obstacle.get() == Some(Obstacle::Unseen)
                && is_shown.get()
                && tools.any(|index| shown.is_beyond_screen(index))
        };
        Self {
            is_decided: memo(move || view.with(|view| view.batch.is_decided())),
            obstacle,
            is_shown,
            has_unseen: memo(has_unseen),
            is_read: memo(move || view.with(|view| shown.has_drawn_approved(&view.batch))),
        }
    }
}

/// The sentence that says what has to be done before all tools can be approved, in an element with
/// the id `id`; empty if nothing has.
#[component]
fn ReviewHint(card: CardState, state: Readiness, id: String) -> impl IntoView {
    let texts = strings::texts();
    let why = move || {
        if !state.is_shown.get() {
            return why_not_drawn(texts).to_owned();
        }
        match state.obstacle.get() {
            Some(Obstacle::Folded) => texts.get(strings::OPEN_ALL_FIRST).to_owned(),
            Some(Obstacle::Unseen) if state.has_unseen.get() => card.view.with(|view| {
                let unseen = view.batch.tools.iter().filter(|run| !run.is_seen).count();
                texts.plural(strings::NOT_REVIEWED, unseen, &[])
            }),
            Some(Obstacle::Unseen) | None => String::new(),
            Some(why) => texts.get(strings::obstacle_text(why)).to_owned(),
        }
    };
    view! {
        <p class="decisions-hint" id=id>
            {why}
        </p>
    }
}

/// The buttons that approve, or deny, all tools of the batch. While requests were not on the
/// screen, the first button scrolls to the next of them. `why` is the id of the sentence that
/// describes the first button.
#[component]
fn ForAllButtons(card: CardState, state: Readiness, why: String) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let CardState { view, guard, .. } = card;
    // The decision is on the requests that are drawn, whatever takes their place meanwhile.
    let decide_all = move |event: &MouseEvent, verdict| {
        let drawn = |view: &ApprovalView| {
            let versions = view.batch.tools.iter().map(|run| run.version);
            (view.batch.id.clone(), versions.collect())
        };
        if !guard.holds(event) {
            let (batch, versions) = view.with_untracked(drawn);
            dispatch.send(Intent::DecideAll(batch, versions, verdict));
        }
    };
    let approve_all = move |event: MouseEvent| {
        if state.has_unseen.get_untracked() {
            show_unseen_request(card, &event);
        } else if state.is_shown.get_untracked() {
            decide_all(&event, Verdict::Approve);
        }
    };
    let is_refused = move || state.obstacle.get().is_some() || !state.is_shown.get();
    let deny_all = move |event: MouseEvent| decide_all(&event, Verdict::Deny);
    // The same button now approves: a second click that was meant for the review must not.
    effect(move || {
        state.has_unseen.track();
        guard.note_change();
    });
    let name = move || {
        texts.get(if state.has_unseen.get() {
            strings::REVIEW_NEXT
        } else {
            strings::APPROVE_ALL
        })
    };
    view! {
        <button
            type="button"
            class="button"
            aria-describedby=why
            prop:disabled=move || is_refused() && !state.has_unseen.get()
            on:click=boxed_listener(approve_all)
        >
            {name}
        </button>
        <button type="button" class="button" on:click=boxed_listener(deny_all)>
            {texts.get(strings::DENY_ALL)}
        </button>
    }
}

/// The button that opens the form for feedback. If `came_back`, it takes the focus when it appears.
#[component]
fn NoteButton(card: CardState, came_back: bool) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let button = NodeRef::<Button>::new();
    if came_back {
        on_load(button, |button| focus(&button));
    }
    let begin = move |_: MouseEvent| dispatch.send(Intent::BeginFeedback(batch_id_of(card)));
    let name = move || {
        texts.get(if card.is_single.get() {
            strings::STOP_WITH_FEEDBACK
        } else {
            strings::STOP_ALL_WITH_FEEDBACK
        })
    };
    view! {
        <button node_ref=button type="button" class="button quiet" on:click=boxed_listener(begin)>
            {name}
        </button>
    }
}

/// The foot of a card of several tools, which stays in view: how many tools are decided, and the
/// button that sends the decisions.
#[component]
fn CardFoot(card: CardState, state: Readiness) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let CardState {
        view,
        is_streaming,
        guard,
        to_submit,
        ..
    } = card;
    let count = move |is_counted: fn(Verdict) -> bool| {
        view.with(|view| {
            let tools = view.batch.tools.iter();
            tools
                .filter(|tool| tool.choice.is_some_and(is_counted))
                .count()
        })
    };
    let counts = move || {
        let denied = count(|it| it == Verdict::Deny);
        (count(|it| it != Verdict::Deny), denied)
    };
    let covered = move || match count(|it| it == Verdict::ApproveCovered) {
        0 => String::new(),
        covered => texts.plural(strings::CHOSEN_WITH_IT, covered, &[]),
    };
    let to_answer = move || {
        if !state.is_decided.get() {
            let (approved, denied) = counts();
            let all = view.with(|view| view.batch.tools.len());
            strings::decided_text(texts, approved + denied, all)
        } else if !state.is_read.get() {
            why_not_drawn(texts).to_owned()
        } else if is_streaming.get() {
            texts.get(strings::AGENT_BUSY).to_owned()
        } else {
            String::new()
        }
    };
    let name = move || match state.is_decided.get() {
        true => strings::submit_name(texts, counts()),
        false => texts.get(strings::SUBMIT_DECISIONS).to_owned(),
    };
    let is_off =
        memo(move || is_streaming.get() || !state.is_decided.get() || !state.is_read.get());
    let button = NodeRef::<Button>::new();
    effect(move || {
        if to_submit.get() && !is_off.get() {
            to_submit.set(false);
            // The button is enabled when effects have run.
            spawn_local(async move {
                tick().await;
                if let Some(button) = button.try_get_untracked().flatten()
                    && is_near_focus(&button)
                {
                    focus(&button);
                }
            });
        }
    });
    let submit = move |event: MouseEvent| {
        if !is_off.get_untracked() && !guard.holds(&event) {
            focus_next(&event);
            dispatch.send(Intent::SubmitDecisions(batch_id_of(card)));
        }
    };
    let why = new_id();
    view! {
        <p class="decisions-hint" role="status">
            {covered}
        </p>
        <div class="approval-foot">
            <p class="decisions-hint" id=why.clone()>
                {to_answer}
            </p>
            <button
                node_ref=button
                type="button"
                class="button primary"
                aria-describedby=why
                prop:disabled=move || is_off.get()
                on:click=boxed_listener(submit)
            >
                {name}
            </button>
        </div>
    }
}

fn batch_id_of(card: CardState) -> BatchId {
    card.view.with_untracked(|view| view.batch.id.clone())
}

/// Returns true if the focus is in the card that this button is in.
fn is_near_focus(button: &leptos::web_sys::HtmlElement) -> bool {
    let card = button.closest("[part=approval]").ok().flatten();
    card.is_some_and(|card| card.contains(focused_element(button).as_deref()))
}

/// Scrolls to the first request of the card that was not on the screen yet, and moves the focus to
/// it: a key that is pressed twice must not approve what came into view with the first press.
fn show_unseen_request(card: CardState, event: &MouseEvent) {
    let CardState { view, shown, .. } = card;
    let next = view.with_untracked(|view| view.batch.tools.iter().position(|run| !run.is_seen));
    let card = event_target::<Element>(event).closest("[part=approval]");
    let (Some(next), Ok(Some(card))) = (next, card) else {
        return;
    };
    let is_there = next < shown.limit.get_untracked();
    if !is_there {
        shown.limit.set(next + REQUESTS_AT_ONCE);
    }
    let show = move || {
        let selector = [".tool:nth-child(", &(next + 1).to_string(), ")"].concat();
        if let Ok(Some(tool)) = card.query_selector(&selector) {
            focus_tool(&tool);
        }
    };
    if is_there {
        show();
    } else {
        spawn_local(async move {
            tick().await;
            show();
        });
    }
}
