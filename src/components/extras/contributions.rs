//! Contributions of several agents to an answer, each in a block of its own below the activity.

use assent_conversation::{ContributionState, ConversationKey};
use leptos::prelude::*;

use crate::{
    components::{
        activity::Foldable,
        agent_name::AgentName,
        answer::Answer,
        own_sentences::signal_in_language_of_page,
        rows::{Row, rows},
        strings,
    },
    store::ContributionRow,
};

/// All contributions to an answer, in the order in which they began. A contribution is identified
/// by its index in `said`.
#[component]
pub(super) fn Contributions(
    said: RwSignal<Vec<ContributionRow>>,
    conversation: ConversationKey,
) -> impl IntoView {
    let row = move |(place, row): (usize, ContributionRow)| {
        Row::new(
            place.to_string(),
            move || view! { <Contribution row=row.clone() conversation/> },
        )
    };
    rows(move || said.get().into_iter().enumerate().map(row).collect())
}

/// One contribution: a line with the agent's name, which opens to the text of the contribution.
#[component]
fn Contribution(row: ContributionRow, conversation: ConversationKey) -> impl IntoView {
    let texts = strings::texts();
    let names = AgentName::from_context();
    let state = RwSignal::from(row.state);
    let text = signal_in_language_of_page(RwSignal::from(row.text));
    let name = Signal::derive(move || names.name_for(&row.agent));
    let said = Signal::derive(move || {
        let said = strings::contribution_state_text(state.get());
        said.map_or_else(String::new, |said| texts.get(said).to_owned())
    });
    let label = move || name.with(|name| texts.fill(strings::CONTRIBUTION_OF, &[("agent", name)]));
    view! {
        <div
            part="contribution"
            class="activity contribution"
            role="group"
            aria-label=label
            data-state=move || state_name(state.get())
        >
            <Foldable current=name count=said>
                <div class="contribution-text">
                    <Answer text conversation/>
                </div>
            </Foldable>
        </div>
    }
}

/// Returns the value of `data-state` for a contribution (`docs/PARTS.md`).
fn state_name(state: ContributionState) -> &'static str {
    match state {
        ContributionState::Writing => "running",
        ContributionState::Whole => "done",
        ContributionState::Short => "failed",
    }
}
