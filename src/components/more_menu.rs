//! The menu of the whole chat: what is done seldom.

use std::sync::Arc;

use assent_conversation::{Announcement, Intent};
use leptos::prelude::*;

use super::{
    app::{Confirm, ToConfirm},
    dispatch::Dispatch,
    erased::ElementRef,
    menu::{Item, menu},
    strings,
};
use crate::store::Spoken;

/// `said` is where it is announced whether the log was copied: the line says it, too.
pub(super) fn more_menu(
    said: RwSignal<Spoken>,
    to_confirm: ToConfirm,
    dispatch: Dispatch,
) -> AnyView {
    let texts = strings::texts();
    let copy = Item {
        name: Arc::new(move || {
            let name = said.with(|said| match said.announcements.last() {
                Some(Announcement::LogCopied(is_copied)) => strings::log_copied(*is_copied),
                _ => strings::COPY_LOG,
            });
            texts.get(name).to_owned()
        }),
        is_danger: false,
        stays: true,
        act: Arc::new(move || dispatch.send(Intent::CopyLog)),
    };
    let clear = Item {
        name: Arc::new(move || texts.get(strings::CLEAR_DEVICE).to_owned()),
        is_danger: true,
        stays: false,
        act: Arc::new(move || to_confirm.set(Some(Confirm::Clear))),
    };
    let name = Arc::new(move || texts.get(strings::MORE).to_owned());
    menu(name, "menu", ElementRef::new(), vec![copy, clear])
}
