//! A button that opens a menu (ARIA Authoring Practices, menu button).

use std::sync::Arc;

use leptos::{
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{self, FocusEvent, KeyboardEvent, MouseEvent},
};

use super::{
    app::Text,
    element::el,
    erased::{ElementRef, show, text, when_there},
    focus::{focus, focused},
    icons,
};

/// One line of a menu.
#[derive(Clone)]
pub(super) struct Item {
    /// What it says.
    pub(super) name: Text,
    /// It takes something away.
    pub(super) is_danger: bool,
    /// The menu stays open, because the line says how it ended.
    pub(super) stays: bool,
    /// What it does. The focus is back at the button by then.
    pub(super) act: Arc<dyn Fn() + Send + Sync>,
}

/// `button` is told which element opens the menu; `part` is its part, and `name` what it and the menu are called.
pub(super) fn menu(name: Text, part: &str, button: ElementRef, items: Vec<Item>) -> AnyView {
    let open = RwSignal::new(false);
    let focus_button = move || {
        if let Some(button) = button.now() {
            focus(&button);
        }
    };
    let label = name.clone();
    let lines = move || {
        let menu = ElementRef::new();
        when_there(menu, |menu| focus_item(menu, Step::First));
        let keydown = move |event: KeyboardEvent| {
            let Some(menu) = menu.now() else { return };
            match event.key().as_str() {
                "ArrowDown" => focus_item(&menu, Step::Next),
                "ArrowUp" => focus_item(&menu, Step::Previous),
                "Home" => focus_item(&menu, Step::First),
                "End" => focus_item(&menu, Step::Last),
                "Escape" => {
                    open.set(false);
                    focus_button();
                }
                "Tab" => return open.set(false),
                _ => return,
            }
            event.prevent_default();
        };
        let focusout = move |event: FocusEvent| {
            let to = event
                .related_target()
                .and_then(|to| to.dyn_into::<web_sys::Node>().ok());
            let inside = |it: ElementRef| it.now().is_some_and(|it| it.contains(to.as_ref()));
            if !inside(menu) && !inside(button) {
                // What the menu belongs to may be gone already, and its signals with it.
                open.try_set(false);
            }
        };
        let line = |item: &Item| {
            let class = if item.is_danger {
                "menu-item danger"
            } else {
                "menu-item"
            };
            let (name, act, stays) = (item.name.clone(), item.act.clone(), item.stays);
            let click = move |_: MouseEvent| {
                if !stays {
                    open.set(false);
                    focus_button();
                }
                act();
            };
            el("button", class)
                .attr("type", "button")
                .attr("role", "menuitem")
                .attr("tabindex", "-1")
                .on("click", click)
                .child(text(move || name()))
                .view()
        };
        let label = label.clone();
        el("div", "menu")
            .attr("role", "menu")
            .follow_text("aria-label", move || label())
            .node_ref(menu)
            .on("keydown", keydown)
            .on("focusout", focusout)
            .children(items.iter().map(line).collect::<Vec<_>>())
            .view()
    };
    let opener = el("button", "icon-button small")
        .attr("type", "button")
        .attr("part", part)
        .follow_text("aria-label", move || name())
        .attr("aria-haspopup", "menu")
        .follow_bool("aria-expanded", move || open.get())
        .node_ref(button)
        .on("click", move |_: MouseEvent| {
            open.update(|open| *open = !*open);
        })
        .child(icons::more());
    el("div", "menu-anchor")
        .child(opener)
        .child(show(move || open.get(), lines))
        .view()
}

#[derive(Clone, Copy)]
enum Step {
    First,
    Last,
    Next,
    Previous,
}

/// Moves the focus among the menu's items, round and round.
fn focus_item(menu: &web_sys::HtmlElement, step: Step) {
    let Ok(items) = menu.query_selector_all("[role=menuitem]") else {
        return;
    };
    let count = items.length();
    if count == 0 {
        return;
    }
    let focused = focused(menu);
    let has_focus = |item: web_sys::Node| {
        focused
            .as_ref()
            .is_some_and(|it| item.is_same_node(Some(it)))
    };
    let at = (0..count).find(|at| items.item(*at).is_some_and(has_focus));
    let to = match (step, at) {
        (Step::First, _) | (Step::Next, None) => 0,
        (Step::Last, _) | (Step::Previous, None) => count - 1,
        (Step::Next, Some(at)) => (at + 1) % count,
        (Step::Previous, Some(at)) => (at + count - 1) % count,
    };
    if let Some(item) = items
        .item(to)
        .and_then(|item| item.dyn_into::<web_sys::HtmlElement>().ok())
    {
        focus(&item);
    }
}
