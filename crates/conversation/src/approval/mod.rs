//! Approvals: one batch, one decision of the user, one answer.
//!
//! The rules are those of the specification, Batch rules. An answer is a [`BatchAnswer`], which can
//! only be made from a batch that is wholly decided or wholly stopped, not from a part or a mix.

mod answer;
pub(crate) mod asking;
pub(crate) mod cache;
mod covered;
mod delivery;
mod edits;
mod feedback;
mod grant_offer;
mod length;
mod obstacle;
pub(crate) mod outcomes;
mod phase;
mod schema;
mod tool_run;
mod verdict;

use assent_protocol::{ApprovalStatus, BatchId, RawApprovalRequest};

use crate::{Failure, FailureKind, UploadId};

pub use answer::{AnswerSummary, BatchAnswer, Decision};
pub use delivery::{DeliveryStatus, UnconfirmedReason};
pub use edits::{ArgumentChanges, EditableArgument, argument_changes, edited_json};
pub use feedback::Feedback;
pub use grant_offer::GrantOffer;
pub use obstacle::{Obstacle, Provenance};
pub use phase::BatchPhase;
pub use schema::{SchemaFault, schema_fault};
pub use tool_run::ToolRun;
pub use verdict::Verdict;

/// The tool runs that share a `toolExecutionBatchId`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalBatch {
    /// The identifier of the batch, which the service calls `toolExecutionBatchId`.
    pub id: BatchId,
    /// The tool runs, at least one.
    pub tools: Vec<ToolRun>,
    /// The phase of the answer to the batch.
    pub phase: BatchPhase,
    /// Feedback that was begun before the user went back to deciding.
    pub draft: Feedback,
    /// True if another tab or device decided the batch before an answer of this page arrived.
    pub elsewhere: bool,
    /// Whether `tools` are known to be all tool runs of the batch.
    pub completeness: BatchCompleteness,
    /// The last answer that was given up as not delivered; it may still arrive late.
    pub given_up: Option<BatchAnswer>,
}

/// The completeness of a batch's list of runs: only the whole batch can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BatchCompleteness {
    /// The service listed these runs, and no others.
    Whole,
    /// The stream that asked broke off, or was not wholly readable: there may be more runs.
    PossiblyIncomplete {
        /// True while the stored messages are being loaded to find more runs.
        checking: bool,
    },
}

/// The reason why a pending batch cannot be answered on this page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnanswerableReason {
    /// A request of the batch was never received on this page, or was forgotten.
    NeverSeen,
    /// The service already has some of the decisions.
    DecidedInPart,
    /// There may be more runs than are shown.
    Unread {
        /// True while the stored messages are being loaded to find more runs; otherwise the user
        /// may start that.
        checking: bool,
    },
}

