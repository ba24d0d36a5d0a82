//! Approvals: one batch, one decision of a person, one answer.
//!
//! The rules are those of the specification, Batch rules.
//! An answer is a [`BatchAnswer`], which can only be made from a batch that is wholly decided or wholly stopped;
//! a part of a batch, or a mix of stopping and deciding, has no value that could stand for it.

use assent_protocol::{
    ApprovalRequest, ApprovalStatus, BatchId, ContentItem, ExecutionId, RawApprovalRequest,
    StoredToolApproval,
};

use crate::Failure;

/// What a person decides about one tool run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Run it.
    Approve,
    /// Skip it.
    Deny,
}

/// One tool run that asks for approval. The streamed and the stored shape become this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRun {
    /// This run.
    pub execution: ExecutionId,
    /// The tool's display name.
    pub name: String,
    /// Who provides it.
    pub provider: String,
    /// Its category.
    pub category: String,
    /// Argument names and values, in the order they came.
    pub arguments: Vec<(String, String)>,
    /// As the service says it.
    pub status: ApprovalStatus,
    /// What the person chose so far.
    pub choice: Option<Verdict>,
    /// The streamed request; `None` where only the stored half is known, which cannot be answered.
    pub request: Option<RawApprovalRequest>,
}

/// The tool runs that share a `toolExecutionBatchId`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalBatch {
    /// `toolExecutionBatchId`.
    pub id: BatchId,
    /// At least one.
    pub tools: Vec<ToolRun>,
    /// Where its answer stands.
    pub phase: BatchPhase,
    /// Feedback that was typed before the person went back to deciding.
    pub typed: String,
}

/// Where the answer to a batch stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchPhase {
    /// A person decides.
    Deciding {
        /// `Some` in the exclusive mode of stopping the whole batch: the feedback typed so far.
        feedback: Option<String>,
        /// Why the last attempt was refused.
        failure: Option<Failure>,
    },
    /// The answer was sent; it is not known yet whether it was accepted.
    Submitting {
        /// What was sent. It is never sent again by itself.
        answer: BatchAnswer,
        /// The connection broke; the stored messages will say what became of it.
        checking: bool,
    },
    /// The service accepted an answer.
    Answered,
    /// Pending at the service, but this page never saw the streamed request, whose `toolMemoryId` the answer needs.
    Unanswerable,
}

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
        feedback: String,
    },
}

impl ToolRun {
    /// A run out of a streamed request; `None` where it names no execution or batch.
    #[must_use]
    pub fn streamed(raw: RawApprovalRequest) -> Option<(BatchId, Self)> {
        let request: ApprovalRequest = raw.read()?;
        let run = Self {
            execution: request.tool_execution_id,
            name: request.tool_name,
            provider: request.tool_provider,
            category: request.tool_category,
            arguments: request.tool_arguments,
            status: request.approval_result,
            choice: None,
            request: Some(raw),
        };
        Some((request.tool_execution_batch_id, run))
    }

    /// A run out of a stored message.
    #[must_use]
    pub fn stored(stored: &StoredToolApproval) -> (BatchId, Self) {
        let run = Self {
            execution: stored.tool_execution_id.clone(),
            name: stored.name.clone(),
            provider: stored.provider.clone(),
            category: stored.category.clone(),
            arguments: stored.tool_arguments.clone(),
            status: stored.status.clone(),
            choice: None,
            request: None,
        };
        (stored.execution_batch_id.clone(), run)
    }
}

