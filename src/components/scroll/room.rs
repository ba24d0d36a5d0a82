//! The empty element after the messages: with its height, the user's last message can be at the top
//! while little comes after it.

use leptos::{
    prelude::*,
    web_sys::{Element, HtmlElement},
};

use super::{measure::top_position, state::Scroll};

/// The CSS property that sets the height of the empty element after the messages. A minimum height
/// of the messages' own element would hide from the observer of its size that messages have become
/// shorter.
const HEIGHT_PROPERTY: &str = "block-size";

impl Scroll {
    /// Sets the node of the message that is kept at the top while an answer grows below it. `None`:
    /// no message is, and the empty element after the messages loses its height.
    pub(super) fn set_head(self, head: Option<Element>) {
        let had = self.state.try_with_value(|state| state.room > 0);
        if let (None, Some(true), Some(room)) = (&head, had, self.room_element()) {
            room.style().remove_property(HEIGHT_PROPERTY).ok();
            self.update_state(|state| state.room = 0);
        }
        self.update_state(|state| (state.head, state.pinned) = (head, None));
    }

    /// Gives the empty element after the messages the height that the message at the top needs.
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

    /// Returns the empty element after the messages; `None` after the component's end.
    fn room_element(self) -> Option<HtmlElement> {
        self.room.try_get_untracked().flatten().map(Into::into)
    }

    /// Returns the height that the empty element after the messages needs, in CSS pixels; `None` if
    /// it has that height, or no message is kept at the top.
    pub(super) fn needed_height(self, area: &HtmlElement) -> Option<i32> {
        let head = self.state.try_with_value(|state| state.head.clone())??;
        let needed = top_position(area, &head) + area.client_height();
        let before = self.state.try_with_value(|state| state.room)?;
        (head.is_connected() && needed != before).then_some(needed)
    }
}
