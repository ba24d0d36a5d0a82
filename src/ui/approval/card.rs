//! One batch of tool runs that asks for a decision: one card, one answer.

use assent_conversation::{
    ApprovalBatch, BatchPhase, Composer, Doubt, ExecutionId, Failure, Intent,
};
use leptos::{ev, prelude::*};

use super::{
    decisions::decisions,
    feedback::feedback,
    stage::{Stage, state_name},
    tool::{name_of, tool},
};
use crate::{
    ui::{
        dispatch::Dispatch,
        erased::{dynamic, each_place, on, show, text},
        failure_note::{failure_note, link_button},
        focus::focus_part,
        icons, strings,
    },
    view::{ApprovalView, ComposerView, Watched},
};

pub(in crate::ui) fn approval_card(
    view: Watched<ApprovalView>,
    composer: Watched<ComposerView>,
    can_attach: Watched<bool>,
    dispatch: Dispatch,
) -> AnyView {
    // While a stream runs there is no posting; the service ends the one that asks right after the question.
    let streams = Memo::new(move |_| composer.with(|it| it.composer == Composer::Streaming));
    // What stands below the tools changes with the stage alone, so that a text field outlives what is typed into it.
    let stage = {
        let view = view.clone();
        Memo::new(move |_| view.with(|view| Stage::of(&view.batch)))
    };
    let state = {
        let view = view.clone();
        move || view.with(|view| state_name(&view.batch))
    };
    let (hinted, counted, drawn) = (view.clone(), view.clone(), view.clone());
    let head = move || head(hinted.clone());
    let tools = each_place(
        move || counted.with(|view| view.batch.tools.len()),
        move |index| tool(drawn.clone(), stage, index, dispatch),
    );
    let (refused, elsewhere) = (view.clone(), view.clone());
    // From the feedback the focus goes back to the button that led there.
    let came_back = StoredValue::new(false);
    let below = dynamic(move || match stage.get() {
        Stage::Deciding | Stage::Refused => {
            let back = came_back.get_value();
            came_back.set_value(false);
            untrack(|| decisions(&view, streams, dispatch, back))
        }
        Stage::Feedback => {
            came_back.set_value(true);
            untrack(|| feedback(&view, streams, can_attach.clone(), dispatch))
        }
        Stage::Submitting => status(strings::SUBMITTING, None, None),
        Stage::Checking(doubt) => status(strings::doubt(doubt), Some(strings::LOOKING_IT_UP), None),
        Stage::Unknown(doubt) => unknown(doubt, dispatch),
        Stage::Unanswerable => unanswerable(dispatch),
        Stage::Answered => ().into_any(),
    });
    let is_elsewhere = Memo::new(move |_| {
        elsewhere.with(|view| view.batch.elsewhere && Stage::of(&view.batch) == Stage::Answered)
    });
    let decided_elsewhere =
        || view! { class="a", <p class="footnote">{strings::ELSEWHERE}</p> }.into_any();
    let refusal = dynamic(move || refused.with(|view| refusal(&view.batch)));
    view! { class="a",
        <section
            part="approval"
            class="approval"
            role="group"
            aria-label=strings::APPROVAL
            data-state=move || state()
        >
            {show(move || stage.get() != Stage::Answered, head)}
            <div class="approval-tools">{tools}</div>
            {refusal}
            {below}
            {show(move || is_elsewhere.get(), decided_elsewhere)}
        </section>
    }
    .into_any()
}

fn head(view: Watched<ApprovalView>) -> AnyView {
    let hint = move || strings::actions_wait(view.with(|view| view.batch.tools.len()));
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

/// Why the last answer was not taken. What is wrong with one tool is said there.
fn refusal(batch: &ApprovalBatch) -> AnyView {
    let BatchPhase::Deciding {
        failure: Some(failure),
        ..
    } = &batch.phase
    else {
        return ().into_any();
    };
    let tool =
        |execution: &ExecutionId| batch.tools.iter().find(|tool| tool.execution == *execution);
    let conflict = strings::conflict(failure, &|execution| name_of(tool(execution)));
    let mut failure: Failure = failure.clone();
    failure
        .issues
        .retain(|issue| tool(&issue.tool_execution_id).is_none());
    let note = failure_note(None, &failure, None, None);
    let conflict = conflict.map(|text| {
        view! { class="a", <p class="conflict" role="alert" dir="auto">{text}</p> }.into_any()
    });
    view! { class="a", {note} {conflict} }.into_any()
}

/// What is known about an answer that was sent, in its turn said to people who do not see it.
fn status(text: &'static str, more: Option<&'static str>, button: Option<AnyView>) -> AnyView {
    let more = more.map(|more| view! { class="a", <p>{more}</p> }.into_any());
    view! { class="a",
        <div class="footnote" role="status">
            <p>{text}</p>
            {more}
            {button}
        </div>
    }
    .into_any()
}

fn unknown(doubt: Doubt, dispatch: Dispatch) -> AnyView {
    let again = move || dispatch.send(Intent::ReloadMessages);
    let again = link_button(strings::CHECK_AGAIN, Box::new(again));
    status(strings::doubt(doubt), None, Some(again))
}

fn unanswerable(dispatch: Dispatch) -> AnyView {
    let start = move |event: ev::MouseEvent| {
        let _ = focus_part(&event_target(&event), "input");
        dispatch.send(Intent::NewThread);
    };
    view! { class="a",
        <p class="footnote">{strings::UNANSWERABLE}</p>
        <div class="buttons">
            <button type="button" class="button" on:click=on(start)>
                {strings::START_ANOTHER}
            </button>
        </div>
    }
    .into_any()
}

/// The button that was pressed goes away with the question. The messages take the focus: there the answer comes.
pub(super) fn leave(event: &ev::MouseEvent) {
    focus_part(&event_target(event), "transcript");
}
