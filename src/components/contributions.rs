//! What several agents said on the way to an answer, each in a block of its own below the activity.

use assent_conversation::{ContributionState, ConversationKey};
use leptos::prelude::*;

use super::{
    activity::{foldable, mark},
    agent_name::AgentName,
    answer::answer,
    element::el,
    erased::{Key, Row, each, text},
    strings,
};
use crate::store::{ActivityLevel, AnswerSettings, ContributionRow, Settings};

/// What they share.
#[derive(Clone)]
pub(super) struct Around {
    pub(super) level: RwSignal<ActivityLevel>,
    pub(super) agent: AgentName,
    pub(super) conversation: ConversationKey,
    pub(super) answers: AnswerSettings,
}

pub(super) fn contributions(
    rows: RwSignal<Vec<ContributionRow>>,
    conversation: ConversationKey,
) -> AnyView {
    let settings = expect_context::<Settings>();
    let around = Around {
        level: settings.activity,
        agent: AgentName::from_context(),
        conversation,
        answers: settings.answers,
    };
    each(move || {
        let row = |(place, row): (usize, ContributionRow)| {
            let around = around.clone();
            let place = u32::try_from(place).unwrap_or(u32::MAX);
            Row::new(Key::Number(place), move || {
                contribution(row.clone(), around.clone())
            })
        };
        rows.get().into_iter().enumerate().map(row).collect()
    })
}

fn contribution(row: ContributionRow, around: Around) -> AnyView {
    let texts = strings::texts();
    let Around {
        level,
        agent,
        conversation,
        answers,
    } = around;
    let name = move || agent.of(&row.agent);
    let state = {
        let state = RwSignal::from(row.state.clone());
        move || {
            match state.get() {
                ContributionState::Writing => "running",
                ContributionState::Whole => "done",
                ContributionState::Short => "failed",
            }
            .to_owned()
        }
    };
    let state_of = RwSignal::from(row.state.clone());
    let said = move || {
        let said = strings::contribution_state(state_of.get());
        said.map_or_else(String::new, |said| texts.get(said).to_owned())
    };
    let who = el("span", "activity-current")
        .attr("dir", "auto")
        .child(text(name.clone()));
    let line = vec![
        mark().view(),
        who.view(),
        el("span", "activity-count").child(text(said)).view(),
    ];
    let more = move || {
        el("div", "contribution-text")
            .child(answer(
                RwSignal::from(row.text.clone()),
                conversation,
                answers,
            ))
            .view()
    };
    el("div", "activity contribution")
        .attr("part", "contribution")
        .attr("role", "group")
        .follow_text("aria-label", move || {
            texts.fill(strings::CONTRIBUTION_OF, &[("agent", &name())])
        })
        .follow_text("data-state", state)
        .children(foldable(level, line, more))
        .view()
}
