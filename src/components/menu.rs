//! A button that opens a menu (ARIA Authoring Practices, menu button).

use leptos::{
    html::{Button, Div},
    prelude::*,
    wasm_bindgen::JsCast,
    web_sys::{self, FocusEvent, HtmlElement, KeyboardEvent, MouseEvent},
};

use super::{
    attribute::attribute,
    effect::on_load,
    focus::{focus, focused_element},
    icons,
    listener::boxed_listener,
    show::Show,
};

/// The classes of a line whose action deletes something.
pub(super) const DANGER: &str = "menu-item danger";

/// A button with a menu of [`MenuItem`]s.
#[component]
pub(super) fn Menu(
    /// The accessible name of the button and of the menu.
    #[prop(into)]
    name: Signal<String>,
    /// The name of the button for style sheets (`part`).
    part: &'static str,
    /// The reference to the button, for callers that move the focus to it.
    #[prop(optional)]
    button: NodeRef<Button>,
    children: ChildrenFn,
) -> impl IntoView {
    let is_open = RwSignal::new(false);
    let opened = OpenMenu { is_open, button };
    view! {
        <div class="menu-anchor">
            <button
                type="button"
                class="icon-button small"
                part=part
                aria-label=move || name.get()
                {..attribute("aria-haspopup", "menu")}
                {..attribute("aria-expanded", move || is_open.get().to_string())}
                node_ref=button
                on:click=boxed_listener(move |_| is_open.update(|is_open| *is_open = !*is_open))
            >
                {icons::more()}
            </button>
            <Show when=move || is_open.get()>
                <MenuItems name opened children=children.clone()/>
            </Show>
        </div>
    }
}

/// The state of a menu and the button that opens it. It is in the context of the menu's items.
#[derive(Clone, Copy)]
struct OpenMenu {
    is_open: RwSignal<bool>,
    button: NodeRef<Button>,
}

impl OpenMenu {
    /// Closes the menu and returns the focus to its button.
    fn close(self) {
        self.is_open.set(false);
        if let Some(button) = self.button.get_untracked() {
            focus(&button);
        }
    }
}

/// The open menu: the arrow keys move the focus between its items, and Escape closes it.
#[component]
fn MenuItems(name: Signal<String>, opened: OpenMenu, children: ChildrenFn) -> impl IntoView {
    provide_context(opened);
    let menu = NodeRef::<Div>::new();
    on_load(menu, |menu| focus_item(&menu, MenuMove::First));
    let keydown = move |event: KeyboardEvent| {
        let Some(menu) = menu.get_untracked() else {
            return;
        };
        match event.key().as_str() {
            "ArrowDown" => focus_item(&menu, MenuMove::Next),
            "ArrowUp" => focus_item(&menu, MenuMove::Previous),
            "Home" => focus_item(&menu, MenuMove::First),
            "End" => focus_item(&menu, MenuMove::Last),
            "Escape" => opened.close(),
            "Tab" => return opened.is_open.set(false),
            _ => return,
        }
        event.prevent_default();
    };
    // The menu's owner may be gone already, and its signals with it.
    let focusout = move |event: FocusEvent| {
        let menu = menu.try_get_untracked().flatten();
        let button = opened.button.try_get_untracked().flatten();
        if !menu.is_some_and(|it| moves_focus_into(&event, &it))
            && !button.is_some_and(|it| moves_focus_into(&event, &it))
        {
            opened.is_open.try_set(false);
        }
    };
    view! {
        <div
            class="menu"
            role="menu"
            aria-label=move || name.get()
            node_ref=menu
            on:keydown=boxed_listener(keydown)
            on:focusout=boxed_listener(focusout)
        >
            {children()}
        </div>
    }
}

/// One line of a menu.
#[component]
pub(super) fn MenuItem(
    /// The text of the line, reactive.
    #[prop(into)]
    name: Signal<String>,
    /// The action of the line. If the menu closes, the focus is back at the menu's button when the
    /// action runs.
    act: Callback<()>,
    /// The classes of the line.
    #[prop(default = "menu-item")]
    class: &'static str,
    /// True if the menu stays open, because the line shows the result of the action.
    #[prop(optional)]
    stays: bool,
) -> impl IntoView {
    let menu = expect_context::<OpenMenu>();
    let click = move |_: MouseEvent| {
        if !stays {
            menu.close();
        }
        // The focus event reaches the page, which may have removed the widget.
        act.try_run(());
    };
    view! {
        <button
            type="button"
            class=class
            role="menuitem"
            {..attribute("tabindex", "-1")}
            on:click=boxed_listener(click)
        >
            {move || name.get()}
        </button>
    }
}

/// Returns true if this focus event moves the focus to an element inside of `element`.
fn moves_focus_into(event: &FocusEvent, element: &HtmlElement) -> bool {
    let to = event.related_target();
    let to = to.and_then(|to| to.dyn_into::<web_sys::Node>().ok());
    element.contains(to.as_ref())
}

#[derive(Clone, Copy)]
enum MenuMove {
    First,
    Last,
    Next,
    Previous,
}

/// Moves the focus to another item of the menu, as `step` says; after the last item comes the
/// first.
fn focus_item(menu: &HtmlElement, step: MenuMove) {
    let Ok(items) = menu.query_selector_all("[role=menuitem]") else {
        return;
    };
    let count = items.length();
    if count == 0 {
        return;
    }
    let focused = focused_element(menu);
    let has_focus = |item: web_sys::Node| {
        focused
            .as_ref()
            .is_some_and(|it| item.is_same_node(Some(it)))
    };
    let at = (0..count).find(|at| items.item(*at).is_some_and(has_focus));
    let to = match (step, at) {
        (MenuMove::First, _) | (MenuMove::Next, None) => 0,
        (MenuMove::Last, _) | (MenuMove::Previous, None) => count - 1,
        (MenuMove::Next, Some(at)) => (at + 1) % count,
        (MenuMove::Previous, Some(at)) => (at + count - 1) % count,
    };
    if let Some(item) = items
        .item(to)
        .and_then(|item| item.dyn_into::<HtmlElement>().ok())
    {
        focus(&item);
    }
}
