//! The reading position in a conversation: it is restored when the conversation is opened, and sent
//! to the core when it changes.

use std::time::Duration;

use assent_conversation::{Intent, ReadingPosition};
use leptos::{
    prelude::*,
    web_sys::{Element, HtmlElement},
};

use super::{
    measure::{distance_below_top, first_visible_message, message_node},
    state::{ReadingState, Scroll, ScrollInputs, ScrollState},
};

/// Time from a change of the scroll position until the reading position is sent to the core.
const REPORT_DELAY: Duration = Duration::from_millis(200);

impl Scroll {
    /// Prepares for a conversation that is opened. Returns true if its saved reading position will
    /// be restored, which does not happen while a card can be decided.
    pub(super) fn begin_visit(self) -> bool {
        let ScrollInputs {
            composer, position, ..
        } = self.inputs;
        let decides = composer.try_with_untracked(|it| it.deciding > 0);
        let position = position.try_get_untracked().flatten();
        let returns = position.filter(|_| decides == Some(false));
        self.update_state(|state| {
            let ReadingState {
                returns: to,
                reported,
                visit,
                ..
            } = &mut state.reading;
            (*to, *reported) = (returns, returns);
            *visit = visit.wrapping_add(1);
        });
        self.pin_element(None);
        returns.is_some()
    }

    /// Restores the saved reading position, if there is one, once the nodes of its messages are
    /// there.
    pub(super) fn restore_saved_position(self, area: &HtmlElement) {
        let returns = self
            .state
            .try_update_value(|state| state.reading.returns.take());
        let Some(position) = returns.flatten() else {
            return;
        };
        let earlier = self.inputs.earlier.try_get_untracked();
        let at = position.message.saturating_sub(earlier.unwrap_or_default());
        match self
            .content()
            .and_then(|content| message_node(&content, at))
        {
            Some(node) => {
                self.pin_element(Some((position.below, node)));
                self.keep_pinned(area);
            }
            None => {
                self.follows.try_set(true);
            }
        }
    }

    /// Sets the message that stays in its place on the screen from now on, and its distance below
    /// the top in CSS pixels; `None`: no message does.
    pub(super) fn pin_element(self, to: Option<(i32, Element)>) {
        if self.stays.try_get_untracked() == Some(to.is_none()) {
            self.stays.set(to.is_some());
        }
        self.update_state(|state| state.reading.pinned = to);
    }

    /// Scrolls so that the message at the restored reading position is where it was on the screen;
    /// nothing happens if none is kept there.
    pub(super) fn keep_pinned(self, area: &HtmlElement) {
        let pinned = self
            .state
            .try_with_value(|state| state.reading.pinned.clone());
        self.restore_anchor(area, pinned.flatten());
    }

    /// Starts the timer that sends the reading position to the core after `REPORT_DELAY`, unless it
    /// is running.
    pub(super) fn schedule_report(self) {
        let visit = self.state.try_update_value(|state| {
            let was_pending = std::mem::replace(&mut state.reading.is_report_pending, true);
            (!was_pending).then_some(state.reading.visit)
        });
        let Some(visit) = visit.flatten() else { return };
        let report: Box<dyn FnOnce()> = Box::new(move || {
            let is_same = self.state.try_update_value(|state| {
                state.reading.is_report_pending = false;
                state.reading.visit == visit
            });
            if is_same == Some(true) {
                self.report_position();
            }
        });
        set_timeout(report, REPORT_DELAY);
    }

    fn report_position(self) {
        let (Some(area), Some(content)) = (self.area(), self.content()) else {
            return;
        };
        let Some(earlier) = self.inputs.earlier.try_get_untracked() else {
            return;
        };
        let is_up = self.follows.try_get_untracked() == Some(false)
            && self.away.try_get_untracked() == Some(true);
        let seen = first_visible_message(&area, &content).filter(|_| is_up);
        let position = seen.map(|(at, node)| ReadingPosition {
            message: earlier + at,
            below: distance_below_top(&area, &node),
        });
        let reported =
            |state: &mut ScrollState| std::mem::replace(&mut state.reading.reported, position);
        if self.state.try_update_value(reported) != Some(position) {
            self.inputs.dispatch.send(Intent::ReadAt(position));
        }
    }
}
