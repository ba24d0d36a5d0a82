//! Plans: made before the first answer, done a step at a time, reviewed once.

use assent_protocol::notification;

use super::{
    consult::look_up,
    inquire::inquire,
    questions::{self, PlanAnswer, ReviewAnswer, read_plan, read_review},
};
use crate::{
    Result,
    agents::model::{ModelAgent, run::turn::TurnState},
    transcript::{Item, Note, PlanStep},
};

/// Asks the model for a plan, and adds it to the transcript, without steps if the model makes none.
pub(super) async fn plan(agent: &ModelAgent, turn: &mut TurnState<'_>) -> Result<()> {
    let initiated = notification::PLAN_ORCHESTRATION_COMPLEX_INITIATED;
    turn.speech.notify(initiated, "").await;
    let answer: Option<PlanAnswer> = inquire(agent, &questions::plan(), turn).await?;
    let mut steps = read_plan(answer);
    if agent.knowledge.is_empty() {
        steps.iter_mut().for_each(|step| step.search.clear());
    }
    turn.note(Note::Plan { steps }).await
}

/// Begins a step of the plan: tells the reader, looks up what the step needs, and adds a note to
/// the transcript that lets the model work on the step.
pub(super) async fn begin_step(
    agent: &ModelAgent,
    number: usize,
    of: usize,
    step: PlanStep,
    turn: &mut TurnState<'_>,
) -> Result<()> {
    let event = notification::PLAN_ORCHESTRATION_COMPLEX_IN_PROGRESS;
    let text = format!("{number} of {of}: {}", step.task);
    turn.speech.tell(event, &text).await;
    if !step.search.is_empty() {
        look_up(agent, &step.search, turn).await?;
    }
    turn.note(Note::Step {
        number,
        of,
        task: step.task,
    })
    .await
}

/// Asks the model whether each step of the plan is done; steps that it finds missing are added.
pub(super) async fn review(agent: &ModelAgent, turn: &mut TurnState<'_>) -> Result<()> {
    let initiated = notification::PLAN_ORCHESTRATION_COMPLEX_REVIEW_INITIATED;
    turn.speech.notify(initiated, "").await;
    let done: Vec<String> = turn.entries().iter().filter_map(task).collect();
    let done: Vec<&str> = done.iter().map(String::as_str).collect();
    let answer: Option<ReviewAnswer> = inquire(agent, &questions::review(&done), turn).await?;
    let completed = notification::PLAN_ORCHESTRATION_COMPLEX_REVIEW_COMPLETED;
    let (verdict, more) = match answer {
        Some(answer) => {
            let (lines, more) = read_review(answer, &done);
            for line in lines {
                let event = notification::PLAN_ORCHESTRATION_COMPLEX_REVIEW_IN_PROGRESS;
                turn.speech.tell(event, &line).await;
            }
            let verdict = match more.len() {
                0 => "nothing is missing".to_owned(),
                1 => "1 more step".to_owned(),
                more => format!("{more} more steps"),
            };
            (verdict, more)
        }
        None => ("the review gave no verdict".to_owned(), Vec::new()),
    };
    turn.note(Note::Review { more }).await?;
    turn.speech.notify(completed, &verdict).await;
    Ok(())
}

/// Ends the plan; `steps` is the number of its steps, or 0 if none was made.
pub(super) async fn end_plan(steps: usize, turn: &mut TurnState<'_>) -> Result<()> {
    let event = notification::PLAN_ORCHESTRATION_COMPLEX_COMPLETED;
    let text = match steps {
        0 => "no plan was made",
        1 => "1 step",
        _ => &format!("{steps} steps"),
    };
    turn.speech.notify(event, text).await;
    turn.note(Note::PlanEnded { steps }).await
}

fn task(item: &Item) -> Option<String> {
    match item {
        Item::Note(Note::Step { task, .. }) => Some(task.clone()),
        _ => None,
    }
}
