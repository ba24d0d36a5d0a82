//! The menu of the whole widget: rare actions.

use assent_conversation::{Announcement, Intent};
use assent_i18n::Text;
use leptos::prelude::*;

use super::{
    confirm::{ActionToConfirm, OpenConfirmation},
    dispatch::Dispatch,
    effect::effect,
    extras::are_extras_loaded,
    menu::{DANGER, Menu, MenuItem},
    show::Show,
    strings,
};
use crate::store::{Announcements, Settings, Store};

/// The menu of the whole widget: end what is allowed beforehand; be told of decisions that wait, if the
/// page wants that and the browser has to be asked for it; delete what is stored on the device; copy
/// the diagnostic log.
#[component]
pub(super) fn MoreMenu() -> impl IntoView {
    let texts = strings::texts();
    let said = expect_context::<Store>().polite;
    let to_confirm = expect_context::<OpenConfirmation>();
    let dispatch = expect_context::<Dispatch>();
    // The result of copying is announced; the line shows it, too.
    let copying = Signal::derive(move || texts.get(said.with(copy_log)).to_owned());
    let copy = Callback::new(move |()| dispatch.send(Intent::CopyLog));
    let asks_permission = expect_context::<Settings>().asks_permission;
    // The module that notifies hears the click by the line's class (`web/notify/index.js`): a
    // browser asks in a click of the person alone.
    let tell_me = Callback::new(|()| {});
    let clear = Callback::new(move |()| to_confirm.set(Some(ActionToConfirm::Clear)));
    let grants = Callback::new(move |()| to_confirm.set(Some(ActionToConfirm::Grants)));
    // Fetched before the menu is opened: an item that came later would move the others.
    let threads = expect_context::<Store>().threads;
    effect(move || {
        threads.track();
        if dispatch.offers("grants") {
            are_extras_loaded();
        }
    });
    let can_list = move || dispatch.offers("grants") && untrack(are_extras_loaded);
    view! {
        <Menu name=texts.get(strings::MORE) part="menu">
            {can_list()
                .then(|| view! { <MenuItem name=texts.get(strings::WHAT_I_ALLOWED) act=grants/> })}
            <Show when=move || asks_permission.get()>
                <MenuItem
                    name=texts.get(strings::TELL_ME)
                    act=tell_me
                    class="menu-item tell-me"
                />
            </Show>
            <MenuItem name=texts.get(strings::CLEAR_DEVICE) act=clear class=DANGER/>
            <MenuItem name=copying act=copy stays=true/>
        </Menu>
    }
}

fn copy_log(said: &Announcements) -> Text {
    match said.announcements.last() {
        Some(Announcement::LogCopied(is_copied)) => strings::log_copied_text(*is_copied),
        _ => strings::COPY_LOG,
    }
}
