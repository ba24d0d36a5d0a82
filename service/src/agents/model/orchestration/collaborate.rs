//! Collaboration: colleagues are chosen, asked one after the other, and their answers brought
//! together.

use assent_protocol::{EventType, notification};

use tokio::time::Instant;

use super::{
    inquire::inquire,
    questions::{TasksAnswer, read_tasks, tasks},
};
use crate::{
    Result,
    agents::{
        agent::Ending,
        model::{ModelAgent, colleagues::no_reply, run::turn::TurnState},
    },
    transcript::{AnswerRest, ColleagueTask, Note},
};

const FAILED: EventType = notification::MULTI_ASSISTANT_COLLABORATION_FAILED;
const COMPLETED: EventType = notification::MULTI_ASSISTANT_COLLABORATION_COMPLETED;

/// Asks the model which colleagues do what, and adds their tasks to the transcript. Nobody is
/// chosen where the request was passed on too often.
pub(super) async fn choose_colleagues(agent: &ModelAgent, turn: &mut TurnState<'_>) -> Result<()> {
    if turn.speech.answer.delegation_depth() >= agent.limits.depth {
        let times = agent.limits.depth;
        let limit = format!("a request is passed on at most {times} times");
        turn.speech.notify(FAILED, &limit).await;
        turn.note(Note::Colleagues { tasks: Vec::new() }).await?;
        let rest = AnswerRest::Everything;
        return turn.note(Note::Replied { rest }).await;
    }
    let choices = agent.colleagues.choices();
    let answer: Option<TasksAnswer> = inquire(agent, &tasks(&choices), turn).await?;
    let tasks = read_tasks(answer, &choices);
    if !tasks.is_empty() {
        let event = notification::PLAN_ORCHESTRATION_COLLABORATION_INITIATED;
        let names: Vec<&str> = tasks.iter().map(|task| task.agent.as_str()).collect();
        turn.speech.notify(event, &names.join(", ")).await;
    }
    turn.note(Note::Colleagues { tasks }).await
}

/// Gives a colleague its task; `first` is true for the first one of the collaboration. Returns an
/// ending if a person has to decide first, otherwise `None`.
pub(super) async fn delegate(
    agent: &ModelAgent,
    task: ColleagueTask,
    first: bool,
    turn: &mut TurnState<'_>,
) -> Result<Option<Ending>> {
    if first {
        let started = notification::MULTI_ASSISTANT_COLLABORATION_STARTED;
        turn.speech.notify(started, "").await;
    }
    let progress = notification::PLAN_ORCHESTRATION_COLLABORATION_IN_PROGRESS;
    let text = format!("{}: {}", task.agent, task.task);
    turn.speech.tell(progress, &text).await;
    if Instant::now() >= turn.deadline {
        no_reply(&task, &task.agent, "there was no time left", turn).await?;
        return Ok(None);
    }
    agent.colleagues.ask(task, &agent.limits, turn).await
}

/// Tells the reader that all colleagues are done, and adds a note to the transcript of what the
/// agent itself has still to say (`rest`).
pub(super) async fn note_colleagues_done(rest: AnswerRest, turn: &mut TurnState<'_>) -> Result<()> {
    let ended = notification::PLAN_ORCHESTRATION_COLLABORATION_COMPLETED;
    turn.speech.notify(ended, "").await;
    match rest {
        AnswerRest::Joint => {
            let event = notification::MULTI_ASSISTANT_COLLABORATION_UNIFIED_RESPONSE_STARTED;
            turn.speech.notify(event, "").await;
        }
        AnswerRest::Nothing => {
            let event = notification::MULTI_ASSISTANT_COLLABORATION_NO_UNIFIED_RESPONSE_REQUIRED;
            turn.speech.notify(event, "one answered for all").await;
            turn.speech.notify(COMPLETED, "").await;
        }
        AnswerRest::Everything => turn.speech.notify(FAILED, "nobody could answer").await,
    }
    turn.note(Note::Replied { rest }).await
}

/// Tells the reader that the collaboration is complete, after the agent has brought its colleagues'
/// answers together, and adds a note of that to the transcript.
pub(super) async fn end_collaboration(turn: &mut TurnState<'_>) -> Result<()> {
    turn.speech.notify(COMPLETED, "").await;
    turn.note(Note::JointlyAnswered).await
}
