//! Whether a message can be sent now, and the line above the message box that says why not.

use assent_conversation::{Attachment, ComposerState};
use leptos::{prelude::*, web_sys::MouseEvent};

use super::{approval::focus_request, effect::memo, listener::boxed_listener, show::Show, strings};
use crate::store::{ComposerView, Store};

/// Returns true if the user can send a message now: it is sent or queued at once, or the user is
/// asked what it is meant for. Whether the message box is empty is not looked at.
pub(super) fn can_send(composer: &ComposerView) -> bool {
    Attachment::all_uploaded(&composer.files)
        && match composer.composer {
            ComposerState::Ready | ComposerState::Streaming => true,
            ComposerState::AwaitingApproval => composer.deciding > 0,
            ComposerState::AwaitingElsewhere => false,
        }
}

/// Returns true while the user is asked whether the draft is feedback on the pending batch, or a
/// message for later.
pub(super) fn is_asking_purpose(composer: &ComposerView) -> bool {
    composer.is_asking
}

/// The line above the message box that says why no message can be sent now, or that the draft
/// cannot be stored; nothing if neither is so. `id` is the id of its element.
#[component]
pub(super) fn ComposerHint(id: StoredValue<String>) -> impl IntoView {
    let texts = strings::texts();
    let composer = expect_context::<Store>().composer;
    let hint = memo(move || {
        composer.with(|it| match it.composer {
            _ if !it.is_online => texts.get(strings::OFFLINE_HINT),
            ComposerState::Streaming if it.is_stopping => texts.get(strings::STOPPING),
            ComposerState::AwaitingElsewhere => texts.get(strings::DECISION_ELSEWHERE),
            _ if it.files.iter().any(Attachment::has_failed) => texts.get(strings::FILES_FAILED),
            _ if !Attachment::all_uploaded(&it.files) => texts.get(strings::SEND_WAITS_FOR_FILES),
            ComposerState::AwaitingApproval if it.is_asking => "",
            ComposerState::AwaitingApproval if it.deciding == 0 => {
                texts.get(strings::DECISION_OPEN)
            }
            ComposerState::AwaitingApproval => texts.get(strings::DECIDE_FIRST),
            _ if it.is_unstored => texts.get(strings::DRAFT_UNSTORED),
            ComposerState::Ready | ComposerState::Streaming => "",
        })
    });
    let go = move |event: MouseEvent| {
        focus_request(&event_target(&event));
    };
    // While a card waits for a decision, the text is a button that moves the focus there.
    let text = move || match hint.get() {
        text if text == texts.get(strings::DECIDE_FIRST) => view! {
            <button type="button" class="link-button" on:click=boxed_listener(go)>{text}</button>
        }
        .into_any(),
        text => text.into_any(),
    };
    view! {
        <Show when=move || !hint.get().is_empty()>
            <p class="composer-hint" id=id.get_value()>{text}</p>
        </Show>
    }
}
