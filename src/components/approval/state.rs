//! The state that the parts of one card share.

use assent_conversation::ComposerState;
use leptos::prelude::*;

use super::{super::effect::memo, guard::ClickGuard, shown::ShownRequests, stage::Stage};
use crate::store::{ApprovalView, Store};

/// The state that the parts of one card share.
#[derive(Clone, Copy)]
pub(super) struct CardState {
    pub(super) view: RwSignal<ApprovalView>,
    /// The stage of the card. The part below the tools depends on it alone, so that a text field
    /// outlives what is typed into it.
    pub(super) stage: Memo<Stage>,
    /// True while a stream runs and nothing can be posted. The service ends the stream with the
    /// requests right after them.
    pub(super) is_streaming: Memo<bool>,
    /// True if the batch has one tool, whose decision is sent at once.
    pub(super) is_single: Memo<bool>,
    pub(super) shown: ShownRequests,
    pub(super) guard: ClickGuard,
    /// True after the last tool was decided by a key, until the focus is on the button that submits.
    pub(super) to_submit: RwSignal<bool>,
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
}
