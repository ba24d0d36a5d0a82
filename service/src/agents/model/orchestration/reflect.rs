//! Reflection: an answer is compared with the request and with what tools said, and corrected once.

use assent_protocol::{EventType, notification};

use tokio::time::Instant;

use super::{
    inquire::inquire,
    next_stage::{Abilities, reflection_is_due},
    questions::{ReflectionAnswer, read_correction, reflection},
};
use crate::{
    Result,
    agents::model::{ModelAgent, run::turn::TurnState},
    transcript::Note,
};

const ABORTED: EventType = notification::PLAN_ORCHESTRATION_REFLECTION_ABORTED;

/// Asks the model what is to be corrected in its answer, and adds that to the transcript. The check
/// is left out if a person `stopped` the work, or if no tokens are left.
pub(super) async fn reflect(
    agent: &ModelAgent,
    stopped: bool,
    turn: &mut TurnState<'_>,
) -> Result<()> {
    let left_out = if stopped {
        Some("you stopped the work")
    } else {
        turn.reached_token_limit()
            .map(|_| "no tokens are left for it")
    };
    if let Some(reason) = left_out {
        turn.speech.notify(ABORTED, reason).await;
        return turn.note(Note::Reflection { advice: None }).await;
    }
    let initiated = notification::PLAN_ORCHESTRATION_REFLECTION_INITIATED;
    turn.speech.notify(initiated, "").await;
    let answer: Option<ReflectionAnswer> = inquire(agent, &reflection(), turn).await?;
    let (event, detail, advice) = match answer {
        None if Instant::now() >= turn.deadline => (ABORTED, "there was no time left", None),
        None => (
            notification::PLAN_ORCHESTRATION_REFLECTION_FAILED,
            "the answer stands as it is",
            None,
        ),
        Some(answer) => {
            let advice = read_correction(&answer);
            let detail = match advice {
                Some(_) => "the answer is corrected",
                None => "the answer stands",
            };
            let completed = notification::PLAN_ORCHESTRATION_REFLECTION_COMPLETED;
            (completed, detail, advice)
        }
    };
    turn.note(Note::Reflection { advice }).await?;
    turn.speech.notify(event, detail).await;
    Ok(())
}

/// Tells the reader that a limit ended the answer before its check, if a check was due.
pub(in crate::agents::model) async fn leave_unchecked(
    abilities: &Abilities,
    turn: &mut TurnState<'_>,
) {
    if reflection_is_due(abilities, turn.entries()) {
        turn.speech
            .notify(ABORTED, "a limit ended the answer")
            .await;
    }
}
