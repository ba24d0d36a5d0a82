//! The focus when a question disappears from the card.

use leptos::{html::Div, prelude::*, web_sys::MouseEvent};

use super::stage::Stage;
use crate::components::focus::{focus_part, focused};

/// Moves the focus from a request that disappears, because it was decided somewhere else, to the
/// messages.
pub(super) fn keep_focus(part: NodeRef<Div>, stage: Memo<Stage>) {
    on_cleanup(move || {
        let asks = |stage: Stage| stage.decides() || stage == Stage::Feedback;
        if let Some(part) = part.try_get_untracked().flatten()
            && !stage.try_get_untracked().is_none_or(asks)
            && part.contains(focused(&part).as_deref())
        {
            focus_part(&part, "transcript");
        }
    });
}

/// Moves the focus from the pressed button, which disappears with the question, to the messages:
/// there the answer comes.
pub(super) fn leave(event: &MouseEvent) {
    focus_part(&event_target(event), "transcript");
}
