//! The note above the message box while an answer is stalled: its possible cause, and the actions.

use assent_conversation::Intent;
use leptos::prelude::*;

use super::{
    dispatch::Dispatch,
    failure_note::{CheckAgainButton, LinkButton},
    show::Show,
    strings,
};
use crate::store::ComposerView;

/// The note that the answer is stalled; nothing while it is not.
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
