//! Room below the head of a turn, so that it can be at the top.

use leptos::{
    prelude::*,
    web_sys::{Element, HtmlElement},
};

use super::{Scroll, measure::position};

/// The CSS property for the minimum height of the content, so that a question can be at the top
/// with little below it. A custom property in its place would be inherited: every element of the
/// transcript would get its style anew.
const LEAST: &str = "min-block-size";

impl Scroll {
    /// Sets the head of the turn; `None`: its end.
    pub(super) fn set_head(self, head: Option<Element>) {
        let had = self.state.try_with_value(|state| state.least > 0);
        if let (None, Some(true), Some(content)) = (&head, had, self.content()) {
            content.style().remove_property(LEAST).ok();
            self.update_state(|state| state.least = 0);
        }
        self.update_state(|state| (state.head, state.pinned) = (head, None));
    }

    /// Makes the content high enough for the head of the turn to be at the top.
    pub(super) fn make_room(self, area: &HtmlElement) {
        let (Some(content), Some(needed)) = (self.content(), self.needed(area)) else {
            return;
        };
        self.update_state(|state| state.least = needed);
        let style = content.style();
        // A property of the object model, which a page's policy against inline styles permits.
        style
            .set_property(LEAST, &format!("max(100%, {needed}px)"))
            .ok();
    }

    /// Returns the minimum height of the content, if it changed.
    pub(super) fn needed(self, area: &HtmlElement) -> Option<i32> {
        let head = self.state.try_with_value(|state| state.head.clone())??;
        let needed = position(area, &head) + area.client_height();
        let before = self.state.try_with_value(|state| state.least)?;
        (head.is_connected() && needed != before).then_some(needed)
    }
}
