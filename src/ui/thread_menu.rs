//! The menu of one conversation (ARIA Authoring Practices, menu button).

use leptos::{ev, prelude::*, wasm_bindgen::JsCast, web_sys};

use super::{
    app::Text,
    erased::{ElementRef, follow, on, show, when_there},
    focus::{focus, focused},
    icons, strings,
};

#[component]
pub(super) fn ThreadMenu(
    name: Text,
    /// Set while the row was out of sight for renaming: the focus comes back with the button.
    refocus: RwSignal<bool>,
    on_rename: Box<dyn Fn() + Send + Sync>,
    on_delete: Box<dyn Fn() + Send + Sync>,
) -> impl IntoView {
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
        let keydown = move |event: ev::KeyboardEvent| {
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
        let focusout = move |event: ev::FocusEvent| {
            let to = event
                .related_target()
                .and_then(|to| to.dyn_into::<web_sys::Node>().ok());
            let inside = |it: ElementRef| it.now().is_some_and(|it| it.contains(to.as_ref()));
            if !inside(menu) && !inside(button) {
                // The row may be gone already, and its signals with it.
                open.try_set(false);
            }
        };
        let rename = move |_| {
            open.set(false);
            on_rename.with_value(|rename| rename());
        };
        let delete = move |_| {
            open.set(false);
            focus_button();
            on_delete.with_value(|delete| delete());
        };
        let menu_label = menu_label.clone();
        view! { class="a",
            <div
                class="menu"
                role="menu"
                aria-label=move || strings::actions_for(&menu_label())
                node_ref=menu
                on:keydown=on(keydown)
                on:focusout=on(focusout)
            >
                <button type="button" role="menuitem" tabindex="-1" class="menu-item" on:click=on(rename)>
                    {strings::RENAME}
                </button>
                <button
                    type="button"
                    role="menuitem"
                    tabindex="-1"
                    class="menu-item danger"
                    on:click=on(delete)
                >
                    {strings::DELETE}
                </button>
            </div>
        }
        .into_any()
    };
    view! { class="a",
        <div class="menu-anchor">
            <button
                type="button"
                part="thread-menu"
                class="icon-button small"
                aria-label=move || strings::actions_for(&label())
                aria-haspopup="menu"
                aria-expanded=move || if open.get() { "true" } else { "false" }
                node_ref=button
                on:click=on(move |_| open.update(|open| *open = !*open))
            >
                {icons::more()}
            </button>
            {show(move || open.get(), items)}
        </div>
    }
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
