//! One batch of tool runs that asks for a decision: one card, one answer.

use assent_conversation::{ApprovalBatch, BatchPhase, Intent, Verdict};
use leptos::{html, prelude::*};

use super::{
    approval_tool::ApprovalTool, dispatch::Dispatch, failure_note::FailureNote, focus::focus,
    icons, strings,
};

#[component]
pub(super) fn ApprovalCard(batch: ArcRwSignal<ApprovalBatch>, dispatch: Dispatch) -> impl IntoView {
    let id = StoredValue::new(batch.with_untracked(|batch| batch.id.clone()));
    let batch = Signal::derive(move || batch.get());
    let phase = Memo::new(move |_| batch.with(PhaseView::of));
    let ready = Memo::new(move |_| batch.with(ApprovalBatch::is_decided));
    let several = Memo::new(move |_| batch.with(|batch| batch.tools.len() > 1));
    let send = move |intent: fn(assent_conversation::BatchId) -> Intent| {
        dispatch.send(intent(id.get_value()))
    };
    let all = move |verdict| dispatch.send(Intent::DecideAll(id.get_value(), verdict));
    let decisions = move || {
        view! { class="a",
            <div class="buttons">
                <Show when=move || several.get()>
                    <button type="button" class="button" on:click=move |_| all(Verdict::Approve)>
                        {strings::APPROVE_ALL}
                    </button>
                    <button type="button" class="button" on:click=move |_| all(Verdict::Deny)>
                        {strings::DENY_ALL}
                    </button>
                </Show>
                <button type="button" class="button quiet" on:click=move |_| send(Intent::BeginFeedback)>
                    {strings::STOP_WITH_FEEDBACK}
                </button>
                <button
                    type="button"
                    class="button primary"
                    disabled=move || !ready.get()
                    on:click=move |_| send(Intent::SubmitDecisions)
                >
                    {strings::SUBMIT_DECISIONS}
                </button>
            </div>
        }
    };
    view! { class="a",
        <section
            part="approval"
            class="approval"
            role="group"
            aria-label=strings::APPROVAL
            data-state=move || phase.get().name()
        >
            <Show when=move || phase.get() != PhaseView::Answered>
                <div class="approval-head">
                    {icons::shield()}
                    <div>
                        <p class="approval-title">{strings::APPROVAL}</p>
                        <p class="approval-hint">
                            {move || strings::actions_wait(batch.with(|batch| batch.tools.len()))}
                        </p>
                    </div>
                </div>
            </Show>
            <div class="approval-tools">
                <For
                    each=move || 0..batch.with(|batch| batch.tools.len())
                    key=|index| *index
                    children=move |index| {
                        let open = Signal::derive(move || phase.get().decides());
                        let folded = Signal::derive(move || phase.get() == PhaseView::Answered);
                        view! { class="a", <ApprovalTool batch index open folded dispatch/> }
                    }
                />
            </div>
            {move || match phase.get() {
                PhaseView::Deciding | PhaseView::Refused => Some(decisions().into_any()),
                PhaseView::Feedback => Some(view! { class="a", <FeedbackForm batch dispatch/> }.into_any()),
                PhaseView::Submitting => Some(view! { class="a",
                    <p class="footnote" role="status">{strings::SUBMITTING}</p>
                }.into_any()),
                PhaseView::Checking => Some(view! { class="a",
                    <div class="footnote" role="status">
                        <p>{strings::DECISION_UNKNOWN}</p>
                        <p>{strings::CHECKING_DECISION}</p>
                        <button
                            type="button"
                            class="link-button"
                            on:click=move |_| dispatch.send(Intent::ReloadMessages)
                        >
                            {strings::CHECK_AGAIN}
                        </button>
                    </div>
                }.into_any()),
                PhaseView::Unanswerable => Some(view! { class="a",
                    <p class="footnote">{strings::UNANSWERABLE}</p>
                }.into_any()),
                PhaseView::Answered => None,
            }}
            {move || batch.with(refusal).map(|failure| view! { class="a", <FailureNote failure/> })}
        </section>
    }
}

/// The exclusive mode: the whole batch is stopped, with words for the agent.
#[component]
fn FeedbackForm(batch: Signal<ApprovalBatch>, dispatch: Dispatch) -> impl IntoView {
    let id = StoredValue::new(batch.with_untracked(|batch| batch.id.clone()));
    let input: NodeRef<html::Textarea> = NodeRef::new();
    Effect::new(move || {
        if let Some(input) = input.get() {
            focus(&input);
        }
    });
    let typed = batch.with_untracked(|batch| match &batch.phase {
        BatchPhase::Deciding { feedback, .. } => feedback.clone().unwrap_or_default(),
        _ => String::new(),
    });
    let edit = move |event| {
        dispatch.send(Intent::EditFeedback(
            id.get_value(),
            event_target_value(&event),
        ))
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
                on:input=edit
            ></textarea>
            <div class="buttons">
                <button
                    type="button"
                    class="button"
                    on:click=move |_| dispatch.send(Intent::CancelFeedback(id.get_value()))
                >
                    {strings::BACK}
                </button>
                <button
                    type="button"
                    class="button danger"
                    on:click=move |_| dispatch.send(Intent::SubmitFeedback(id.get_value()))
                >
                    {strings::STOP_ACTIONS}
                </button>
            </div>
        </div>
    }
}

/// What the card shows below its tools; unlike the batch's phase it does not change while feedback is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PhaseView {
    Deciding,
    Refused,
    Feedback,
    Submitting,
    Checking,
    Answered,
    Unanswerable,
}

impl PhaseView {
    fn of(batch: &ApprovalBatch) -> Self {
        match &batch.phase {
            BatchPhase::Deciding {
                feedback: Some(_), ..
            } => Self::Feedback,
            BatchPhase::Deciding {
                failure: Some(_), ..
            } => Self::Refused,
            BatchPhase::Deciding { .. } => Self::Deciding,
            BatchPhase::Submitting {
                checking: false, ..
            } => Self::Submitting,
            BatchPhase::Submitting { checking: true, .. } => Self::Checking,
            BatchPhase::Answered => Self::Answered,
            BatchPhase::Unanswerable => Self::Unanswerable,
        }
    }

    /// `data-state` of the contract.
    fn name(self) -> &'static str {
        match self {
            Self::Deciding | Self::Feedback => "pending",
            Self::Refused => "failed",
            Self::Submitting | Self::Checking => "submitting",
            Self::Answered => "answered",
            Self::Unanswerable => "unanswerable",
        }
    }

    fn decides(self) -> bool {
        matches!(self, Self::Deciding | Self::Refused)
    }
}

fn refusal(batch: &ApprovalBatch) -> Option<assent_conversation::Failure> {
    match &batch.phase {
        BatchPhase::Deciding { failure, .. } => failure.clone(),
        _ => None,
    }
}
