//! The card of one batch of tool runs: it asks for the decisions, which are sent as one answer.

use assent_conversation::{
    ApprovalBatch, BatchPhase, ExecutionId, Failure, FailureKind, Intent, UnanswerableReason,
};
use assent_i18n::Texts;
use leptos::{
    html::Div,
    prelude::*,
    web_sys::{KeyboardEvent, MouseEvent, PointerEvent},
};

use super::{
    decisions::Decisions,
    feedback::FeedbackForm,
    guard::ignore_repeated,
    shown::{REQUESTS_AT_ONCE, ShownRequests},
    stage::{Stage, state_name},
    state::CardState,
    tool::{Tool, plain_title},
    waiting::focus_if_wanted,
};
use crate::{
    components::{
        dispatch::Dispatch,
        effect::{effect, memo, on_load},
        extras::{Extra, LazyExtra},
        failure_note::{CheckAgainButton, FailureNote},
        focus::focus_part,
        icons,
        listener::boxed_listener,
        question::{Question, Wording},
        rows::{Row, rows},
        scroll::{Scroll, measure::scroll_into_view},
        show::{Show, nothing},
        strings,
    },
    store::{ApprovalView, Store},
};

/// What is drawn by the code that is loaded later.
pub(super) enum Piece {
    /// The card of a batch.
    Card(RwSignal<ApprovalView>),
    /// A question for confirmation, and what is called with the answer to it.
    Question(Wording, Callback<bool>),
}

/// Draws a card, or a question.
pub(super) fn draw(piece: Piece) -> AnyView {
    match piece {
        Piece::Card(view) => view! { <ApprovalCard view/> }.into_any(),
        Piece::Question(wording, answer) => view! { <Question wording answer/> }.into_any(),
    }
}

/// The card of a batch: its tools, and below them the possible actions or the outcome.
#[component]
fn ApprovalCard(view: RwSignal<ApprovalView>) -> impl IntoView {
    let texts = strings::texts();
    let card = CardState::new(view);
    let CardState {
        stage,
        shown,
        guard,
        ..
    } = card;
    let is_elsewhere = move || {
        let is_elsewhere = |view: &ApprovalView| {
            view.batch.elsewhere && !view.batch.tools.iter().any(|it| it.is_expired)
        };
        stage.get() == Stage::Answered && view.with(is_elsewhere)
    };
    let count = move || view.with(|view| view.batch.tools.len());
    let tool =
        move |index: usize| Row::new(index.to_string(), move || view! { <Tool card index/> });
    let threads = expect_context::<Store>().threads;
    let part = NodeRef::<Div>::new();
    focus_if_wanted(part, stage);
    let scroll = use_context::<Scroll>();
    effect(move || {
        scroll.inspect(|scroll| scroll.track_moves());
        if let Some(part) = part.get() {
            guard.note_position(&part);
        }
    });
    let moved = move |event: PointerEvent| {
        if let Some(part) = part.get_untracked() {
            guard.note_movement(&event, &part);
        }
    };
    let pressed = move |event: KeyboardEvent| {
        ignore_repeated(&event);
        if event.alt_key() && event.key() == "ArrowDown" {
            event.prevent_default();
            focus_part(&event_target(&event), "input");
        }
    };
    view! {
        <div
            node_ref=part
            part="approval"
            class="approval"
            role="group"
            aria-label=texts.get(strings::APPROVAL)
            data-state=move || view.with(|view| state_name(&view.batch))
            on:keydown=boxed_listener(pressed)
            on:pointermove=boxed_listener(moved)
            on:pointerdown=boxed_listener(move |event: PointerEvent| guard.note_press(&event))
        >
            <Show when=move || stage.get() != Stage::Answered>
                <Head view/>
            </Show>
            <div class="approval-tools">
                {rows(move || (0..count().min(shown.limit.get())).map(tool).collect())}
            </div>
            <MoreButton count shown/>
            <RefusalNote view/>
            {deadline(card)}
            <CardAnswer card/>
            <Show when=move || threads.with(|it| it.has_inbox)>
                <LazyExtra extra=Extra::NextButton(card)/>
            </Show>
            <Show when=is_elsewhere>
                <p class="footnote">{texts.get(strings::DECIDED_SOMEWHERE_ELSE)}</p>
            </Show>
        </div>
    }
}

/// Returns the line about the time that is left for deciding, while the request can be decided;
/// `None` for one that waits for ever.
fn deadline(CardState { view, stage, .. }: CardState) -> Option<impl IntoView> {
    let (asked_at, end) = view.with_untracked(|view| {
        let end = view.batch.tools.iter().find_map(|tool| tool.expires_at)?;
        Some((view.asked_at, end))
    })?;
    let is_open = move || stage.get().is_deciding() || stage.get() == Stage::Feedback;
    Some(view! {
        <Show when=is_open>
            <LazyExtra extra=Extra::Deadline(asked_at, end)/>
        </Show>
    })
}

/// The button that adds more tools to a card, while some tools of the batch are not in it. `count`
/// returns the number of the batch's tools; `shown` has the number of those in the card.
#[component]
fn MoreButton(
    count: impl Fn() -> usize + Copy + Send + Sync + 'static,
    shown: ShownRequests,
) -> impl IntoView {
    let texts = strings::texts();
    let rest = move || count().saturating_sub(shown.limit.get());
    let add = move |_: MouseEvent| shown.limit.update(|limit| *limit += REQUESTS_AT_ONCE);
    view! {
        <Show when=move || { rest() > 0 }>
            <button type="button" class="link-button" on:click=boxed_listener(add)>
                {move || texts.plural(strings::MORE_ACTIONS, rest(), &[])}
            </button>
        </Show>
    }
}

