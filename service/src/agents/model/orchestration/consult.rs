//! Searches in the folders of knowledge: before an answer, for a step of a plan, or for a tool.

use assent_protocol::notification;

use super::{
    inquire::inquire,
    questions::{QueriesAnswer, queries, read_queries},
};
use crate::{
    Result,
    agents::model::{ModelAgent, run::turn::TurnState},
    transcript::Note,
    transcript::knowledge::Passage,
};

/// Asks the model for queries, searches the folders of knowledge with them, and adds the passages
/// that are found to the transcript.
pub(super) async fn consult(agent: &ModelAgent, turn: &mut TurnState<'_>) -> Result<()> {
    let ids = agent.knowledge.ids();
    let initiated = notification::PLAN_ORCHESTRATION_KNOWLEDGE_BASE_INITIATED;
    turn.speech.notify(initiated, &ids.join(", ")).await;
    let answer: Option<QueriesAnswer> = inquire(agent, &queries(&ids), turn).await?;
    let queries = read_queries(answer, &turn.request_text());
    let mut passages = 0;
    for (number, query) in (1..).zip(&queries) {
        let number: usize = number;
        let progress = format!("{number} of {}: {query}", queries.len());
        let event = notification::PLAN_ORCHESTRATION_KNOWLEDGE_BASE_IN_PROGRESS;
        turn.speech.tell(event, &progress).await;
        let found = agent.knowledge.search(query, &mut turn.speech).await?;
        passages += note(found, query, turn).await?;
    }
    let event = notification::PLAN_ORCHESTRATION_KNOWLEDGE_BASE_COMPLETED;
    let noun = if passages == 1 { "passage" } else { "passages" };
    turn.speech
        .notify(event, &format!("{passages} {noun}"))
        .await;
    turn.note(Note::Consulted).await
}

/// Searches all folders of knowledge for `query`, which is what a step of a plan has to look up,
/// and adds the passages to the transcript.
pub(super) async fn look_up(
    agent: &ModelAgent,
    query: &str,
    turn: &mut TurnState<'_>,
) -> Result<()> {
    let found = agent.knowledge.look_up(query, &mut turn.speech).await?;
    note(found, query, turn).await?;
    Ok(())
}

/// Adds the passages that were found for `query` in each folder to the transcript; returns their
/// number.
async fn note(
    found: Vec<(String, Vec<Passage>)>,
    query: &str,
    turn: &mut TurnState<'_>,
) -> Result<usize> {
    let mut count = 0;
    for (source, passages) in found {
        count += passages.len();
        turn.note(Note::Passages {
            source,
            query: query.to_owned(),
            passages,
        })
        .await?;
    }
    Ok(count)
}
