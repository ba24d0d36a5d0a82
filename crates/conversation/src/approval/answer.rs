//! The answer to a batch: the content to post, and the summary that other parties see.
//!
//! It is a type of its own because an answer to a part of a batch, or one that mixes stopping and
//! deciding, must not exist (specification, Batch rules).

use assent_protocol::{
    ApprovalStatus, BatchId, ContentItem, ExecutionId, RawApprovalRequest, ThreadId,
};

use crate::{ApprovalBatch, Feedback, Verdict};

/// An answer to a whole batch, made by [`ApprovalBatch::answer_with_verdicts`] and
/// [`ApprovalBatch::answer_with_stop`] only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchAnswer(AnswerKind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum AnswerKind {
    /// The verdict on every tool run of the batch, each with the request that the answer echoes.
    Decided(Vec<(Verdict, RawApprovalRequest)>),
    /// The batch is stopped: none of its tools is run, and the agent gets the feedback.
    Aborted {
        requests: Vec<RawApprovalRequest>,
        feedback: Feedback,
    },
}

/// An answer to be posted, in the form that the host page and other tabs may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSummary {
    /// The thread in which the agent asked.
    pub thread: ThreadId,
    /// The batch that is answered.
    pub batch: BatchId,
    /// The decisions on all tool runs of the batch.
    pub decisions: Vec<Decision>,
    /// The streamed requests that the answer echoes. Nothing is posted if the device keeps another
    /// request for one of their tool runs. The host page does not get these requests: they contain
    /// what only the service needs.
    pub requests: Vec<RawApprovalRequest>,
    /// The requests of the tool runs with whose approval something is allowed beforehand, each with
    /// that in it (`grant`).
    pub granting: Vec<RawApprovalRequest>,
    /// The feedback text of a stop; `None` if there is none.
    pub feedback: Option<String>,
}

/// The decision on one tool run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The tool run that the decision is about.
    pub execution: ExecutionId,
    /// The tool's display name.
    pub name: String,
    /// The status that the tool run gets.
    pub status: ApprovalStatus,
}

impl BatchAnswer {
    /// Returns the answer with these verdicts; `None` if there are no tools.
    pub(super) fn with_verdicts(each: Vec<(Verdict, RawApprovalRequest)>) -> Option<Self> {
        (!each.is_empty()).then_some(Self(AnswerKind::Decided(each)))
    }

    /// Returns the answer that stops all tools; `None` if there are no tools, and while a file of
    /// the feedback is not uploaded.
    pub(super) fn with_stop(
        requests: Vec<RawApprovalRequest>,
        feedback: &Feedback,
    ) -> Option<Self> {
        let sendable = !requests.is_empty() && feedback.is_complete();
        sendable.then(|| {
            Self(AnswerKind::Aborted {
                requests,
                feedback: feedback.trimmed(),
            })
        })
    }

    /// Returns the items of the post: one approval item with the whole batch, then the feedback, if
    /// any. Files are posted with a stop only (specification, Batch rules, 4).
    #[must_use]
    pub fn content(&self) -> Vec<ContentItem> {
        match &self.0 {
            AnswerKind::Decided(each) => {
                let results = each
                    .iter()
                    .map(|(verdict, raw)| echo_with_verdict(*verdict, raw));
                vec![ContentItem::ToolApprovalResult(results.collect())]
            }
            AnswerKind::Aborted { requests, feedback } => {
                let results = requests
                    .iter()
                    .map(|raw| raw.answered(&ApprovalStatus::Aborted));
                let mut content = vec![ContentItem::ToolApprovalResult(results.collect())];
                if !feedback.text.is_empty() {
                    content.push(ContentItem::Text(feedback.text.clone()));
                }
                content.extend(feedback.file_items());
                content
            }
        }
    }

    /// Returns the feedback of a stop, also if it is empty; `None` for verdicts.
    #[must_use]
    pub fn feedback(&self) -> Option<&Feedback> {
        match &self.0 {
            AnswerKind::Aborted { feedback, .. } => Some(feedback),
            AnswerKind::Decided(_) => None,
        }
    }

    /// Returns the text of a stop; `None` for verdicts and for a stop without text.
    #[must_use]
    pub fn stop_text(&self) -> Option<&str> {
        let text = self.feedback().map(|feedback| feedback.text.as_str());
        text.filter(|text| !text.is_empty())
    }

    /// Returns the status, such as approved, that this answer gives to the tool run at `index` of
    /// the batch.
    #[must_use]
    pub fn status_of(&self, index: usize) -> ApprovalStatus {
        match &self.0 {
            AnswerKind::Decided(each) => each
                .get(index)
                .map_or(ApprovalStatus::Pending, |(verdict, _)| verdict.status()),
            AnswerKind::Aborted { .. } => ApprovalStatus::Aborted,
        }
    }

    fn granting(&self) -> Vec<RawApprovalRequest> {
        let AnswerKind::Decided(each) = &self.0 else {
            return Vec::new();
        };
        let grants = |(verdict, _): &&(Verdict, _)| *verdict == Verdict::ApproveBeforehand;
        let granting = each.iter().filter(grants);
        granting.map(|(_, request)| request.clone()).collect()
    }

    /// Returns the summary of this answer to `batch`, for the host page and other tabs.
    pub(crate) fn summary(&self, thread: ThreadId, batch: &ApprovalBatch) -> AnswerSummary {
        let decision = |(index, tool): (usize, &crate::ToolRun)| Decision {
            execution: tool.execution.clone(),
            name: tool.name.clone(),
            status: self.status_of(index),
        };
        AnswerSummary {
            thread,
            batch: batch.id.clone(),
            decisions: batch.tools.iter().enumerate().map(decision).collect(),
            requests: batch.cached_requests(),
            granting: self.granting(),
            feedback: self.stop_text().map(str::to_owned),
        }
    }
}

/// Returns the request as the answer echoes it, with the verdict in it. Where the service tells the
/// tool's definition, the answer says whether the definition is accepted too.
fn echo_with_verdict(verdict: Verdict, raw: &RawApprovalRequest) -> RawApprovalRequest {
    let answered = raw.answered(&verdict.status());
    let is_told = |raw: &RawApprovalRequest| raw.read().is_some_and(|it| !it.definition.is_empty());
    match verdict {
        Verdict::ApproveDefinition => answered.with_acceptance(true),
        Verdict::Deny => answered,
        _ if is_told(raw) => answered.with_acceptance(false),
        _ => answered,
    }
}
