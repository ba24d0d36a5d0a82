//! The button for another attempt to load the renderer.

use leptos::{prelude::*, web_sys::MouseEvent};

use super::focus::focus_next;
use crate::components::{listener::boxed_listener, renderer::load_again, strings};

/// The button that loads the renderer again, after it could not be loaded: without it no request
/// for approval is drawn.
#[component]
pub(super) fn TryAgain() -> impl IntoView {
    let try_again = |event: MouseEvent| {
        focus_next(&event);
        load_again();
    };
    view! {
        <button type="button" class="button" on:click=boxed_listener(try_again)>
            {strings::texts().get(strings::TRY_AGAIN)}
        </button>
    }
}
