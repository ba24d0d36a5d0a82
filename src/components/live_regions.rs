//! The live regions, whose texts screen readers announce: a polite one, and an assertive one for
//! requests for approval. A new text in either of them would cut off the one before, so that it is
//! put there a while later.

use std::time::Duration;

use assent_conversation::Announcement;
use assent_i18n::Texts;
use leptos::prelude::*;

use super::{agent_name::AgentName, attribute::attribute, effect::effect, strings};
use crate::store::{Announcements, Store};

/// Minimum time between two texts in the live regions, so that a screen reader does not break off
/// the first one.
const ANNOUNCEMENT_PAUSE: Duration = Duration::from_millis(1_200);

/// The live regions of the widget.
#[component]
pub(super) fn LiveRegions() -> impl IntoView {
    let store = expect_context::<Store>();
    let speech = Speech {
        polite: RwSignal::new(String::new()),
        assertive: RwSignal::new(String::new()),
        queue: StoredValue::default(),
        texts: strings::texts(),
        agent: AgentName::from_context(),
    };
    let follow = move |from: RwSignal<Announcements>, is_urgent: bool| {
        effect(move || {
            let said = from.with(|spoken| spoken.announcements.clone());
            untrack(|| speech.add(said, is_urgent));
        });
    };
    follow(store.assertive, true);
    follow(store.polite, false);
    view! {
        <div
            class="visually-hidden"
            part="status"
            role="status"
            {..attribute("aria-live", "polite")}
        >
            {speech.polite}
        </div>
        <div class="visually-hidden" part="status" {..attribute("aria-live", "assertive")}>
            {speech.assertive}
        </div>
    }
}

/// The current texts of the two live regions, and the announcements that wait.
#[derive(Clone, Copy)]
struct Speech {
    polite: RwSignal<String>,
    assertive: RwSignal<String>,
    queue: StoredValue<SpeechQueue>,
    texts: Texts,
    agent: AgentName,
}

#[derive(Default)]
struct SpeechQueue {
    polite: Vec<Announcement>,
    assertive: Vec<Announcement>,
    pauses: bool,
}

impl Speech {
    fn add(self, said: Vec<Announcement>, is_urgent: bool) {
        self.queue.update_value(|queue| match is_urgent {
            true => queue.assertive.extend(said),
            false => queue.polite.extend(said),
        });
        self.speak();
    }

    /// Moves all waiting announcements of one region into it, unless the pause after the last ones
    /// is not over. Those of the assertive region come first.
    fn speak(self) {
        let next = self.queue.try_update_value(|queue| {
            let is_urgent = !queue.assertive.is_empty();
            let (region, said) = match is_urgent {
                true => (self.assertive, &mut queue.assertive),
                false => (self.polite, &mut queue.polite),
            };
            if queue.pauses || said.is_empty() {
                return None;
            }
            queue.pauses = true;
            Some((region, std::mem::take(said)))
        });
        let Some((region, mut said)) = next.flatten() else {
            return;
        };
        // An announced answer implies that it came.
        if said.len() > 1 {
            said.retain(|it| *it != Announcement::Answering);
        }
        let text =
            |what| strings::announcement_text(self.texts, what, &|name| self.agent.name_for(name));
        let mut text = said.iter().map(text).collect::<Vec<_>>().join(" ");
        // A region that gets the same text twice stays silent; an extra space makes it another
        // text.
        region.update(|said| {
            if *said == text {
                text.push('\u{a0}');
            }
            *said = text;
        });
        let go_on = move || {
            self.queue.try_update_value(|queue| queue.pauses = false);
            self.speak();
        };
        set_timeout(go_on, ANNOUNCEMENT_PAUSE);
    }
}
