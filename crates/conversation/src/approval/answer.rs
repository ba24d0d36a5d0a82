//! The answer to a batch: what is posted, and what is told about it.
//!
//! It is a value of its own, because a part of a batch, or a mix of stopping and deciding, must not have one
//! (specification, Batch rules).

use assent_protocol::{
    ApprovalStatus, BatchId, ContentItem, ExecutionId, RawApprovalRequest, ThreadId,
};

use crate::{ApprovalBatch, Feedback, Verdict};

/// An answer to a whole batch. Made by [`ApprovalBatch::decided`] and [`ApprovalBatch::aborted`] only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchAnswer(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// Every tool with its verdict and the request to echo.
    Decided(Vec<(Verdict, RawApprovalRequest)>),
    /// No tool runs; the agent gets the feedback.
    Aborted {
        requests: Vec<RawApprovalRequest>,
        feedback: Feedback,
    },
}

/// An answer that is to be posted, as the page and other tabs may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// In which thread.
    pub thread: ThreadId,
    /// Which batch.
    pub batch: BatchId,
    /// Every tool of the batch.
    pub decisions: Vec<Decision>,
    /// The requests that the answer echoes, as they came, one for each decision. They hold what only the answer needs:
    /// the page is not told of them.
    pub requests: Vec<RawApprovalRequest>,
    /// The words of a stop; `None` where there are none.
    pub feedback: Option<String>,
}

/// What is decided about one tool run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which run.
    pub execution: ExecutionId,
    /// The tool's display name.
    pub name: String,
    /// The status it gets.
    pub status: ApprovalStatus,
}

impl BatchAnswer {
    /// `None` for no tools.
    pub(super) fn decided(each: Vec<(Verdict, RawApprovalRequest)>) -> Option<Self> {
        (!each.is_empty()).then_some(Self(Kind::Decided(each)))
    }

    /// `None` for no tools, and while a file of the feedback is not there.
    pub(super) fn aborted(requests: Vec<RawApprovalRequest>, feedback: &Feedback) -> Option<Self> {
        let sendable = !requests.is_empty() && feedback.is_complete();
        sendable.then(|| {
            Self(Kind::Aborted {
                requests,
                feedback: feedback.trimmed(),
            })
        })
    }

    /// The items of the post: one approval item with the whole batch, then the feedback, if there is any.
    /// Files go with a stop alone (specification, Batch rules, 4).
    #[must_use]
    pub fn content(&self) -> Vec<ContentItem> {
        match &self.0 {
            Kind::Decided(each) => {
                let results = each
                    .iter()
                    .map(|(verdict, raw)| raw.answered(&verdict.status()));
                vec![ContentItem::ToolApprovalResult(results.collect())]
            }
            Kind::Aborted { requests, feedback } => {
                let results = requests
                    .iter()
                    .map(|raw| raw.answered(&ApprovalStatus::Aborted));
                let mut content = vec![ContentItem::ToolApprovalResult(results.collect())];
                if !feedback.text.is_empty() {
                    content.push(ContentItem::Text(feedback.text.clone()));
                }
                content.extend(feedback.items());
                content
            }
        }
    }

    /// The feedback of a stop, also an empty one; `None` for verdicts.
    #[must_use]
    pub fn feedback(&self) -> Option<&Feedback> {
        match &self.0 {
            Kind::Aborted { feedback, .. } => Some(feedback),
            Kind::Decided(_) => None,
        }
    }

    /// The words of a stop; `None` for verdicts and for a stop without words.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        let words = self.feedback().map(|feedback| feedback.text.as_str());
        words.filter(|words| !words.is_empty())
    }

    /// The status that the tool at `index` of the batch gets by this answer.
    #[must_use]
    pub fn status_of(&self, index: usize) -> ApprovalStatus {
        match &self.0 {
            Kind::Decided(each) => each
                .get(index)
                .map_or(ApprovalStatus::Pending, |(verdict, _)| verdict.status()),
            Kind::Aborted { .. } => ApprovalStatus::Aborted,
        }
    }

    /// What may be told about this answer to `batch`.
    pub(crate) fn claim(&self, thread: ThreadId, batch: &ApprovalBatch) -> Claim {
        let decision = |(index, tool): (usize, &crate::ToolRun)| Decision {
            execution: tool.execution.clone(),
            name: tool.name.clone(),
            status: self.status_of(index),
        };
        let requests = match &self.0 {
            Kind::Decided(each) => each.iter().map(|(_, raw)| raw.clone()).collect(),
            Kind::Aborted { requests, .. } => requests.clone(),
        };
        Claim {
            thread,
            batch: batch.id.clone(),
            decisions: batch.tools.iter().enumerate().map(decision).collect(),
            requests,
            feedback: self.words().map(str::to_owned),
        }
    }
}