/// The head of a card that still needs a decision: what the person is asked to do.
#[component]
fn Head(view: RwSignal<ApprovalView>) -> impl IntoView {
    let texts = strings::texts();
    let hint = move || {
        let count = view.with(|view| view.batch.tools.len());
        texts.plural(strings::ACTIONS_WAIT, count, &[])
    };
    let number = move || {
        let (number, count) = view.with(|view| view.place);
        let values = [number, count].map(|it| texts.format_number(it));
        let [number, of] = &values;
        let text = || texts.fill(strings::REQUEST_OF, &[("number", number), ("count", of)]);
        (count > 1).then(|| view! { <span class="approval-number">{text()}</span> })
    };
    view! {
        <div class="approval-head">
            {icons::shield()}
            <div>
                <h3 class="approval-title">{texts.get(strings::APPROVAL)} " " {number}</h3>
                <p class="approval-hint">{hint}</p>
            </div>
        </div>
    }
}

/// The part of a card below the tools: the buttons for deciding, or what has become of the answer
/// to the batch.
#[component]
fn CardAnswer(card: CardState) -> impl IntoView {
    let texts = strings::texts();
    let CardState { view, stage, .. } = card;
    // From the feedback the focus goes back to the button that led there.
    let left_feedback = StoredValue::new(false);
    let why_open = move |reason| {
        view.with_untracked(|view| match view.batch.response_to_post() {
            Some(failure) => strings::response_sentence(texts, failure),
            None => texts.get(strings::unconfirmed_text(reason)).to_owned(),
        })
    };
    move || match stage.get() {
        Stage::Deciding | Stage::Refused => {
            let came_back = left_feedback.get_value();
            left_feedback.set_value(false);
            view! { <Decisions card came_back/> }.into_any()
        }
        Stage::Feedback => {
            left_feedback.set_value(true);
            view! { <FeedbackForm card/> }.into_any()
        }
        Stage::Submitting => {
            let text = texts.get(strings::SUBMITTING).to_owned();
            view! { <Status text/> }.into_any()
        }
        Stage::Checking(reason) => view! {
            <Status text=why_open(reason)>
                <p>{texts.get(strings::LOOKING_IT_UP)}</p>
                <CheckAgainButton/>
            </Status>
        }
        .into_any(),
        Stage::Unknown(reason) => view! {
            <Status text=why_open(reason)>
                <CheckAgainButton/>
            </Status>
        }
        .into_any(),
        Stage::Unanswerable(why) => view! { <UnanswerableNote why/> }.into_any(),
        Stage::Answered => nothing(),
    }
}

/// A line of text about the answer to a batch, with `children` below it. Screen readers announce it
/// once they have finished what they say.
#[component]
fn Status(text: String, #[prop(optional)] children: Option<Children>) -> impl IntoView {
    view! {
        <div class="footnote" role="status">
            <p>{text}</p>
            {children.map(|children| children())}
        </div>
    }
}

/// The reason why a batch cannot be answered here, with a button that checks again or begins
/// another conversation.
#[component]
fn UnanswerableNote(why: UnanswerableReason) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let text = texts.get(strings::unanswerable_text(why));
    let start = move |event: MouseEvent| {
        let _ = focus_part(&event_target(&event), "input");
        dispatch.send(Intent::NewThread);
    };
    if let UnanswerableReason::Unread { checking } = why {
        let again = (!checking).then(|| view! { <CheckAgainButton/> });
        view! { <Status text=text.to_owned()>{again}</Status> }.into_any()
    } else {
        view! {
            <p class="footnote">{text}</p>
            <div class="buttons">
                <button type="button" class="button" on:click=boxed_listener(start)>
                    {texts.get(strings::START_ANOTHER)}
                </button>
            </div>
        }
        .into_any()
    }
}

/// The note with the reason why the service refused the last answer to the batch.
#[component]
fn RefusalNote(view: RwSignal<ApprovalView>) -> impl IntoView {
    let texts = strings::texts();
    // An alert is announced whenever it changes, so that choosing or typing on must not touch it.
    let refusal = memo(move || view.with(|view| Refusal::of(texts, &view.batch)));
    move || {
        refusal.get().map(|Refusal { failure, conflict }| {
            let conflict = conflict.map(|text| {
                view! {
                    <p class="conflict" role="alert" dir="auto">
                        {text}
                    </p>
                }
            });
            let place = NodeRef::<Div>::new();
            // The note may be far above or below the visible part.
            on_load(place, |place| scroll_into_view(&place, &place));
            view! {
                <div class="refusal" node_ref=place>
                    <FailureNote failure/>
                    {conflict}
                </div>
            }
        })
    }
}

/// Why the service refused the last answer to a batch: the failure without the faults of single
/// tools, which are shown at these tools, and a sentence about decisions that contradict each
/// other.
#[derive(Clone, PartialEq)]
struct Refusal {
    failure: Failure,
    conflict: Option<String>,
}

impl Refusal {
    fn of(texts: Texts, batch: &ApprovalBatch) -> Option<Self> {
        let BatchPhase::Deciding {
            failure: Some(failure),
            ..
        } = &batch.phase
        else {
            return None;
        };
        let tool =
            |execution: &ExecutionId| batch.tools.iter().find(|tool| tool.execution == *execution);
        let name = |execution: &ExecutionId| plain_title(texts, tool(execution));
        let conflict = strings::conflict_text(texts, failure, &name);
        let mut failure: Failure = failure.clone();
        if failure.kind == FailureKind::Rejected {
            failure.message = Some(strings::refusal_sentence(texts, &failure));
        }
        failure
            .issues
            .retain(|issue| tool(&issue.tool_execution_id).is_none());
        Some(Self { failure, conflict })
    }
}
