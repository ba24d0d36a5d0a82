//! Above the message box while nothing comes of an answer: what that may mean, and what can be done.

use assent_conversation::Intent;
use leptos::prelude::*;

use super::{dispatch::Dispatch, failure_note::LinkButton, strings};
use crate::store::ComposerView;

/// The note, while nothing comes.
#[component]
pub(super) fn Stalled(composer: RwSignal<ComposerView>) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let check = Callback::new(move |()| dispatch.send(Intent::ReloadMessages));
    let stop = Callback::new(move |()| dispatch.send(Intent::Stop));
    view! {
        <Show when=move || composer.with(|composer| composer.is_stalled)>
            <div class="held" role="status">
                <p class="held-text">{texts.get(strings::QUIET)}</p>
                <div class="buttons">
                    <LinkButton name=texts.get(strings::CHECK_AGAIN) act=check/>
                    <LinkButton name=texts.get(strings::STOP) act=stop/>
                </div>
            </div>
        </Show>
    }
}
