//! The answers to a whole batch: decide all, submit, or go to stopping it.

use assent_conversation::{BatchId, Intent, Obstacle, Verdict};
use leptos::{
    html::Button,
    prelude::*,
    task::{spawn_local, tick},
    wasm_bindgen::JsCast,
    web_sys::{Element, MouseEvent},
};

use super::{
    super::effect::{memo, on_load},
    drawing::why_unseen,
    focus::{keep_focus, leave},
    shown::{MANY, Shown},
    stage::Stage,
};
use crate::{
    components::{
        attribute::attribute,
        dispatch::Dispatch,
        focus::focus,
        ids::new_id,
        listener::on,
        renderer::{load_again, renderer_failed},
        scroll::Scroll,
        show::Show,
        strings,
    },
    store::ApprovalView,
};

/// The buttons that answer a whole batch, and the conditions that they wait for. `came_back`: from
/// the feedback; the focus goes to the button that led there.
#[component]
pub(super) fn Decisions(
    view: RwSignal<ApprovalView>,
    stage: Memo<Stage>,
    streams: Memo<bool>,
    shown: Shown,
    came_back: bool,
) -> impl IntoView {
    let state = Readiness::new(view, streams, shown);
    let part = NodeRef::new();
    keep_focus(part, stage);
    let why = new_id();
    view! {
        <div node_ref=part class="decisions">
            <p class="decisions-hint" id=why.clone()>
                <Hint view state/>
            </p>
            <div class="buttons">
                <Show when=renderer_failed>
                    <TryAgain/>
                </Show>
                <Buttons view state shown why came_back/>
            </div>
        </div>
    }
}

/// The conditions under which a batch can be answered.
#[derive(Clone, Copy)]
struct Readiness {
    streams: Memo<bool>,
    is_decided: Memo<bool>,
    /// The first reason why not all can be approved.
    obstacle: Memo<Option<Obstacle>>,
    /// True if the requests are drawn: only readable ones can be approved.
    is_shown: Memo<bool>,
    /// True if all can be approved once the rest of them was on the screen.
    has_unseen: Memo<bool>,
    /// True if the approved requests are still drawn when the answer is sent.
    is_read: Memo<bool>,
}

impl Readiness {
    fn new(view: RwSignal<ApprovalView>, streams: Memo<bool>, shown: Shown) -> Self {
        let obstacle = memo(move || view.with(|view| view.batch.obstacle()));
        let is_shown = memo(move || view.with(|view| shown.has_all(&view.batch)));
        let has_unseen = move || {
            let mut tools = 0..view.with(|view| view.batch.tools.len());
            obstacle.get() == Some(Obstacle::Unseen)
                && is_shown.get()
                && tools.any(|index| shown.is_beyond_screen(index))
        };
        Self {
            streams,
            is_decided: memo(move || view.with(|view| view.batch.is_decided())),
            obstacle,
            is_shown,
            has_unseen: memo(has_unseen),
            is_read: memo(move || view.with(|view| shown.has_approved(&view.batch))),
        }
    }
}

/// The sentences with the conditions that the buttons wait for.
#[component]
fn Hint(view: RwSignal<ApprovalView>, state: Readiness) -> impl IntoView {
    let texts = strings::texts();
    let to_read = move || {
        if !state.is_shown.get() {
            Some(why_unseen(texts))
        } else {
            let why = state.obstacle.get();
            let why = why.filter(|why| *why != Obstacle::Unseen || state.has_unseen.get());
            why.map(|why| match why {
                Obstacle::Folded => texts.get(strings::OPEN_ALL_FIRST),
                Obstacle::Unseen => texts.get(strings::SEE_ALL_FIRST),
                why => texts.get(strings::obstacle(why)),
            })
        }
    };
    let to_answer = move || {
        if !state.is_decided.get() {
            Some(view.with(|view| {
                let tools = &view.batch.tools;
                let done = tools.iter().filter(|tool| tool.choice.is_some()).count();
                strings::decided(texts, done, tools.len())
            }))
        } else if state.streams.get() {
            Some(texts.get(strings::AGENT_BUSY).to_owned())
        } else {
            None
        }
    };
    view! {
        {move || to_read().map(|text| view! { <span>{text}</span> })}
        {move || to_answer().map(|text| view! { <span>{text}</span> })}
    }
}

