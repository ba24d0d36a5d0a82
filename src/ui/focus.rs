//! Moving the focus without moving the page around the widget.

use leptos::web_sys::{FocusOptions, HtmlElement};

pub(super) fn focus(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // An element that cannot take the focus leaves it where it is.
    element.focus_with_options(&options).ok();
}
