//! One batch of tool runs that asks for a decision: one card, one answer.

use assent_conversation::{
    ApprovalBatch, BatchPhase, Composer, ExecutionId, Failure, Intent, Unanswerable,
};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{
    decisions::decisions,
    feedback::feedback,
    shown::Shown,
    stage::{Stage, state_name},
    tool::{name_of, tool},
};
use crate::{
    components::{
        button::button,
        dispatch::Dispatch,
        element::el,
        erased::{ElementRef, dynamic, each_place, keyed, show, text},
        failure_note::{FailureNote, LinkButton},
        focus::{focus_part, focused},
        icons, strings,
    },
    store::{ApprovalView, Settings, Store},
};

pub(in crate::components) fn approval_card(view: RwSignal<ApprovalView>) -> AnyView {
    let composer = expect_context::<Store>().composer;
    let can_attach = expect_context::<Settings>().can_attach;
    let dispatch = expect_context::<Dispatch>();
    let texts = strings::texts();
    // While a stream runs there is no posting; the service ends the one that asks right after the question.
    let streams = Memo::new(move |_| composer.with(|it| it.composer == Composer::Streaming));
    // What stands below the tools changes with the stage alone, so that a text field outlives what is typed into it.
    let stage = { Memo::new(move |_| view.with(|view| Stage::of(&view.batch))) };
    let state = { move || view.with(|view| state_name(&view.batch).to_owned()) };
    let (hinted, counted, drawn) = (view, view, view);
    let head = move || head(hinted);
    let shown = Shown::new();
    let drawing = shown.clone();
    let tools = each_place(
        move || counted.with(|view| view.batch.tools.len()),
        move |index| tool(drawn, stage, index, drawing.clone(), dispatch),
    );
    let (refused, refusing, elsewhere) = (view, view, view);
    // From the feedback the focus goes back to the button that led there.
    let came_back = StoredValue::new(false);
    let below = dynamic(move || match stage.get() {
        Stage::Deciding | Stage::Refused => {
            let back = came_back.get_value();
            came_back.set_value(false);
            untrack(|| decisions(&view, stage, streams, &shown, dispatch, back))
        }
        Stage::Feedback => {
            came_back.set_value(true);
            untrack(|| feedback(&view, stage, streams, can_attach, dispatch))
        }
        Stage::Submitting => status(texts.get(strings::SUBMITTING), None),
        Stage::Checking(doubt) => {
            let looks = el("p", "").text(texts.get(strings::LOOKING_IT_UP));
            status(texts.get(strings::doubt(doubt)), Some(looks.view()))
        }
        Stage::Unknown(doubt) => status(
            texts.get(strings::doubt(doubt)),
            Some(check_again(dispatch)),
        ),
        Stage::Unanswerable(why) => unanswerable(why, dispatch),
        Stage::Answered => ().into_any(),
    });
    let is_elsewhere = Memo::new(move |_| {
        elsewhere.with(|view| view.batch.elsewhere && Stage::of(&view.batch) == Stage::Answered)
    });
    let decided_elsewhere = move || {
        el("p", "footnote")
            .text(texts.get(strings::ELSEWHERE))
            .view()
    };
    // An alert is said whenever it is made, so that choosing or typing on does not make it again.
    let refusal = keyed(
        move || {
            refused.with(|view| Refusal::of(&view.batch).map_or_else(String::new, Refusal::text))
        },
        move || {
            refusing
                .with(|view| Refusal::of(&view.batch).map_or_else(|| ().into_any(), Refusal::view))
        },
    );
    el("section", "approval")
        .attr("part", "approval")
        .attr("role", "group")
        .attr("aria-label", texts.get(strings::APPROVAL))
        .follow_text("data-state", state)
        .child(show(move || stage.get() != Stage::Answered, head))
        .child(el("div", "approval-tools").child(tools))
        .child(refusal)
        .child(below)
        .child(show(move || is_elsewhere.get(), decided_elsewhere))
        .view()
}

