//! Searches in the folders of knowledge: before an answer, for a step of a plan, or for a tool.

use assent_protocol::{EventType, notification};

use super::questions::{QueriesAnswer, queried, queries};
use crate::{
    Result,
    agents::model::{
        ModelAgent,
        run::{speech::Speech, turn::Turn},
    },
    transcript::Note,
    transcript::knowledge::Piece,
};

impl ModelAgent {
    /// Searches the folders for what the request needs.
    pub(super) async fn consult(&self, turn: &mut Turn<'_>) -> Result<()> {
        let ids: Vec<&str> = self.knowledge.iter().map(|source| source.id()).collect();
        let initiated = notification::PLAN_ORCHESTRATION_KNOWLEDGE_BASE_INITIATED;
        turn.speech.notify(initiated, &ids.join(", ")).await;
        let answer: Option<QueriesAnswer> = self.inquire(&queries(&ids), turn).await?;
        let queries = queried(answer, &turn.request());
        let mut passages = 0;
        for (number, query) in (1..).zip(&queries) {
            let number: usize = number;
            let progress = format!("{number} of {}: {query}", queries.len());
            let event = notification::PLAN_ORCHESTRATION_KNOWLEDGE_BASE_IN_PROGRESS;
            turn.speech.tell(event, &progress).await;
            passages += self.note_passages(query, turn).await?;
        }
        let event = notification::PLAN_ORCHESTRATION_KNOWLEDGE_BASE_COMPLETED;
        let noun = if passages == 1 { "passage" } else { "passages" };
        turn.speech
            .notify(event, &format!("{passages} {noun}"))
            .await;
        turn.note(Note::Consulted).await
    }

    /// Searches all folders for a step of a plan, and notes what was found.
    pub(super) async fn look_up(&self, query: &str, turn: &mut Turn<'_>) -> Result<()> {
        turn.speech.tell(INITIATED, query).await;
        self.note_passages(query, turn).await?;
        Ok(())
    }

    /// Searches all folders for a tool; returns each with its passages.
    pub(in crate::agents::model) async fn search_all(
        &self,
        query: &str,
        speech: &mut Speech<'_>,
    ) -> Result<Vec<(String, Vec<Piece>)>> {
        speech.tell(INITIATED, query).await;
        self.search_each(query, speech).await
    }

    async fn search_each(
        &self,
        query: &str,
        speech: &mut Speech<'_>,
    ) -> Result<Vec<(String, Vec<Piece>)>> {
        let mut found = Vec::new();
        for source in &self.knowledge {
            let passages = source.search(query, speech).await?;
            found.push((source.id().to_owned(), passages));
        }
        Ok(found)
    }

    /// Searches all folders, and notes what was found; returns the number of passages.
    async fn note_passages(&self, query: &str, turn: &mut Turn<'_>) -> Result<usize> {
        let mut count = 0;
        for (source, passages) in self.search_each(query, &mut turn.speech).await? {
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
}

const INITIATED: EventType = notification::PLAN_ORCHESTRATION_KNOWLEDGE_RETRIEVAL_INITIATED;