impl ApprovalBatch {
    /// True while the agent waits for this batch, whether or not it can be answered here.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        !matches!(self.phase, BatchPhase::Answered)
    }

    /// A batch that the service asks for with this run.
    pub(crate) fn asking(id: BatchId, run: ToolRun) -> Self {
        Self {
            id,
            tools: vec![run],
            phase: BatchPhase::DECIDING,
            typed: String::new(),
        }
    }

    /// The service asks for this run: as one more of the batch, or once again. True if it was not asked for before.
    pub(crate) fn ask_again(&mut self, run: ToolRun) -> bool {
        let mut tools = self.tools.iter_mut();
        let known = tools.find(|tool| tool.execution == run.execution);
        let is_new = known.as_ref().is_none_or(|tool| tool.request.is_none());
        match known {
            Some(tool) => {
                // A choice was made for what was shown; what differs is to be decided anew.
                let choice = tool.choice.filter(|_| tool.request == run.request);
                *tool = ToolRun { choice, ..run };
            }
            None => self.tools.push(run),
        }
        if !matches!(self.phase, BatchPhase::Deciding { .. }) {
            self.phase = BatchPhase::DECIDING;
        }
        self.forbid_what_cannot_be_echoed();
        is_new
    }

    /// A batch with a run whose request this page never saw cannot be answered, for only the whole can.
    pub(crate) fn forbid_what_cannot_be_echoed(&mut self) {
        if self.tools.iter().any(|tool| tool.request.is_none()) {
            self.phase = BatchPhase::Unanswerable;
        }
    }

    /// Puts this into the feedback of a batch that is being decided, and gives what was there before.
    pub(crate) fn type_feedback(&mut self, text: Option<String>) -> Option<String> {
        match &mut self.phase {
            BatchPhase::Deciding { feedback, .. } => std::mem::replace(feedback, text),
            _ => None,
        }
    }

    /// The service accepted the answer that is under way.
    pub(crate) fn accept(&mut self) {
        if let BatchPhase::Submitting { answer, .. } = &self.phase {
            for (index, tool) in self.tools.iter_mut().enumerate() {
                tool.status = answer.status_of(index);
            }
            self.phase = BatchPhase::Answered;
        }
    }

    /// Whether the stored messages are being read to learn what became of the answer that is under way;
    /// false where none is.
    pub(crate) fn check(&mut self, again: bool) -> bool {
        if let BatchPhase::Submitting { checking, .. } = &mut self.phase {
            *checking = again;
            return true;
        }
        false
    }

    /// True while the stored messages are being read for what became of the answer.
    pub(crate) fn is_checked(&self) -> bool {
        matches!(self.phase, BatchPhase::Submitting { checking: true, .. })
    }

    /// The service did not take the answer that is under way: it is to be decided again.
    pub(crate) fn reopen(&mut self, failure: Failure) {
        if let BatchPhase::Submitting { answer, .. } = &self.phase {
            let feedback = answer
                .stops()
                .then(|| answer.feedback().unwrap_or_default().to_owned());
            self.phase = BatchPhase::Deciding {
                feedback,
                failure: Some(failure),
            };
            self.forbid_what_cannot_be_echoed();
        }
    }

    /// True once every tool has a verdict and a request to echo.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.tools
            .iter()
            .all(|tool| tool.choice.is_some() && tool.request.is_some())
            && !self.tools.is_empty()
    }

    /// The answer that carries out the choices; `None` until every tool is decided.
    #[must_use]
    pub fn decided(&self) -> Option<BatchAnswer> {
        if !self.is_decided() {
            return None;
        }
        let each = self
            .tools
            .iter()
            .filter_map(|tool| Some((tool.choice?, tool.request.clone()?)));
        Some(BatchAnswer(Kind::Decided(each.collect())))
    }

    /// The answer that stops all tools with `feedback`; `None` where a request to echo is missing.
    #[must_use]
    pub fn aborted(&self, feedback: &str) -> Option<BatchAnswer> {
        let requests: Option<Vec<_>> = self.tools.iter().map(|tool| tool.request.clone()).collect();
        let requests = requests.filter(|requests| !requests.is_empty())?;
        Some(BatchAnswer(Kind::Aborted {
            requests,
            feedback: feedback.trim().to_owned(),
        }))
    }
}

impl BatchPhase {
    /// Nothing typed, nothing refused.
    pub(crate) const DECIDING: Self = Self::Deciding {
        feedback: None,
        failure: None,
    };
}

impl BatchAnswer {
    /// True where it stops the whole batch.
    #[must_use]
    pub fn stops(&self) -> bool {
        matches!(self.0, Kind::Aborted { .. })
    }

    /// The items of the post: one approval item with the whole batch, then the feedback, if there is any.
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
                if !feedback.is_empty() {
                    content.push(ContentItem::Text(feedback.clone()));
                }
                content
            }
        }
    }

    /// The feedback of a stop; `None` for verdicts and for a stop without words.
    #[must_use]
    pub fn feedback(&self) -> Option<&str> {
        match &self.0 {
            Kind::Aborted { feedback, .. } if !feedback.is_empty() => Some(feedback),
            _ => None,
        }
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
}

impl Verdict {
    /// The status it is answered with.
    #[must_use]
    pub fn status(self) -> ApprovalStatus {
        match self {
            Self::Approve => ApprovalStatus::Approved,
            Self::Deny => ApprovalStatus::Denied,
        }
    }
}
