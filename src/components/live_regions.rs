//! What is said to people who do not see the screen: a polite region, and an assertive one for approvals.

use leptos::prelude::*;

use super::{agent_name::AgentName, element::el, erased::text, strings};
use crate::store::Spoken;

pub(super) fn live_regions(polite: RwSignal<Spoken>, assertive: RwSignal<Spoken>) -> [AnyView; 2] {
    let texts = strings::texts();
    let agent = AgentName::from_context();
    let region = move |live: &str, spoken: RwSignal<Spoken>| {
        let said = text(move || {
            spoken.with(|spoken| {
                let all = spoken.announcements.iter();
                let all =
                    all.map(|what| strings::announcement(texts, what, &|name| agent.of(name)));
                let mut text = untrack(|| all.collect::<Vec<_>>().join(" "));
                // A region that gets the same text twice stays silent; a space more makes it another text.
                if spoken.revision % 2 == 0 {
                    text.push('\u{a0}');
                }
                text
            })
        });
        el("div", "visually-hidden")
            .attr("part", "status")
            .attr("aria-live", live)
            .child(said)
    };
    [
        region("polite", polite).attr("role", "status").view(),
        region("assertive", assertive).view(),
    ]
}