/// The button that loads again what could not be loaded, and without which nothing is drawn.
#[component]
fn TryAgain() -> impl IntoView {
    let try_again = |event: MouseEvent| {
        leave(&event);
        load_again();
    };
    view! {
        <button type="button" class="button" on:click=on(try_again)>
            {strings::texts().get(strings::TRY_AGAIN)}
        </button>
    }
}

/// The buttons, described by the hint with the id `why`.
#[component]
fn Buttons(
    view: RwSignal<ApprovalView>,
    state: Readiness,
    shown: Shown,
    why: String,
    came_back: bool,
) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let send = move |intent: fn(BatchId) -> Intent| {
        dispatch.send(intent(view.with_untracked(|view| view.batch.id.clone())));
    };
    // The decision is on the requests that are drawn, whatever takes their place meanwhile.
    let decide_all = move |verdict| {
        let drawn = |view: &ApprovalView| {
            let versions = view.batch.tools.iter().map(|run| run.version);
            (view.batch.id.clone(), versions.collect())
        };
        let (batch, versions) = view.with_untracked(drawn);
        dispatch.send(Intent::DecideAll(batch, versions, verdict));
    };
    let scroll = use_context::<Scroll>();
    let approve_all = move |event: MouseEvent| {
        if state.has_unseen.get_untracked() {
            show_unseen(view, shown, scroll, &event);
        } else if state.is_shown.get_untracked() {
            decide_all(Verdict::Approve);
        }
    };
    let is_refused = move || state.obstacle.get().is_some() || !state.is_shown.get();
    let deny_all = move |_: MouseEvent| decide_all(Verdict::Deny);
    let stop = NodeRef::<Button>::new();
    if came_back {
        on_load(stop, |button| focus(&button));
    }
    let submit = move |event: MouseEvent| {
        if state.is_read.get_untracked() {
            leave(&event);
            send(Intent::SubmitDecisions);
        }
    };
    view! {
        <button
            type="button"
            class="button"
            aria-describedby=why.clone()
            prop:disabled=move || is_refused() && !state.has_unseen.get()
            {..attribute("aria-disabled", move || state.has_unseen.get().then_some("true"))}
            on:click=on(approve_all)
        >
            {texts.get(strings::APPROVE_ALL)}
        </button>
        <button type="button" class="button" on:click=on(deny_all)>
            {texts.get(strings::DENY_ALL)}
        </button>
        <button
            node_ref=stop
            type="button"
            class="button quiet"
            on:click=on(move |_| send(Intent::BeginFeedback))
        >
            {texts.get(strings::STOP_WITH_FEEDBACK)}
        </button>
        <button
            type="button"
            class="button primary"
            aria-describedby=why
            prop:disabled=move || {
                state.streams.get() || !state.is_decided.get() || !state.is_read.get()
            }
            on:click=on(submit)
        >
            {texts.get(strings::SUBMIT_DECISIONS)}
        </button>
    }
}

/// Shows the first request that was not on the screen yet, and moves the focus there: a key that is
/// pressed twice must not approve what came into view with the first one.
fn show_unseen(
    view: RwSignal<ApprovalView>,
    shown: Shown,
    scroll: Option<Scroll>,
    event: &MouseEvent,
) {
    let next = view.with_untracked(|view| view.batch.tools.iter().position(|run| !run.is_seen));
    let card = event_target::<Element>(event).closest("[part=approval]");
    let (Some(next), Ok(Some(card)), Some(scroll)) = (next, card, scroll) else {
        return;
    };
    let is_there = next < shown.limit.get_untracked();
    if !is_there {
        shown.limit.set(next + MANY);
    }
    let show = move || {
        let selector = [".tool:nth-child(", &(next + 1).to_string(), ")"].concat();
        if let Ok(Some(tool)) = card.query_selector(&selector) {
            scroll.show(&tool);
            tool.set_attribute("tabindex", "-1").ok();
            focus(tool.unchecked_ref());
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
