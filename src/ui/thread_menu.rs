//! The menu of one conversation (ARIA Authoring Practices, menu button).

use leptos::{ev, html, prelude::*, wasm_bindgen::JsCast, web_sys};

use super::{focus::focus, icons, strings};

#[component]
pub(super) fn ThreadMenu(
    name: Signal<String>,
    /// Set while the row was out of sight for renaming: the focus comes back with the button.
    refocus: RwSignal<bool>,
    on_rename: Callback<()>,
    on_delete: Callback<()>,
) -> impl IntoView {
    let open = RwSignal::new(false);
    let button: NodeRef<html::Button> = NodeRef::new();
    let menu: NodeRef<html::Div> = NodeRef::new();
    let focus_button = move || {
        if let Some(button) = button.get_untracked() {
            focus(&button);
        }
    };
    Effect::new(move || {
        if button.get().is_some() && refocus.get() {
            focus_button();
            refocus.set(false);
        }
    });
    Effect::new(move || {
        if let Some(menu) = menu.get() {
            focus_item(&menu, Step::First);
        }
    });
    let keydown = move |event: ev::KeyboardEvent| {
        let Some(menu) = menu.get_untracked() else {
            return;
        };
        match event.key().as_str() {
            "ArrowDown" => focus_item(&menu, Step::Next),
            "ArrowUp" => focus_item(&menu, Step::Previous),
            "Home" => focus_item(&menu, Step::First),
            "End" => focus_item(&menu, Step::Last),
            "Escape" => {
                open.set(false);
                focus_button();
            }
            "Tab" => {
                open.set(false);
                return;
            }
            _ => return,
        }
        event.prevent_default();
    };
    let focusout = move |event: ev::FocusEvent| {
        let to = event
            .related_target()
            .and_then(|to| to.dyn_into::<web_sys::Node>().ok());
        let stays = menu
            .get_untracked()
            .is_some_and(|menu| menu.contains(to.as_ref()));
        let to_button = button
            .get_untracked()
            .is_some_and(|button| button.contains(to.as_ref()));
        if !stays && !to_button {
            open.set(false);
        }
    };
    view! { class="a",
        <div class="menu-anchor">
            <button
                type="button"
                part="thread-menu"
                class="icon-button small"
                aria-label=move || strings::actions_for(&name.get())
                aria-haspopup="menu"
                aria-expanded=move || open.get().to_string()
                node_ref=button
                on:click=move |_| open.update(|open| *open = !*open)
            >
                {icons::more()}
            </button>
            <Show when=move || open.get()>
                <div
                    class="menu"
                    role="menu"
                    aria-label=move || strings::actions_for(&name.get())
                    node_ref=menu
                    on:keydown=keydown
                    on:focusout=focusout
                >
                    <button
                        type="button"
                        role="menuitem"
                        tabindex="-1"
                        class="menu-item"
                        on:click=move |_| {
                            open.set(false);
                            on_rename.run(());
                        }
                    >
                        {strings::RENAME}
                    </button>
                    <button
                        type="button"
                        role="menuitem"
                        tabindex="-1"
                        class="menu-item danger"
                        on:click=move |_| {
                            open.set(false);
                            focus_button();
                            on_delete.run(());
                        }
                    >
                        {strings::DELETE}
                    </button>
                </div>
            </Show>
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
fn focus_item(menu: &web_sys::HtmlDivElement, step: Step) {
    let Ok(items) = menu.query_selector_all("[role=menuitem]") else {
        return;
    };
    let count = items.length();
    if count == 0 {
        return;
    }
    let root = menu.get_root_node().dyn_into::<web_sys::ShadowRoot>().ok();
    let focused = root.and_then(|root| root.active_element());
    let at = (0..count).find(|at| {
        items.item(*at).is_some_and(|item| {
            focused
                .as_ref()
                .is_some_and(|it| item.is_same_node(Some(it)))
        })
    });
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
