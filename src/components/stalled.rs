//! The note above the message box while nothing of an answer arrives: its possible cause, and what
//! the user can do.

use assent_conversation::Intent;
use leptos::prelude::*;

use super::{
    dispatch::Dispatch,
    failure_note::{CheckAgainButton, LinkButton},
    show::Show,
    strings,
};
use crate::store::ComposerView;

/// The note that nothing of the answer has arrived for a while, with buttons that check again and
/// stop; nothing while the answer arrives.
#[component]
pub(super) fn Stalled(composer: RwSignal<ComposerView>) -> impl IntoView {
    let texts = strings::texts();
    let dispatch = expect_context::<Dispatch>();
    let stop = Callback::new(move |()| dispatch.send(Intent::Stop));
    view! {
        <Show when=move || composer.with(|composer| composer.is_stalled)>
            <div class="held" role="status">
                <p class="held-text">{texts.get(strings::QUIET)}</p>
                <div class="buttons">
                    <CheckAgainButton/>
                    <LinkButton name=texts.get(strings::STOP) act=stop/>
                </div>
            </div>
        </Show>
    }
}
