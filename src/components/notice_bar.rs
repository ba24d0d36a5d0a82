//! The bar with a failure that belongs to no message.

use assent_conversation::{Intent, Notice};
use leptos::prelude::*;

use super::{dispatch::Dispatch, failure_note::FailureNote, strings};

/// The bar with the notice, a failure that belongs to no message; nothing if there is none.
#[component]
pub(super) fn NoticeBar(notice: RwSignal<Option<Notice>>) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let retry = Callback::new(move |()| dispatch.send(Intent::RetryNotice));
    let dismiss = Callback::new(move |()| dispatch.send(Intent::DismissNotice));
    move || {
        notice.get().map(|Notice { subject, failure }| {
            let lead = texts.get(strings::notice_text(&subject));
            view! {
                <div class="notice">
                    <FailureNote lead failure retry dismiss/>
                </div>
            }
        })
    }
}
