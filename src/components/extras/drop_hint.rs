//! What is shown while files are dragged over the widget.

use leptos::prelude::*;

use crate::components::{icons, strings};

/// The text that files can be dropped.
#[component]
pub(super) fn DropHint() -> impl IntoView {
    let texts = strings::texts();
    view! {
        <div class="drop-target" aria-hidden="true">
            {icons::clip()}
            {texts.get(strings::DROP_HERE)}
        </div>
    }
}
