//! Buttons that send nothing by themselves.

use leptos::web_sys::MouseEvent;

use super::element::{Element, el};

/// A button that is named by its text.
pub(super) fn button(class: &str, name: &str, act: impl FnMut(MouseEvent) + 'static) -> Element {
    bare_button(class, act).text(name)
}

/// A button that is named by what is said of its drawing, which is to be added.
pub(super) fn icon_button(
    class: &str,
    name: &str,
    act: impl FnMut(MouseEvent) + 'static,
) -> Element {
    bare_button(class, act)
        .attr("aria-label", name)
        .attr("title", name)
}

/// A button that is still to be named.
pub(super) fn bare_button(class: &str, act: impl FnMut(MouseEvent) + 'static) -> Element {
    el("button", class).attr("type", "button").on("click", act)
}