impl ApprovalBatch {
    /// Returns true while the agent waits for this batch, whether or not it can be answered here.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        !matches!(self.phase, BatchPhase::Answered)
    }

    /// Returns a new batch that the service asks for with this run.
    pub(crate) fn new_pending(id: BatchId, run: ToolRun) -> Self {
        Self {
            id,
            tools: vec![run],
            phase: BatchPhase::DECIDING,
            draft: Feedback::default(),
            elsewhere: false,
            completeness: BatchCompleteness::Whole,
            given_up: None,
        }
    }

    /// Returns the reason why the batch cannot be answered here; `None` if it can be, or was.
    #[must_use]
    pub fn why_unanswerable(&self) -> Option<UnanswerableReason> {
        use UnanswerableReason::{DecidedInPart, NeverSeen, Unread};
        let pending = |tool: &ToolRun| tool.status == ApprovalStatus::Pending;
        let why = match self.completeness {
            _ if !self.tools.iter().all(pending) => DecidedInPart,
            BatchCompleteness::PossiblyIncomplete { checking } => Unread { checking },
            BatchCompleteness::Whole => NeverSeen,
        };
        (self.phase == BatchPhase::Unanswerable).then_some(why)
    }

    /// Marks the list of runs as possibly incomplete: the batch cannot be answered until the stored
    /// messages list them all.
    pub(crate) fn mark_possibly_incomplete(&mut self) {
        self.completeness = BatchCompleteness::PossiblyIncomplete { checking: true };
        self.mark_unanswerable();
    }

    /// Returns true if the batch does not have this tool run, or has another request for it.
    pub(crate) fn is_new_run(&self, run: &ToolRun) -> bool {
        let mut tools = self.tools.iter();
        let known = tools.find(|tool| tool.execution == run.execution);
        known.is_none_or(|tool| tool.is_other_request(run))
    }

    /// Adds a tool run for which the service requests approval; one with the same identifier is
    /// replaced if its request differs. Returns true if the run was added, or replaced another.
    pub(crate) fn add_or_replace_run(&mut self, run: ToolRun) -> bool {
        let is_new = self.is_new_run(&run);
        let mut tools = self.tools.iter_mut();
        match tools.find(|tool| tool.execution == run.execution) {
            // The choice was made for what was shown; a different request has to be decided anew.
            Some(tool) if is_new => *tool = run,
            Some(tool) => tool.status = ApprovalStatus::Pending,
            None => self.tools.push(run),
        }
        if is_new {
            self.given_up = None;
            self.drop_uncovered();
        }
        if !self.is_deciding() {
            self.save_feedback();
            self.phase = BatchPhase::DECIDING;
        }
        self.mark_unanswerable();
        is_new
    }

    /// Makes a batch unanswerable that cannot be answered as a whole: one with a run whose request
    /// was never received here, one of which the service has some of the decisions, and one that
    /// may have more runs.
    pub(crate) fn mark_unanswerable(&mut self) {
        if !self.can_be_answered() {
            self.save_feedback();
            self.phase = BatchPhase::Unanswerable;
        }
    }

    /// Returns true if an answer to the whole batch could be accepted.
    pub(crate) fn can_be_answered(&self) -> bool {
        self.completeness == BatchCompleteness::Whole
            && self.tools.iter().all(ToolRun::can_be_answered)
    }

    /// Keeps in `draft` the feedback that was typed or sent: the user may stop the batch again.
    fn save_feedback(&mut self) {
        let feedback = match &mut self.phase {
            BatchPhase::Deciding { feedback, .. } => feedback.take(),
            BatchPhase::Submitting { answer, .. } => answer.feedback().cloned(),
            BatchPhase::Answered | BatchPhase::Unanswerable => None,
        };
        if let Some(feedback) = feedback {
            self.draft = feedback;
        }
    }

    /// Returns the files of feedback that are being uploaded, or could be retried.
    pub(crate) fn unfinished_uploads(&self) -> Vec<UploadId> {
        let shown = match &self.phase {
            BatchPhase::Deciding {
                feedback: Some(feedback),
                ..
            } => feedback.files.as_slice(),
            _ => &[],
        };
        let files = self.draft.files.iter().chain(shown);
        let unfinished = files.filter(|file| !file.is_uploaded());
        unfinished.map(|file| file.upload).collect()
    }

    /// Returns the requests as a stream brought them, in which form the device keeps them.
    pub(crate) fn cached_requests(&self) -> Vec<RawApprovalRequest> {
        let kept = self.tools.iter().filter(|tool| tool.is_cached);
        kept.filter_map(|tool| tool.request.clone()).collect()
    }

    /// Lets the user stop a batch that is being decided, with the feedback that was begun before.
    pub(crate) fn begin_feedback(&mut self) {
        if let BatchPhase::Deciding { feedback, .. } = &mut self.phase
            && feedback.is_none()
        {
            *feedback = Some(std::mem::take(&mut self.draft));
        }
    }

    /// Returns the feedback of a batch that is being stopped; `None` in any other phase.
    pub(crate) fn feedback_mut(&mut self) -> Option<&mut Feedback> {
        match &mut self.phase {
            BatchPhase::Deciding { feedback, .. } => feedback.as_mut(),
            _ => None,
        }
    }

    /// Marks the answer under way as accepted by the service. Feedback that the user began and did
    /// not send stays in `draft`.
    pub(crate) fn mark_accepted(&mut self) {
        if let BatchPhase::Submitting { answer, .. } = &self.phase {
            for (index, tool) in self.tools.iter_mut().enumerate() {
                tool.status = answer.status_of(index);
            }
            self.phase = BatchPhase::Answered;
            self.given_up = None;
        }
    }

    /// Sets the delivery status of the answer that was sent; returns false if none was sent.
    pub(crate) fn set_delivery(&mut self, to: DeliveryStatus) -> bool {
        if let BatchPhase::Submitting { delivery, .. } = &mut self.phase {
            *delivery = to;
            return true;
        }
        false
    }

    /// Keeps the response to the answer's post, as it is unknown whether the service accepted it.
    pub(crate) fn keep_response(&mut self, response: Option<Failure>) {
        if let BatchPhase::Submitting { failure, .. } = &mut self.phase {
            *failure = response;
        }
    }

    /// Returns the response to the answer's post, if it is unknown whether that was accepted.
    #[must_use]
    pub fn response_to_post(&self) -> Option<&Failure> {
        match &self.phase {
            BatchPhase::Submitting { failure, .. } => failure.as_ref(),
            _ => None,
        }
    }

    /// Returns the reason why the outcome of the sent answer is unknown, if it is.
    pub(crate) fn unconfirmed_reason(&self) -> Option<UnconfirmedReason> {
        match &self.phase {
            BatchPhase::Submitting {
                delivery: DeliveryStatus::Checking(reason) | DeliveryStatus::Unknown(reason),
                ..
            } => Some(*reason),
            _ => None,
        }
    }

    /// Returns true while an answer to the batch is on its way to the service.
    pub(crate) fn is_sent(&self) -> bool {
        matches!(&self.phase, BatchPhase::Submitting { delivery, .. } if *delivery == DeliveryStatus::Sent)
    }

    /// Returns true while stored messages are loaded for the answer's outcome, or for more runs.
    pub(crate) fn has_open_outcome(&self) -> bool {
        self.is_being_checked()
            || self.completeness == BatchCompleteness::PossiblyIncomplete { checking: true }
    }

    /// Returns true while the stored messages are being loaded for the outcome of the answer.
    pub(crate) fn is_being_checked(&self) -> bool {
        let delivery = match &self.phase {
            BatchPhase::Submitting { delivery, .. } => Some(delivery),
            _ => None,
        };
        matches!(delivery, Some(DeliveryStatus::Checking(_)))
    }

    /// Updates the phase after the statuses of tool runs changed.
    pub(crate) fn update_phase(&mut self) {
        let mut tools = self.tools.iter();
        let is_decided = tools.all(|tool| tool.status != ApprovalStatus::Pending);
        match self.phase {
            _ if is_decided => self.mark_decided(),
            BatchPhase::Deciding { .. } => self.mark_unanswerable(),
            BatchPhase::Unanswerable if self.can_be_answered() => self.phase = BatchPhase::DECIDING,
            _ => {}
        }
    }

    /// Marks the batch as decided, as the statuses of its tool runs say. Feedback that did not
    /// arrive is kept in `draft`, and an answer of this page that did arrive, in `given_up`.
    pub(crate) fn mark_decided(&mut self) {
        let ours = self.arrived_answer().cloned();
        self.elsewhere = match &self.phase {
            BatchPhase::Deciding { .. } | BatchPhase::Submitting { .. } => ours.is_none(),
            BatchPhase::Answered | BatchPhase::Unanswerable => self.elsewhere,
        };
        self.save_feedback();
        let text = ours.as_ref().map(|it| it.stop_text().unwrap_or_default());
        if text == Some(self.draft.text.trim()) {
            self.draft = Feedback::default();
        }
        self.given_up = ours;
        self.phase = BatchPhase::Answered;
        self.completeness = BatchCompleteness::Whole;
    }

    /// Returns the answer of this page that agrees with the statuses: the one that was sent, or
    /// given up.
    fn arrived_answer(&self) -> Option<&BatchAnswer> {
        let sent = match &self.phase {
            BatchPhase::Submitting { answer, .. } => Some(answer),
            _ => None,
        };
        let sent = sent.filter(|_| self.unconfirmed_reason() != Some(UnconfirmedReason::OtherTab));
        let same = |answer: &&BatchAnswer| {
            let mut tools = self.tools.iter().enumerate();
            tools.all(|(index, tool)| tool.status == answer.status_of(index))
        };
        sent.into_iter().chain(&self.given_up).find(same)
    }

    /// Lets the user decide the batch again after the service did not accept the answer under way.
    pub(crate) fn reopen(&mut self, failure: Failure) {
        if let BatchPhase::Submitting { answer, .. } = &self.phase {
            if failure.kind == FailureKind::NotDelivered {
                self.given_up = Some(answer.clone());
            }
            self.phase = BatchPhase::Deciding {
                feedback: answer.feedback().cloned(),
                failure: Some(failure),
            };
            self.mark_unanswerable();
        }
    }

    /// Returns true while the user can decide the batch on this page.
    #[must_use]
    pub fn is_deciding(&self) -> bool {
        matches!(self.phase, BatchPhase::Deciding { .. })
    }

    /// Returns the first reason why the tool runs cannot be approved all at once.
    #[must_use]
    pub fn obstacle(&self) -> Option<Obstacle> {
        let of_one = self.tools.iter().find_map(ToolRun::obstacle);
        let is_unseen = self.tools.iter().any(|tool| !tool.is_seen);
        of_one.or(is_unseen.then_some(Obstacle::Unseen))
    }

    /// Returns true once every tool run has a verdict that can be sent.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        !self.tools.is_empty()
            && self
                .tools
                .iter()
                .all(|it| it.verdict_and_request().is_some())
    }

    /// Returns the answer with the user's verdicts; `None` until every tool run has one.
    #[must_use]
    pub fn answer_with_verdicts(&self) -> Option<BatchAnswer> {
        let decided = self.tools.iter().map(ToolRun::verdict_and_request);
        BatchAnswer::with_verdicts(decided.collect::<Option<_>>()?)
    }

    /// Returns the answer that stops all tool runs with `feedback`; `None` if a request to echo is
    /// missing, or if a file of the feedback is not uploaded.
    #[must_use]
    pub fn answer_with_stop(&self, feedback: &Feedback) -> Option<BatchAnswer> {
        let requests = self.tools.iter().map(|tool| tool.request.clone());
        BatchAnswer::with_stop(requests.collect::<Option<_>>()?, feedback)
    }
}
