//! Moving the focus without moving the page around the widget.

use leptos::{
    leptos_dom::helpers::{document, queue_microtask},
    wasm_bindgen::JsCast,
    web_sys::{Element, FocusOptions, HtmlElement, ShadowRoot},
};

pub(super) fn focus(element: &HtmlElement) {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    // An element that cannot take the focus leaves it where it is.
    element.focus_with_options(&options).ok();
}

/// Moves the focus to the first element with this part (the attribute `part`) in the widget that
/// `near` is in. Returns true if the element took the focus.
///
/// Is called when the focused element goes away: people who use the keyboard would otherwise start
/// over at the top of the page.
pub fn focus_part(near: &HtmlElement, part: &str) -> bool {
    let found = shadow_root(near).and_then(|root| {
        let selector = format!("[part~=\"{part}\"]");
        root.query_selector(&selector).ok().flatten()
    });
    let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) else {
        return false;
    };
    focus(&element);
    focused_element(near).is_some_and(|focused| focused.is_same_node(Some(&element)))
}

/// Moves the focus to the first button with this accessible name in the widget that `near` is in.
/// Returns true if the button took the focus.
pub(super) fn focus_named(near: &HtmlElement, name: &str) -> bool {
    let mut buttons = select_all(near, "button[aria-label]").into_iter();
    let button = buttons.find(|it| it.get_attribute("aria-label").as_deref() == Some(name));
    let Some(button) = button else { return false };
    focus(&button);
    focused_element(near).is_some_and(|focused| focused.is_same_node(Some(&button)))
}

/// Returns all elements that match the selector in the widget that `near` is in, in the order of
/// the document.
pub(super) fn select_all(near: &HtmlElement, selector: &str) -> Vec<HtmlElement> {
    let list = shadow_root(near).and_then(|root| root.query_selector_all(selector).ok());
    let elements = list.iter().flat_map(|list| {
        (0..list.length()).filter_map(|at| list.item(at)?.dyn_into::<HtmlElement>().ok())
    });
    elements.collect()
}

/// Returns the focused element of the widget that `near` is in; `None` if the focus is elsewhere.
pub(super) fn focused_element(near: &HtmlElement) -> Option<Element> {
    shadow_root(near)?.active_element()
}

/// Gives the focus back, in a microtask, to the element that has it now: an element that is taken
/// out of the page for a moment loses the focus.
pub(super) fn restore_focus_later() {
    let within = |host: Element| host.shadow_root()?.active_element();
    let mut active = document().active_element().and_then(within);
    while let Some(inner) = active.clone().and_then(within) {
        active = Some(inner);
    }
    let Some(active) = active.and_then(|it| it.dyn_into::<HtmlElement>().ok()) else {
        return;
    };
    queue_microtask(move || {
        let has_it = || focused_element(&active).is_some_and(|it| it.is_same_node(Some(&active)));
        if active.is_connected() && !has_it() {
            focus(&active);
        }
    });
}

fn shadow_root(near: &HtmlElement) -> Option<ShadowRoot> {
    near.get_root_node().dyn_into().ok()
}
