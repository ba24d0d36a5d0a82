//! The menu of the whole widget: rare actions.

use assent_conversation::{Announcement, Intent};
use assent_i18n::Text;
use leptos::prelude::*;

use super::{
    approval::can_draw_grants,
    confirm::{ActionToConfirm, OpenConfirmation},
    dispatch::Dispatch,
    menu::{Menu, MenuItem},
    strings,
};
use crate::store::{Announcements, Store};

/// The menu of the whole widget: end what is allowed beforehand, delete what is stored on the device, and copy the diagnostic log.
#[component]
pub(super) fn MoreMenu() -> impl IntoView {
    let texts = strings::texts();
    let said = expect_context::<Store>().polite;
    let to_confirm = expect_context::<OpenConfirmation>();
    let dispatch = expect_context::<Dispatch>();
    // The result of copying is announced; the line shows it, too.
    let copying = Signal::derive(move || texts.get(said.with(copy_log)).to_owned());
    let copy = Callback::new(move |()| dispatch.send(Intent::CopyLog));
    let clear = Callback::new(move |()| to_confirm.set(Some(ActionToConfirm::Clear)));
    let grants = Callback::new(move |()| to_confirm.set(Some(ActionToConfirm::Grants)));
    view! {
        <Menu name=texts.get(strings::MORE) part="menu">
            {(dispatch.offers_grants() && can_draw_grants())
                .then(|| view! { <MenuItem name=texts.get(strings::WHAT_I_ALLOWED) act=grants/> })}
            <MenuItem name=texts.get(strings::CLEAR_DEVICE) act=clear is_danger=true/>
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
