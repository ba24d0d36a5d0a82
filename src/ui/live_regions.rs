//! What is said to people who do not see the screen: a polite region, and an assertive one for approvals and failures.

use leptos::prelude::*;

use super::strings;
use crate::view::Spoken;

#[component]
pub(super) fn LiveRegions(
    polite: ArcRwSignal<Spoken>,
    assertive: ArcRwSignal<Spoken>,
    heading: Signal<String>,
) -> impl IntoView {
    let text = move |spoken: &ArcRwSignal<Spoken>| {
        spoken.with(|spoken| {
            let what = spoken.announcement.as_ref()?;
            // A region that gets the same text twice stays silent; a different kind of space makes it another text.
            let again = if spoken.revision % 2 == 0 {
                "\u{a0}"
            } else {
                ""
            };
            Some(strings::announcement(what, &heading.get_untracked()) + again)
        })
    };
    view! { class="a",
        <div part="status" class="visually-hidden" role="status" aria-live="polite">{move || text(&polite)}</div>
        <div part="status" class="visually-hidden" aria-live="assertive">{move || text(&assertive)}</div>
    }
}
