//! One batch of tool runs that asks for a decision: one card, one answer.

use assent_conversation::{ApprovalBatch, BatchPhase, Composer, Fate, Intent, Verdict};
use leptos::{ev, prelude::*};

use super::{
    approval_tool::ApprovalTool,
    dispatch::Dispatch,
    erased::{ElementRef, dynamic, each_place, on, show, text, when_there},
    failure_note::{failure_note, link_button},
    focus::{focus, focus_part},
    icons, strings,
};
use crate::view::{ComposerView, Watched};

#[component]
pub(super) fn ApprovalCard(
    batch: Watched<ApprovalBatch>,
    composer: Watched<ComposerView>,
    dispatch: Dispatch,
) -> impl IntoView {
    // While a stream runs there is no posting; the service ends the one that asks right after the question.
    let streams = Memo::new(move |_| composer.with(|it| it.composer == Composer::Streaming));
    let state = {
        let batch = batch.clone();
        move || batch.with(state_name)
    };
    let open = {
        let batch = batch.clone();
        Memo::new(move |_| !batch.with(|batch| Stage::of(batch) == Stage::Answered))
    };
    let head = {
        let batch = batch.clone();
        move || {
            let batch = batch.clone();
            let hint = move || strings::actions_wait(batch.with(|batch| batch.tools.len()));
            view! { class="a",
                <div class="approval-head">
                    {icons::shield()}
                    <div>
                        <p class="approval-title">{strings::APPROVAL}</p>
                        <p class="approval-hint">{text(hint)}</p>
                    </div>
                </div>
            }
            .into_any()
        }
    };
    let (counted, run) = (batch.clone(), batch.clone());
    let tools = each_place(
        move || counted.with(|batch| batch.tools.len()),
        move |index| {
            let batch = run.clone();
            view! { class="a", <ApprovalTool batch index dispatch/> }.into_any()
        },
    );
    // What stands below the tools changes with the stage alone, so that a text field outlives what is typed into it.
    let stage = {
        let batch = batch.clone();
        Memo::new(move |_| batch.with(Stage::of))
    };
    let refused = batch.clone();
    // From the feedback the focus goes back to the button that led there.
    let came_back = StoredValue::new(false);
    let below = dynamic(move || match stage.get() {
        Stage::Deciding | Stage::Refused => {
            let back = came_back.get_value();
            came_back.set_value(false);
            untrack(|| decisions(batch.clone(), streams, dispatch, back))
        }
        Stage::Feedback => {
            came_back.set_value(true);
            untrack(|| feedback(&batch, streams, dispatch))
        }
        Stage::Submitting => {
            view! { class="a", <p class="footnote" role="status">{strings::SUBMITTING}</p> }
                .into_any()
        }
        Stage::Checking => checking(dispatch),
        Stage::Unanswerable => {
            view! { class="a", <p class="footnote">{strings::UNANSWERABLE}</p> }.into_any()
        }
        Stage::Answered => ().into_any(),
    });
    let refusal = dynamic(move || {
        refused.with(|batch| match &batch.phase {
            BatchPhase::Deciding {
                failure: Some(failure),
                ..
            } => failure_note(None, failure, None, None),
            _ => ().into_any(),
        })
    });
    view! { class="a",
        <section
            part="approval"
            class="approval"
            role="group"
            aria-label=strings::APPROVAL
            data-state=move || state()
        >
            {show(move || open.get(), head)}
            <div class="approval-tools">{tools}</div>
            {below}
            {refusal}
        </section>
    }
}

fn decisions(
    batch: Watched<ApprovalBatch>,
    streams: Memo<bool>,
    dispatch: Dispatch,
    came_back: bool,
) -> AnyView {
    let id = batch.peek(|batch| batch.id.clone());
    let decided = Memo::new(move |_| batch.with(ApprovalBatch::is_decided));
    let stop_button = ElementRef::new();
    if came_back {
        when_there(stop_button, focus);
    }
    let button = |name: &'static str, intent: Intent| {
        let send = move |_: ev::MouseEvent| dispatch.send(intent.clone());
        view! { class="a", <button type="button" class="button" on:click=on(send)>{name}</button> }
            .into_any()
    };
    let all = |name, verdict| button(name, Intent::DecideAll(id.clone(), verdict));
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
    view! { class="a",
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
                on:click=on(submit)
            >
                {strings::SUBMIT_DECISIONS}
            </button>
        </div>
    }
    .into_any()
}

