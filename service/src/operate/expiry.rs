//! The end of waiting for a decision (extension `expiry`): what nobody decided in time is denied, and
//! the agent goes on.
//!
//! All replicas look for such requests, and the thread's lock lets one of them, or a person's post
//! that came at the same moment, decide.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::{
    AppState, Error, Result,
    answers::{current_agents::HeldAgent, rates::AnswerSlot, run::Job},
    rules::content::UserContent,
    store::{Acceptance, ExpiredBatch, Hint, ValidPost},
};

/// The time between two searches for requests whose time is over.
const INTERVAL: Duration = Duration::from_secs(1);

/// Denies, now and every second, what nobody decided in time.
pub(crate) async fn end_waiting(state: AppState) {
    let mut seconds = interval(INTERVAL);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_failing = false;
    loop {
        seconds.tick().await;
        let ended = end_expired(&state).await;
        if let Err(error) = &ended
            && !is_failing
        {
            tracing::warn!(%error, "requests whose time is over are not ended yet");
        }
        is_failing = ended.is_err();
    }
}

/// Denies what nobody has decided in time. What waits on without its agent, or until its thread is free,
/// keeps none of the others waiting.
///
/// # Errors
///
/// [`Error::Database`] or [`Error::Stored`].
pub async fn end_expired(state: &AppState) -> Result<()> {
    let mut waiting_on = 0;
    loop {
        let batches = state.store().expired_batches(waiting_on).await?;
        if batches.is_empty() {
            return Ok(());
        }
        for batch in batches {
            // A decision is refused without it all the same.
            let Some(agent) = state.agents().into_agent(&batch.agent_id) else {
                waiting_on += 1;
                continue;
            };
            let Ok(place) = state.rates().hold_answer() else {
                return Ok(());
            };
            match end(state, &batch, agent, place).await {
                Ok(()) => {}
                Err(error @ (Error::Database(_) | Error::Stored(_))) => return Err(error),
                // Somebody has decided, or the thread is not free yet.
                Err(error) => {
                    tracing::debug!(%error, "a request is not ended yet");
                    waiting_on += 1;
                }
            }
        }
    }
}

async fn end(
    state: &AppState,
    batch: &ExpiredBatch,
    agent: HeldAgent,
    place: AnswerSlot,
) -> Result<()> {
    let (thread, content) = (batch.thread(), UserContent::default());
    let answer = state.store().end_of(batch).await?;
    let accepted = state.store().accept(ValidPost {
        thread: &thread,
        handle: &agent.profile().handle,
        content: &content,
        answer: &answer,
        key: None,
        state: agent.state_scope(),
        judge: &|_, _| None,
    });
    match accepted.await? {
        Acceptance::New(accepted) => {
            let job = Job {
                content,
                accepted,
                resumed: false,
            };
            state.runs().start(agent, place, job);
        }
        Acceptance::HandedOn(_) => state.store().give_hint(Hint::Runs).await,
        Acceptance::Repeated(_) => {}
    }
    Ok(())
}
