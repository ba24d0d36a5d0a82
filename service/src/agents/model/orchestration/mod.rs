//! Orchestration: what an agent does with a request besides answering it and calling tools. All of
//! it is off unless the agent file asks for it.
//!
//! - [`next_stage`] – what comes next, as a pure function of the transcript.
//! - [`questions`] – the questions to the model beside the conversation, and their answers;
//!   [`mod@inquire`] puts them.
//! - `route`, `consult`, `plan`, `collaborate`, `reflect` – the stages, carried out.
//! - `file` – the table of the agent file.

mod collaborate;
mod consult;
pub(super) mod file;
mod inquire;
mod next_stage;
mod plan;
mod questions;
mod reflect;
mod route;

use tokio::time::Instant;

use self::{
    collaborate::{choose_colleagues, delegate, end_collaboration, note_colleagues_done},
    consult::consult,
    next_stage::Stage,
    plan::{begin_step, end_plan, plan, review},
    reflect::reflect,
    route::route,
};
pub(super) use self::{next_stage::Abilities, questions::Choice, reflect::leave_unchecked};
use super::{ModelAgent, memory::recall, run::turn::TurnState};
use crate::{Result, agents::agent::Ending, sentence::Sentence};

/// What is to be done in a turn once its stages, such as a search or a plan, were carried out.
pub(super) enum AdvanceOutcome {
    /// The model is to be asked.
    ToModel,
    /// A limit ends the turn, with this sentence.
    Limit(Sentence),
    /// The turn is over.
    End(Ending),
}

/// Carries out the stages of the turn, such as a search or a plan, until the model is to be asked
/// for its answer or the turn is over.
pub(super) async fn advance(
    agent: &ModelAgent,
    turn: &mut TurnState<'_>,
) -> Result<AdvanceOutcome> {
    loop {
        let stage = next_stage::next(&agent.abilities, turn.entries());
        let idle = matches!(stage, Stage::Answer | Stage::Done | Stage::Reflect { .. });
        if !idle && Instant::now() >= turn.deadline {
            return Ok(AdvanceOutcome::Limit(agent.limits.time_limit_sentence()));
        }
        if asks_model(&stage)
            && let Some(sentence) = turn.reached_token_limit()
        {
            return Ok(AdvanceOutcome::Limit(sentence));
        }
        match stage {
            Stage::Answer => return Ok(AdvanceOutcome::ToModel),
            Stage::Done => return Ok(AdvanceOutcome::End(Ending::Done)),
            Stage::Recall => recall(&agent.profile.id, turn).await?,
            Stage::Route => route(agent, turn).await?,
            Stage::Consult => consult(agent, turn).await?,
            Stage::Plan => plan(agent, turn).await?,
            Stage::Step { number, of, step } => {
                begin_step(agent, number, of, step, turn).await?;
            }
            Stage::Review => review(agent, turn).await?,
            Stage::EndPlan { steps } => end_plan(steps, turn).await?,
            Stage::Choose => choose_colleagues(agent, turn).await?,
            Stage::Ask { task, first } => {
                if let Some(ending) = delegate(agent, task, first, turn).await? {
                    return Ok(AdvanceOutcome::End(ending));
                }
            }
            Stage::Join(rest) => note_colleagues_done(rest, turn).await?,
            Stage::EndJoint => end_collaboration(turn).await?,
            Stage::Reflect { stopped } => reflect(agent, stopped, turn).await?,
        }
    }
}

/// Returns true if a stage sends a request to the model: without tokens it does not begin.
fn asks_model(stage: &Stage) -> bool {
    matches!(
        stage,
        Stage::Answer | Stage::Route | Stage::Consult | Stage::Plan | Stage::Review | Stage::Choose
    )
}
