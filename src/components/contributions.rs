//! What several agents said on the way to an answer, each in a block of its own below the activity.

use assent_conversation::{ContributionState, ConversationKey};
use leptos::prelude::*;

use super::{
    activity::{foldable, mark},
    answer::answer,
    app::AgentName,
    element::el,
    erased::{Key, Row, each, text},
    strings,
};
use crate::store::{ActivityLevel, AnswerSettings, ContributionRow, Watched};

/// What they share.
#[derive(Clone)]
pub(super) struct Around {
    pub(super) level: Watched<ActivityLevel>,
    pub(super) agent: AgentName,
    pub(super) conversation: ConversationKey,
    pub(super) answers: AnswerSettings,
}

pub(super) fn contributions(rows: Watched<Vec<ContributionRow>>, around: Around) -> AnyView {
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
    let name = move || agent(&row.agent);
    let state = {
        let state = row.state.clone();
        move || {
            match state.get() {
                ContributionState::Writing => "running",
                ContributionState::Whole => "done",
                ContributionState::Short => "failed",
            }
            .to_owned()
        }
    };
    let said = move || {
        let said = strings::contribution_state(row.state.get());
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
            .child(answer(row.text.clone(), conversation, answers.clone()))
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
