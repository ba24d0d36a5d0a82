//! The state that the parts of one card share.

use assent_conversation::{ComposerState, Verdict};
use leptos::prelude::*;

use super::{super::effect::memo, guard::ClickGuard, shown::ShownRequests, stage::Stage};
use crate::store::{ApprovalView, Store};

/// What all parts of one card need: its batch, its stage, which requests are drawn, and the
/// protection from clicks that were meant for something else.
#[derive(Clone, Copy)]
pub(in crate::components) struct CardState {
    pub(in crate::components) view: RwSignal<ApprovalView>,
    /// The stage of the card. The part below the tools is made anew only when this changes, so that
    /// a text field stays while somebody types into it.
    pub(in crate::components) stage: Memo<Stage>,
    /// True while a stream runs, so that no decision can be posted. The service ends a stream right
    /// after its requests for approval.
    pub(in crate::components) is_streaming: Memo<bool>,
    /// True if the batch has one tool, whose decision is sent at once.
    pub(in crate::components) is_single: Memo<bool>,
    pub(super) shown: ShownRequests,
    pub(in crate::components) guard: ClickGuard,
    /// True after the last tool was decided by a key, until the focus has moved to the button that
    /// sends the decisions.
    pub(in crate::components) to_submit: RwSignal<bool>,
}

impl CardState {
    pub(super) fn new(view: RwSignal<ApprovalView>) -> Self {
        let composer = expect_context::<Store>().composer;
        Self {
            view,
            stage: memo(move || view.with(|view| Stage::of(&view.batch))),
            is_streaming: memo(move || composer.with(|it| it.composer == ComposerState::Streaming)),
            is_single: memo(move || view.with(|view| view.batch.tools.len() == 1)),
            shown: ShownRequests::new(),
            guard: ClickGuard::new(),
            to_submit: RwSignal::new(false),
        }
    }

    /// Returns the value of `aria-pressed` for the button that chooses `verdict` for the tool run
    /// with this index, reactive; `None` if it sends that at once.
    pub(in crate::components) fn pressed(self, index: usize, verdict: Verdict) -> Option<String> {
        let choice = |view: &ApprovalView| view.batch.tools.get(index)?.choice;
        let shown = match self.view.with(choice) {
            Some(Verdict::ApproveCovered) => Some(Verdict::Approve),
            choice => choice,
        };
        (!self.is_single.get()).then(|| (shown == Some(verdict)).to_string())
    }
}
