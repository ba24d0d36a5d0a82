//! The live regions, for people who do not see the screen: a polite one, and an assertive one for
//! approvals.

use leptos::prelude::*;

use super::{agent_name::AgentName, attribute::attribute, strings};
use crate::store::{Announced, Store};

/// The live regions of the widget.
#[component]
pub(super) fn LiveRegions() -> impl IntoView {
    let texts = strings::texts();
    let agent = AgentName::from_context();
    let store = expect_context::<Store>();
    let said = move |spoken: &Announced| {
        let all = spoken.announcements.iter();
        let all = all.map(|what| strings::announcement(texts, what, &|name| agent.of(name)));
        let mut text = untrack(|| all.collect::<Vec<_>>().join(" "));
        // A region that gets the same text twice stays silent; an extra space makes it another
        // text.
        if spoken.revision.is_multiple_of(2) {
            text.push('\u{a0}');
        }
        text
    };
    view! {
        <div
            class="visually-hidden"
            part="status"
            role="status"
            {..attribute("aria-live", "polite")}
        >
            {move || store.polite.with(said)}
        </div>
        <div class="visually-hidden" part="status" {..attribute("aria-live", "assertive")}>
            {move || store.assertive.with(said)}
        </div>
    }
}
