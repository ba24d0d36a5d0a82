//! The menu of one conversation.

use std::sync::Arc;

use leptos::prelude::*;

use super::{
    app::Text,
    erased::{ElementRef, follow},
    focus::focus,
    menu::{Item, menu},
    strings,
};

/// `refocus` is set while the row was out of sight for renaming: the focus comes back with the button.
pub(super) fn thread_menu(
    name: Text,
    refocus: RwSignal<bool>,
    on_rename: Arc<dyn Fn() + Send + Sync>,
    on_delete: Arc<dyn Fn() + Send + Sync>,
) -> AnyView {
    let texts = strings::texts();
    let button = ElementRef::new();
    follow(move || {
        if let Some(button) = button.get()
            && refocus.get()
        {
            focus(&button);
            refocus.set(false);
        }
    });
    let item = |name, is_danger, act| Item {
        name: Arc::new(move || texts.get(name).to_owned()),
        is_danger,
        stays: false,
        act,
    };
    let items = vec![
        item(strings::RENAME, false, on_rename),
        item(strings::DELETE, true, on_delete),
    ];
    let label: Text = Arc::new(move || strings::actions_for(texts, &name()));
    menu(label, "thread-menu", button, items)
}
