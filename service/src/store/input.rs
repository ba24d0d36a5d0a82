//! The input that an answer was begun with, as it is kept for the case of a crash, or for the replica
//! that begins it.

use serde::{Deserialize, Serialize};

use super::AnsweredQuestion;
use crate::rules::{
    approval::{Approval, Decision, Verdict},
    content::UserContent,
};

/// The input of an answer.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredInput {
    pub(super) content: UserContent,
    /// The ids of the memories of the questions that were decided; empty for a plain message.
    pub(super) memories: Vec<String>,
    /// The decisions of the post.
    #[serde(default)]
    pub(super) decisions: Vec<StoredDecision>,
}

/// A decision of a post.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredDecision {
    execution_id: String,
    verdict: Verdict,
    accepts_definition: bool,
}

impl StoredDecision {
    /// Returns the decisions of a post.
    pub(super) fn of(answered: &[AnsweredQuestion]) -> Vec<Self> {
        let decisions = answered.iter().flat_map(|question| &question.decisions);
        let stored = decisions.map(|decision| Self {
            execution_id: decision.approval.execution_id().to_owned(),
            verdict: decision.verdict,
            accepts_definition: decision.accepts_definition,
        });
        stored.collect()
    }

    /// Returns the decision again, if `approvals` have what it is about.
    pub(super) fn find_in(&self, approvals: &[Approval]) -> Option<Decision> {
        let approval = approvals
            .iter()
            .find(|approval| approval.execution_id() == self.execution_id)?;
        Some(Decision {
            approval: approval.clone(),
            verdict: self.verdict,
            accepts_definition: self.accepts_definition,
            // It was given in the transaction that accepted the post.
            grant: None,
        })
    }
}
