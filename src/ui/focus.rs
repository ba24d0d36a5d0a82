//! Moving the focus without moving the page around the widget.

use leptos::{
    wasm_bindgen::JsCast,
    web_sys::{Element, FocusOptions, HtmlElement, ShadowRoot},
};

pub(super) fn focus(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // An element that cannot take the focus leaves it where it is.
    element.focus_with_options(&options).ok();
}

/// Focuses the first element of the same widget that has this part. For when what had the focus goes away:
/// without it, people who use the keyboard would start over at the top of the page.
pub(super) fn focus_part(near: &HtmlElement, part: &str) {
    let found = root(near).and_then(|root| {
        let selector = format!("[part~=\"{part}\"]");
        root.query_selector(&selector).ok().flatten()
    });
    if let Some(element) = found.and_then(|element| element.dyn_into().ok()) {
        focus(&element);
    }
}

/// What has the focus in the same widget.
pub(super) fn focused(near: &HtmlElement) -> Option<Element> {
    root(near)?.active_element()
}

fn root(near: &HtmlElement) -> Option<ShadowRoot> {
    near.get_root_node().dyn_into().ok()
}
