//! The menu of one conversation (ARIA Authoring Practices, menu button).

use leptos::{
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{self, FocusEvent, KeyboardEvent, MouseEvent},
};

use super::{
    app::Text,
    element::el,
    erased::{ElementRef, follow, show, when_there},
    focus::{focus, focused},
    icons, strings,
};

/// `refocus` is set while the row was out of sight for renaming: the focus comes back with the button.
pub(super) fn thread_menu(
    name: Text,
    refocus: RwSignal<bool>,
    on_rename: Box<dyn Fn() + Send + Sync>,
    on_delete: Box<dyn Fn() + Send + Sync>,
) -> AnyView {
    let texts = strings::texts();
    let open = RwSignal::new(false);
    let button = ElementRef::new();
    let focus_button = move || {
        if let Some(button) = button.now() {
            focus(&button);
        }
    };
    follow(move || {
        if button.get().is_some() && refocus.get() {
            focus_button();
            refocus.set(false);
        }
    });
    let on_rename = StoredValue::new(on_rename);
    let on_delete = StoredValue::new(on_delete);
    let (label, menu_label) = (name.clone(), name);
    let items = move || {
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
                // The row may be gone already, and its signals with it.
                open.try_set(false);
            }
        };
        let rename = move |_: MouseEvent| {
            open.set(false);
            on_rename.with_value(|rename| rename());
        };
        let delete = move |_: MouseEvent| {
            open.set(false);
            focus_button();
            on_delete.with_value(|delete| delete());
        };
        let menu_label = menu_label.clone();
        let item = |class: &str, name: &str| {
            el("button", class)
                .attr("type", "button")
                .attr("role", "menuitem")
                .attr("tabindex", "-1")
                .text(name)
        };
        el("div", "menu")
            .attr("role", "menu")
            .follow_text("aria-label", move || {
                strings::actions_for(texts, &menu_label())
            })
            .node_ref(menu)
            .on("keydown", keydown)
            .on("focusout", focusout)
            .child(item("menu-item", texts.get(strings::RENAME)).on("click", rename))
            .child(item("menu-item danger", texts.get(strings::DELETE)).on("click", delete))
            .view()
    };
    let opener = el("button", "icon-button small")
        .attr("type", "button")
        .attr("part", "thread-menu")
        .follow_text("aria-label", move || strings::actions_for(texts, &label()))
        .attr("aria-haspopup", "menu")
        .follow_bool("aria-expanded", move || open.get())
        .node_ref(button)
        .on("click", move |_: MouseEvent| {
            open.update(|open| *open = !*open);
        })
        .child(icons::more());
    el("div", "menu-anchor")
        .child(opener)
        .child(show(move || open.get(), items))
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
