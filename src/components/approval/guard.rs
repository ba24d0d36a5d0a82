//! The protection of a card from clicks and keys that were meant for something else.

use leptos::{
    prelude::*,
    web_sys::{Element, KeyboardEvent, MouseEvent, PointerEvent, js_sys::Date},
};

use super::window_focus::{since_return, watch_window};

/// Time in milliseconds for which a click on something that has appeared or moved under a resting
/// pointer is ignored, and one that follows the return of the focus to the window.
const HOLD_MS: f64 = 300.0;
/// Distance over which a pointer has to move to count as moved, in CSS pixels: a hand is never quite
/// still.
const MOVED_PX: i32 = 4;

/// The protection of one card from clicks that were meant for what was there before. Clicks by keys
/// and assistive technology come without a pointer and always count.
#[derive(Clone, Copy)]
pub(in crate::components) struct ClickGuard(StoredValue<GuardState, LocalStorage>);

/// The position of the card, and the pointer's movement since the card or its buttons last changed.
#[derive(Clone, Copy, Default)]
struct GuardState {
    /// Top, left edge and height of the card in the browser's window, in CSS pixels.
    place: [f64; 3],
    /// The time of the last change of the card's position, or of its buttons, in milliseconds since
    /// the Unix epoch.
    changed: f64,
    /// Distance that the pointer has moved since the last change of the card, in CSS pixels.
    moved: i32,
    /// The pointer's last position since the last change of the card, in CSS pixels of the
    /// browser's window; `None` if the pointer has not moved since.
    pointer: Option<[i32; 2]>,
    /// True if the pointer was last pressed too soon after a change of the card, or to bring back
    /// the window, so that the click is ignored.
    is_held: bool,
}

impl ClickGuard {
    pub(super) fn new() -> Self {
        watch_window();
        let guard = Self(StoredValue::new_local(GuardState::default()));
        guard.note_change();
        guard
    }

    /// Starts the time in which clicks are ignored: buttons of the card appeared or took another
    /// meaning.
    pub(in crate::components) fn note_change(self) {
        self.0.try_update_value(|state| {
            (state.changed, state.moved, state.pointer) = (Date::now(), 0, None);
        });
    }

    /// Reads the position of the card. If the card has moved, the time begins in which clicks are
    /// ignored.
    pub(super) fn note_position(self, card: &Element) {
        let rect = card.get_bounding_client_rect();
        let place = [rect.top(), rect.left(), rect.height()];
        if self.0.try_with_value(|state| state.place != place) == Some(true) {
            self.0.try_update_value(|state| state.place = place);
            self.note_change();
        }
    }

    /// Handles a movement of the pointer over the card: adds its distance to that since the card's
    /// last change. A card that moves below a resting pointer adds nothing.
    pub(super) fn note_movement(self, event: &PointerEvent, card: &Element) {
        self.note_position(card);
        let [x, y] = [event.client_x(), event.client_y()];
        self.0.try_update_value(|state| {
            // Some browsers tell no distance, and none tells it alike for a scaled page.
            let told = event.movement_x().abs() + event.movement_y().abs();
            let seen = state
                .pointer
                .map(|[left, top]| (x - left).abs() + (y - top).abs());
            state.moved = state
                .moved
                .saturating_add(told.max(seen.unwrap_or_default()));
            state.pointer = Some([x, y]);
        });
    }

    /// Handles the pointer being pressed on the card: stores whether that was too soon after a
    /// change of the card, or brought the focus back to the window, so that the click is ignored.
    pub(super) fn note_press(self, event: &PointerEvent) {
        let is_return = since_return(event) < HOLD_MS;
        self.0
            .try_update_value(|state| state.is_held = is_return || state.holds(Date::now()));
    }

    /// Returns true if a click is to be ignored: the button was not there, was elsewhere or had
    /// another meaning when the person aimed at it, or the click was meant for the window.
    pub(in crate::components) fn holds(self, event: &MouseEvent) -> bool {
        let holds = |state: &GuardState| state.is_held || state.holds(Date::now());
        event.detail() > 0 && self.0.try_with_value(holds) == Some(true)
    }
}

impl GuardState {
    fn holds(&self, now: f64) -> bool {
        self.moved < MOVED_PX && (0.0..HOLD_MS).contains(&(now - self.changed))
    }
}

/// Keeps a key that is held down from pressing a button to which the focus has moved since the key
/// went down.
pub(super) fn ignore_repeated(event: &KeyboardEvent) {
    let presses = matches!(event.key().as_str(), "Enter" | " ");
    if presses && event.repeat() && event_target::<Element>(event).matches("button") == Ok(true) {
        event.prevent_default();
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;

    #[wasm_bindgen_test]
    fn a_click_is_held_for_300_ms_unless_the_pointer_moved() {
        let rests = GuardState {
            changed: 1000.0,
            ..GuardState::default()
        };
        assert!(rests.holds(1000.0) && rests.holds(1299.0));
        assert!(!rests.holds(1300.0));
        assert!(!rests.holds(900.0), "the clock was set back");
        let trembles = GuardState { moved: 3, ..rests };
        assert!(trembles.holds(1100.0));
        let moved = GuardState { moved: 4, ..rests };
        assert!(!moved.holds(1100.0));
    }
}