/// The exclusive mode: the whole batch is stopped, with words for the agent.
fn feedback(batch: &Watched<ApprovalBatch>, streams: Memo<bool>, dispatch: Dispatch) -> AnyView {
    let (id, typed) = batch.peek(|batch| (batch.id.clone(), feedback_of(batch)));
    let input = ElementRef::new();
    when_there(input, focus);
    let edited = id.clone();
    let edit = move |event: ev::Event| {
        dispatch.send(Intent::EditFeedback(
            edited.clone(),
            event_target_value(&event),
        ));
    };
    let stopped = id.clone();
    let back = move |_: ev::MouseEvent| dispatch.send(Intent::CancelFeedback(id.clone()));
    let stop = move |event: ev::MouseEvent| {
        leave(&event);
        dispatch.send(Intent::SubmitFeedback(stopped.clone()));
    };
    view! { class="a",
        <div class="feedback">
            <p class="approval-hint">{strings::FEEDBACK_HINT}</p>
            <textarea
                class="feedback-input"
                aria-label=strings::FEEDBACK
                rows="3"
                dir="auto"
                prop:value=typed
                node_ref=input
                on:input=on(edit)
            ></textarea>
            <div class="buttons">
                <button type="button" class="button" on:click=on(back)>
                    {strings::BACK}
                </button>
                <button
                    type="button"
                    class="button danger"
                    disabled=move || streams.get()
                    on:click=on(stop)
                >
                    {strings::STOP_ACTIONS}
                </button>
            </div>
        </div>
    }
    .into_any()
}

/// The button that was pressed goes away with the question. The messages take the focus: there the answer comes.
fn leave(event: &ev::MouseEvent) {
    focus_part(&event_target(event), "transcript");
}

fn checking(dispatch: Dispatch) -> AnyView {
    let again = move || dispatch.send(Intent::ReloadMessages);
    view! { class="a",
        <div class="footnote" role="status">
            <p>{strings::DECISION_UNKNOWN}</p>
            {link_button(strings::CHECK_AGAIN, Box::new(again))}
        </div>
    }
    .into_any()
}

fn feedback_of(batch: &ApprovalBatch) -> String {
    match &batch.phase {
        BatchPhase::Deciding {
            feedback: Some(feedback),
            ..
        } => feedback.text.clone(),
        _ => String::new(),
    }
}

/// What the card shows; unlike the batch's phase it does not change while feedback is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Deciding,
    Refused,
    Feedback,
    Submitting,
    Checking,
    Answered,
    Unanswerable,
}

impl Stage {
    pub(super) fn of(batch: &ApprovalBatch) -> Self {
        match &batch.phase {
            BatchPhase::Deciding {
                feedback: Some(_), ..
            } => Self::Feedback,
            BatchPhase::Deciding {
                failure: Some(_), ..
            } => Self::Refused,
            BatchPhase::Deciding { .. } => Self::Deciding,
            BatchPhase::Submitting {
                fate: Fate::Sent, ..
            } => Self::Submitting,
            BatchPhase::Submitting { .. } => Self::Checking,
            BatchPhase::Answered => Self::Answered,
            BatchPhase::Unanswerable => Self::Unanswerable,
        }
    }

    /// True where a choice can be made for each tool.
    pub(super) fn decides(self) -> bool {
        matches!(self, Self::Deciding | Self::Refused)
    }
}

/// `data-state` of the contract.
fn state_name(batch: &ApprovalBatch) -> &'static str {
    match &batch.phase {
        BatchPhase::Deciding {
            failure: Some(_), ..
        } => "failed",
        BatchPhase::Deciding { .. } => "pending",
        BatchPhase::Submitting { .. } => "submitting",
        BatchPhase::Answered => "answered",
        BatchPhase::Unanswerable => "unanswerable",
    }
}
