//! A failure that belongs to no message.

use assent_conversation::{Intent, Notice};
use leptos::prelude::*;

use super::{
    dispatch::Dispatch, element::el, erased::dynamic, failure_note::failure_note, strings,
};
use crate::store::Watched;

pub(super) fn notice_bar(notice: Watched<Option<Notice>>, dispatch: Dispatch) -> AnyView {
    dynamic(move || {
        let Some(notice) = notice.get() else {
            return ().into_any();
        };
        let note = failure_note(
            Some(strings::texts().get(strings::notice(&notice.subject))),
            &notice.failure,
            Some(Box::new(move || dispatch.send(Intent::RetryNotice))),
            Some(Box::new(move || dispatch.send(Intent::DismissNotice))),
        );
        el("div", "notice").child(note).view()
    })
}
