//! The menu of one conversation.

use leptos::{html::Button, prelude::*};

use super::{
    effect::effect,
    focus::focus,
    menu::{DANGER, Menu, MenuItem},
    strings,
};

/// The menu of one conversation, with the items to rename and to delete it.
#[component]
pub(super) fn ThreadMenu(
    /// The name of the conversation.
    name: Signal<String>,
    /// True once the box for a new name was removed: the focus comes back to this menu's button.
    refocus: RwSignal<bool>,
    rename: Callback<()>,
    delete: Callback<()>,
) -> impl IntoView {
    let texts = strings::texts();
    let button = NodeRef::<Button>::new();
    effect(move || {
        if let Some(button) = button.get()
            && refocus.get()
        {
            focus(&button);
            refocus.set(false);
        }
    });
    let label = Signal::derive(move || strings::actions_for(texts, &name.get()));
    view! {
        <Menu name=label part="thread-menu" button>
            <MenuItem name=texts.get(strings::RENAME) act=rename/>
            <MenuItem name=texts.get(strings::DELETE) act=delete class=DANGER/>
        </Menu>
    }
}
