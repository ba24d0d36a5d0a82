//! What is said to people who do not see the screen: a polite region, and an assertive one for approvals.

use leptos::prelude::*;

use super::{app::AgentName, erased, strings};
use crate::view::{Spoken, Watched};

#[component]
pub(super) fn LiveRegions(
    polite: Watched<Spoken>,
    assertive: Watched<Spoken>,
    agent: AgentName,
) -> impl IntoView {
    let said = move |spoken: Watched<Spoken>| {
        let agent = agent.clone();
        erased::text(move || {
            spoken.with(|spoken| {
                let Some(what) = &spoken.announcement else {
                    return String::new();
                };
                let mut text = untrack(|| strings::announcement(what, &*agent));
                // A region that gets the same text twice stays silent; a space more makes it another text.
                if spoken.revision % 2 == 0 {
                    text.push('\u{a0}');
                }
                text
            })
        })
    };
    view! { class="a",
        <div part="status" class="visually-hidden" role="status" aria-live="polite">{said(polite)}</div>
        <div part="status" class="visually-hidden" aria-live="assertive">{said(assertive)}</div>
    }
}
