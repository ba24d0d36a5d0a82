//! A failure that belongs to no message.

use assent_conversation::{Intent, Notice};
use leptos::prelude::*;

use super::{dispatch::Dispatch, failure_note::FailureNote, strings};

#[component]
pub(super) fn NoticeBar(notice: ArcRwSignal<Option<Notice>>, dispatch: Dispatch) -> impl IntoView {
    move || {
        notice.get().map(|notice| {
            view! { class="a",
                <div class="notice">
                    <FailureNote
                        lead=strings::notice(&notice.subject)
                        failure=notice.failure
                        on_retry=Callback::new(move |()| dispatch.send(Intent::RetryNotice))
                        on_dismiss=Callback::new(move |()| dispatch.send(Intent::DismissNotice))
                    />
                </div>
            }
        })
    }
}