fn head(view: RwSignal<ApprovalView>) -> AnyView {
    let texts = strings::texts();
    let hint = move || {
        texts.count(
            strings::ACTIONS_WAIT,
            view.with(|view| view.batch.tools.len()),
            &[],
        )
    };
    let words = el("div", "")
        .child(el("p", "approval-title").text(texts.get(strings::APPROVAL)))
        .child(el("p", "approval-hint").child(text(hint)));
    el("div", "approval-head")
        .child(icons::shield())
        .child(words)
        .view()
}

/// Why the last answer was not taken. What is wrong with one tool is said there.
struct Refusal {
    failure: Failure,
    conflict: Option<String>,
}

impl Refusal {
    fn of(batch: &ApprovalBatch) -> Option<Self> {
        let texts = strings::texts();
        let BatchPhase::Deciding {
            failure: Some(failure),
            ..
        } = &batch.phase
        else {
            return None;
        };
        let tool =
            |execution: &ExecutionId| batch.tools.iter().find(|tool| tool.execution == *execution);
        let conflict = strings::conflict(texts, failure, &|execution| name_of(tool(execution)));
        let mut failure: Failure = failure.clone();
        failure
            .issues
            .retain(|issue| tool(&issue.tool_execution_id).is_none());
        Some(Self { failure, conflict })
    }

    /// All that it says.
    fn text(self) -> String {
        let texts = strings::texts();
        let mut text = strings::failure(texts, &self.failure);
        for issue in &self.failure.issues {
            text.push_str(&issue.error);
        }
        text.push_str(&self.conflict.unwrap_or_default());
        text
    }

    fn view(self) -> AnyView {
        let conflict = self.conflict.map(|text| {
            el("p", "conflict")
                .attr("role", "alert")
                .attr("dir", "auto")
                .text(&text)
                .view()
        });
        let failure = self.failure;
        let mut notes = vec![view! { <FailureNote failure/> }.into_any()];
        notes.extend(conflict);
        notes.into_any()
    }
}

/// What is known about an answer that was sent, in its turn said to people who do not see it.
fn status(text: &str, more: Option<AnyView>) -> AnyView {
    el("div", "footnote")
        .attr("role", "status")
        .child(el("p", "").text(text))
        .children(more)
        .view()
}

fn check_again(dispatch: Dispatch) -> AnyView {
    let texts = strings::texts();
    let act = Callback::new(move |()| dispatch.send(Intent::ReloadMessages));
    view! { <LinkButton name=texts.get(strings::CHECK_AGAIN) act/> }.into_any()
}

fn unanswerable(why: Unanswerable, dispatch: Dispatch) -> AnyView {
    let texts = strings::texts();
    let text = texts.get(strings::unanswerable(why));
    if let Unanswerable::Unread { checking } = why {
        return status(text, (!checking).then(|| check_again(dispatch)));
    }
    let start = button("button", texts.get(strings::START_ANOTHER), move |event| {
        let _ = focus_part(&event_target(&event), "input");
        dispatch.send(Intent::NewThread);
    });
    let words = el("p", "footnote").text(text);
    vec![words.view(), el("div", "buttons").child(start).view()].into_any()
}

/// Where what is asked goes away because it was decided somewhere else, the messages take the focus that was in it.
pub(super) fn keep_focus(part: ElementRef, stage: Memo<Stage>) {
    on_cleanup(move || {
        let asks = |stage: Stage| stage.decides() || stage == Stage::Feedback;
        if let Some(part) = part.now()
            && !stage.try_get_untracked().is_none_or(asks)
            && part.contains(focused(&part).as_deref())
        {
            focus_part(&part, "transcript");
        }
    });
}

/// The button that was pressed goes away with the question. The messages take the focus: there the answer comes.
pub(super) fn leave(event: &MouseEvent) {
    focus_part(&event_target(event), "transcript");
}
