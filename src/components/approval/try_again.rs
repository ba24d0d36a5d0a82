//! Another attempt to fetch what draws requests.

use leptos::{prelude::*, web_sys::MouseEvent};

use super::focus::leave;
use crate::components::{listener::on, renderer::load_again, strings};

/// The button that loads what draws requests again, after it could not be loaded.
#[component]
pub(super) fn TryAgain() -> impl IntoView {
    let try_again = |event: MouseEvent| {
        leave(&event);
        load_again();
    };
    view! {
        <button type="button" class="button" on:click=on(try_again)>
            {strings::texts().get(strings::TRY_AGAIN)}
        </button>
    }
}
