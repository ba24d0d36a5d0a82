//! Room below the head of a turn, so that it can be at the top.

use leptos::{
    prelude::*,
    web_sys::{Element, HtmlElement},
};

use super::{measure::top_position, state::Scroll};

/// The CSS property for the height of an empty element behind the content, so that a question can
/// be at the top with little below it. As a minimum of the content itself it would hide what the
/// content loses above the question, from the observer of its size too.
const HEIGHT_PROPERTY: &str = "block-size";

impl Scroll {
    /// Sets the node of the message at which the turn begins; `None`: the turn has ended.
    pub(super) fn set_head(self, head: Option<Element>) {
        let had = self.state.try_with_value(|state| state.room > 0);
        if let (None, Some(true), Some(room)) = (&head, had, self.room_element()) {
            room.style().remove_property(HEIGHT_PROPERTY).ok();
            self.update_state(|state| state.room = 0);
        }
        self.update_state(|state| (state.head, state.pinned) = (head, None));
    }

    /// Gives the empty element the height with which the head of the turn can be at the top.
    pub(super) fn make_room(self, area: &HtmlElement) {
        let (Some(room), Some(needed)) = (self.room_element(), self.needed_height(area)) else {
            return;
        };
        self.update_state(|state| state.room = needed);
        let style = room.style();
        // A property of the object model, which a page's policy against inline styles permits.
        style
            .set_property(HEIGHT_PROPERTY, &format!("{needed}px"))
            .ok();
    }

    /// Returns the empty element; `None` after the component's end.
    fn room_element(self) -> Option<HtmlElement> {
        self.room.try_get_untracked().flatten().map(Into::into)
    }

    /// Returns the height that the empty element needs, in CSS pixels; `None` if it has that
    /// height, or there is no turn.
    pub(super) fn needed_height(self, area: &HtmlElement) -> Option<i32> {
        let head = self.state.try_with_value(|state| state.head.clone())??;
        let needed = top_position(area, &head) + area.client_height();
        let before = self.state.try_with_value(|state| state.room)?;
        (head.is_connected() && needed != before).then_some(needed)
    }
}
