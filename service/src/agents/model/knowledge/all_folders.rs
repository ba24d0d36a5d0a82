//! All folders of knowledge of one agent, searched one after another.

use assent_protocol::notification;

use super::KnowledgeFolder;
use crate::{Result, agents::model::run::speech::Speech, transcript::knowledge::Passage};

/// The folders of knowledge of an agent.
#[derive(Debug, Default)]
pub(in crate::agents::model) struct KnowledgeFolders(
    pub(in crate::agents::model) Vec<KnowledgeFolder>,
);

impl KnowledgeFolders {
    pub(in crate::agents::model) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the ids that the folders have in the agent file.
    pub(in crate::agents::model) fn ids(&self) -> Vec<&str> {
        self.0.iter().map(KnowledgeFolder::id).collect()
    }

    /// Tells the reader that `query` is looked up, and searches all folders for it.
    pub(in crate::agents::model) async fn look_up(
        &self,
        query: &str,
        speech: &mut Speech<'_>,
    ) -> Result<Vec<(String, Vec<Passage>)>> {
        let event = notification::PLAN_ORCHESTRATION_KNOWLEDGE_RETRIEVAL_INITIATED;
        speech.tell(event, query).await;
        self.search(query, speech).await
    }

    /// Searches all folders for `query`; returns the id of each folder with the passages found in
    /// it.
    pub(in crate::agents::model) async fn search(
        &self,
        query: &str,
        speech: &mut Speech<'_>,
    ) -> Result<Vec<(String, Vec<Passage>)>> {
        let mut found = Vec::new();
        for source in &self.0 {
            let passages = source.search(query, speech).await?;
            found.push((source.id().to_owned(), passages));
        }
        Ok(found)
    }
}
